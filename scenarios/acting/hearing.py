"""The part of what was said and what happened that one character has heard, read or seen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from dtomtrack.beliefs.company import PlannedAudience, Presence
from dtomtrack.beliefs.scenario import Scenario
from dtomtrack.scenarios.acting.character import Heard

__all__ = ["Audibility"]


@dataclass
class _SoFar:
    """What has reached a character of the lines said so far: later turns only add to it."""

    said: list[Heard] = field(default_factory=list)
    reached: list[Heard] = field(default_factory=list)

    def leads_to(self, said: Sequence[Heard]) -> bool:
        """Whether these lines begin with the same."""
        return self.said == list(said[: len(self.said)])


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
        self._so_far: dict[str, _SoFar] = {}
        self._reads: dict[tuple[str, int], list[int]] = {}
        for note in scenario.audiences:
            for name, read in note.read_at.items():
                if read is not None and read != note.turn:
                    self._reads.setdefault((name, read), []).append(note.turn)

    def heard_by(self, name: str, said: Sequence[Heard]) -> tuple[Heard, ...]:
        """All that has reached a character when the next turn begins, in the order in which it did."""
        if self._for_all:
            return tuple(said)
        known = self._so_far.setdefault(name, _SoFar())
        if not known.leads_to(said):
            known = self._so_far[name] = _SoFar()
        for now in range(len(known.said), len(said)):
            known.reached += self._seen_or_read(name, said, now)
            if self._hears(name, said[now]):
                known.reached.append(self._line(said[now]))
            known.said.append(said[now])
        return (*known.reached, *self._seen_or_read(name, said, len(said)))

    def _seen_or_read(self, name: str, said: Sequence[Heard], now: int) -> list[Heard]:
        """What reaches a character before the line of a turn is said."""
        events, reads = self._events.get(now, ()), self._reads.get((name, now), ())
        if not events and not reads:
            return []
        seen = [line for presence in events for line in self._seen(presence, name, now)]
        return seen + [self._line(said[turn]) for turn in reads]

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
