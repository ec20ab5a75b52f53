"""What a language model says of a dialogue or a question.

A verdict is *accept*, *reject* or *error*. An error says nothing about the item: the model refused, was cut, or gave no
answer that can be read. It never counts as a rejection.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from dtomtrack.beliefs.dialogue import UpdateVerification

__all__ = ["Criterion", "Outcome", "UpdateVerdict", "Verdict"]

Outcome = Literal["accept", "reject", "error"]
Criterion = Literal["correctness", "soundness", "quality", "validation"]
"""The paper's three criteria ("QA Verification"), and whether a model's answer can be read ("Sample Validation")."""


@dataclass(frozen=True)
class Verdict:
    """On a question.

    Attributes:
        criterion: what rejected it, or could not be decided; None if it is accepted.
        grade: from 0 to 1, of that criterion; of an accepted question, the lowest that it got. None where no grade
            was given.
    """

    outcome: Outcome
    criterion: Criterion | None = None
    reason: str | None = None
    grade: float | None = None


@dataclass(frozen=True)
class UpdateVerdict:
    """On the changes of mind of a dialogue; ``verification`` is None where the outcome is an error."""

    outcome: Outcome
    reason: str | None = None
    verification: UpdateVerification | None = None
