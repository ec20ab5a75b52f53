"""A dialogue state: what was said so far, who is to be persuaded of what, and what holds of it.

A line of ``states.jsonl``. Its id is "D-T" as in PersuasiveToM: scene, and index of the persuader's last line.
"""

from __future__ import annotations

from typing import Annotated, Literal, Self, TypeAlias, get_args

from pydantic import Field, StringConstraints, model_validator

from dtomtrack.records import Count, Record, Text
from dtomtrack.scenarios.route.terms import CueType, Persona, Role

__all__ = [
    "MIND_FIELDS",
    "Choice",
    "DossierItem",
    "KnownMind",
    "Mind",
    "MindField",
    "MindQuestion",
    "Resources",
    "SceneState",
    "StateId",
    "Utterance",
]

StateId = Annotated[str, StringConstraints(pattern=r"^\d+-\d+$")]
MindField: TypeAlias = Literal["belief", "desire", "intent"]
MIND_FIELDS: tuple[MindField, ...] = get_args(MindField)


class Utterance(Record):
    """A line that was said aloud."""

    role: Role
    speaker: Text
    text: Text


class KnownMind(Record):
    """The mental states of one person as far as anybody has written them down; None where nobody has."""

    belief: Text | None = None
    desire: Text | None = None
    intent: Text | None = None


class Mind(KnownMind):
    """Mental states of one person: of the world, of what matters, of what comes next. Short phrases."""

    belief: Text
    desire: Text
    intent: Text


class MindQuestion(Record):
    """A published question about what somebody has in mind, with the option that is right.

    Attributes:
        gold: the position of the right option.
    """

    role: Role
    field: MindField
    question: Text
    options: Annotated[tuple[Text, ...], Field(min_length=2, max_length=26)]
    gold: Annotated[int, Field(ge=0)]

    @property
    def statement(self) -> str:
        """The state in the words of the file: questions of belief and desire are answered by a word (No; skeptical),
        which says nothing without them, and intentions are options of their own."""
        answer = self.options[self.gold]
        return answer if self.field == "intent" else f"{self.question} {answer}"

    @model_validator(mode="after")
    def _in_range(self) -> Self:
        if self.gold >= len(self.options):
            raise ValueError("the right option is none of those that are there")
        return self


class Choice(Record):
    """A choice among four strategies.

    Attributes:
        gold: the position of the right one.
        roles: how each option was made; empty where that is not known.
    """

    options: Annotated[tuple[Text, ...], Field(min_length=4, max_length=4)]
    gold: Annotated[int, Field(ge=0, le=3)]
    roles: tuple[Text, ...] = ()

    @property
    def answer(self) -> str:
        """The right strategy."""
        return self.options[self.gold]

    @model_validator(mode="after")
    def _differ(self) -> Self:
        if len({one.casefold() for one in self.options}) < len(self.options):
            raise ValueError("two of the strategies are the same")
        return self


class DossierItem(Record):
    """A fact (F1 to F6) or a counterpoint (C1 to C3).

    Attributes:
        said: the same in other words, for scripted subjects; empty where nobody wrote it.
        concerns: the concerns that it bears on; empty where that is not known.
    """

    id: Annotated[str, StringConstraints(pattern=r"^(F[1-6]|C[1-3])$")]
    text: Text
    said: str = ""
    concerns: tuple[Text, ...] = ()


class Resources(Record):
    """The resources of both routes; the records of a pair differ in nothing else."""

    facts: Annotated[tuple[DossierItem, ...], Field(min_length=6, max_length=6)]
    counterpoints: Annotated[tuple[DossierItem, ...], Field(min_length=3, max_length=3)]
    cues: dict[CueType, Annotated[tuple[Text, ...], Field(min_length=1)]]

    @property
    def dossier(self) -> tuple[DossierItem, ...]:
        """Facts and counterpoints."""
        return (*self.facts, *self.counterpoints)


class SceneState(Record):
    """A dialogue state.

    Attributes:
        scene: what is not independent shares it.
        turn: index of the persuader's last line in the whole dialogue.
        concern: the doubt last voiced, where that is known.
        choices: the strategies for either listener; the same for both where labels don't tell them apart.
        effective: whether what the scene's persuader then does settles the doubt; None where that is not known.
        minds: gold states of both, where they hold by construction.
        labels: by role and field, the states that somebody in the scene may have, where there are several: what an
            inferred one is matched with.
        questions: of imported states, the published questions about both minds; none twice about the same.
        resources: None where nobody wrote any.
        noise: a line of chatter that shares no content word with the scene.
        generator: who made it: "scripted", or "imported" and the model that wrote the resources.
    """

    id: StateId
    scene: Text
    turn: Count
    topic: Text
    suggestion: Text
    background: str
    history: Annotated[tuple[Utterance, ...], Field(min_length=1)]
    concern: str | None = None
    choices: dict[Persona, Choice]
    effective: bool | None = None
    minds: dict[Role, Mind] = Field(default_factory=dict)
    labels: dict[Role, dict[MindField, tuple[Text, ...]]] = Field(default_factory=dict)
    questions: tuple[MindQuestion, ...] = ()
    resources: Resources | None = None
    noise: Text
    generator: Text

    def gold_mind(self, role: Role) -> KnownMind | None:
        """The gold states of who has a role, as far as they are known; None where none is."""
        if role in self.minds:
            return self.minds[role]
        known = {one.field: one.statement for one in self.questions if one.role == role}
        return KnownMind.model_validate(known) if known else None

    def name_of(self, role: Role) -> str:
        """The name of who has a role; the role itself where nobody in it has spoken."""
        return next((line.speaker for line in self.history if line.role == role), role)
