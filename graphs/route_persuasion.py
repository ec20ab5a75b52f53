"""The workflow of route-controlled persuasion: infer, choose, write, judge; one run for each dialogue state.

    infer, infer_elsewhere, choose, write_without ─> give ─> write_with ─> gather ─> judge_blind, judge_outcome,
    infer ─> place                                                                   judge_alignment, judge_minds

Every node takes its own part of the state. Who writes without mental states can't see any: their node's input has no
such key, and nor has the blind judge's one for routes, variants or tagged replies: it gets bare texts in an order of
their own. Gold strategies are nowhere in the state; gold states are where a run asks for them, and go to the writer who
is to have them.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, NotRequired, Protocol, TypeAlias, TypedDict

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime

from dtomtrack.scenarios.route.state import KnownMind, Mind, MindField, Utterance
from dtomtrack.scenarios.route.terms import Cell, CueType, Persona, Role, Route, Variant
from dtomtrack.verifiers.judging.scales import Unjudged

__all__ = [
    "Alignment",
    "Consistency",
    "Given",
    "Lines",
    "Minds",
    "Outcome",
    "Panel",
    "Persuasion",
    "PersuasionState",
    "Predicted",
    "Replies",
    "ShownQuestion",
    "ShownResources",
    "StateBegin",
    "Subject",
    "Task",
    "Unusable",
    "Written",
    "blind_text",
    "graph",
    "judging_graph",
    "without_tags",
]

Lines: TypeAlias = Sequence[Utterance]
Minds: TypeAlias = Mapping[Role, Mind]


@dataclass(frozen=True, slots=True)
class Unusable:
    """An output of the subject that can't be used, and why."""

    reason: str


@dataclass(frozen=True, slots=True)
class ShownResources:
    """Resources as a writer sees them: items by id by the central route, phrases by kind by the peripheral one."""

    dossier: Mapping[str, str]
    cues: Mapping[CueType, Sequence[str]]

    def of(self, cell: Cell) -> ShownResources:
        """Those of a cell: without counterpoints, if it is to have none."""
        if cell.ablation != "no-counterpoints":
            return self
        return replace(self, dossier={name: text for name, text in self.dossier.items() if not name.startswith("C")})


@dataclass(frozen=True, slots=True)
class Task:
    """What is to be written: the cell says for whom, by which route, under which disturbance, and what is taken away.

    Attributes:
        mind: the states of the persuadee that the writer is given, if any; of gold ones some may be unknown.
        noise: chatter, for cells that have some.
    """

    cell: Cell
    lines: Lines
    resources: ShownResources
    noise: str
    mind: KnownMind | None = None

    @property
    def warned(self) -> bool:
        """Whether the writer is told what to do about a disturbance."""
        return self.cell.ablation != "unwarned"


@dataclass(frozen=True, slots=True)
class ShownQuestion:
    """A question about a state of somebody's mind, with options, and nothing of which is right."""

    role: Role
    field: MindField
    question: str
    options: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Written:
    """A reply; judges never see the outline."""

    text: str
    outline: str = ""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a judge that is told the route finds.

    Attributes:
        attitude: 0 to 2; ``match``: whether the route is kept, 0 or 1.
        route: which route it takes the reply to follow.
        evidence: five dimensions, 0 to 2 each, of central replies.
    """

    attitude: int
    match: int
    route: Route
    evidence: tuple[int, ...] | None = None


Predicted: TypeAlias = Route | Unjudged
Alignment: TypeAlias = int | Unjudged
Consistency: TypeAlias = int | Unjudged
Replies: TypeAlias = Mapping[Cell, Written | Unusable]
Given: TypeAlias = Mapping[tuple[Persona, Variant], KnownMind | Unusable]
Inferred: TypeAlias = Mapping[Persona, "Minds | Unusable"]
Chosen: TypeAlias = Mapping[tuple[Persona, Route], "str | Unusable"]
Options: TypeAlias = Sequence["int | None"]
"""Positions of options, one for each question; None where none could be read."""
Placed: TypeAlias = Mapping[Persona, "Options | Unusable"]


class Subject(Protocol):
    """The persuader that is put to the test, at one dialogue state. A failed call is raised."""

    async def infer(self, lines: Lines, persona: Persona, *, elsewhere: bool = False) -> Minds | Unusable:
        """The mental states of both people; ``elsewhere`` says that these are lines of another scene."""
        ...

    async def choose(self, lines: Lines, persona: Persona, route: Route, options: Sequence[str]) -> str | Unusable:
        """One of the strategies."""
        ...

    async def place(self, minds: Minds, persona: Persona, questions: Sequence[ShownQuestion]) -> Options | Unusable:
        """The options that come nearest to the states it inferred, one for each question."""
        ...

    async def write(self, task: Task) -> Written | Unusable:
        """The persuader's next turn."""
        ...


class Panel(Protocol):
    """A judge, at one dialogue state. A failed call is raised; a verdict that can't be read is unjudged."""

    async def predict(self, lines: Lines, text: str, number: int) -> Predicted:
        """The route that a text without tags follows (with them where they are shown); ``number`` tells the texts of
        a state apart."""
        ...

    async def outcome(self, lines: Lines, cell: Cell, text: str) -> Outcome | Unjudged:
        """How far a reply moves the persuadee, and whether it keeps its route."""
        ...

    async def alignment(self, lines: Lines, cell: Cell, mind: Mind, text: str) -> Alignment:
        """How far a reply is tailored to these states, 0 to 2."""
        ...

    async def consistency(self, lines: Lines, persona: Persona, minds: Minds) -> Consistency:
        """Whether inferred states follow from dialogue and persona, 0 to 2."""
        ...


@dataclass(frozen=True)
class Persuasion:
    """Who takes part, and which cells there are."""

    subject: Subject
    panel: Panel
    cells: tuple[Cell, ...]

    @property
    def personas(self) -> tuple[Persona, ...]:
        """The listeners."""
        return tuple(dict.fromkeys(cell.persona for cell in self.cells))

    @property
    def audiences(self) -> tuple[tuple[Persona, Route], ...]:
        """Listeners with routes."""
        return tuple(dict.fromkeys((cell.persona, cell.route) for cell in self.cells))

    def has(self, variant: Variant) -> bool:
        """Whether a variant is played."""
        return any(cell.variant == variant for cell in self.cells)


def _merged(one: Replies, other: Replies) -> Replies:
    return {**one, **other}


class StateBegin(TypedDict):
    """What a run begins with.

    ``elsewhere`` are the lines of another scene, ``gold`` the persuadee's states, where they are asked for, and
    ``questions`` those that published files have about both minds.
    """

    lines: Lines
    options: Mapping[Persona, Sequence[str]]
    resources: ShownResources
    noise: str
    elsewhere: NotRequired[Lines]
    gold: NotRequired[KnownMind]
    questions: NotRequired[Sequence[ShownQuestion]]


class PersuasionState(StateBegin):
    """The whole state, which no node sees as such."""

    minds: NotRequired[Inferred]
    others: NotRequired[Inferred]
    placed: NotRequired[Placed]
    chosen: NotRequired[Chosen]
    given: NotRequired[Given]
    replies: Annotated[Replies, _merged]
    bare: NotRequired[Sequence[str]]
    predicted: NotRequired[Mapping[str, Predicted]]
    outcomes: NotRequired[Mapping[Cell, Outcome | Unjudged]]
    alignments: NotRequired[Mapping[Cell, Alignment]]
    consistencies: NotRequired[Mapping[Persona, Consistency]]


class InferSees(TypedDict):
    """The part that inference sees."""

    lines: Lines


class ElsewhereSees(TypedDict):
    """The part that inference in another scene sees."""

    elsewhere: NotRequired[Lines]


class PlaceSees(TypedDict):
    """The part that is seen by who says which options come nearest to inferred states: no dialogue, no right option."""

    minds: Inferred
    questions: NotRequired[Sequence[ShownQuestion]]


class ChooseSees(TypedDict):
    """The part that the choice of a strategy sees."""

    lines: Lines
    options: Mapping[Persona, Sequence[str]]


class WriteSees(TypedDict):
    """The part that a writer without mental states sees."""

    lines: Lines
    resources: ShownResources
    noise: str


class GiveSees(TypedDict):
    """The part that hands mental states to writers."""

    minds: Inferred
    others: NotRequired[Inferred]
    gold: NotRequired[KnownMind]


class WriteWithSees(WriteSees):
    """The part that a writer with mental states sees."""

    given: Given


class GatherSees(TypedDict):
    """The part that takes tags off replies."""

    replies: Replies


class BlindSees(TypedDict):
    """The part that the blind judge sees."""

    lines: Lines
    bare: Sequence[str]


class OutcomeSees(TypedDict):
    """The part that the judge of outcomes sees."""

    lines: Lines
    replies: Replies


class AlignmentSees(OutcomeSees):
    """The part that the judge of alignment sees."""

    minds: Inferred


class ConsistencySees(TypedDict):
    """The part that the judge of inferred states sees."""

    lines: Lines
    minds: Inferred


# -- subject ---------------------------------------------------------------------------------------------------------


async def _infer(state: InferSees, runtime: Runtime[Persuasion]) -> dict[str, Inferred]:
    subject, personas = runtime.context.subject, runtime.context.personas
    found = await asyncio.gather(*(subject.infer(state["lines"], persona) for persona in personas))
    return {"minds": dict(zip(personas, found, strict=True))}


async def _infer_elsewhere(state: ElsewhereSees, runtime: Runtime[Persuasion]) -> dict[str, Inferred]:
    subject, personas, lines = runtime.context.subject, runtime.context.personas, state.get("elsewhere")
    if lines is None:
        return {}
    found = await asyncio.gather(*(subject.infer(lines, persona, elsewhere=True) for persona in personas))
    return {"others": dict(zip(personas, found, strict=True))}


async def _place(state: PlaceSees, runtime: Runtime[Persuasion]) -> dict[str, Placed]:
    subject, questions = runtime.context.subject, state.get("questions", ())
    minds = {who: one for who, one in state["minds"].items() if questions and not isinstance(one, Unusable)}
    found = await asyncio.gather(*(subject.place(one, who, questions) for who, one in minds.items()))
    return {"placed": dict(zip(minds, found, strict=True))}


async def _choose(state: ChooseSees, runtime: Runtime[Persuasion]) -> dict[str, Chosen]:
    subject, audiences = runtime.context.subject, runtime.context.audiences
    found = await asyncio.gather(
        *(subject.choose(state["lines"], persona, route, state["options"][persona]) for persona, route in audiences)
    )
    return {"chosen": dict(zip(audiences, found, strict=True))}


async def _write_without(state: WriteSees, runtime: Runtime[Persuasion]) -> dict[str, Replies]:
    cells = [cell for cell in runtime.context.cells if cell.written and cell.variant == "no_tom"]
    tasks = [Task(cell, state["lines"], state["resources"].of(cell), state["noise"]) for cell in cells]
    found = await asyncio.gather(*map(runtime.context.subject.write, tasks))
    return {"replies": dict(zip(cells, found, strict=True))}


async def _give(state: GiveSees, runtime: Runtime[Persuasion]) -> dict[str, Given]:
    gold, others = state.get("gold"), state.get("others", {})
    given: dict[tuple[Persona, Variant], KnownMind | Unusable] = {}
    for persona in runtime.context.personas:
        given[persona, "inferred"] = _of_persuadee(state["minds"][persona])
        if gold is not None:
            given[persona, "gold"] = gold
        if persona in others:
            given[persona, "shuffled"] = _of_persuadee(others[persona])
    return {"given": given}


def _of_persuadee(minds: Minds | Unusable) -> Mind | Unusable:
    return minds if isinstance(minds, Unusable) else minds["persuadee"]


async def _write_with(state: WriteWithSees, runtime: Runtime[Persuasion]) -> dict[str, Replies]:
    cells = [cell for cell in runtime.context.cells if cell.written and cell.variant != "no_tom"]
    found = await asyncio.gather(*(_one_with(cell, state, runtime.context.subject) for cell in cells))
    return {"replies": dict(zip(cells, found, strict=True))}


async def _one_with(cell: Cell, state: WriteWithSees, subject: Subject) -> Written | Unusable:
    mind = state["given"][cell.persona, cell.variant]
    if isinstance(mind, Unusable):
        return Unusable(f"no states to go by: {mind.reason}")
    return await subject.write(Task(cell, state["lines"], state["resources"].of(cell), state["noise"], mind))


# -- judges ----------------------------------------------------------------------------------------------------------


def without_tags(text: str) -> str:
    """A reply without whatever is in square brackets: tags stand in central replies alone, and would give them away."""
    kept, depth = [], 0
    for sign in text:
        depth += sign == "["
        if not depth:
            kept.append(sign)
        depth -= sign == "]" and depth > 0
    return " ".join("".join(kept).split()).replace(" .", ".").replace(" ,", ",")


def blind_text(cell: Cell, text: str) -> str:
    """A reply as the blind judge sees it: without tags, unless it is to see them."""
    return " ".join(text.split()) if cell.ablation == "tags-shown" else without_tags(text)


async def _gather(state: GatherSees, runtime: Runtime[Persuasion]) -> dict[str, object]:
    """Each text once, in an order that is nobody's: that of their hashes."""
    again = {cell: state["replies"][cell.whole] for cell in runtime.context.cells if not cell.written}
    replies = {**state["replies"], **again}
    texts = {blind_text(cell, one.text) for cell, one in replies.items() if isinstance(one, Written)}
    return {"replies": again, "bare": sorted(texts, key=lambda text: hashlib.sha256(text.encode()).digest())}


async def _judge_blind(state: BlindSees, runtime: Runtime[Persuasion]) -> dict[str, Mapping[str, Predicted]]:
    panel, bare = runtime.context.panel, state["bare"]
    found = await asyncio.gather(*(panel.predict(state["lines"], text, number) for number, text in enumerate(bare)))
    return {"predicted": dict(zip(bare, found, strict=True))}


def _usable(replies: Replies) -> dict[Cell, str]:
    """Replies as judges see them that know the cell; tags that are shown to the blind judge change nothing here."""
    return {
        cell: without_tags(one.text) if cell.ablation == "tags-stripped" else one.text
        for cell, one in replies.items()
        if isinstance(one, Written) and cell.ablation != "tags-shown"
    }


async def _judge_outcome(state: OutcomeSees, runtime: Runtime[Persuasion]) -> dict[str, object]:
    panel, texts = runtime.context.panel, _usable(state["replies"])
    found = await asyncio.gather(*(panel.outcome(state["lines"], cell, text) for cell, text in texts.items()))
    return {"outcomes": dict(zip(texts, found, strict=True))}


async def _judge_alignment(state: AlignmentSees, runtime: Runtime[Persuasion]) -> dict[str, object]:
    """Against the states that were inferred in this scene, whatever the writer was given."""
    minds = {persona: _of_persuadee(one) for persona, one in state["minds"].items()}
    texts = {
        (cell, mind): text
        for cell, text in _usable(state["replies"]).items()
        if isinstance(mind := minds[cell.persona], Mind)
    }
    found = await asyncio.gather(
        *(runtime.context.panel.alignment(state["lines"], cell, mind, text) for (cell, mind), text in texts.items())
    )
    return {"alignments": {cell: one for (cell, _), one in zip(texts, found, strict=True)}}


async def _judge_minds(state: ConsistencySees, runtime: Runtime[Persuasion]) -> dict[str, object]:
    minds = {persona: one for persona, one in state["minds"].items() if not isinstance(one, Unusable)}
    panel = runtime.context.panel
    found = await asyncio.gather(*(panel.consistency(state["lines"], who, one) for who, one in minds.items()))
    return {"consistencies": dict(zip(minds, found, strict=True))}


# -- graphs ----------------------------------------------------------------------------------------------------------

_Graph: TypeAlias = CompiledStateGraph[PersuasionState, Persuasion, Any, PersuasionState]
_JUDGES = ("judge_blind", "judge_outcome", "judge_alignment", "judge_minds")


def _with_judges(builder: StateGraph[PersuasionState, Persuasion, Any, PersuasionState]) -> None:
    builder.add_node("gather", _gather, input_schema=GatherSees)
    builder.add_node("judge_blind", _judge_blind, input_schema=BlindSees)
    builder.add_node("judge_outcome", _judge_outcome, input_schema=OutcomeSees)
    builder.add_node("judge_alignment", _judge_alignment, input_schema=AlignmentSees)
    builder.add_node("judge_minds", _judge_minds, input_schema=ConsistencySees)
    for name in _JUDGES:
        builder.add_edge("gather", name)
        builder.add_edge(name, END)


def _build() -> _Graph:
    builder = StateGraph(PersuasionState, context_schema=Persuasion, input_schema=StateBegin)
    builder.add_node("infer", _infer, input_schema=InferSees)
    builder.add_node("infer_elsewhere", _infer_elsewhere, input_schema=ElsewhereSees)
    builder.add_node("place", _place, input_schema=PlaceSees)
    builder.add_node("choose", _choose, input_schema=ChooseSees)
    builder.add_node("write_without", _write_without, input_schema=WriteSees)
    builder.add_node("give", _give, input_schema=GiveSees)
    builder.add_node("write_with", _write_with, input_schema=WriteWithSees)
    first = ["infer", "infer_elsewhere", "choose", "write_without"]
    for name in first:
        builder.add_edge(START, name)
    builder.add_edge("infer", "place")
    builder.add_edge("place", END)
    builder.add_edge(first, "give")
    builder.add_edge("give", "write_with")
    builder.add_edge("write_with", "gather")
    _with_judges(builder)
    return builder.compile(name="route_persuasion")


def _build_judging() -> _Graph:
    """Judges alone, over replies that are there already: they are part of what a run begins with."""
    builder = StateGraph(PersuasionState, context_schema=Persuasion)
    _with_judges(builder)
    builder.add_edge(START, "gather")
    return builder.compile(name="route_judging")


graph = _build()
judging_graph = _build_judging()
