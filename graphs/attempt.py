"""The attempt workflow: one try at filling a slot, from a scenario to verified questions.

    START ──> stage ──> perform ──> check ──> ask ──> END
                │                     │
                └───── rejected ──────┴─────────────> END
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import NotRequired, TypedDict

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime

from dtomtrack.errors import PlanError
from dtomtrack.graphs.roleplay import Cast, play
from dtomtrack.questions import QuestionBuilder
from dtomtrack.reading import Reading, read_all
from dtomtrack.scenarios.domain import Domain
from dtomtrack.scenarios.pack_files import builtin_domains, find_pack, load_pack
from dtomtrack.scenarios.sampler import sample_scenario, stage_scenario
from dtomtrack.scenarios.scripted_actor import characters
from dtomtrack.scenarios.stage import StagedScenario
from dtomtrack.schema import Dialogue, Provenance, Question, Rejection, Scenario, Turn
from dtomtrack.slots import Slot, slot_at
from dtomtrack.tracker import BeliefTracker
from dtomtrack.verifiers.questions import QuestionVerifier
from dtomtrack.verifiers.updates import verify_updates

__all__ = ["GENERATOR", "AttemptState", "Outcome", "Workshop", "attempt", "graph"]

GENERATOR = "scripted"


@dataclass(frozen=True)
class Workshop:
    """What attempts are made with.

    Attributes:
        domains: by name.
        scenarios: by slot, scenarios to be played as they are; other slots draw theirs from their domain.
    """

    domains: Mapping[str, Domain]
    scenarios: Mapping[int, Scenario] | None = None


class AttemptInput(TypedDict):
    """Which attempt at which slot of a run over ``domains``, for a dialogue of ``length`` turns."""

    domains: list[str]
    seed: int
    index: int
    attempt: int
    length: int


class AttemptState(AttemptInput):
    """What the nodes leave for each other."""

    staged: NotRequired[StagedScenario]
    turns: NotRequired[tuple[Turn, ...]]
    dialogue: NotRequired[Dialogue]
    readings: NotRequired[list[Reading]]
    questions: NotRequired[tuple[Question, ...]]
    rejections: NotRequired[tuple[Rejection, ...]]


@dataclass(frozen=True)
class Outcome:
    """What came of an attempt: a dialogue with its questions, or none; and what was thrown away, with reasons."""

    dialogue: Dialogue | None
    questions: tuple[Question, ...]
    rejections: tuple[Rejection, ...]


class _Staged(TypedDict, total=False):
    staged: StagedScenario
    rejections: tuple[Rejection, ...]


class _Checked(TypedDict, total=False):
    dialogue: Dialogue
    readings: list[Reading]
    rejections: tuple[Rejection, ...]


class _Asked(TypedDict):
    questions: tuple[Question, ...]
    rejections: tuple[Rejection, ...]


@cache
def _builtin_workshop() -> Workshop:
    """For LangGraph Studio, which gives no context."""
    return Workshop({name: Domain(load_pack(find_pack(name))) for name in builtin_domains()})


def _at(state: AttemptState, runtime: Runtime[Workshop]) -> tuple[Slot, Domain, Workshop]:
    workshop: Workshop = runtime.context or _builtin_workshop()
    slot = slot_at(state["seed"], state["index"], state["domains"])
    return slot, workshop.domains[slot.domain], workshop


async def _stage(state: AttemptState, runtime: Runtime[Workshop]) -> _Staged:
    slot, domain, workshop = _at(state, runtime)
    given = (workshop.scenarios or {}).get(slot.index)
    try:
        if given is None:
            return {"staged": sample_scenario(domain.pack, slot, state["attempt"], state["length"])}
        rng = slot.random(state["attempt"], "stage")
        return {"staged": stage_scenario(domain.pack, given, state["length"], rng)}
    except PlanError as error:
        reason = "the scenario can't be played"
        rejection = Rejection(
            slot=slot.index,
            attempt=state["attempt"],
            stage="scenario",
            reason=reason,
            detail=str(error),
            scenario=given,
        )
        return {"rejections": (rejection,)}


async def _perform(state: AttemptState, runtime: Runtime[Workshop]) -> dict[str, tuple[Turn, ...]]:
    slot, domain, _ = _at(state, runtime)
    attempt = state["attempt"]
    parts = characters(state["staged"], lambda turn: slot.random(attempt, "turn", turn))
    cast = Cast(domain.actor, domain.actor, domain.find_topic)
    return {"turns": await play(parts, state["length"], cast)}


async def _check(state: AttemptState, runtime: Runtime[Workshop]) -> _Checked:
    slot, domain, _ = _at(state, runtime)
    scenario, turns = state["staged"].scenario, state["turns"]
    reader = domain.reader([agent.name for agent in scenario.agents])
    transcript = [(turn.speaker, turn.utterance) for turn in turns]
    verification = verify_updates(transcript, scenario.updates, reader)
    if not verification.realized:
        reason = "a planned update did not happen" if verification.missing else "too many unplanned updates"
        rejection = Rejection(
            slot=slot.index,
            attempt=state["attempt"],
            stage="update_verification",
            reason=reason,
            detail=f"F1 {verification.f1}",
            scenario=scenario,
            turns=turns,
            missing=verification.missing,
        )
        return {"rejections": (rejection,)}
    dialogue = Dialogue(
        id=slot.dialogue_id,
        slot=slot.index,
        domain=slot.domain,
        generator=GENERATOR,
        scenario=scenario,
        turns=turns,
        beliefs=tuple(BeliefTracker.of(turns).records()),
        verification=verification,
        provenance=Provenance(model=GENERATOR, seed=slot.seed, attempt=state["attempt"]),
    )
    return {"dialogue": dialogue, "readings": read_all(reader, transcript)}


async def _ask(state: AttemptState, runtime: Runtime[Workshop]) -> _Asked:
    slot, _, _ = _at(state, runtime)
    dialogue, readings = state["dialogue"], state["readings"]
    scenario = dialogue.scenario
    agents = [agent.name for agent in scenario.agents]
    builder = QuestionBuilder(BeliefTracker.of(dialogue.turns), scenario.topics, agents, readings, slot)
    verifier = QuestionVerifier(readings, agents, len(dialogue.turns))
    kept, rejected = [], []
    for question in builder.build(dialogue.id):
        verdict = verifier.verify(question)
        if verdict.reason is None:
            kept.append(question)
            continue
        rejected.append(
            Rejection(
                slot=slot.index,
                attempt=state["attempt"],
                stage="question_verification",
                reason=verdict.reason,
                detail=verdict.criterion or "",
                question=question,
            )
        )
    return {"questions": tuple(kept), "rejections": tuple(rejected)}


class _Rejected(TypedDict):
    """What the routers see."""

    rejections: NotRequired[tuple[Rejection, ...]]


async def _perform_or_end(state: _Rejected) -> str:
    return END if state.get("rejections") else "perform"


async def _ask_or_end(state: _Rejected) -> str:
    return END if state.get("rejections") else "ask"


def _build() -> CompiledStateGraph[AttemptState, Workshop, AttemptInput, AttemptState]:
    builder = StateGraph(AttemptState, context_schema=Workshop, input_schema=AttemptInput)
    builder.add_node("stage", _stage)
    builder.add_node("perform", _perform)
    builder.add_node("check", _check)
    builder.add_node("ask", _ask)
    builder.add_edge(START, "stage")
    builder.add_conditional_edges("stage", _perform_or_end, ["perform", END])
    builder.add_edge("perform", "check")
    builder.add_conditional_edges("check", _ask_or_end, ["ask", END])
    builder.add_edge("ask", END)
    return builder.compile(name="attempt")


graph = _build()


async def attempt(workshop: Workshop, given: AttemptInput) -> Outcome:
    """One try at a slot."""
    state = await graph.ainvoke(given, context=workshop)
    return Outcome(state.get("dialogue"), state.get("questions", ()), state.get("rejections", ()))
