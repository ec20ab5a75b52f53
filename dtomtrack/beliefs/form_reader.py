"""Reading dialogues that were made with the forms of words of a domain pack."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache, partial

from dtomtrack.beliefs.forms import Forms, Found
from dtomtrack.beliefs.reading import STATED, Act, Reading

__all__ = ["FormReader"]

_ANYBODY = ("", "any")
"""Roles of topics that anybody may hold."""
_REMEMBERED = 512
"""Utterances of which a reader keeps what they say."""

_Sides = Mapping[str, str]
"""By name, the side of the conversation on which somebody is."""
_Read = Callable[[int, str, str], tuple[Reading, ...]]


class FormReader:
    """Reads dialogues made with the forms of a pack.

    Args:
        forms: the compiled forms.
        names: names of the agents by role, ``{"a": "Maya", "b": "Ben"}``.
        sides: by name, the side of the conversation on which those are who are behind the first two; else all of them
            are on that of the second.
    """

    def __init__(self, forms: Forms, names: Mapping[str, str], sides: Mapping[str, str] | None = None) -> None:
        first = next(iter(names.values()), "")
        side_of = {name: "a" if name == first else "b" for name in names.values()} | dict(sides or {})
        # neither refers to the reader: once it is dropped, what it remembers goes at once
        self._remembered = lru_cache(maxsize=_REMEMBERED)(partial(_read, forms, side_of))
        self.states = lru_cache(maxsize=_REMEMBERED)(partial(_states, self._remembered))

    def read(self, turn: int, speaker: str, utterance: str) -> list[Reading]:
        """Read an utterance; what is said comes in the order in which it is said."""
        return list(self._remembered(turn, speaker, utterance))


def _read(forms: Forms, sides: _Sides, turn: int, speaker: str, utterance: str) -> tuple[Reading, ...]:
    readings: dict[Reading, None] = {}
    for one in forms.read(utterance):
        holder = _holder(sides, one, speaker, utterance)
        if holder is not None:
            kept_from = _known(sides, one.name) or "" if one.act is Act.CONFIDE else ""
            readings[Reading(turn, speaker, one.act, holder, one.topic, one.content, kept_from)] = None
    return tuple(readings)


def _states(read: _Read, turn: int, speaker: str, utterance: str) -> tuple[Reading, ...]:
    """What an utterance says that somebody holds."""
    return tuple(one for one in read(turn, speaker, utterance) if one.act in STATED)


def _holder(sides: _Sides, one: Found, speaker: str, utterance: str) -> str | None:
    """Name of the agent whose state is spoken of; None if it can't be told, or can't be meant."""
    if one.act is Act.CONFIDE:
        return speaker if _known(sides, one.name) else None
    if one.act is Act.STATE:
        return speaker if one.role in {*_ANYBODY, sides.get(speaker)} else None
    if one.act is Act.MENTION:
        return speaker
    others = [name for name, side in sides.items() if name != speaker and one.role in {*_ANYBODY, side}]
    if one.name:
        named = _known(sides, one.name)
        return named if named in others else None
    if len(others) == 1:
        return others[0]
    named_here = [name for name in others if name in utterance]
    return named_here[0] if named_here else next(iter(others), None)


def _known(sides: _Sides, name: str) -> str | None:
    """The agent whose name ends what a form takes for a name."""
    return next((known for known in sides if name == known or name.endswith(f" {known}")), None)
