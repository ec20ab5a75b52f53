"""A pack of one character: who it is, what is to be argued, what moves it, and its own lines."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from dtomtrack.records import Record, Text
from dtomtrack.scenarios.persuasion_npc.arguments import ArgumentClass, Tone

__all__ = ["TIERS", "HiddenMind", "PersuasionPack", "Tier", "ToneLines"]

Tier = Literal["easy", "medium", "hard", "very_hard", "extreme", "control"]
TIERS: tuple[Tier, ...] = ("easy", "medium", "hard", "very_hard", "extreme", "control")

_Level = Annotated[float, Field(ge=-1.0, le=1.0, allow_inf_nan=False)]
_Shift = Annotated[float, Field(ge=-1.0, le=1.0, allow_inf_nan=False)]
_Lines = Annotated[tuple[Text, ...], Field(min_length=1)]
_Id = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{1,39}$")]


class ToneLines(Record):
    """The lines of a character when an argument went down well, did little, or put it off."""

    positive: _Lines
    neutral: _Lines
    resistant: _Lines

    def of(self, tone: Tone) -> tuple[str, ...]:
        """The lines of a tone."""
        return {Tone.POSITIVE: self.positive, Tone.NEUTRAL: self.neutral, Tone.RESISTANT: self.resistant}[tone]


class HiddenMind(Record):
    """The hidden parameters, which the persuader never sees."""

    start: _Level
    threshold: _Level
    walk_out: _Level
    repeat_penalty: Annotated[float, Field(ge=0.0, le=1.0, allow_inf_nan=False)]
    profile: dict[ArgumentClass, _Shift]


def _one_line(text: str) -> str:
    if "\n" in text:
        raise ValueError("has to stand on one line")
    return text


class PersuasionPack(Record):
    """A character and a topic.

    Attributes:
        position: what the character is to agree to, after "to".
        doing: the same as a gerund; ``worry``, ``topic`` and ``peers``: noun phrases that lines are filled with.
        context: what the persuader is told of the character; it gives away nothing of what works.
        pivot: three ways to put the question that the character asks when it is half convinced.
        answer: what a scripted persuader who listens says to that question, whichever way it is put.
        arguments: what scripted persuaders say to this character, by class, before lines that fit everybody.
        mechanic: the pack tests a rule (repeats, trust, hostile classes) and need not have one dominant class.
    """

    id: _Id
    tier: Tier
    mechanic: bool = False
    name: Annotated[Text, AfterValidator(_one_line)]
    role: Text
    topic: Text
    position: Text
    doing: Text
    worry: Text
    peers: Text
    context: Text
    opening: Text
    mind: HiddenMind
    replies: dict[ArgumentClass, ToneLines] = Field(default_factory=dict)
    pivot: Annotated[tuple[Text, ...], Field(min_length=3, max_length=3)]
    answer: Text | None = None
    arguments: dict[ArgumentClass, _Lines] = Field(default_factory=dict)

    @property
    def placeholders(self) -> dict[str, str]:
        """The values that fill the placeholders of lines."""
        return {
            "name": self.name,
            "topic": self.topic,
            "position": self.position,
            "doing": self.doing,
            "worry": self.worry,
            "peers": self.peers,
        }

    @property
    def dominant(self) -> ArgumentClass:
        """The class that moves the character most."""
        profile = self.mind.profile
        return max(profile, key=lambda one: profile[one])
