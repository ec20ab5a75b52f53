"""Linguistic markers of a change of mind (paper, "Linguistic Update Markers").

The paper names three of its ten implicit markers and one of its five explicit ones; the others are written here. An
implicit marker comes before the new state; an explicit one names the old state, too, in words that fit the mental
state.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from dtomtrack.schema import MentalState

__all__ = ["EXPLICIT", "IMPLICIT", "MARKERS", "Marker", "MarkerMatch", "find_markers", "marker"]


@dataclass(frozen=True)
class Marker:
    """A phrase that signals an update aloud.

    Attributes:
        id: what plans and questions call it.
        names_old: whether the old state is said as well.
        cue: the words that tell it, at the start of a clause.
        frames: by mental state, the whole sentence with ``{old}`` and ``{new}`` (explicit markers only).
    """

    id: str
    cue: str
    names_old: bool = False
    frames: dict[MentalState, str] = field(default_factory=dict)

    def say(self, mental_state: MentalState, old: str, new: str, adopted: str) -> str:
        """The sentence of an update; ``adopted`` is the new state in the speaker's own words, without a period."""
        if self.names_old:
            return self.frames[mental_state].replace("{old}", "\0").replace("{new}", new).replace("\0", old)
        return f"{self.cue} {adopted}."


@dataclass(frozen=True)
class MarkerMatch:
    """A marker in an utterance, with old and new contents where the marker itself names them."""

    marker: Marker
    start: int
    old: str | None = None
    new: str | None = None


def _frames(thinking: str, doing: str, wanting: str, feeling: str) -> dict[MentalState, str]:
    return {
        MentalState.BELIEF: thinking,
        MentalState.KNOWLEDGE: thinking,
        MentalState.INTENTION: doing,
        MentalState.DESIRE: wanting,
        MentalState.EMOTION: feeling,
    }


IMPLICIT = (
    Marker("actually", "Actually,"),
    Marker("just_realized", "I just realized something:"),
    Marker("wait", "Wait,"),
    Marker("second_thought", "On second thought,"),
    Marker("come_to_think", "Come to think of it,"),
    Marker("hold_on", "Hold on,"),
    Marker("now_that", "Now that I hear that,"),
    Marker("in_that_case", "Well, in that case,"),
    Marker("you_know_what", "You know what,"),
    Marker("take_back", "Let me take that back:"),
)
EXPLICIT = (
    Marker(
        "mistakenly_said",
        "I mistakenly said",
        names_old=True,
        frames=_frames(
            "I mistakenly said that {old}, but in fact {new}.",
            "I mistakenly said I'd {old}, but what I'll do is {new}.",
            "I mistakenly said I wanted {old}, but what I want is {new}.",
            "I mistakenly said I felt {old}, but the truth is I feel {new}.",
        ),
    ),
    Marker(
        "was_wrong",
        "I was wrong",
        names_old=True,
        frames=_frames(
            "I was wrong to think that {old}; I see now that {new}.",
            "I was wrong to plan to {old}; I'll {new}.",
            "I was wrong to want {old}; I'd like {new}.",
            "I was wrong to feel {old}; now I feel {new}.",
        ),
    ),
    Marker(
        "a_minute_ago",
        "A minute ago",
        names_old=True,
        frames=_frames(
            "A minute ago I'd have sworn that {old}, but clearly {new}.",
            "A minute ago I meant to {old}, but now I'll {new}.",
            "A minute ago I wanted {old}, but now I want {new}.",
            "A minute ago I felt {old}, but now I feel {new}.",
        ),
    ),
    Marker(
        "scratch",
        "Scratch what I said",
        names_old=True,
        frames=_frames(
            "Scratch what I said about how {old}: evidently {new}.",
            "Scratch what I said, that I'd {old}: I'm going to {new}.",
            "Scratch what I said about wanting {old}: I want {new}.",
            "Scratch what I said about feeling {old}: I feel {new}.",
        ),
    ),
    Marker(
        "turns_out",
        "It turns out",
        names_old=True,
        frames=_frames(
            "It turns out I had it backwards when I said that {old}: really, {new}.",
            "It turns out I won't {old} after all; I'll {new}.",
            "It turns out I don't want {old} after all; I want {new}.",
            "It turns out I don't feel {old} after all; I feel {new}.",
        ),
    ),
)
MARKERS = IMPLICIT + EXPLICIT

_BY_ID = {one.id: one for one in MARKERS}


def marker(marker_id: str) -> Marker:
    """The marker with this id; `KeyError` if there is none."""
    return _BY_ID[marker_id]


def _frame_pattern(frame: str) -> re.Pattern[str]:
    return re.compile(re.escape(frame).replace(r"\{old\}", "(?P<old>.+?)").replace(r"\{new\}", "(?P<new>[^.]+)"))


_FRAME_PATTERNS = {one.id: [_frame_pattern(frame) for frame in dict.fromkeys(one.frames.values())] for one in EXPLICIT}
_CUES = re.compile("|".join(re.escape(one.cue) for one in MARKERS))
_BY_CUE = {one.cue: one for one in MARKERS}


def find_markers(utterance: str) -> list[MarkerMatch]:
    """Markers in an utterance, in the order in which they are said."""
    return [_match_frame(_BY_CUE[cue.group()], cue.start(), utterance) for cue in _CUES.finditer(utterance)]


def _match_frame(found: Marker, start: int, utterance: str) -> MarkerMatch:
    for pattern in _FRAME_PATTERNS.get(found.id, ()):
        if match := pattern.match(utterance, start):
            return MarkerMatch(found, start, match["old"], match["new"])
    return MarkerMatch(found, start)
