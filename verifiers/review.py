"""The review of a played scenario: it is written down, asked about, and handed from verifier to verifier."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dtomtrack.beliefs.dialogue import Dialogue, Provenance, Turn
from dtomtrack.beliefs.questions import QuestionBuilder
from dtomtrack.beliefs.questions.dials import QuestionDials
from dtomtrack.beliefs.reading import Reader, read_all
from dtomtrack.beliefs.scenario import Scenario
from dtomtrack.beliefs.tracker import BeliefTracker
from dtomtrack.beliefs.transcript import transcript_of
from dtomtrack.runs.slots import Slot
from dtomtrack.verifiers.claims import ClaimRules
from dtomtrack.verifiers.overheard import sincere
from dtomtrack.verifiers.questions import QuestionRules
from dtomtrack.verifiers.updates import UpdateRules, verify_updates
from dtomtrack.verifiers.verifier import ReviewedAttempt, Verifier

__all__ = ["RULES", "played", "review"]

RULES: tuple[Verifier, ...] = (UpdateRules(), ClaimRules(), QuestionRules())
"""The verifiers of every run; language models verify behind them."""


def played(
    scenario: Scenario,
    turns: Sequence[Turn],
    reader: Reader,
    slot: Slot,
    attempt: int,
    generator: str,
    dials: QuestionDials | None = None,
    overreaching: int = 0,
) -> ReviewedAttempt:
    """A played scenario as a dialogue with its states on record and all questions about it, nothing verified yet.

    Args:
        overreaching: how often a turn was asked for again because a thought knew what its character can't know.
    """
    spoken = [(turn.speaker, turn.utterance) for turn in turns]
    tracker = BeliefTracker.of(turns, scenario.truths, scenario.names)
    readings = tuple(read_all(reader, spoken))
    transcript = transcript_of(turns, scenario)
    dialogue = Dialogue(
        id=slot.dialogue_id,
        slot=slot.index,
        domain=slot.domain,
        generator=generator,
        scenario=scenario,
        turns=tuple(turns),
        beliefs=tuple(tracker.records()),
        verification=verify_updates(spoken, scenario.updates, sincere(readings, transcript.heard()), scenario.topics),
        provenance=Provenance(model=generator, seed=slot.seed, attempt=attempt, overreaching=overreaching),
    )
    builder = QuestionBuilder(
        tracker,
        scenario.topics,
        readings,
        slot,
        scenario.updates,
        generator,
        scenario.divergences,
        transcript,
        dials,
    )
    return ReviewedAttempt(dialogue, tuple(builder.build(dialogue.id)), readings=readings, transcript=transcript)


async def review(attempt: ReviewedAttempt, verifiers: Iterable[Verifier] = RULES) -> ReviewedAttempt:
    """The attempt behind these verifiers, as far as its dialogue passes them.

    Raises:
        ModelError: one of them is a language model, and no answer can be had.
    """
    for verifier in verifiers:
        if attempt.dialogue is None:
            break
        attempt = await verifier.verify(attempt)
    return attempt
