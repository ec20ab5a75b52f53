"""A pack of scenes: one suggestion, the doubts about it, a closed dossier, cues, and strategies.

Whatever a dossier says is true within its scenes, and nowhere else: places, offices and figures are made up.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, StringConstraints

from dtomtrack.records import Record, Text
from dtomtrack.scenarios.route.terms import CueType, Persona

__all__ = ["Concern", "Counterpoint", "Fact", "RoutePack", "Shared", "Strategy"]

Name = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]*$")]
Belief = Annotated[str, StringConstraints(pattern=r"^believes_[a-z0-9_]+$")]
Desire = Annotated[str, StringConstraints(pattern=r"^wants_[a-z0-9_]+$")]
Intent = Annotated[str, StringConstraints(pattern=r"^will_[a-z0-9_]+$")]
Three = Field(min_length=3, max_length=3)
Six = Field(min_length=6, max_length=6)


class Concern(Record):
    """A doubt of the persuadee, with the mental states behind it as short phrases."""

    id: Name
    belief: Belief
    desire: Desire
    intent: Intent
    wordings: Annotated[tuple[Text, ...], Field(min_length=4)]


class Fact(Record):
    """Something true within the scene, in the dossier's words and in others.

    Attributes:
        said: the same in other words, as scripted subjects say it.
        bears_on: the concerns that it has a bearing on.
    """

    text: Text
    said: Text
    bears_on: tuple[Name, ...]


class Counterpoint(Record):
    """The answer to one concern, in the dossier's words and in others."""

    text: Text
    said: Text
    answers: Name


class Strategy(Record):
    """A way to go on.

    Attributes:
        high_cog, low_cog: the concern that it answers for either listener.
        lines: how it is carried out, without anything from the dossier.
    """

    name: Text
    high_cog: Name
    low_cog: Name
    lines: Annotated[tuple[Text, ...], Field(min_length=2)]


class Roles(Record):
    """Who the two are."""

    persuader: Text
    persuadee: Text


class RoutePack(Record):
    """A topic.

    Attributes:
        suggestion: the suggestion after "to" ("cycle to work"); ``doing``: the same as a noun ("cycling to work").
        cues: phrases by kind of heuristic.
    """

    id: Name
    title: Text
    suggestion: Text
    doing: Text
    setting: Text
    names: Annotated[tuple[Text, ...], Field(min_length=2)]
    roles: Roles
    openings: Annotated[tuple[Text, ...], Field(min_length=3)]
    concerns: Annotated[tuple[Concern, ...], Three]
    facts: Annotated[tuple[Fact, ...], Six]
    counterpoints: Annotated[tuple[Counterpoint, ...], Three]
    cues: dict[CueType, tuple[Text, ...]]
    strategies: Annotated[tuple[Strategy, ...], Six]

    def concern(self, name: str) -> Concern:
        """The concern of this id."""
        return next(one for one in self.concerns if one.id == name)


class PersuaderStates(Record):
    """The mental states of every persuader, as phrases."""

    belief: Text
    desire: Text
    intent: Text


class Shared(Record):
    """Everything that scenes of all topics have in common.

    Attributes:
        personas: the two listeners, in words of equal length that name no route and no topic.
        settled, unsettled: what a listener says first who lets a doubt go, or keeps it.
        forestalled: what a persuader says who tries something before any doubt was voiced.
        disturbances: the claims that are put into a prompt; ``noise``: chatter that bears on nothing.
    """

    personas: dict[Persona, Text]
    settled: tuple[Text, ...]
    unsettled: tuple[Text, ...]
    forestalled: tuple[Text, ...]
    persuader: PersuaderStates
    disturbances: dict[str, Text]
    noise: Annotated[tuple[Text, ...], Field(min_length=24)]
