"""Reading dialogues that were made with the forms of words of a domain pack."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from dtomtrack.beliefs.forms import Forms, Found
from dtomtrack.beliefs.reading import STATED, Act, Reading

__all__ = ["FormReader"]

_ANYBODY = ("", "any")
"""Roles of topics that anybody may hold."""


class FormReader:
    """Reads dialogues made with the forms of a pack.

    Args:
        forms: the compiled forms.
        names: names of the agents by role, ``{"a": "Maya", "b": "Ben"}``.
        sides: by name, the side of the conversation on which those are who are behind the first two; else all of them
            are on that of the second.
    """

    def __init__(self, forms: Forms, names: Mapping[str, str], sides: Mapping[str, str] | None = None) -> None:
        self._forms = forms
        first = next(iter(names.values()), "")
        self._sides = {name: "a" if name == first else "b" for name in names.values()} | dict(sides or {})
        self._remembered = lru_cache(maxsize=512)(self._read)
        self.states = lru_cache(maxsize=512)(self._states)

    def read(self, turn: int, speaker: str, utterance: str) -> list[Reading]:
        """Read an utterance; what is said comes in the order in which it is said."""
        return list(self._remembered(turn, speaker, utterance))

    def _read(self, turn: int, speaker: str, utterance: str) -> tuple[Reading, ...]:
        readings: dict[Reading, None] = {}
        for one in self._forms.read(utterance):
            holder = self._holder(one, speaker, utterance)
            if holder is not None:
                kept_from = self._known(one.name) or "" if one.act is Act.CONFIDE else ""
                readings[Reading(turn, speaker, one.act, holder, one.topic, one.content, kept_from)] = None
        return tuple(readings)

    def _states(self, turn: int, speaker: str, utterance: str) -> tuple[Reading, ...]:
        """What an utterance says that somebody holds."""
        return tuple(one for one in self._remembered(turn, speaker, utterance) if one.act in STATED)

    def _holder(self, one: Found, speaker: str, utterance: str) -> str | None:
        """Name of the agent whose state is spoken of; None if it can't be told, or can't be meant."""
        if one.act is Act.CONFIDE:
            return speaker if self._known(one.name) else None
        if one.act is Act.STATE:
            return speaker if one.role in {*_ANYBODY, self._sides.get(speaker)} else None
        if one.act is Act.MENTION:
            return speaker
        others = [name for name, side in self._sides.items() if name != speaker and one.role in {*_ANYBODY, side}]
        if one.name:
            named = self._known(one.name)
            return named if named in others else None
        if len(others) == 1:
            return others[0]
        named_here = [name for name in others if name in utterance]
        return named_here[0] if named_here else next(iter(others), None)

    def _known(self, name: str) -> str | None:
        """The agent whose name ends what a form takes for a name."""
        return next((known for known in self._sides if name == known or name.endswith(f" {known}")), None)
