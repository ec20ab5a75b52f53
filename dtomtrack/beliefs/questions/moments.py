"""Moments: the turn that a question is about, in numbers, by what happened then, or as one of several changes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from random import Random
from typing import Literal

from dtomtrack.beliefs.transcript import Event, Happening, Transcript

__all__ = ["ORDINALS", "Moment", "Moments"]

_TIMES = (" for the first time", " for the second time", " for the third time", " for the fourth time")
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")
"""The numbers of changes that are named by their number."""
_WORDS = {
    Happening.LEAVES: "{agent} left",
    Happening.BACK: "{agent} came back",
    Happening.JOINS: "{agent} joined",
    Happening.READS: "{agent} read a note from {writer}",
}


@dataclass(frozen=True)
class Moment:
    """The end of a turn.

    Attributes:
        event: what happened then, in words ("Marta came back"); empty where the turn's number is given.
        number: of a change that the moment is at, where it is named as the first, second, ... of its state.
    """

    turn: int
    event: str = ""
    number: int | None = None

    @property
    def named_by(self) -> Literal["turn", "event", "change"]:
        """The way in which it is given."""
        return "change" if self.number else "event" if self.event else "turn"

    def say(self, wording: str) -> str:
        """A wording with the moment in it: "At turn {turn}, ..." becomes "When Marta came back, ..."."""
        if self.number is not None:
            return wording.replace("{nth}", ORDINALS[self.number - 1])
        if not self.event:
            return wording
        for by_number in ("At turn {turn}", "As of turn {turn}"):
            wording = wording.replace(by_number, f"When {self.event}")
        return wording.replace("at turn {turn}", f"when {self.event}")


class Moments:
    """Draws moments of a dialogue.

    Args:
        event_share: of moments that are named by an event, where one lies in the window.
    """

    def __init__(self, transcript: Transcript | None, event_share: float, rng: Random) -> None:
        self._events: dict[int, _Named] = {} if transcript is None else _named(transcript.events)
        self._share = event_share
        self._rng = rng

    def named_by_event(self) -> bool:
        """Whether a moment at which something happens is to be named by that."""
        return self._share > 0 and self._rng.random() < self._share

    def draw(self, window: Sequence[int], options: Collection[str] = ()) -> Moment:
        """A moment in a window of turns in which nothing of what is asked about changes.

        An event lies between two turns, so both have to be in the window.

        Args:
            options: names among which the answer is: who has just come back is seldom up to date, so none of them may
                stand in the question.
        """
        if self._events and self._rng.random() < self._share:
            inside = set(window)
            fitting = [turn for turn in window if turn in self._events and turn - 1 in inside]
            fitting = [turn for turn in fitting if self._events[turn].agents.isdisjoint(options)]
            if fitting:
                turn = self._rng.choice(fitting)
                return Moment(turn, self._events[turn].words)
        return Moment(self._rng.choice(window))


@dataclass(frozen=True)
class _Named:
    """An event in words, and whom they name."""

    words: str
    agents: frozenset[str]


def _named(events: Sequence[Event]) -> dict[int, _Named]:
    """Events by turn, each in words that no other has; where two come together, neither is used.

    Notes that are read at once name no moment; but a reader of the transcript counts them, too.
    """
    worded = [(event, _in_words(event)) for event in events if event.happening in _WORDS]
    often = Counter(words for _, words in worded)
    seen: Counter[str] = Counter()
    named: dict[int, list[_Named]] = {}
    for event, words in worded:
        time, seen[words] = seen[words], seen[words] + 1
        if event.note != event.turn and (often[words] == 1 or time < len(_TIMES)):
            whole = words if often[words] == 1 else words + _TIMES[time]
            agents = frozenset(filter(None, (event.agent, event.writer)))
            named.setdefault(event.turn, []).append(_Named(whole, agents))
    return {turn: one for turn, (one, *more) in named.items() if not more}


def _in_words(event: Event) -> str:
    return _WORDS[event.happening].format(agent=event.agent, writer=event.writer)
