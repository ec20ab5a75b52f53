"""Thoughts that know too much: what a model lets its character think of another with nothing heard that says so."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from dtomtrack.beliefs.dialogue import InnerSpeech
from dtomtrack.beliefs.inner_speech import VERBS
from dtomtrack.beliefs.matching import StateMatcher
from dtomtrack.beliefs.statements import statements

__all__ = ["knows_too_much"]

Spoken = tuple[str, str]
"""(speaker, words)."""


def knows_too_much(
    thinker: str,
    thoughts: Sequence[InnerSpeech],
    heard: Sequence[Spoken],
    matcher: StateMatcher,
    granted: Collection[Spoken],
) -> Iterator[str]:
    """A sentence for each thought about another that the character can't have.

    It may think what that other last said of the topic, as far as it heard it, and what others have said of them since.

    Args:
        heard: what has reached the character, in the order in which it was said or written; their own words among it
            bear nothing out.
        granted: (topic, value) that it is to take for granted or to tell, whatever it heard.
    """
    others = [line for line in heard if line[0] != thinker]
    for one in thoughts:
        if one.about is None or one.topic is None or (one.topic, one.content) in granted:
            continue
        if one.content not in _known(one.about, one.topic, others, matcher):
            yield f"nothing that was heard says that {one.about} {VERBS[one.mental_state]} {one.content}"


def _known(about: str, topic: str, heard: Sequence[Spoken], matcher: StateMatcher) -> set[str]:
    """The values that a character may take somebody to hold.

    What they say is so takes the place of all before it; what they only ask about comes to it, and what they deny
    doesn't.
    """
    known: set[str] = set()
    for speaker, words in heard:
        if speaker != about and not re.search(rf"\b{re.escape(about)}\b", words):
            continue
        plain = statements(words)
        said = set(matcher.asserted(topic, plain))
        if said and speaker == about:
            known = set()
        known |= said | {*matcher.mentioned(topic, words)}.difference(matcher.mentioned(topic, plain))
    return known
