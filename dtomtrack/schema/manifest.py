"""The manifest of a dataset folder, and what was thrown away."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from dtomtrack.schema.base import Record
from dtomtrack.schema.dialogue import Turn
from dtomtrack.schema.question import Question
from dtomtrack.schema.scenario import PlannedUpdate, Scenario, Text

__all__ = ["FORMAT_VERSION", "Counts", "Manifest", "Rejection", "RunConfig", "SlotEntry"]

FORMAT_VERSION = 1
"""Raised whenever a reader of the previous version would misread a dataset."""

Count = Annotated[int, Field(ge=0)]


class RunConfig(Record):
    """Everything that decides the bytes of a dataset, apart from how many slots are filled.

    ``packs`` maps each domain to the SHA-256 of its pack; ``scenarios`` is that of the scenarios that were given, if
    any were.
    """

    domains: Annotated[tuple[Text, ...], Field(min_length=1)]
    packs: dict[str, str]
    seed: int = 0
    turns: Annotated[int, Field(ge=6, le=60)] = 10
    max_attempts: Annotated[int, Field(ge=1)] = 5
    generator: Text = "scripted"
    scenarios: str | None = None


class Rejection(Record):
    """A rejected dialogue or question: one line of ``rejected.jsonl``.

    ``stage`` says where it failed; a rejected dialogue brings its scenario and turns, a rejected question itself. A
    slot that used up its attempts ends with a line of stage "slot".
    """

    slot: Count
    attempt: Count
    generator: Text
    stage: Literal["scenario", "update_verification", "question_verification", "slot"]
    reason: Text
    detail: str = ""
    scenario: Scenario | None = None
    turns: tuple[Turn, ...] = ()
    missing: tuple[PlannedUpdate, ...] = ()
    question: Question | None = None


class Counts(Record):
    """Sums over slots; two add up with ``+``."""

    dialogues: Count = 0
    questions: Count = 0
    updates: Count = 0
    unfilled: Count = 0
    by_type: dict[str, int] = Field(default_factory=dict)
    by_state: dict[str, int] = Field(default_factory=dict)
    rejected_dialogues: dict[str, int] = Field(default_factory=dict)
    rejected_questions: dict[str, int] = Field(default_factory=dict)

    def __add__(self, other: Counts) -> Counts:
        return Counts(
            dialogues=self.dialogues + other.dialogues,
            questions=self.questions + other.questions,
            updates=self.updates + other.updates,
            unfilled=self.unfilled + other.unfilled,
            by_type=_sum(self.by_type, other.by_type),
            by_state=_sum(self.by_state, other.by_state),
            rejected_dialogues=_sum(self.rejected_dialogues, other.rejected_dialogues),
            rejected_questions=_sum(self.rejected_questions, other.rejected_questions),
        )


def _sum(left: dict[str, int], right: dict[str, int]) -> dict[str, int]:
    return {key: left.get(key, 0) + right.get(key, 0) for key in sorted({*left, *right})}


class SlotEntry(Record):
    """One line of ``progress.jsonl``: a slot whose lines are all written, and the files' sizes after them, in bytes."""

    slot: Count
    sizes: dict[str, int]
    counts: Counts


class Manifest(Record):
    """``manifest.json``: what was asked for, with what, and what came out.

    ``seconds`` is the time that all the sessions of the run took together.
    """

    format_version: int
    dtomtrack_version: Text
    status: Literal["running", "complete", "incomplete", "interrupted"]
    command: str
    config: RunConfig
    n: Count
    counts: Counts
    models: dict[str, str]
    tokens: Count = 0
    cost: float = 0.0
    sessions: Count
    started: Text
    finished: Text | None
    seconds: float
