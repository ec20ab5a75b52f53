"""Verdicts on the dialogues and questions of a finished dataset."""

from __future__ import annotations

from typing import Literal

from dtomtrack.records import Record, Text

__all__ = ["VERDICTS", "VerdictLine"]

VERDICTS = "verdicts.jsonl"


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
