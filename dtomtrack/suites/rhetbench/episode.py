"""The records of an episode: a line of ``episodes.jsonl``."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import AfterValidator, Field

from dtomtrack.records import Count, Record, Text
from dtomtrack.scenarios.persuasion_npc.arguments import APPEALS, ArgumentClass, Tone
from dtomtrack.scenarios.persuasion_npc.briefing import Cue
from dtomtrack.suites.rhetbench.npc import TURN_LIMIT, Drift, Mind
from dtomtrack.suites.rhetbench.replies import Legibility

__all__ = ["MOST_TURNS", "DriftRecord", "Episode", "EpisodeConfig", "Flag", "MindRecord", "TurnRecord"]

Flag: TypeAlias = Literal[
    "cut", "short", "empty", "mixed", "cleaned", "pivot", "answers", "unread", "unvoiced", "withheld"
]
"""A message was too long or its model had to stop, was shorter than asked for, empty, had cues of many classes, or
control characters; the reply ends in the character's question; the message takes it up; the model that classifies gave
no letter, so rules did; the model that words replies didn't hit the tone, so the scripted line stayed; the persuading
model refused, or a filter cut its reply."""

MOST_TURNS = 200
"""Of an episode, whatever is asked for."""
_Finite = Annotated[float, Field(allow_inf_nan=False)]


def _moves(profile: dict[ArgumentClass, float]) -> dict[ArgumentClass, float]:
    missing = next((one for one in APPEALS if one not in profile), None)
    if missing is not None:
        raise ValueError(f"says nothing of {missing}; it has to have a number for each of {', '.join(APPEALS)}")
    if max(profile.values()) <= 0:
        raise ValueError("nothing in it moves the character; one number has to be above 0")
    return profile


_Profile = Annotated[dict[ArgumentClass, _Finite], AfterValidator(_moves)]


class DriftRecord(Record):
    """From this turn on something else works."""

    turn: Annotated[int, Field(ge=2)]
    profile: _Profile


class MindRecord(Record):
    """The hidden parameters that an episode was played with."""

    start: _Finite
    threshold: _Finite
    walk_out: _Finite
    repeat_penalty: _Finite
    profile: _Profile
    drift: DriftRecord | None = None

    def mind(self) -> Mind:
        """The mind for the engine."""
        drift = None if self.drift is None else Drift(self.drift.turn, self.drift.profile)
        return Mind(self.start, self.threshold, self.walk_out, self.repeat_penalty, self.profile, drift=drift)


class EpisodeConfig(Record):
    """Everything that an episode depends on, beside the persuader."""

    scenario: Text
    sample: Count
    seed: int
    rules: Text = "dtomtrack"
    cue: Cue = "neutral"
    legibility: Legibility = "clear"
    turns: Annotated[int, Field(ge=1, le=MOST_TURNS)] = TURN_LIMIT
    classifier: Text = "rules"
    """Who tells the classes of messages apart: the rules, or a language model."""
    verbalizer: Text = "rules"
    """Who puts replies into words: pools of lines, or a language model."""
    pack: Text
    """SHA-256 of the pack, as much of it as tells versions apart."""
    mind: MindRecord


class TurnRecord(Record):
    """A turn of the persuader and the reply; agreement and rapport are those after it.

    Attributes:
        meant: the class that the persuader says it used, which the character never hears of.
        argument: the class that it was heard as; ``by_rules`` is what the rules say where a model decides.
    """

    turn: Annotated[int, Field(ge=1)]
    message: str
    scores: dict[ArgumentClass, float]
    meant: ArgumentClass | None = None
    argument: ArgumentClass
    by_rules: ArgumentClass | None = None
    delta: _Finite
    agreement: _Finite
    rapport: _Finite
    tone: Tone
    reply: str
    flags: tuple[Flag, ...] = ()


class Episode(Record):
    """An episode, whole."""

    index: Count
    subject: Text
    config: EpisodeConfig
    turns: tuple[TurnRecord, ...]
    won: bool
    walked_out: bool

    @property
    def won_at(self) -> int | None:
        """The turn that won it."""
        return len(self.turns) if self.won else None
