"""Rules for the form of a line: it is said by the speaker, in the first person, to the others, and by nobody else."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

__all__ = ["form_problems"]

_VERBS = (
    "is|isn't|was|wasn't|will|won't|would|has|hasn't|had|can|can't|could|should|does|doesn't|did|wants|feels|thinks|"
    "believes|knows|plans|needs|likes|hopes|says|said|asks|asked|replies|replied|answers|adds|smiles|nods|sighs|laughs"
)
_SAYS = "says|said|asks|asked|replies|replied|answers|answered|adds|added|whispers|murmurs|smiles|nods|laughs|sighs"
_NARRATION = re.compile(
    rf'^["“]?[^"“”]*(?:[.!?…,]["”]|["”]\s*,)\s*(?:[^\W\d_][\w\'-]*\s+){{0,3}}?(?:{_SAYS})\b'
    rf'|^["“][^"“”]+["”]\s+[^\W\d_][\w\'-]*\s+(?:{_SAYS})\b'
)
"""Who says it, behind a quotation that is all that is said so far; its opening mark may have been taken off."""
_COLON = re.compile("[:\N{FULLWIDTH COLON}]")
_INCHES = re.compile(r'\d"')
_ASKED = r"(?!\s+(?:you|i|we|it|that|this|there|they)\b)"
"""What does not follow a verb behind a name that is called: "Ben, can you help?" without the comma."""
_MARKS = _STRAIGHT, _OPENING, _CLOSING = '"', "“", "”"


def form_problems(line: str, speaker: str, others: Sequence[str]) -> Iterator[str]:
    """Everything that makes a line something else than what one says to somebody.

    Args:
        others: all others who take part. Who talks to one alone speaks to them, and not of them.
    """
    if _COLON.search(line) and _may_name(line, (speaker, *others)):
        yield from _of_names_before(line, speaker, others)
    if any(mark in line for mark in _MARKS):
        yield from _of_quotations(line)
    people = (speaker, *others)
    if _as_third_person(speaker, line, people):
        yield f"it speaks of {speaker} as of somebody else; say I"
    if len(others) == 1 and _as_third_person(others[0], line, people):
        yield f"it speaks of {others[0]} as of somebody else; say you"


def _of_quotations(line: str) -> Iterator[str]:
    if _NARRATION.search(line):
        yield "it narrates what is said; write only what is said"
    elif _has_a_mark_left(line):
        yield "a quotation mark is left over; write only what is said"


def _may_name(line: str, people: Sequence[str]) -> bool:
    folded = line.lower()
    return any(part.lower() in folded for name in people for part in name.split())


def _has_a_mark_left(line: str) -> bool:
    odd = line.count(_STRAIGHT) % 2 and not _INCHES.search(line)
    return bool(odd) or line.count(_OPENING) != line.count(_CLOSING)


def _of_names_before(line: str, speaker: str, others: Sequence[str]) -> Iterator[str]:
    for other in others:
        parts = _alternatives(other, (speaker, *others))
        if re.search(rf"\b(?:{parts})\s*{_COLON.pattern}|^(?i:{parts})\s*{_COLON.pattern}", line):
            yield f"the line is {other}'s, not {speaker}'s"
    if re.match(rf"(?i:{_alternatives(speaker, tuple(others))})\s*{_COLON.pattern}", line):
        yield "a name stands before what is said; write only what is said"


def _as_third_person(name: str, line: str, people: tuple[str, ...]) -> bool:
    return any(part in line for part in name.split()) and bool(
        re.search(rf"\b(?:{_alternatives(name, people)})\s+(?:{_VERBS})\b{_ASKED}", line)
    )


@lru_cache(maxsize=256)
def _alternatives(name: str, people: tuple[str, ...]) -> str:
    """A regular expression of a name and of each of its words that is written as a name and nobody else has."""
    taken = {word for other in people if other != name for word in other.split()}
    words = [word for word in name.split() if len(word) > 1 and word[0].isupper() and word not in taken]
    return "|".join(map(re.escape, dict.fromkeys((name, *words))))
