"""The signs of a text that can be seen, by properties that no later version of Unicode changes.

`str.isprintable` calls every sign unprintable that the Python at hand has not heard of.
"""

from __future__ import annotations

import re
from unicodedata import category

__all__ = ["visible"]

_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Zs", "Zl", "Zp"})
_JOINER = re.compile(r"(?<=[^\x00-\x7f])[\u200c\u200d](?=[^\x00-\x7f])")
"""Where a joiner, or what keeps two apart, belongs: within words of other scripts, and in emoji of several parts."""


def visible(text: str) -> str:
    """A text with a space in place of each control, format and separating sign and of each half of a pair.

    Joiners stay where they belong. The text stays as long as it is.
    """
    if text.isascii() and text.isprintable():
        return text
    joiners = {found.start() for found in _JOINER.finditer(text)}
    signs = enumerate(text)
    return "".join(" " if category(sign) in _HIDDEN and place not in joiners else sign for place, sign in signs)
