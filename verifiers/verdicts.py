"""Verdicts: what a verifier, rules or a language model, says of a dialogue or of a question.

A verdict is *accept*, *reject* or *error*. An error says nothing about the item: a model refused, was cut, or gave no
answer that can be read. It never counts as a rejection.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from dtomtrack.beliefs.dialogue import UpdateVerification

__all__ = ["ACCEPTED", "Criterion", "Decision", "Verdict"]

Decision = Literal["accept", "reject", "error"]
Criterion = Literal["correctness", "soundness", "quality", "validation"]
"""The paper's three criteria ("QA Verification"), and whether a model's answer can be read ("Sample Validation")."""


@dataclass(frozen=True)
class Verdict:
    """One decision with its reasons.

    Attributes:
        criterion: of a question, what rejected it, or could not be decided; None if it is accepted.
        grade: from 0 to 1, of that criterion; of an accepted question, the lowest that it got. None where no grade
            was given.
        verification: of a dialogue, the updates that were found against those that were planned.
    """

    outcome: Decision
    criterion: Criterion | None = None
    reason: str | None = None
    grade: float | None = None
    verification: UpdateVerification | None = None

    @property
    def kept(self) -> bool:
        """Whether the item is good enough."""
        return self.outcome == "accept"


ACCEPTED = Verdict("accept")
