"""Whether words say themselves what they are about."""

from __future__ import annotations

import re

from dtomtrack.beliefs.mental_state import MentalState
from dtomtrack.items.words import content_words
from dtomtrack.scenarios.pack import PackTopic
from dtomtrack.scenarios.telling import telling_words

__all__ = ["is_named"]

_STANDS_FOR_SOMETHING = frozenset(
    re.findall(r"\S+", "he he's him his she she's her hers it it's its that that's this they them")
)
_WORD = re.compile(r"[\w'-]+")


def is_named(topic: PackTopic, words: str) -> bool:
    """Whether words say what they are about: by the topic's own words, or by a value, and by no "it" before.

    A feeling names what it is about by its topic alone.
    """
    if any(content_words(name) <= content_words(words) for name in topic.names):
        return True
    if topic.state is MentalState.EMOTION:
        return False
    found, tells = _WORD.findall(words.lower()), telling_words((topic,))
    first = next((at for at, word in enumerate(found) if word in tells), None)
    return first is not None and _STANDS_FOR_SOMETHING.isdisjoint(found[:first])
