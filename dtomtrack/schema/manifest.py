"""The manifest of a dataset folder, and what was thrown away."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from dtomtrack.schema.base import Record
from dtomtrack.schema.dialogue import Turn
from dtomtrack.schema.fault_score import FaultScore
from dtomtrack.schema.question import Question
from dtomtrack.schema.scenario import PlannedUpdate, Scenario, Text

__all__ = [
    "FORMAT_VERSION",
    "Calibration",
    "Casting",
    "Counts",
    "Manifest",
    "Rejection",
    "RunConfig",
    "SlotEntry",
    "VerdictLine",
]

FORMAT_VERSION = 1
"""Raised whenever a reader of the previous version would misread a dataset."""

Count = Annotated[int, Field(ge=0)]


class Casting(Record):
    """Which language models do what, and how they are asked.

    Attributes:
        scenario: who writes the scenarios; None where they come from the pack. actor: who plays; None for the scripted
            actors. verifier: who verifies behind the rules; None for nobody.
        addresses: of the models that have a server of their own address.
        threshold: the grade, from 0 to 1, that a question has to get on each criterion.
    """

    scenario: Text | None = None
    actor: Text | None = None
    verifier: Text | None = None
    addresses: dict[str, str] = Field(default_factory=dict)
    scenario_style: Literal["free", "planned"] = "free"
    actor_style: Literal["one-call", "two-call"] = "one-call"
    turn_format: Literal["json", "text"] = "json"
    turn_retries: Annotated[int, Field(ge=0, le=20)] = 3
    temperature: Annotated[float, Field(ge=0.0, le=2.0)] = 0.7
    threshold: Annotated[float, Field(ge=0.0, le=1.0)] = 0.6


class RunConfig(Record):
    """Everything that decides the bytes of a dataset, apart from how many slots are filled.

    ``packs`` maps each domain to the SHA-256 of its pack; ``scenarios`` is that of the scenarios that were given, if
    any were; ``casting`` is None where no language model takes part.
    """

    domains: Annotated[tuple[Text, ...], Field(min_length=1)]
    packs: dict[str, str]
    seed: int = 0
    turns: Annotated[int, Field(ge=6, le=60)] = 10
    max_attempts: Annotated[int, Field(ge=1)] = 5
    generator: Text = "scripted"
    scenarios: str | None = None
    casting: Casting | None = None


class Rejection(Record):
    """A rejected dialogue or question: one line of ``rejected.jsonl``.

    ``stage`` says where it failed; a rejected dialogue brings its scenario and turns, a rejected question itself. A
    slot that used up its attempts ends with a line of stage "slot".

    Attributes:
        verdict: "reject", or "error" where no verdict could be had: that says nothing about the item.
        grade: what a model as verifier gave it, from 0 to 1.
    """

    slot: Count
    attempt: Count
    generator: Text
    stage: Literal["scenario", "role_play", "update_verification", "question_verification", "sample_validation", "slot"]
    reason: Text
    detail: str = ""
    verdict: Literal["reject", "error"] = "reject"
    grade: float | None = None
    scenario: Scenario | None = None
    turns: tuple[Turn, ...] = ()
    missing: tuple[PlannedUpdate, ...] = ()
    question: Question | None = None


class VerdictLine(Record):
    """What a model says of a dialogue or a question of a finished dataset: one line of ``verify/MODEL/verdicts.jsonl``.

    ``criterion`` and ``grade`` (from 0 to 1) are of the criterion that decided.
    """

    id: Text
    kind: Literal["dialogue", "question"]
    outcome: Literal["accept", "reject", "error"]
    criterion: str | None = None
    reason: str | None = None
    grade: float | None = None


class Counts(Record):
    """Sums over slots; two add up with ``+``.

    Attributes:
        errors: dialogues and questions that went because no verdict on them could be had, by stage.
        invalid_by_type: questions dropped by sample validation, by type: dropping skews the set.
    """

    dialogues: Count = 0
    questions: Count = 0
    updates: Count = 0
    unfilled: Count = 0
    by_type: dict[str, int] = Field(default_factory=dict)
    by_state: dict[str, int] = Field(default_factory=dict)
    rejected_dialogues: dict[str, int] = Field(default_factory=dict)
    rejected_questions: dict[str, int] = Field(default_factory=dict)
    errors: dict[str, int] = Field(default_factory=dict)
    invalid_by_type: dict[str, int] = Field(default_factory=dict)

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
            errors=_sum(self.errors, other.errors),
            invalid_by_type=_sum(self.invalid_by_type, other.invalid_by_type),
        )


def _sum(left: dict[str, int], right: dict[str, int]) -> dict[str, int]:
    return {key: left.get(key, 0) + right.get(key, 0) for key in sorted({*left, *right})}


class SlotEntry(Record):
    """One line of ``progress.jsonl``: a slot whose lines are all written, and the files' sizes after them, in bytes."""

    slot: Count
    sizes: dict[str, int]
    counts: Counts


class Calibration(Record):
    """How well a model verifies, measured on kept items with known faults put in."""

    model: Text
    dialogues: Count
    questions: Count
    scores: tuple[FaultScore, ...]


class Manifest(Record):
    """``manifest.json``: what was asked for, with what, and what came out.

    ``seconds`` is the time that all the sessions of the run took together; ``calls``, ``tokens`` and ``cost`` (in US
    dollars) are what models took in all of them, ``estimated_calls`` those whose tokens nobody counted.
    """

    format_version: int
    dtomtrack_version: Text
    status: Literal["running", "complete", "incomplete", "interrupted"]
    command: str
    config: RunConfig
    n: Count
    counts: Counts
    models: dict[str, str]
    calls: Count = 0
    tokens: Count = 0
    estimated_calls: Count = 0
    cost: float = 0.0
    calibration: tuple[Calibration, ...] = ()
    sessions: Count
    started: Text
    finished: Text | None
    seconds: float
