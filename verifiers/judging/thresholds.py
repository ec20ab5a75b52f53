"""The grades that a question has to reach, one a criterion."""

from __future__ import annotations

from collections.abc import Sequence

from dtomtrack.errors import InputError
from dtomtrack.records import Record, Share
from dtomtrack.verifiers.judging.judge import THRESHOLD

__all__ = ["Thresholds", "read_thresholds"]


class Thresholds(Record):
    """Grades from 0 to 1 that a question has to reach (paper, "QA Verification")."""

    correctness: Share = THRESHOLD
    soundness: Share = THRESHOLD
    quality: Share = THRESHOLD


def read_thresholds(given: Sequence[str]) -> Thresholds:
    """Thresholds as they are written: ``.5`` for all criteria, ``quality=.5`` for one; what comes later counts.

    Raises:
        InputError: there is no such criterion, or a grade is none.
    """
    found: dict[str, float] = {}
    for one in given:
        name, equals, text = (part.strip() for part in one.rpartition("="))
        criteria = (name,) if equals else tuple(Thresholds.model_fields)
        if any(criterion not in Thresholds.model_fields for criterion in criteria):
            raise InputError(f"--threshold {one[:80]}: no criterion {name[:80]!r}; there are {_CRITERIA}")
        found |= dict.fromkeys(criteria, _grade(one, text))
    return Thresholds.model_validate(found)


_CRITERIA = ", ".join(Thresholds.model_fields)


def _grade(given: str, text: str) -> float:
    try:
        grade = float(text)
    except ValueError:
        raise InputError(
            f"--threshold {given[:80]}: give a grade from 0 to 1, or CRITERION=GRADE for one of {_CRITERIA}"
        ) from None
    if not 0 <= grade <= 1:
        raise InputError(f"threshold is {given[:80]}; it has to be from 0 to 1")
    return grade
