"""Update verification: did the planned changes of mind happen? (paper, "Update Verification")

The verifier reads utterances, not the bookkeeping of whoever made them: it scans every turn for a changed state and
for markers, and aligns what it finds with the schedule.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dtomtrack.beliefs.dialogue import DetectedUpdate, UpdateVerification
from dtomtrack.beliefs.markers import MarkerMatch, find_markers
from dtomtrack.beliefs.matching import StateMatcher
from dtomtrack.beliefs.reading import Act, Reading
from dtomtrack.beliefs.scenario import PlannedUpdate, Topic
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


def detect_updates(
    transcript: Sequence[tuple[str, str]], readings: Iterable[Reading], topics: Sequence[Topic] = ()
) -> list[DetectedUpdate]:
    """Changes of mind in a transcript of (speaker, utterance) pairs, by what is read in it.

    One is found where an agent states another value of a topic than before, and where a marker is said with no change
    behind it (then without a topic). Two kinds of markers are decoys, and none: one before what the agent holds
    already, said again; and one that gives up what is no value of these topics ("So not the doorbell after all").
    """
    held: dict[tuple[str, str], str] = {}
    found: list[DetectedUpdate] = []
    markers = {turn: list(find_markers(text)) for turn, (_, text) in enumerate(transcript)}
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
                    marker=said.pop(0).marker.id if said else None,
                )
            )
    for turn, left in markers.items():
        speaker, utterance = transcript[turn]
        found += [
            DetectedUpdate(turn=turn, agent=speaker, topic=None, old=None, new=None, marker=one.marker.id)
            for one in left[restated.get(turn, 0) :]
            if not _gives_up_no_value(one, utterance, topics)
        ]
    return sorted(found, key=lambda one: one.turn)


def _gives_up_no_value(one: MarkerMatch, utterance: str, topics: Sequence[Topic]) -> bool:
    """Whether a marker names what is given up, and that is no value of these topics; never where there are none."""
    if not topics or not one.marker.names_old:
        return False
    matcher, words = StateMatcher(topics), utterance[one.start : one.end]
    return not any(matcher.mentioned(topic.id, words) for topic in topics)


def verify_updates(
    transcript: Sequence[tuple[str, str]],
    planned: Iterable[PlannedUpdate],
    readings: Iterable[Reading],
    topics: Sequence[Topic] = (),
) -> UpdateVerification:
    """The plan against what is found: precision, recall and F1 over changes of mind.

    A planned update is found if the agent, at the turn, makes known a change from the old to the new state, and signals
    it with a marker, if that is planned. A marker with nothing behind it counts only where no topic is restated.
    """
    return align(detect_updates(transcript, readings, topics), planned, marked=True)
