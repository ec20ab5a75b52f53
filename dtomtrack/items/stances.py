"""How each mention stands in a reply: stated, denied, asked, alone, or at the head of a line."""

from __future__ import annotations

import re
from collections.abc import Mapping, Set

from dtomtrack.items.mentions import Mention
from dtomtrack.items.scope import Reach, reach
from dtomtrack.items.standing import ALONE, CALLED_WRONG, CLAUSE_END, CONFIRMED, DENIED, HEADS, REFUTED, TEXT_DENIED

__all__ = ["Stances"]

_SHARE = re.compile(r"\)? ?[:=] ?\d")
"""What an option is given where a reply weighs several."""


class Stances:
    """Says of the mentions of a reply how they stand.

    Args:
        text: the plain reply.
        starts: where clauses begin.
        strong: what strong cues introduce, and whether they affirm it.
        weak: the same of weak cues.
    """

    def __init__(self, text: str, starts: Set[int], strong: Mapping[int, bool], weak: Mapping[int, bool]) -> None:
        self._text = text
        self._starts = starts
        self._strong = strong
        self._weak = weak
        self._reaches: dict[int, Reach] = {}

    def reach(self, mention: Mention) -> Reach:
        """How far what is said of an option reaches."""
        if mention.start not in self._reaches:
            confirmed = CONFIRMED.match(self._text, mention.end)
            end = mention.end if confirmed is None else confirmed.end()
            self._reaches[mention.start] = reach(self._text, mention.start, end)
        return self._reaches[mention.start]

    def is_firm(self, mention: Mention) -> bool:
        """Whether it is stated for this item."""
        return self.is_stated(mention) and self.reach(mention) is Reach.FIRM

    def is_put(self, mention: Mention) -> bool:
        """Whether it is stated or stands alone."""
        return not self.is_asked(mention) and (self.is_stated(mention) or self.is_alone(mention))

    def is_stated(self, mention: Mention) -> bool:
        """Whether a cue introduces it or words confirm it."""
        if self.is_asked(mention):
            return False
        strong, weak = self._strong.get(mention.start), self._weak.get(mention.start)
        if strong is not None:
            return strong
        if weak and CLAUSE_END.match(self._text, mention.end):
            return True
        return CONFIRMED.match(self._text, mention.end) is not None and not self.is_denied(mention)

    def is_asked(self, mention: Mention) -> bool:
        """Whether a question mark is right behind it."""
        return self._text.startswith(("?", ")?"), mention.end)

    def is_denied(self, mention: Mention) -> bool:
        """Whether it is asked or said not to be the answer."""
        cued = self._strong.get(mention.start) is False or self._weak.get(mention.start) is False
        before = self._text[max(0, mention.start - 80) : mention.start]
        pattern = TEXT_DENIED if mention.by_text else DENIED
        return cued or self.is_asked(mention) or pattern.search(before) is not None

    def is_alone(self, mention: Mention) -> bool:
        """Whether it is a clause of its own."""
        if mention.start not in self._starts or ALONE.match(self._text, mention.end) is None:
            return False
        return CALLED_WRONG.search(self._text, max(0, mention.start - 50), mention.start) is None

    def heads(self, mention: Mention) -> bool:
        """Whether it opens a line or sentence about it, which does not refute it."""
        if mention.start not in self._starts or self.is_denied(mention) or self.reach(mention) is not Reach.FIRM:
            return False
        if _SHARE.match(self._text, mention.end):
            return False
        marked = self._text[mention.end - 1] == ")" or HEADS.match(self._text, mention.end)
        return self.is_alone(mention) or bool(marked and not REFUTED.match(self._text, mention.end))
