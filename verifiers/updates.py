"""Update verification: did the planned changes of mind happen? (paper, "Update Verification")

The verifier reads utterances, not the bookkeeping of whoever made them: it scans every turn for a changed state and
for markers, and aligns what it finds with the schedule.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dtomtrack.beliefs.dialogue import DetectedUpdate, UpdateVerification
from dtomtrack.beliefs.markers import find_markers
from dtomtrack.beliefs.reading import Act, Reading
from dtomtrack.beliefs.scenario import PlannedUpdate
from dtomtrack.verifiers.alignment import align
from dtomtrack.verifiers.verdicts import Verdict
from dtomtrack.verifiers.verifier import ReviewedAttempt

__all__ = ["UpdateRules", "detect_updates", "verdict_on", "verify_updates"]


class UpdateRules:
    """The rules as a verifier: every planned change of mind has to be found, and hardly any other."""

    name = "update_verification"

    async def verify(self, attempt: ReviewedAttempt) -> ReviewedAttempt:
        """The attempt, without its dialogue if the changes of mind are not those that were planned."""
        verification = None if attempt.dialogue is None else attempt.dialogue.verification
        if verification is None or verification.realized:
            return attempt
        return attempt.without_dialogue(self.name, verdict_on(verification), f"F1 {verification.f1}")


def verdict_on(verification: UpdateVerification) -> Verdict:
    """The verdict on a dialogue in which these changes of mind were found."""
    if verification.realized:
        return Verdict("accept", verification=verification)
    reason = "a planned update did not happen" if verification.missing else "too many unplanned updates"
    return Verdict("reject", reason=reason, verification=verification)


def detect_updates(transcript: Sequence[tuple[str, str]], readings: Iterable[Reading]) -> list[DetectedUpdate]:
    """Changes of mind in a transcript of (speaker, utterance) pairs, by what is read in it.

    One is found where an agent states another value of a topic than before, and where a marker is said with no change
    behind it (then without a topic). A marker before what the agent holds already, said again, is a decoy, and none.
    """
    held: dict[tuple[str, str], str] = {}
    found: list[DetectedUpdate] = []
    markers = {turn: [one.marker.id for one in find_markers(text)] for turn, (_, text) in enumerate(transcript)}
    restated: dict[int, int] = {}
    for reading in readings:
        if reading.act is not Act.STATE:
            continue
        key = reading.holder, reading.topic
        old = held.get(key)
        held[key] = reading.content
        if old == reading.content:
            restated[reading.turn] = restated.get(reading.turn, 0) + 1
        elif old is not None:
            said = markers[reading.turn]
            found.append(
                DetectedUpdate(
                    turn=reading.turn,
                    agent=reading.holder,
                    topic=reading.topic,
                    old=old,
                    new=reading.content,
                    marker=said.pop(0) if said else None,
                )
            )
    for turn, left in markers.items():
        speaker = transcript[turn][0]
        found += [
            DetectedUpdate(turn=turn, agent=speaker, topic=None, old=None, new=None, marker=marker)
            for marker in left[restated.get(turn, 0) :]
        ]
    return sorted(found, key=lambda one: one.turn)


def verify_updates(
    transcript: Sequence[tuple[str, str]], planned: Iterable[PlannedUpdate], readings: Iterable[Reading]
) -> UpdateVerification:
    """The plan against what is found: precision, recall and F1 over changes of mind.

    A planned update is found if the agent, at the turn, makes known a change from the old to the new state, and signals
    it with a marker, if that is planned. A marker with nothing behind it counts only where no topic is restated.
    """
    return align(detect_updates(transcript, readings), planned, marked=True)
