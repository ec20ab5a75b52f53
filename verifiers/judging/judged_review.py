"""The review by a language model, behind the rules: which dialogue and which question is kept.

What could not be judged is dropped, too, but as what it is: an error says nothing about the item, and is counted apart.
"""

from __future__ import annotations

from contextlib import aclosing

from dtomtrack.beliefs.dialogue import Dialogue
from dtomtrack.beliefs.question import Question
from dtomtrack.beliefs.rejection import Rejection
from dtomtrack.runs.in_order import in_order
from dtomtrack.verifiers.judging.judge import Judge
from dtomtrack.verifiers.judging.verdicts import UpdateVerdict, Verdict
from dtomtrack.verifiers.review import Outcome, without_questions

__all__ = ["judged"]

_AT_ONCE = 8
"""Questions of one dialogue that are judged at once."""


async def judged(outcome: Outcome, judge: Judge) -> Outcome:
    """What is left of an attempt when the judge has seen it.

    Raises:
        ModelError: no answer can be had.
    """
    dialogue = outcome.dialogue
    if dialogue is None:
        return outcome
    slot, attempt = dialogue.slot, dialogue.provenance.attempt
    verdict = await judge.updates(dialogue.scenario, dialogue.turns, slot, attempt)
    if verdict.outcome != "accept":
        return Outcome(rejections=(*outcome.rejections, _of_dialogue(dialogue, verdict)))
    dialogue = dialogue.model_copy(update={"model_verification": verdict.verification})
    kept: list[Question] = []
    rejections = list(outcome.rejections)
    turns = dialogue.turns

    async def judge_one(question: Question) -> tuple[Question, Verdict]:
        return question, await judge.item(turns, question, slot, attempt)

    async with aclosing(in_order(judge_one, outcome.questions, _AT_ONCE)) as verdicts:
        async for question, found in verdicts:
            if found.outcome == "accept":
                kept.append(question)
            else:
                rejections.append(_of_question(question, dialogue, found))
    if not kept:
        return Outcome(rejections=(*rejections, without_questions(dialogue)))
    return Outcome(dialogue, tuple(kept), tuple(rejections))


def _of_dialogue(dialogue: Dialogue, verdict: UpdateVerdict) -> Rejection:
    verification = verdict.verification
    return Rejection(
        slot=dialogue.slot,
        attempt=dialogue.provenance.attempt,
        generator=dialogue.generator,
        stage="update_verification",
        reason=verdict.reason or "the verifier does not find the planned updates",
        detail="by the model" if verification is None else f"by the model, F1 {verification.f1}",
        verdict="error" if verdict.outcome == "error" else "reject",
        scenario=dialogue.scenario,
        turns=dialogue.turns,
        missing=verification.missing if verification else (),
    )


def _of_question(question: Question, dialogue: Dialogue, verdict: Verdict) -> Rejection:
    return Rejection(
        slot=dialogue.slot,
        attempt=dialogue.provenance.attempt,
        generator=dialogue.generator,
        stage="sample_validation" if verdict.criterion == "validation" else "question_verification",
        reason=verdict.reason or "the verifier does not accept it",
        detail=verdict.criterion or "",
        verdict="error" if verdict.outcome == "error" else "reject",
        grade=verdict.grade,
        question=question,
    )
