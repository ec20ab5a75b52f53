"""Update verification: did the planned changes of mind happen? (paper, "Update Verification")

The verifier reads utterances, not the bookkeeping of whoever made them: it scans every turn for a changed state and
for markers, and aligns what it finds with the schedule.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dtomtrack.markers import find_markers
from dtomtrack.reading import Act, Reader, read_all
from dtomtrack.schema import DetectedUpdate, PlannedUpdate, UpdateVerification

__all__ = ["detect_updates", "verify_updates"]


def detect_updates(transcript: Sequence[tuple[str, str]], reader: Reader) -> list[DetectedUpdate]:
    """Changes of mind in a transcript of (speaker, utterance) pairs.

    One is found where an agent states another value of a topic than before, and where a marker is said with no change
    behind it (then without a topic).
    """
    held: dict[tuple[str, str], str] = {}
    found: list[DetectedUpdate] = []
    markers = {turn: [one.marker.id for one in find_markers(text)] for turn, (_, text) in enumerate(transcript)}
    for reading in read_all(reader, transcript):
        if reading.act is not Act.STATE:
            continue
        key = reading.holder, reading.topic
        old = held.get(key)
        held[key] = reading.content
        if old is not None and old != reading.content:
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
            DetectedUpdate(turn=turn, agent=speaker, topic=None, old=None, new=None, marker=marker) for marker in left
        ]
    return sorted(found, key=lambda one: one.turn)


def verify_updates(
    transcript: Sequence[tuple[str, str]], planned: Iterable[PlannedUpdate], reader: Reader
) -> UpdateVerification:
    """What was planned against what is found: precision, recall and F1 over changes of mind.

    A planned update is found if the agent, at the turn, signals with a marker a change from the old to the new state.
    """
    planned = tuple(planned)
    detected = tuple(detect_updates(transcript, reader))
    seen = {(one.turn, one.agent, one.topic, one.old, one.new) for one in detected if one.marker is not None}
    missing = tuple(
        update for update in planned if (update.turn, update.agent, update.topic, update.old, update.new) not in seen
    )
    hits = len(planned) - len(missing)
    precision = hits / len(detected) if detected else float(not planned)
    recall = hits / len(planned) if planned else 1.0
    f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    return UpdateVerification(
        detected=detected,
        missing=missing,
        precision=round(precision, 4),
        recall=round(recall, 4),
        f1=round(f1, 4),
    )
