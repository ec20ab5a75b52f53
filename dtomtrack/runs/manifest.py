"""The manifest of a dataset folder: what was asked for, with what, and what came out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import Field, JsonValue, model_validator

from dtomtrack.records import Count, Record, Text
from dtomtrack.runs.calibration import Calibration

__all__ = ["READABLE_FORMATS", "Counts", "DataFormat", "Manifest", "SlotEntry", "Status"]

READABLE_FORMATS = frozenset({1, 2})
"""Format versions of folders. In version 1 questions have four options, A to D, and one of them is right; version 2 has
items of any number of options and of right ones, over contexts that are stored once."""

Status = Literal["running", "complete", "incomplete", "interrupted"]

DataFormat = Literal["jsonl", "parquet"]
"""How data files are written: as JSON lines, or in parts as Parquet (`dtomtrack.runs.parts`)."""

_TOTALS_OF_0_2 = ("updates",)
_GROUPS_OF_0_2 = {"by_type": "type", "by_state": "mental_state"}


class Counts(Record):
    """Sums over slots; two add up with ``+``.

    Attributes:
        unfilled: slots that used up their attempts.
        totals: further sums of a suite, by name.
        groups: questions that were kept, by what they are grouped by and by group.
        errors: dialogues and questions that went because no verdict on them could be had, by stage.
        invalid: questions dropped because no answer to them could be read, by type: dropping skews the set.
    """

    dialogues: Count = 0
    questions: Count = 0
    unfilled: Count = 0
    totals: dict[str, int] = Field(default_factory=dict)
    groups: dict[str, dict[str, int]] = Field(default_factory=dict)
    rejected_dialogues: dict[str, int] = Field(default_factory=dict)
    rejected_questions: dict[str, int] = Field(default_factory=dict)
    errors: dict[str, int] = Field(default_factory=dict)
    invalid: dict[str, int] = Field(default_factory=dict)

    def __add__(self, other: Counts) -> Counts:
        groups = [*self.groups, *(name for name in other.groups if name not in self.groups)]
        return Counts(
            dialogues=self.dialogues + other.dialogues,
            questions=self.questions + other.questions,
            unfilled=self.unfilled + other.unfilled,
            totals=_sum(self.totals, other.totals),
            groups={name: _sum(self.groups.get(name, {}), other.groups.get(name, {})) for name in groups},
            rejected_dialogues=_sum(self.rejected_dialogues, other.rejected_dialogues),
            rejected_questions=_sum(self.rejected_questions, other.rejected_questions),
            errors=_sum(self.errors, other.errors),
            invalid=_sum(self.invalid, other.invalid),
        )

    @model_validator(mode="before")
    @classmethod
    def _from_0_2(cls, told: object) -> object:
        """The names that these sums had in folders of dtomtrack 0.2."""
        if not isinstance(told, Mapping) or "by_type" not in told:
            return told
        now = dict(told)
        now["totals"] = {name: now.pop(name) for name in _TOTALS_OF_0_2 if name in now}
        now["groups"] = {group: now.pop(name) for name, group in _GROUPS_OF_0_2.items() if name in now}
        now["invalid"] = now.pop("invalid_by_type", {})
        return now


def _sum(left: Mapping[str, int], right: Mapping[str, int]) -> dict[str, int]:
    return {key: left.get(key, 0) + right.get(key, 0) for key in sorted({*left, *right})}


class SlotEntry(Record):
    """One line of ``progress.jsonl``: a slot whose lines are all written, or a part with all slots up to this one.

    Attributes:
        sizes: of the files after these lines, in bytes; of parts, by their paths.
        digests: SHA-256 of the files up to there; none in folders of 0.3 and before.
    """

    slot: Count
    sizes: dict[str, int]
    counts: Counts
    digests: dict[str, str] = Field(default_factory=dict)


class Manifest(Record):
    """``manifest.json``.

    Attributes:
        suite: whose dataset this is: what its lines mean, and how its answers add up.
        config: everything that decides the bytes, in the suite's own terms.
        files: SHA-256 of each data file or part, by its path in the folder; none in folders of 0.3 and before.
        data_format: how data files are written; not told of JSON lines.
        models: who did what, by stage: a model, or "scripted" or "rules" where none did.
        seconds: the time that all the sessions of the run took together.
        calls, tokens, cost: what models took in all of them, cost in US dollars.
        estimated_calls: calls whose tokens nobody counted.
    """

    format_version: int
    dtomtrack_version: Text
    suite: Text = "dtom"
    status: Status
    command: str
    config: dict[str, JsonValue]
    n: Count
    counts: Counts
    files: dict[str, str] = Field(default_factory=dict)
    data_format: Annotated[DataFormat, Field(exclude_if=lambda form: form == "jsonl")] = "jsonl"
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
