"""The role-play workflow: one attempt at a dialogue (paper, Figure 2).

    START ──> direct ──> agent_a <──> agent_b ──> review ──> END

``direct`` writes or draws the scenario and gives each agent its part; the agents take turns, each behind its own
inner speech; ``review`` verifies what came out and asks about it. Scripted or played by language models, it is the
same workflow: writer, actor and judge are parts of the `Workshop`.

A node receives only what its input type names. An agent's is its own part and what was said aloud: neither the
partner's part nor anybody's inner speech ever reaches it.
"""

from __future__ import annotations

import asyncio
import operator
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, Literal, NotRequired, Protocol, TypedDict

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime
from langgraph.types import Command

from dtomtrack.beliefs.dialogue import Turn
from dtomtrack.beliefs.inner_speech import parse_thoughts
from dtomtrack.beliefs.matching import SpokenThoughts
from dtomtrack.beliefs.reading import Reader
from dtomtrack.beliefs.rejection import Rejection
from dtomtrack.beliefs.scenario import Scenario
from dtomtrack.errors import PlanError, ReplyError
from dtomtrack.runs.slots import Slot, slot_at
from dtomtrack.scenarios.acting.character import Character, Performance, characters
from dtomtrack.scenarios.domain import Domain
from dtomtrack.scenarios.pack_files import builtin_domains, find_pack, load_pack
from dtomtrack.scenarios.sampler import sample_scenario, stage_scenario
from dtomtrack.scenarios.stage import StagedScenario
from dtomtrack.verifiers.review import Outcome, review

if TYPE_CHECKING:
    from dtomtrack.verifiers.judging.judge import Judge

__all__ = ["Actor", "Attempt", "Line", "PartA", "PartB", "RoleplayState", "Workshop", "Writer", "graph", "play"]

Line = tuple[str, str]
"""(speaker, utterance)"""


class Actor(Protocol):
    """What speaks for a character."""

    name: str
    """What datasets call it: "scripted", or a model."""

    async def play(self, character: Character, transcript: Sequence[Line]) -> Performance:
        """The character's next turn.

        Raises:
            ReplyError: the actor can't, also when asked again; the attempt fails.
        """
        ...


class Writer(Protocol):
    """What writes scenarios for a domain."""

    async def write(self, slot: Slot, attempt: int, turns: int) -> StagedScenario:
        """A scenario, laid out over ``turns`` turns.

        Raises:
            ReplyError: none came about, also when asked again; the attempt fails.
        """
        ...


@dataclass(frozen=True)
class Workshop:
    """What attempts are made with.

    Attributes:
        domains: by name.
        scenarios: by slot, scenarios to be played as they are; other slots have theirs written, or drawn from their
            domain.
        writers: by domain, who writes scenarios, if they are not drawn.
        actor: who plays, if not the domain's own scripted actor.
        judge: who verifies behind the rules, if anybody does.
        sparse: scenarios ask for one weighty thing a turn at most.
        own_words: actors don't say things in the sentences of the domain's pack.
        desk: where many dialogues wait for models, what is pure computation is done here, one piece after another, with
            a look at what has come in between two.
    """

    domains: Mapping[str, Domain]
    scenarios: Mapping[int, Scenario] | None = None
    writers: Mapping[str, Writer] | None = None
    actor: Actor | None = None
    judge: Judge | None = None
    sparse: bool = False
    own_words: bool = False
    desk: asyncio.Semaphore | None = None

    @asynccontextmanager
    async def at_desk(self) -> AsyncIterator[None]:
        """For a piece of computation."""
        if self.desk is None:
            yield
            return
        async with self.desk:
            await asyncio.sleep(0)
            yield


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
    failure: NotRequired[str]
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
    """What the review sees; ``failure`` says why a turn could not be played, if one could not."""

    scenario: Scenario
    turns: list[Turn]
    failure: NotRequired[str]


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
        staged = await _staged(workshop, domain, slot, attempt, given)
    except (PlanError, ReplyError) as error:
        rejection = Rejection(
            slot=slot.index,
            attempt=number,
            generator=(workshop.actor or domain.actor).name,
            stage="scenario",
            reason="the scenario can't be played" if isinstance(error, PlanError) else "no usable scenario was written",
            detail=str(error),
            scenario=given,
        )
        return Command(update={"outcome": Outcome(rejections=(rejection,))}, goto="__end__")
    first, second = characters(staged, (slot.index, number), lambda turn: slot.random(number, "turn", turn))
    update = {"scenario": staged.scenario, "character_a": first, "character_b": second}
    return Command(update=update, goto="agent_a")


async def _staged(
    workshop: Workshop, domain: Domain, slot: Slot, attempt: Attempt, given: Scenario | None
) -> StagedScenario:
    number, length = attempt["attempt"], attempt["length"]
    if given is not None:
        return stage_scenario(domain.pack, given, length, slot.random(number, "stage"))
    if workshop.writers is not None:
        return await workshop.writers[slot.domain].write(slot, number, length)
    async with workshop.at_desk():
        return sample_scenario(domain.pack, slot, number, length, sparse=workshop.sparse)


_NextOfA = Command[Literal["agent_b", "review"]]
_NextOfB = Command[Literal["agent_a", "review"]]


async def _agent_a(state: PartA, runtime: Runtime[Workshop]) -> _NextOfA:
    update, over = await _take_turn(state["character_a"], state["transcript"], runtime)
    return Command(update=update, goto="review" if over else "agent_b")


async def _agent_b(state: PartB, runtime: Runtime[Workshop]) -> _NextOfB:
    update, over = await _take_turn(state["character_b"], state["transcript"], runtime)
    return Command(update=update, goto="review" if over else "agent_a")


async def _take_turn(
    character: Character, transcript: list[Line], runtime: Runtime[Workshop]
) -> tuple[dict[str, object], bool]:
    """What a turn adds to the state, and whether the dialogue ends with it."""
    workshop: Workshop = runtime.context or _builtin_workshop()
    domain = workshop.domains[character.domain]
    try:
        performance = await (workshop.actor or domain.actor).play(character, transcript)
    except ReplyError as error:
        return {"failure": str(error)}, True
    thoughts = performance.thoughts
    if thoughts is None:
        thoughts = parse_thoughts(performance.inner_speech, character.name, [character.partner], domain.find_topic)
    turn = Turn(index=len(transcript), speaker=character.name, inner_speech=thoughts, utterance=performance.utterance)
    spoken = {"transcript": [(character.name, performance.utterance)], "turns": [turn]}
    return spoken, character.speaks_last(turn.index)


async def _review(state: _Played, runtime: Runtime[Workshop]) -> dict[str, Outcome]:
    attempt = state["attempt"]
    slot, domain, workshop = _at(attempt, runtime)
    scenario, turns, number = state["scenario"], state["turns"], attempt["attempt"]
    generator = (workshop.actor or domain.actor).name
    if "failure" in state:
        rejection = Rejection(
            slot=slot.index,
            attempt=number,
            generator=generator,
            stage="role_play",
            reason="a turn could not be played",
            detail=state["failure"],
            scenario=scenario,
            turns=tuple(turns),
        )
        return {"outcome": Outcome(rejections=(rejection,))}
    async with workshop.at_desk():
        outcome = review(scenario, turns, _reader(workshop, domain, scenario, turns), slot, number, generator)
    if workshop.judge is None:
        return {"outcome": outcome}
    # imported late: scripted runs have no judge
    from dtomtrack.verifiers.judging.judged_review import judged

    return {"outcome": await judged(outcome, workshop.judge)}


def _reader(workshop: Workshop, domain: Domain, scenario: Scenario, turns: Sequence[Turn]) -> Reader:
    if workshop.own_words:
        return SpokenThoughts(turns, scenario.topics)
    return domain.reader([agent.name for agent in scenario.agents])


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
