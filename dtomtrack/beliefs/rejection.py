"""Dialogues and questions that were thrown away, each with the reason."""

from __future__ import annotations

from typing import Literal

from dtomtrack.beliefs.dialogue import Turn
from dtomtrack.beliefs.question import Question
from dtomtrack.beliefs.scenario import PlannedUpdate, Scenario
from dtomtrack.records import Count, Record, Text

__all__ = ["Rejection"]


class Rejection(Record):
    """A rejected dialogue or question: one line of ``rejected.jsonl``.

    ``stage`` says where it failed: "scenario", "role_play", or the name of the verifier that rejected it. A rejected
    dialogue brings its scenario and turns, a rejected question itself. A slot that used up its attempts ends with a
    line of stage "slot".

    Attributes:
        verdict: "reject", or "error" where no verdict could be had: that says nothing about the item.
        grade: the grade, from 0 to 1, that a model as verifier gave it.
    """

    slot: Count
    attempt: Count
    generator: Text
    stage: Text
    reason: Text
    detail: str = ""
    verdict: Literal["reject", "error"] = "reject"
    grade: float | None = None
    scenario: Scenario | None = None
    turns: tuple[Turn, ...] = ()
    missing: tuple[PlannedUpdate, ...] = ()
    question: Question | None = None
