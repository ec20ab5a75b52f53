"""The part of what was said and what happened that one character has heard, read or seen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dtomtrack.beliefs.company import PlannedAudience, Presence
from dtomtrack.beliefs.scenario import Scenario
from dtomtrack.scenarios.acting.character import Heard

__all__ = ["Audibility"]


class Audibility:
    """Who hears, reads and sees what of a scenario."""

    def __init__(self, scenario: Scenario) -> None:
        self._for_all = not scenario.presence and not scenario.audiences
        self._planned = {one.turn: one for one in scenario.audiences}
        self._away = {name: [one for one in scenario.presence if one.agent == name] for name in scenario.names}
        self._events: dict[int, list[Presence]] = {}
        for one in scenario.presence:
            for turn in {one.from_turn, one.until_turn} - {None}:
                self._events.setdefault(turn or 0, []).append(one)
        self._reads: dict[tuple[str, int], list[int]] = {}
        for note in scenario.audiences:
            for name, read in note.read_at.items():
                if read is not None and read != note.turn:
                    self._reads.setdefault((name, read), []).append(note.turn)

    def heard_by(self, name: str, said: Sequence[Heard]) -> tuple[Heard, ...]:
        """All that has reached a character when the next turn begins, in the order in which it did."""
        return tuple(said) if self._for_all else tuple(self._reached(name, said))

    def _reached(self, name: str, said: Sequence[Heard]) -> Iterator[Heard]:
        for now in range(len(said) + 1):
            for presence in self._events.get(now, ()):
                yield from self._seen(presence, name, now)
            yield from (self._line(said[turn]) for turn in self._reads.get((name, now), ()))
            if now < len(said) and self._hears(name, said[now]):
                yield self._line(said[now])

    def _is_away(self, name: str, turn: int) -> bool:
        return any(one.covers(turn) for one in self._away[name])

    def _hears(self, name: str, line: Heard) -> bool:
        if name == line.speaker:
            return True
        planned = self._planned.get(line.turn)
        if planned is None:
            return not self._is_away(name, line.turn)
        return planned.read_at.get(name) == line.turn if planned.is_note else name in planned.hearers

    def _line(self, line: Heard) -> Heard:
        planned: PlannedAudience | None = self._planned.get(line.turn)
        if planned is None:
            return line
        return Heard(line.turn, line.speaker, line.text, planned.hearers, planned.is_note)

    def _seen(self, presence: Presence, name: str, now: int) -> Iterator[Heard]:
        """Somebody comes or goes, as far as the character is there to see it."""
        if name != presence.agent and self._is_away(name, now):
            return
        who, late = presence.agent, presence.from_turn == 0
        if now == presence.from_turn:
            yield Heard(now, "", f"{who} {'is not there yet' if late else 'leaves'}: {presence.reason}.")
        if now == presence.until_turn:
            yield Heard(now, "", f"{who} {'joins' if late else 'is back'}.")
