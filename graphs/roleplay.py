"""The role-play workflow: one attempt at a dialogue (paper, Figure 2).

    START ──> direct ──> agent_a <──> agent_b ──> review ──> END

``direct`` writes or draws the scenario and gives each agent its part; the agents take turns, each behind its own
inner speech; ``review`` verifies what came out and asks about it.

A node receives only what its input type names. An agent's is its own part and what was said aloud: neither the
partner's part nor anybody's inner speech ever reaches it.
"""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, Literal, NotRequired, Protocol, TypedDict

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime
from langgraph.types import Command

from dtomtrack.errors import PlanError
from dtomtrack.inner_speech import parse_thoughts
from dtomtrack.scenarios.domain import Domain
from dtomtrack.scenarios.pack_files import builtin_domains, find_pack, load_pack
from dtomtrack.scenarios.sampler import sample_scenario, stage_scenario
from dtomtrack.scenarios.scripted_actor import Character, Performance, characters
from dtomtrack.scenarios.stage import StagedScenario
from dtomtrack.schema import Rejection, Scenario, Turn
from dtomtrack.slots import Slot, slot_at
from dtomtrack.verifiers.review import Outcome, review

__all__ = ["Actor", "Attempt", "Line", "PartA", "PartB", "RoleplayState", "Workshop", "graph", "play"]

Line = tuple[str, str]
"""(speaker, utterance)"""


class Actor(Protocol):
    """What speaks for a character."""

    name: str
    """What datasets call it: "scripted", or a model."""

    async def play(self, character: Character, transcript: Sequence[Line]) -> Performance:
        """The character's next turn."""
        ...


@dataclass(frozen=True)
class Workshop:
    """What attempts are made with.

    Attributes:
        domains: by name.
        scenarios: by slot, scenarios to be played as they are; other slots draw theirs from their domain.
        actor: who plays, if not the domain's own scripted actor.
    """

    domains: Mapping[str, Domain]
    scenarios: Mapping[int, Scenario] | None = None
    actor: Actor | None = None


@cache
def _builtin_workshop() -> Workshop:
    """For LangGraph Studio, which gives no context."""
    return Workshop({name: Domain(load_pack(find_pack(name))) for name in builtin_domains()})


class Attempt(TypedDict):
    """Which attempt at which slot of a run over ``domains``, for a dialogue of ``length`` turns."""

    domains: list[str]
    seed: int
    index: int
    attempt: int
    length: int


class _Called(TypedDict):
    """What a run is given, and what the director sees."""

    attempt: Attempt


class RoleplayState(_Called):
    """The whole state, which no agent sees as such."""

    scenario: NotRequired[Scenario]
    character_a: NotRequired[Character]
    character_b: NotRequired[Character]
    transcript: Annotated[list[Line], operator.add]
    turns: Annotated[list[Turn], operator.add]
    outcome: NotRequired[Outcome]


class PartA(TypedDict):
    """What agent A sees."""

    character_a: Character
    transcript: list[Line]


class PartB(TypedDict):
    """What agent B sees."""

    character_b: Character
    transcript: list[Line]


class _Played(_Called):
    """What the review sees."""

    scenario: Scenario
    turns: list[Turn]


def _at(attempt: Attempt, runtime: Runtime[Workshop]) -> tuple[Slot, Domain, Workshop]:
    workshop: Workshop = runtime.context or _builtin_workshop()
    slot = slot_at(attempt["seed"], attempt["index"], attempt["domains"])
    return slot, workshop.domains[slot.domain], workshop


async def _direct(state: _Called, runtime: Runtime[Workshop]) -> Command[Literal["agent_a", "__end__"]]:
    attempt = state["attempt"]
    slot, domain, workshop = _at(attempt, runtime)
    number = attempt["attempt"]
    given = (workshop.scenarios or {}).get(slot.index)
    try:
        staged = _staged(domain, slot, attempt, given)
    except PlanError as error:
        rejection = Rejection(
            slot=slot.index,
            attempt=number,
            generator=(workshop.actor or domain.actor).name,
            stage="scenario",
            reason="the scenario can't be played",
            detail=str(error),
            scenario=given,
        )
        return Command(update={"outcome": Outcome(rejections=(rejection,))}, goto="__end__")
    first, second = characters(staged, lambda turn: slot.random(number, "turn", turn))
    update = {"scenario": staged.scenario, "character_a": first, "character_b": second}
    return Command(update=update, goto="agent_a")


def _staged(domain: Domain, slot: Slot, attempt: Attempt, given: Scenario | None) -> StagedScenario:
    if given is None:
        return sample_scenario(domain.pack, slot, attempt["attempt"], attempt["length"])
    return stage_scenario(domain.pack, given, attempt["length"], slot.random(attempt["attempt"], "stage"))


async def _agent_a(state: PartA, runtime: Runtime[Workshop]) -> Command[Literal["agent_b", "review"]]:
    spoken = await _take_turn(state["character_a"], state["transcript"], runtime)
    return Command(
        update=spoken, goto="review" if state["character_a"].speaks_last(len(state["transcript"])) else "agent_b"
    )


async def _agent_b(state: PartB, runtime: Runtime[Workshop]) -> Command[Literal["agent_a", "review"]]:
    spoken = await _take_turn(state["character_b"], state["transcript"], runtime)
    return Command(
        update=spoken, goto="review" if state["character_b"].speaks_last(len(state["transcript"])) else "agent_a"
    )


async def _take_turn(
    character: Character, transcript: list[Line], runtime: Runtime[Workshop]
) -> dict[str, list[Line] | list[Turn]]:
    workshop: Workshop = runtime.context or _builtin_workshop()
    domain = workshop.domains[character.domain]
    performance = await (workshop.actor or domain.actor).play(character, transcript)
    turn = Turn(
        index=len(transcript),
        speaker=character.name,
        inner_speech=parse_thoughts(performance.inner_speech, character.name, [character.partner], domain.find_topic),
        utterance=performance.utterance,
    )
    return {"transcript": [(character.name, performance.utterance)], "turns": [turn]}


async def _review(state: _Played, runtime: Runtime[Workshop]) -> dict[str, Outcome]:
    attempt = state["attempt"]
    slot, domain, workshop = _at(attempt, runtime)
    scenario = state["scenario"]
    reader = domain.reader([agent.name for agent in scenario.agents])
    generator = (workshop.actor or domain.actor).name
    return {"outcome": review(scenario, state["turns"], reader, slot, attempt["attempt"], generator)}


def _build() -> CompiledStateGraph[RoleplayState, Workshop, _Called, RoleplayState]:
    builder = StateGraph(RoleplayState, context_schema=Workshop, input_schema=_Called)
    builder.add_node("direct", _direct, input_schema=_Called)
    builder.add_node("agent_a", _agent_a, input_schema=PartA)
    builder.add_node("agent_b", _agent_b, input_schema=PartB)
    builder.add_node("review", _review, input_schema=_Played)
    builder.add_edge(START, "direct")
    builder.add_edge("review", END)
    return builder.compile(name="roleplay")


graph = _build()


async def play(workshop: Workshop, attempt: Attempt) -> Outcome:
    """One attempt at a dialogue."""
    config: Any = {"recursion_limit": attempt["length"] + 5}
    state = await graph.ainvoke({"attempt": attempt}, config, context=workshop, output_keys=["outcome"])
    outcome: Outcome = state["outcome"]
    return outcome
