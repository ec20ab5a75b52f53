"""What takes part in route-controlled persuasion, and the state of a run.

Who is asked, what is shown to them, and what comes of it. Gold strategies are nowhere in the state; gold states are
where a run asks for them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, NotRequired, Protocol, TypeAlias, TypedDict

from dtomtrack.scenarios.route.state import KnownMind, Mind, MindField, Utterance
from dtomtrack.scenarios.route.terms import Cell, CueType, Persona, Role, Route, Variant
from dtomtrack.verifiers.judging.scales import Unjudged

__all__ = [
    "Alignment",
    "Chosen",
    "Consistency",
    "Given",
    "Inferred",
    "Lines",
    "Minds",
    "Options",
    "Outcome",
    "Panel",
    "Persuasion",
    "PersuasionState",
    "Placed",
    "Predicted",
    "Replies",
    "ShownQuestion",
    "ShownResources",
    "StateBegin",
    "Subject",
    "Task",
    "Unusable",
    "Written",
    "of_persuadee",
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
Inferred: TypeAlias = Mapping[Persona, Minds | Unusable]
Chosen: TypeAlias = Mapping[tuple[Persona, Route], str | Unusable]
Options: TypeAlias = Sequence[int | None]
"""Positions of options, one for each question; None where none could be read."""
Placed: TypeAlias = Mapping[Persona, Options | Unusable]


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


def of_persuadee(minds: Minds | Unusable) -> Mind | Unusable:
    """The states of the persuadee, if both people's could be inferred."""
    return minds if isinstance(minds, Unusable) else minds["persuadee"]


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
