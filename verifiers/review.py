"""The review of a played scenario: which dialogue is kept, with which questions, and what is thrown away, and why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dtomtrack.beliefs.dialogue import Dialogue, Provenance, Turn, UpdateVerification
from dtomtrack.beliefs.question import Question
from dtomtrack.beliefs.questions import QuestionBuilder
from dtomtrack.beliefs.reading import Reader, Reading, read_all
from dtomtrack.beliefs.rejection import Rejection
from dtomtrack.beliefs.scenario import Scenario
from dtomtrack.beliefs.tracker import BeliefTracker
from dtomtrack.runs.slots import Slot
from dtomtrack.verifiers.questions import QuestionVerifier
from dtomtrack.verifiers.updates import verify_updates

__all__ = ["Outcome", "review", "without_questions"]


@dataclass(frozen=True)
class Outcome:
    """What came of an attempt: a dialogue with its questions, or none; and what was thrown away, with reasons."""

    dialogue: Dialogue | None = None
    questions: tuple[Question, ...] = ()
    rejections: tuple[Rejection, ...] = ()


def review(
    scenario: Scenario, turns: Sequence[Turn], reader: Reader, slot: Slot, attempt: int, generator: str
) -> Outcome:
    """Verify the updates, record the states, build the questions and verify them.

    A dialogue of which no question is left is rejected, too.
    """
    transcript = [(turn.speaker, turn.utterance) for turn in turns]
    verification = verify_updates(transcript, scenario.updates, reader)
    if not verification.realized:
        return Outcome(rejections=(_unrealized(scenario, turns, verification, slot, attempt, generator),))
    tracker = BeliefTracker.of(turns)
    dialogue = Dialogue(
        id=slot.dialogue_id,
        slot=slot.index,
        domain=slot.domain,
        generator=generator,
        scenario=scenario,
        turns=tuple(turns),
        beliefs=tuple(tracker.records()),
        verification=verification,
        provenance=Provenance(model=generator, seed=slot.seed, attempt=attempt),
    )
    kept, rejections = _questions(dialogue, tracker, read_all(reader, transcript), slot)
    if not kept:
        rejections.append(without_questions(dialogue))
        return Outcome(rejections=tuple(rejections))
    return Outcome(dialogue, tuple(kept), tuple(rejections))


def _questions(
    dialogue: Dialogue, tracker: BeliefTracker, readings: Sequence[Reading], slot: Slot
) -> tuple[list[Question], list[Rejection]]:
    scenario = dialogue.scenario
    agents = [agent.name for agent in scenario.agents]
    builder = QuestionBuilder(tracker, scenario.topics, agents, readings, slot, scenario.updates, dialogue.generator)
    verifier = QuestionVerifier(readings, agents, len(dialogue.turns))
    kept: list[Question] = []
    rejections: list[Rejection] = []
    for question in builder.build(dialogue.id):
        verdict = verifier.verify(question)
        if verdict.reason is None:
            kept.append(question)
        else:
            rejections.append(
                Rejection(
                    slot=slot.index,
                    attempt=dialogue.provenance.attempt,
                    generator=dialogue.generator,
                    stage="question_verification",
                    reason=verdict.reason,
                    detail=verdict.criterion or "",
                    question=question,
                )
            )
    return kept, rejections


def _unrealized(
    scenario: Scenario,
    turns: Sequence[Turn],
    verification: UpdateVerification,
    slot: Slot,
    attempt: int,
    generator: str,
) -> Rejection:
    return Rejection(
        slot=slot.index,
        attempt=attempt,
        generator=generator,
        stage="update_verification",
        reason="a planned update did not happen" if verification.missing else "too many unplanned updates",
        detail=f"F1 {verification.f1}",
        scenario=scenario,
        turns=tuple(turns),
        missing=verification.missing,
    )


def without_questions(dialogue: Dialogue) -> Rejection:
    """A dialogue that goes because all its questions did."""
    return Rejection(
        slot=dialogue.slot,
        attempt=dialogue.provenance.attempt,
        generator=dialogue.generator,
        stage="question_verification",
        reason="no question is left",
        scenario=dialogue.scenario,
        turns=dialogue.turns,
    )
