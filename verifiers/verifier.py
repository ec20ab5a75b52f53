"""Verifiers: what an attempt has to pass, one after another, to be kept (paper, "Quality Filtering").

A run has a tuple of them. Another one is added by a file with a class that keeps the protocol, and by naming it among
the verifiers of the run; its name is the stage under which ``rejected.jsonl`` files what it rejects.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol

from dtomtrack.beliefs.dialogue import Dialogue
from dtomtrack.beliefs.question import Question
from dtomtrack.beliefs.reading import Reading
from dtomtrack.beliefs.rejection import Rejection
from dtomtrack.beliefs.transcript import Transcript
from dtomtrack.verifiers.overheard import OverheardMinds
from dtomtrack.verifiers.verdicts import Verdict

__all__ = ["ReviewedAttempt", "Verifier"]


@dataclass(frozen=True)
class ReviewedAttempt:
    """An attempt at a slot: a dialogue with the questions that are left, or none; and what was rejected, with reasons.

    Attributes:
        readings: what is said in the dialogue's utterances.
        transcript: the dialogue as a reader in the room would know it; None where there is none.
    """

    dialogue: Dialogue | None = None
    questions: tuple[Question, ...] = ()
    rejections: tuple[Rejection, ...] = ()
    readings: tuple[Reading, ...] = ()
    transcript: Transcript | None = None

    @cached_property
    def minds(self) -> OverheardMinds:
        """What follows from what is said and from whom it reached."""
        return OverheardMinds(self.readings, self.transcript)

    def without_dialogue(self, stage: str, verdict: Verdict, detail: str = "") -> ReviewedAttempt:
        """The attempt when its dialogue was rejected, and with it all questions."""
        dialogue = self.dialogue
        if dialogue is None:
            return self
        rejection = Rejection(
            slot=dialogue.slot,
            attempt=dialogue.provenance.attempt,
            generator=dialogue.generator,
            stage=stage,
            reason=verdict.reason or "the verifier does not accept it",
            detail=detail,
            verdict="error" if verdict.outcome == "error" else "reject",
            scenario=dialogue.scenario,
            turns=dialogue.turns,
            missing=verdict.verification.missing if verdict.verification else (),
        )
        return ReviewedAttempt(rejections=(*self.rejections, rejection))

    def with_verdicts(self, stage: str, verdicts: Iterable[tuple[Question, Verdict]]) -> ReviewedAttempt:
        """The attempt with those of its questions that were accepted; without any, its dialogue goes, too."""
        dialogue = self.dialogue
        if dialogue is None:
            return self
        found = list(verdicts)
        kept = tuple(question for question, verdict in found if verdict.kept)
        rejected = tuple(_rejection(stage, *one, dialogue) for one in found if not one[1].kept)
        left = replace(self, questions=kept, rejections=(*self.rejections, *rejected))
        return left if kept else left.without_dialogue(_WITHOUT_QUESTIONS, Verdict("reject", reason=_NO_QUESTION_LEFT))


_NO_QUESTION_LEFT = "no question is left"
_WITHOUT_QUESTIONS = "question_verification"
"""The stage of a dialogue that goes because all its questions did, whoever rejected the last."""


def _rejection(stage: str, question: Question, verdict: Verdict, dialogue: Dialogue) -> Rejection:
    return Rejection(
        slot=dialogue.slot,
        attempt=dialogue.provenance.attempt,
        generator=dialogue.generator,
        stage=stage,
        reason=verdict.reason or "the verifier does not accept it",
        detail=verdict.criterion or "",
        verdict="error" if verdict.outcome == "error" else "reject",
        grade=verdict.grade,
        question=question,
    )


class Verifier(Protocol):
    """One stage of verification."""

    @property
    def name(self) -> str:
        """The stage, as ``rejected.jsonl`` calls it."""
        ...

    async def verify(self, attempt: ReviewedAttempt) -> ReviewedAttempt:
        """The attempt without what this verifier rejects; it is given attempts with a dialogue only.

        Raises:
            ModelError: it is a language model, and no answer can be had.
        """
        ...
