"""Forms put together into sentences, so that what one person says in a line reads as one speech.

A form may lose its full stop and its capital; nothing else of it changes, so that it can still be read off the line.
"""

from __future__ import annotations

import re

__all__ = ["continued", "joined"]

_WORDS = """
a after all an and at but by count crates days every everything for from half hay how if in it it's just leading
let's letters machines maybe my no nobody nothing of on one our part people sharing sign so somebody strangers that
that's the their there there's these they they'd they'll they're this those to waiting we we'd we're what when
where who with yes you you'd you'll you're you've your
"""
_STARTS = frozenset(_WORDS.split())
"""Words that lose their capital behind a comma: no names."""
_SPEAKER = re.compile(r"I(?:'\w+)?$")


def joined(first: str, link: str, second: str) -> str:
    """Two forms as one sentence; as two where the first is no statement or the second may begin with a name."""
    going_on = continued(second)
    return f"{first} {second}" if going_on is None or not first.endswith(".") else f"{first[:-1]}{link}{going_on}"


def continued(form: str) -> str | None:
    """A form as it stands within a sentence; None where it may begin with a name."""
    word = re.split(r"[ ,]", form, maxsplit=1)[0]
    if _SPEAKER.match(word):
        return form
    return form[:1].lower() + form[1:] if word.lower() in _STARTS else None
