"""Whom a sentence is said to, whom it speaks of by name, and whose state of a topic it is about."""

from __future__ import annotations

import re
from functools import lru_cache

from dtomtrack.beliefs.scenario import Topic
from dtomtrack.items.words import REMEMBERED, in_plain_letters

__all__ = ["has_second_person", "holder_meant", "is_addressed", "is_told_of"]

_CALLED = (
    r"hi|hey|hello|dear|thanks|thank you|good (?:morning|day|afternoon|evening|night)|welcome|yes|no|well|oh|ah|ok|"
    r"okay|so|and|but|right|sorry|please|now|look|listen|sure|wait|true"
)
"""Words behind which a name is called without a comma: "Hi Ben, ..."."""
_GOES_ON = (
    r"(?:is|was|will|would|has|had|can|could|should|may|might|must|does|did)(?:n't)?|won't|wants|feels|thinks|believes|"
    r"knows|holds|plans|intends|needs|likes|loves|prefers|hopes|says|said|told|decided|wanted|felt|thought|takes|now|"
    r"still|also|really|simply"
)
"""What goes on about somebody behind a parenthesis: "Ben, I hear, will ..."; no question such as "will you"."""
_YOU = r"(?:you|your|yours|yourself|yourselves)(?:'\w+)?"
_SECOND_PERSON = re.compile(rf"\b{_YOU}\b")
_IDIOM = re.compile(
    r"(?:^|(?<=,))\s*you (?:know|see)\s*(?=,)|,\s*you (?:know|see)\s*(?=[,.!]|$)|"
    r"\bif you (?:ask me|like|please|will|don't mind)\b|\bthank you\b|\bmind you\b|\byou bet\b|\bsee you\b|"
    r"\bbetween you and me\b|\b(?:let me|can|must|to) tell you\b|\b(?:i|we) (?:promise|assure|tell|beg|owe) you\b|"
    r"\bbelieve you me\b"
)
"""Turns of phrase whose "you" is about nobody's state."""
_MEANWHILE = re.compile(r"\b(?:while|when|whenever|if|before|after|until|unless|once|whether|where) (?:that )?you\b")
_REPORTS = (
    r"\b(?:i|we)(?:'\w+)? (?:\w+ ){0,2}?(?:think|thought|guess|suppose|bet|hear|heard|know|knew|believe|see|saw|assume|"
    r"take it|gather|understand|understood|sure|remember|imagine|figure|reckon|expect|hope|tell|told|say|said|noticed|"
    r"glad|happy|sorry|surprised) (?:that )?"
)
"""Who speaks of another in the first person: "I think that ..."."""
_OF_YOU = re.compile(rf"{_REPORTS}(?=you)")
_OWN_TOO = re.compile(r"\b(?:i|we)(?:'d|'ll| (?:will|want|would|feel|prefer|need|do)\b)")
_FIRST_PERSON = re.compile(r"\b(?:i|we|my|our|mine|ours|me|us)\b")
_THEIRS = re.compile(r"\byour\b|\byou'\w+|\byou (?!(?:to|and|or|in|at|by|for|with|on|that|the|an?|all|too)\b)\w")
"""The other as the one who holds something, not as the one to whom something is done or said."""


@lru_cache(maxsize=REMEMBERED)
def _called(name: str) -> re.Pattern[str]:
    """A name that is set off as an address, with nothing said of its bearer behind a parenthesis."""
    of_them = rf"\s*,[^,.!?;]*,\s*(?:{_GOES_ON})\b(?!\s+you\b)"
    set_off = r"\s*(?:[,.:;!?\u2013\u2014\u2026\uff0c\u3002\uff01\uff1f\u060c\u061f]|$)"
    return re.compile(
        rf"(?:(?:^|[,.:;!?\u2013\u2014\uff0c\u060c])\W*|\b(?i:{_CALLED})\s+){re.escape(name)}\b"
        rf"(?!{of_them})(?:{set_off}|\s+(?=(?i:{_YOU})\b))"
    )


def is_addressed(name: str, sentence: str) -> bool:
    """Whether a sentence is said to somebody by name: the name is set off, as in "Ben, ..." or "..., Ben."."""
    return name in sentence and bool(_called(name).search(sentence))


def is_told_of(name: str, sentence: str) -> bool:
    """Whether a sentence speaks of somebody by name, not to them."""
    if name not in sentence or is_addressed(name, sentence):
        return False
    return bool(re.search(rf"\b{re.escape(name)}\b", sentence))


def has_second_person(sentence: str) -> bool:
    """Whether a sentence says anything of whom it is said to, turns of phrase such as "if you ask me" left out."""
    return bool(_SECOND_PERSON.search(_without_idioms(sentence)))


def _without_idioms(sentence: str) -> str:
    return _IDIOM.sub(" ", in_plain_letters(sentence))


def holder_meant(topic: Topic, speaker: str, sentence: str) -> str | None:
    """Name of the holder of a topic whose state a sentence is about: who is named, who is addressed, or the speaker.

    None where it may be the speaker's or another's: "I want what you want", "Ben and I will stay".
    """
    if not topic.co_holders:
        return topic.holder
    others = [name for name in topic.holders if name != speaker]
    named = next((name for name in others if is_told_of(name, sentence)), None)
    if named is not None:
        return None if speaker in topic.holders and _is_own_too(named, sentence) else named
    addressed = next((name for name in others if is_addressed(name, sentence)), others[0] if others else speaker)
    if speaker not in topic.holders or not others:
        return addressed
    of_other = _of_other(_without_idioms(sentence))
    return None if of_other is None else (addressed if of_other else speaker)


def _is_own_too(named: str, sentence: str) -> bool:
    """Whether a sentence that speaks of somebody by name speaks of the speaker's own state as well."""
    of_them = re.compile(rf"{_REPORTS}(?={re.escape(in_plain_letters(named))}\b)")
    return bool(_OWN_TOO.search(of_them.sub(" ", in_plain_letters(sentence))))


def _of_other(sentence: str) -> bool | None:
    """Whether a sentence is about the state of whom it is said to, not about the speaker's; None if it may be both."""
    main = _MEANWHILE.sub(" ", sentence)
    if not _SECOND_PERSON.search(main):
        return False
    if not _FIRST_PERSON.search(_OF_YOU.sub(" ", main)):
        return True
    return None if _THEIRS.search(main) else False
