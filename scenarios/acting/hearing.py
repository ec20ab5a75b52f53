"""The part of what was said and what happened that one character has heard, read or seen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dtomtrack.beliefs.scenario import Presence, Scenario
from dtomtrack.scenarios.acting.character import Heard

__all__ = ["heard_by"]


def heard_by(scenario: Scenario, name: str, said: Sequence[Heard]) -> tuple[Heard, ...]:
    """All that has reached a character when the next turn begins, in the order in which it did."""
    if not scenario.presence and not scenario.audiences:
        return tuple(said)
    return tuple(_reached(scenario, name, said))


def _reached(scenario: Scenario, name: str, said: Sequence[Heard]) -> Iterator[Heard]:
    read = {
        one.turn: one.read_at[name] for one in scenario.audiences if one.is_note and one.read_at.get(name) is not None
    }
    for now in range(len(said) + 1):
        for presence in scenario.presence:
            yield from _seen(presence, scenario, name, now)
        yield from (_line(scenario, said[turn]) for turn, at in read.items() if at == now and turn < now)
        if now < len(said) and _hears(scenario, name, said[now]):
            yield _line(scenario, said[now])


def _hears(scenario: Scenario, name: str, line: Heard) -> bool:
    if name == line.speaker:
        return True
    read_at = scenario.read_at(line.turn)
    if read_at:
        return read_at.get(name) == line.turn
    return name in scenario.audience(line.turn)


def _line(scenario: Scenario, line: Heard) -> Heard:
    planned = scenario.planned_audience(line.turn)
    if planned is None:
        return line
    return Heard(line.turn, line.speaker, line.text, planned.hearers, planned.is_note)


def _seen(presence: Presence, scenario: Scenario, name: str, now: int) -> Iterator[Heard]:
    """Somebody comes or goes, as far as the character is there to see it."""
    if name != presence.agent and scenario.is_away(name, now):
        return
    who = presence.agent
    late = presence.from_turn == 0
    if now == presence.from_turn:
        yield Heard(now, "", f"{who} {'is not there yet' if late else 'leaves'}: {presence.reason}.")
    if now == presence.until_turn:
        yield Heard(now, "", f"{who} {'joins' if late else 'is back'}.")
