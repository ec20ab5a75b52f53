"""The role-play workflow: one attempt at a dialogue (paper, Figure 2).

    START ──> direct ──> agent ──┐ ──> review ──> END
                           ^─────┘

``direct`` writes or draws the scenario and gives each agent its part; the agents take turns in one node, each behind
its own inner speech; ``review`` hands what came out from verifier to verifier. Scripted or played by language models,
it is the same workflow: writer, actor and verifiers are parts of the `RoleplayContext`. Scripts, which never wait, take
all their turns in one step of it.

An agent's turn is given what `AgentTurn` names and nothing else, in a step of its own as the input of its node: the
part whose turn it is, and the lines that its character has heard or read. No other part, no word that was not for it,
and nobody's inner speech, its own included, ever reaches it.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Coroutine, Sequence
from functools import cache, partial, wraps
from typing import Annotated, Any, Literal, NotRequired

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime
from langgraph.types import Command

# before Python 3.12 pydantic makes schemas of these alone
from typing_extensions import TypedDict

from dtomtrack.beliefs.dialogue import Turn
from dtomtrack.beliefs.inner_speech import parse_thoughts
from dtomtrack.beliefs.rejection import Rejection
from dtomtrack.beliefs.scenario import Scenario
from dtomtrack.errors import PlanError, ReplyError
from dtomtrack.graphs.context import RoleplayContext
from dtomtrack.graphs.next_turn import AgentTurn, NextTurn, Parts
from dtomtrack.runs.slots import Slot, slot_at
from dtomtrack.scenarios.acting.character import Heard, characters
from dtomtrack.scenarios.domain import Domain
from dtomtrack.scenarios.pack_files import builtin_domains, find_pack, load_pack
from dtomtrack.scenarios.sampler import direct_scenario, sample_scenario
from dtomtrack.scenarios.script import DirectedScenario
from dtomtrack.verifiers.review import played, review
from dtomtrack.verifiers.verifier import ReviewedAttempt

__all__ = ["AgentInput", "Attempt", "RoleplayState", "build", "graph", "play"]


_Node = Callable[..., Coroutine[Any, Any, Any]]


class Attempt(TypedDict):
    """Which attempt at which slot of a run over ``domains``, for a dialogue of ``length`` turns; all from 0."""

    domains: list[str]
    seed: int
    index: int
    attempt: int
    length: int


class _Called(TypedDict):
    """The input of a run, and all that the director sees."""

    attempt: Attempt


class _Reviewed(TypedDict):
    """The output of a run."""

    reviewed: NotRequired[ReviewedAttempt]


class _Progress(_Called):
    """What comes of an attempt."""

    scenario: NotRequired[Scenario]
    turns: Annotated[list[Turn], operator.add]
    overreaching: Annotated[int, operator.add]
    failure: NotRequired[str]
    reviewed: NotRequired[ReviewedAttempt]


class RoleplayState(_Progress):
    """The whole state, which no agent sees as such."""

    next_turn: Annotated[AgentTurn, NextTurn]


class AgentInput(TypedDict):
    """All that the node of the agents sees."""

    next_turn: AgentTurn


class _StateAtOnce(_Progress):
    """The whole state where scripts take all turns in one step."""

    next_turn: Parts


class _Parts(TypedDict):
    """The input of that step."""

    next_turn: Parts


class _Played(_Called):
    """The input of the review; ``failure`` says why a turn could not be played, if one could not."""

    scenario: Scenario
    turns: list[Turn]
    overreaching: int
    failure: NotRequired[str]


@cache
def _builtin_context() -> RoleplayContext:
    """The context where none is given."""
    return RoleplayContext({name: Domain(load_pack(find_pack(name))) for name in builtin_domains()})


def _context(runtime: Runtime[RoleplayContext]) -> RoleplayContext:
    return runtime.context or _builtin_context()


def _slot(attempt: Attempt) -> Slot:
    return slot_at(attempt["seed"], attempt["index"], attempt["domains"])


# -- the scenario ----------------------------------------------------------------------------------------------------


async def _direct(state: _Called, runtime: Runtime[RoleplayContext]) -> Command[Literal["agent", "__end__"]]:
    attempt, context = state["attempt"], _context(runtime)
    slot, number = _slot(attempt), attempt["attempt"]
    try:
        directed = await _directed(context, slot, attempt)
    except (PlanError, ReplyError) as error:
        reason = "the scenario can't be played" if isinstance(error, PlanError) else "no usable scenario was written"
        scenario = (context.scenarios or {}).get(slot.index)
        rejection = _rejection(context, attempt, "scenario", reason, str(error), scenario)
        return Command(update={"reviewed": ReviewedAttempt(rejections=(rejection,))}, goto="__end__")
    own = characters(directed, (slot.index, number), partial(slot.random, number, "turn"))
    parts = Parts(directed.scenario, own)
    return Command(update={"scenario": directed.scenario, "next_turn": parts}, goto="agent")


async def _directed(context: RoleplayContext, slot: Slot, attempt: Attempt) -> DirectedScenario:
    """The scenario of an attempt: given, written or drawn."""
    number, length, difficulty = attempt["attempt"], attempt["length"], context.difficulty
    pack = context.domains[slot.domain].pack
    given = (context.scenarios or {}).get(slot.index)
    if given is not None:
        return direct_scenario(pack, given, length, difficulty, slot.random(number, "stage"))
    if context.writers is not None:
        return await context.writers[slot.domain].write(slot, number, length)
    async with context.computing():
        return sample_scenario(pack, slot, number, length, difficulty)


# -- the turns -------------------------------------------------------------------------------------------------------


async def _agent(state: AgentInput, runtime: Runtime[RoleplayContext]) -> Command[Literal["agent", "review"]]:
    now = state["next_turn"]
    try:
        turn, overreaching = await _turn(now, _context(runtime))
    except ReplyError as error:
        return Command(update={"failure": str(error)}, goto="review")
    goto: Literal["agent", "review"] = "review" if now.part.speaks_last(now.turn) else "agent"
    update: dict[str, object] = {"next_turn": Heard(turn.index, turn.speaker, turn.utterance), "turns": [turn]}
    if overreaching:
        update["overreaching"] = overreaching
    return Command(update=update, goto=goto)


async def _agents(state: _Parts, runtime: Runtime[RoleplayContext]) -> Command[Literal["review"]]:
    """All turns of scripts, who can always play: each is given what it would be in a step of its own."""
    parts, context = state["next_turn"], _context(runtime)
    turns: list[Turn] = []
    said: list[Heard] = []
    last = False
    while not last:
        now = parts.next_turn(said)
        turn, _ = await _turn(now, context)
        turns.append(turn)
        said.append(Heard(turn.index, turn.speaker, turn.utterance))
        last = now.part.speaks_last(now.turn)
    return Command(update={"turns": turns}, goto="review")


async def _turn(now: AgentTurn, context: RoleplayContext) -> tuple[Turn, int]:
    """A turn, and how often a thought of it was asked for again because it knew what the character can't know.

    Raises:
        ReplyError: the actor can't.
    """
    part = now.part
    domain = context.domains[part.domain]
    performance = await context.actor_of(domain).play(part, now.turn, now.heard)
    thoughts = performance.thoughts
    if thoughts is None:
        others = [other.name for other in part.others]
        thoughts = parse_thoughts(performance.inner_speech, part.name, others, domain.find_topic)
    turn = Turn(
        index=now.turn,
        speaker=part.name,
        inner_speech=thoughts,
        utterance=performance.utterance,
        audience=part.audience(now.turn),
        read_at=part.read_at.get(now.turn, {}),
        said=performance.said,
    )
    return turn, performance.overreaching


# -- the review ------------------------------------------------------------------------------------------------------


async def _review(state: _Played, runtime: Runtime[RoleplayContext]) -> dict[str, ReviewedAttempt]:
    attempt, context = state["attempt"], _context(runtime)
    slot = _slot(attempt)
    scenario, turns, domain = state["scenario"], state["turns"], context.domains[slot.domain]
    if "failure" in state:
        reason, why = "a turn could not be played", state["failure"]
        rejection = _rejection(context, attempt, "role_play", reason, why, scenario, turns)
        return {"reviewed": ReviewedAttempt(rejections=(rejection,))}
    async with context.computing():
        reader = context.reader_of(domain, scenario, turns)
        by, dials = context.actor_of(domain).name, context.difficulty.questions
        found = played(scenario, turns, reader, slot, attempt["attempt"], by, dials, state.get("overreaching", 0))
    return {"reviewed": await review(found, context.verifiers)}


def _rejection(
    context: RoleplayContext,
    attempt: Attempt,
    stage: str,
    reason: str,
    detail: str,
    scenario: Scenario | None,
    turns: Sequence[Turn] = (),
) -> Rejection:
    slot = _slot(attempt)
    return Rejection(
        slot=slot.index,
        attempt=attempt["attempt"],
        generator=context.actor_of(context.domains[slot.domain]).name,
        stage=stage,
        reason=reason,
        detail=detail,
        scenario=scenario,
        turns=tuple(turns),
    )


def build(
    context_schema: type[RoleplayContext] | None = RoleplayContext,
) -> CompiledStateGraph[RoleplayState, RoleplayContext, _Called, _Reviewed]:
    """The workflow; without a context, the built-in domains and their scripted actors take part."""
    builder = StateGraph(RoleplayState, context_schema=context_schema, input_schema=_Called, output_schema=_Reviewed)
    builder.add_node("direct", _direct, input_schema=_Called)
    builder.add_node("agent", _agent, input_schema=AgentInput)
    builder.add_node("review", _review, input_schema=_Played)
    builder.add_edge(START, "direct")
    builder.add_edge("review", END)
    return builder.compile(name="roleplay")


def _build_at_once() -> CompiledStateGraph[_StateAtOnce, RoleplayContext, _Called, _Reviewed]:
    """The workflow of scripts, without what LangGraph does for those that may wait."""
    builder = StateGraph(_StateAtOnce, context_schema=RoleplayContext, input_schema=_Called, output_schema=_Reviewed)
    builder.add_node("direct", _at_once(_direct), input_schema=_Called)
    builder.add_node("agent", _at_once(_agents), input_schema=_Parts)
    builder.add_node("review", _at_once(_review), input_schema=_Played)
    builder.add_edge(START, "direct")
    builder.add_edge("review", END)
    return builder.compile(name="roleplay")


def _at_once(node: _Node) -> Callable[..., object]:
    """An async node as a plain function."""

    @wraps(node)
    def run(*given: object, **more: object) -> object:
        coroutine = node(*given, **more)
        try:
            coroutine.send(None)
        except StopIteration as done:
            return done.value
        raise RuntimeError(f"{node.__name__} waits, and was to be done at once")

    return run


graph, _graph_at_once = build(), _build_at_once()


async def play(context: RoleplayContext, attempt: Attempt) -> ReviewedAttempt:
    """One attempt at a dialogue."""
    config: Any = {"recursion_limit": attempt["length"] + 5}
    # ainvoke would have each step tell its updates, too
    given: Any = {"context": context, "stream_mode": "values", "output_keys": ["reviewed"]}
    if context.never_waits:
        states = list(_graph_at_once.stream({"attempt": attempt}, config, **given))
    else:
        states = [state async for state in graph.astream({"attempt": attempt}, config, **given)]
    reviewed: ReviewedAttempt = states[-1]["reviewed"]
    return reviewed
