"""A dialogue state: what was said so far, who is to be persuaded of what, and what holds of it.

A line of ``states.jsonl``. Its id is "D-T" as in PersuasiveToM: scene, and index of the persuader's last line.
"""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, StringConstraints, model_validator

from dtomtrack.records import Count, Record, Text
from dtomtrack.scenarios.route.terms import CueType, Persona, Role

__all__ = [
    "MIND_FIELDS",
    "Choice",
    "DossierItem",
    "Mind",
    "Resources",
    "SceneState",
    "StateId",
    "Utterance",
]

StateId = Annotated[str, StringConstraints(pattern=r"^\d+-\d+$")]
MIND_FIELDS = ("belief", "desire", "intent")


class Utterance(Record):
    """A line that was said aloud."""

    role: Role
    speaker: Text
    text: Text


class Mind(Record):
    """Mental states of one person: of the world, of what matters, of what comes next. Short phrases."""

    belief: Text
    desire: Text
    intent: Text


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
        minds: gold states of both, where they are known.
        labels: by field, the states that persuadees of the scene may have: what an inferred one is matched with.
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
    labels: dict[Literal["belief", "desire", "intent"], tuple[Text, ...]] = Field(default_factory=dict)
    resources: Resources | None = None
    noise: Text
    generator: Text

    def name_of(self, role: Role) -> str:
        """The name of who has a role; the role itself where nobody in it has spoken."""
        return next((line.speaker for line in self.history if line.role == role), role)
