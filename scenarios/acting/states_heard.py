"""What a character makes of others' lines: the states that they claim."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import takewhile

from dtomtrack.beliefs.markers import find_markers
from dtomtrack.beliefs.matching import StateMatcher
from dtomtrack.beliefs.scenario import Topic
from dtomtrack.beliefs.statements import own_statements
from dtomtrack.scenarios.acting.character import Character, Heard

__all__ = ["states_heard"]


def states_heard(
    character: Character, heard: Sequence[Heard], matcher: StateMatcher, granted: Collection[str]
) -> list[tuple[str, str, str]]:
    """(holder, topic, value) of others' states that have reached a character since it last spoke.

    A note counts as of the turn at which it was written: what its reader heard of a later turn before stands.

    Args:
        heard: all that has reached it, in that order.
        granted: topics of which it takes something for granted now, whatever it heard.
    """
    fresh = [line for line in takewhile(lambda line: line.speaker != character.name, reversed(heard)) if line.speaker]
    if not fresh:
        return []
    lines = _by_speaker(heard, min(line.turn for line in fresh))
    found = [
        (holder, topic.id, _value(topic, holder, lines[holder], fresh, matcher))
        for topic in character.topics.values()
        if topic.id not in granted
        for holder in topic.holders
        if holder in lines
    ]
    return [(holder, topic, value) for holder, topic, value in found if value is not None]


def _by_speaker(heard: Sequence[Heard], first: int) -> dict[str, list[Heard]]:
    """Lines from a turn on, the latest first."""
    lines: dict[str, list[Heard]] = {}
    for line in sorted(heard, key=lambda line: line.turn, reverse=True):
        if line.turn >= first:
            lines.setdefault(line.speaker, []).append(line)
    return lines


def _value(
    topic: Topic, holder: str, lines: Sequence[Heard], fresh: Sequence[Heard], matcher: StateMatcher
) -> str | None:
    """The value that the latest of these lines of a holder claims that claims one, if that line is fresh."""
    for line in lines:
        value = _claimed(topic, own_statements(topic, holder, line.text), matcher)
        if value is not None:
            return value if line in fresh else None
    return None


def _claimed(topic: Topic, line: str, matcher: StateMatcher) -> str | None:
    """The value that a line claims; of a change of mind, the new one."""
    markers = find_markers(line)
    value = matcher.named(topic.id, line[markers[-1].end :]) if markers else None
    value = value or matcher.named(topic.id, line)
    return value if value is not None and matcher.asserts(topic.id, value, line) else None
