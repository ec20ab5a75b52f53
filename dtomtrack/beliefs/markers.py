"""Linguistic markers of a change of mind (paper, "Linguistic Update Markers").

The paper names three of its ten implicit markers and one of its five explicit ones; the others are written here. An
implicit marker comes before the new state; an explicit one names the old state, too.
"""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random

from dtomtrack.beliefs.mental_state import MentalState, Signal

__all__ = [
    "EXPLICIT",
    "IMPLICIT",
    "MARKERS",
    "Marker",
    "MarkerMatch",
    "draw_markers",
    "find_markers",
    "fits",
    "fitting",
    "fitting_to_learn",
    "marker",
    "signal_of",
    "without_markers",
]


@dataclass(frozen=True)
class Marker:
    """A phrase that signals an update aloud.

    Attributes:
        id: what plans and questions call it.
        frame: the sentence, with ``{new}`` for the new state in the speaker's own words and, in explicit markers,
            ``{old}`` for the old one in short.
    """

    id: str
    frame: str

    @property
    def names_old(self) -> bool:
        """Whether the old state is said as well: what makes a marker explicit."""
        return "{old}" in self.frame

    def say(self, old: str, new: str) -> str:
        """The sentence of an update."""
        return self.frame.replace("{old}", "\0").replace("{new}", new).replace("\0", old)

    def beginning(self, old: str) -> str:
        """The words before the new state."""
        return self.frame.partition("{new}")[0].replace("{old}", old).strip()


@dataclass(frozen=True)
class MarkerMatch:
    """A marker in an utterance: where it starts, and where the new state is to follow."""

    marker: Marker
    start: int
    end: int


IMPLICIT = (
    Marker("actually", "Actually, {new}."),
    Marker("just_realized", "I just realized something: {new}."),
    Marker("wait", "Wait, {new}."),
    Marker("second_thought", "On second thought, {new}."),
    Marker("come_to_think", "Come to think of it, {new}."),
    Marker("hold_on", "Hold on, {new}."),
    Marker("now_that", "Now that I hear that, {new}."),
    Marker("in_that_case", "Well, in that case, {new}."),
    Marker("you_know_what", "You know what, {new}."),
    Marker("take_back", "Let me take that back: {new}."),
)
EXPLICIT = (
    Marker("mistakenly_said", "I mistakenly said {old}, but {new}."),
    Marker("was_wrong", "I was wrong when I said {old}: {new}."),
    Marker("a_minute_ago", "A minute ago I said {old}, but {new}."),
    Marker("scratch", "Scratch that, not {old}: {new}."),
    Marker("not_after_all", "So not {old} after all: {new}."),
)
MARKERS = IMPLICIT + EXPLICIT

_BY_ID = {one.id: one for one in MARKERS}


def marker(marker_id: str) -> Marker:
    """The marker with this id; `KeyError` if there is none."""
    return _BY_ID[marker_id]


def signal_of(marker_id: str | None) -> Signal:
    """How a change with this marker is signalled; a marker of one's own counts as implicit."""
    if marker_id is None:
        return Signal.NONE
    return Signal.EXPLICIT if marker_id in _BY_ID and _BY_ID[marker_id].names_old else Signal.IMPLICIT


_ERRORS = frozenset({"mistakenly_said", "was_wrong"})
"""Markers that call it an error what was said before: nobody errs about what they then wanted or felt."""
_WITHDRAWALS = frozenset({"scratch", "take_back"})
"""Markers that withdraw what was said: a plan or a wish can be withdrawn, a feeling that one had can't."""


def fits(marker_id: str, state: MentalState) -> bool:
    """Whether a marker says nothing false of a change of this kind of state."""
    if marker_id in _ERRORS:
        return state in {MentalState.BELIEF, MentalState.KNOWLEDGE}
    return marker_id not in _WITHDRAWALS or state is not MentalState.EMOTION


def fitting(one: Marker, state: MentalState, taken: Container[str] = ()) -> Marker:
    """The marker, or where it does not fit a kind of state, one not taken that does, of the same signal if possible."""
    if fits(one.id, state):
        return one
    same, other = (EXPLICIT, IMPLICIT) if one.names_old else (IMPLICIT, EXPLICIT)
    found = [each for each in same if fits(each.id, state)]
    start = same.index(one) % len(found)
    found = [*found[start:], *found[:start], *(each for each in other if fits(each.id, state))]
    return next((each for each in found if each.id not in taken), found[0])


_LEARNS = ("now_that", "hold_on", "wait", "in_that_case")
"""Markers of who knew nothing and has just been told: nobody takes that back, or puts it right."""


def fitting_to_learn(one: Marker, taken: Container[str] = ()) -> Marker:
    """A marker for who comes to know what they knew nothing about, not one taken if there are others."""
    start = MARKERS.index(one) % len(_LEARNS)
    found = [one.id] if one.id in _LEARNS else [*_LEARNS[start:], *_LEARNS[:start]]
    return marker(next((each for each in found if each not in taken), found[0]))


def draw_markers(states: Sequence[MentalState], rng: Random) -> list[Marker]:
    """A marker for each change of a state of these kinds, none of them twice as long as there are others that fit."""
    drawn = rng.sample(MARKERS, len(states))
    for at, state in enumerate(states):
        drawn[at] = fitting(drawn[at], state, {other.id for other in drawn})
    return drawn


def _opening(frame: str) -> re.Pattern[str]:
    """The words before the new state, with any words for the old one."""
    before_new = frame.partition("{new}")[0].rstrip()
    return re.compile(re.escape(before_new).replace(r"\{old\}", r"[^!?]+?"))


_OPENINGS = [(one, one.frame.partition("{")[0].rstrip(), _opening(one.frame)) for one in MARKERS]


@lru_cache(maxsize=4096)
def find_markers(utterance: str) -> tuple[MarkerMatch, ...]:
    """Markers in an utterance, in the order in which they are said."""
    found = [
        MarkerMatch(one, match.start(), match.end())
        for one, opening, pattern in _OPENINGS
        if opening in utterance
        for match in pattern.finditer(utterance)
    ]
    return tuple(sorted(found, key=lambda match: match.start))


def without_markers(utterance: str) -> str:
    """An utterance without the words of markers, and without what they give up."""
    for match in reversed(find_markers(utterance)):
        utterance = utterance[: match.start] + utterance[match.end :]
    return utterance
