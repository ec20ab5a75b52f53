"""Verdicts on the dialogues and questions of a finished dataset, and how they were come by."""

from __future__ import annotations

from typing import Literal

from dtomtrack.records import Record, Text
from dtomtrack.verifiers.judging.thresholds import Thresholds

__all__ = ["VERDICTS", "VERIFICATION", "VerdictLine", "VerificationConfig"]

VERDICTS = "verdicts.jsonl"
VERIFICATION = "config.json"
"""The file beside the verdicts that says how they were come by."""


class VerificationConfig(Record):
    """How a model was asked for its verdicts.

    Attributes:
        limit: only the first so many dialogues were verified; None for all.
        thresholds: grades that a question had to reach.
    """

    model: Text
    limit: int | None
    thresholds: Thresholds


class VerdictLine(Record):
    """A model's verdict on a dialogue or a question: one line of ``verify/MODEL/verdicts.jsonl``.

    ``criterion`` and ``grade`` (from 0 to 1) are of the criterion that decided.
    """

    id: Text
    kind: Literal["dialogue", "question"]
    outcome: Literal["accept", "reject", "error"]
    criterion: str | None = None
    reason: str | None = None
    grade: float | None = None
