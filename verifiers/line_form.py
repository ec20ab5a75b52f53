"""Rules for the form of a line: it is said by the speaker, in the first person, to the others, and by nobody else."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

__all__ = ["form_problems"]

_VERBS = (
    "is|isn't|was|wasn't|will|won't|would|has|hasn't|had|can|can't|could|should|does|doesn't|did|wants|feels|thinks|"
    "believes|knows|plans|needs|likes|hopes|says|said|asks|asked|replies|replied|answers|adds|smiles|nods|sighs|laughs"
)
_SAYS = "says|said|asks|asked|replies|replied|answers|answered|adds|added|whispers|murmurs|smiles|nods|laughs|sighs"
_NARRATION = re.compile(rf'["”]\s*,?\s*(?:[^\W\d_][\w\'-]*\s+){{0,3}}?(?:{_SAYS})\b|\b(?:he|she)\s+(?:{_SAYS})[,.:]')
_STRAIGHT, _OPENING, _CLOSING = '"', "“", "”"


def form_problems(line: str, speaker: str, others: Sequence[str]) -> Iterator[str]:
    """Everything that makes a line something else than what one says to somebody.

    Args:
        others: all others who take part. Who talks to one alone speaks to them, and not of them.
    """
    if ":" in line:
        yield from _of_names_before(line, speaker, others)
    if _NARRATION.search(line):
        yield "it narrates what is said; write only what is said"
    elif line.count(_STRAIGHT) % 2 or line.count(_OPENING) != line.count(_CLOSING):
        yield "a quotation mark is left over; write only what is said"
    if _as_third_person(speaker, line):
        yield f"it speaks of {speaker} as of somebody else; say I"
    if len(others) == 1 and _as_third_person(others[0], line):
        yield f"it speaks of {others[0]} as of somebody else; say you"


def _of_names_before(line: str, speaker: str, others: Sequence[str]) -> Iterator[str]:
    for other in others:
        if other in line and re.search(rf"\b{re.escape(other)}\s*:", line):
            yield f"the line is {other}'s, not {speaker}'s"
    if line.startswith(speaker) and line.removeprefix(speaker).lstrip().startswith(":"):
        yield "a name stands before what is said; write only what is said"


def _as_third_person(name: str, line: str) -> bool:
    return name in line and bool(re.search(rf"\b{re.escape(name)}\s+(?:{_VERBS})\b", line))
