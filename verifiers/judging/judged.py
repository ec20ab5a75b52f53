"""A language model as verifiers of a run, behind the rules: of the updates, of the questions, and of what it answers.

What could not be judged is dropped, too, but as what it is: an error says nothing about the item, and is counted apart.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import aclosing
from dataclasses import dataclass, replace

from dtomtrack.beliefs.dialogue import Dialogue
from dtomtrack.beliefs.question import Question
from dtomtrack.runs.in_order import in_order
from dtomtrack.verifiers.judging.judge import Judge
from dtomtrack.verifiers.verdicts import Verdict
from dtomtrack.verifiers.verifier import ReviewedAttempt, Verifier

__all__ = ["JudgedAnswers", "JudgedQuestions", "JudgedUpdates", "judged_by"]

_MAX_CONCURRENCY = 8
"""Questions of one dialogue that are judged at once."""


def judged_by(judge: Judge) -> tuple[Verifier, ...]:
    """The verifiers of a run in which a model judges."""
    return JudgedUpdates(judge), JudgedQuestions(judge), JudgedAnswers(judge)


@dataclass(frozen=True)
class JudgedUpdates:
    """The model finds the planned changes of mind."""

    judge: Judge
    name = "update_verification"

    async def verify(self, attempt: ReviewedAttempt) -> ReviewedAttempt:
        """The attempt, its dialogue with what the model found; without it if that is not what was planned."""
        dialogue = attempt.dialogue
        if dialogue is None:
            return attempt
        verdict = await self.judge.updates(
            dialogue.scenario, dialogue.turns, dialogue.slot, dialogue.provenance.attempt
        )
        if verdict.kept:
            found = dialogue.model_copy(update={"model_verification": verdict.verification})
            return replace(attempt, dialogue=found)
        detail = "by the model" if verdict.verification is None else f"by the model, F1 {verdict.verification.f1}"
        return attempt.without_dialogue(self.name, verdict, detail)


@dataclass(frozen=True)
class JudgedQuestions:
    """The model grades each question."""

    judge: Judge
    name = "question_verification"

    async def verify(self, attempt: ReviewedAttempt) -> ReviewedAttempt:
        """The attempt with the questions that reach the grades."""

        async def grade(dialogue: Dialogue, question: Question) -> Verdict:
            return await self.judge.question(dialogue, question)

        return await _of_each(self.name, attempt, grade)


@dataclass(frozen=True)
class JudgedAnswers:
    """The model answers each question so that its answer can be read."""

    judge: Judge
    name = "sample_validation"

    async def verify(self, attempt: ReviewedAttempt) -> ReviewedAttempt:
        """The attempt with the questions whose answers can be read."""

        async def read(dialogue: Dialogue, question: Question) -> Verdict:
            return await self.judge.answerable(dialogue, question)

        return await _of_each(self.name, attempt, read)


async def _of_each(
    stage: str, attempt: ReviewedAttempt, judge: Callable[[Dialogue, Question], Awaitable[Verdict]]
) -> ReviewedAttempt:
    dialogue = attempt.dialogue
    if dialogue is None:
        return attempt

    async def verdict(question: Question) -> tuple[Question, Verdict]:
        return question, await judge(dialogue, question)

    async with aclosing(in_order(verdict, attempt.questions, _MAX_CONCURRENCY)) as verdicts:
        found = [one async for one in verdicts]
    return attempt.with_verdicts(stage, found)
