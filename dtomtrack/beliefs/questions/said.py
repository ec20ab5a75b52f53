"""The values that were said in a dialogue, by whom and of whom, as far as questions need it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain

from dtomtrack.beliefs.dialogue import BeliefRecord
from dtomtrack.beliefs.question import OptionRole
from dtomtrack.beliefs.reading import Act, Reading

__all__ = ["SaidValues"]

_ROLES: Mapping[Act, OptionRole] = {
    Act.STATE: OptionRole.UNTRUTH,
    Act.CONFIDE: OptionRole.UNTRUTH,
    Act.SLIP: OptionRole.UNTRUTH,
    Act.ASK: OptionRole.ASKED_ABOUT,
    Act.MENTION: OptionRole.MENTIONED,
    Act.ARGUE: OptionRole.PARTNER_VALUE,
    Act.PRESUME: OptionRole.PRESUMED,
    Act.TELL: OptionRole.HEARSAY,
}
"""From the weakest to the strongest: a value that was told and asked about was told. What is held has a role of its
own."""
_STRENGTHS = {act: strength for strength, act in enumerate(_ROLES)}


def _by_strength(said: tuple[Act, str]) -> int:
    return _STRENGTHS[said[0]]


class SaidValues:
    """The values of topics that were said."""

    def __init__(self, readings: Iterable[Reading]) -> None:
        self._on: dict[str, list[Reading]] = {}
        for one in readings:
            if one.topic:
                self._on.setdefault(one.topic, []).append(one)
        self._said: dict[tuple[str, str | None], tuple[list[int], list[str]]] = {}
        for one in sorted(chain.from_iterable(self._on.values()), key=lambda one: one.turn):
            for speaker in (one.speaker, None):
                turns, contents = self._said.setdefault((one.topic, speaker), ([], []))
                if turns[-1:] == [one.turn]:
                    contents[-1] = one.content
                else:
                    turns.append(one.turn)
                    contents.append(one.content)

    def on(self, topic: str) -> Sequence[Reading]:
        """All that was said on a topic."""
        return self._on.get(topic, ())

    def of(self, topic: str) -> set[str]:
        """The values of a topic that anybody said in any way."""
        return {one.content for one in self.on(topic)}

    def roles(self, holder: str, topic: str) -> dict[str, OptionRole]:
        """Roles of the values of a topic that were said of its holder, or by them; for those that they did not hold."""
        of_holder = [(one.act, one.content) for one in self.on(topic) if one.holder == holder]
        of_holder.sort(key=_by_strength)
        return {content: _ROLES[act] for act, content in of_holder}

    def last(self, topic: str, turn: int, speaker: str | None = None) -> str | None:
        """The value of a topic that was said last in any way, by one or by anybody, up to a turn; None if none was."""
        turns, contents = self._said.get((topic, speaker), ([], []))
        before = bisect_right(turns, turn)
        return contents[before - 1] if before else None

    def stays_last(self, window: Sequence[int], topic: str, content: str, speaker: str | None = None) -> bool:
        """Whether at every one of these turns, which follow each other, a content is the value that was said last."""
        if not window:
            return True
        turns, contents = self._said.get((topic, speaker), ([], []))
        before, until = bisect_right(turns, window[0]), bisect_right(turns, window[-1])
        return before > 0 and all(one == content for one in contents[before - 1 : until])

    def between(self, record: BeliefRecord, first: int, last: int) -> int:
        """How many other values of a record's topic are said behind one turn, up to another."""
        return len(
            {one.content for one in self.on(record.topic) if first < one.turn <= last and one.content != record.content}
        )
