"""Naming: whether a line says itself what it is about."""

from __future__ import annotations

import re

from dtomtrack.beliefs.mental_state import MentalState
from dtomtrack.items.words import content_words
from dtomtrack.scenarios.pack import PackTopic
from dtomtrack.scenarios.telling import telling_words

__all__ = ["is_named", "says_name"]

_STANDS_FOR_SOMETHING = frozenset(
    re.findall(r"\S+", "he he's him his she she's her hers it it's its that that's this they them")
)
_STANDS_IN = re.compile(r"\b(?:an?|the|this|that) (?:[\w'-]+ ){0,2}ones?\b", re.IGNORECASE)
"""What is found where something goes by "one": "the one by the boiler", "a new one"."""
_WORD = re.compile(r"[\w'-]+")


def is_named(topic: PackTopic, line: str) -> bool:
    """Whether a line says itself what it is about: by the topic's own words, or by a value, and by no "it" before.

    A feeling names what it is about by its topic alone.
    """
    if says_name(topic, line):
        return True
    if topic.state is MentalState.EMOTION or _STANDS_IN.search(line):
        return False
    words, tells = _WORD.findall(line.lower()), telling_words((topic,))
    first = next((at for at, word in enumerate(words) if word in tells), None)
    return first is not None and _STANDS_FOR_SOMETHING.isdisjoint(words[:first])


def says_name(topic: PackTopic, line: str) -> bool:
    """Whether a line has a name of the topic, or all of its words that say anything."""
    return any(content_words(name) <= content_words(line) for name in topic.names)
