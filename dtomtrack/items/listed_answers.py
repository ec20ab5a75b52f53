"""Answers of several options that a reply gives line by line: one option at the head of each, with talk behind it."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from dataclasses import replace

from dtomtrack.items.mentions import Mention
from dtomtrack.items.plain_reply import CROSS, TICK
from dtomtrack.items.stances import Stances

__all__ = ["is_refuted_in_line", "with_lists_joined"]

_LIST_HEAD = re.compile(
    r"\b(?:answers?|(?:i|we) (?:choose|select|pick)"
    r"|(?:correct|right|best|chosen|selected|applicable|appropriate) (?:options?|choices?|letters?|ones?)"
    r"|(?:options?|choices?) (?:that )?(?:apply|are correct)|(?:following|these) (?:\w{1,20} ){0,2}(?:options?|choices?"
    r"|labels?|intents?|intentions?|categor(?:y|ies)|codes?)|(?:intentions?|intents?|labels?|categories|codes))"
    r"(?: are| is)?(?: as follows)?: ?\n?\(?$",
    re.IGNORECASE,
)
_IN_BRACKETS = re.compile(r"\([^()\n]{1,120}\)")
_LONGEST_REASON = 600
"""Characters from one option of a list to the next."""
_DENIED_HEAD = re.compile(r"\b(?:not|no|other|wrong|incorrect|remaining|possible|given|n't)\b", re.IGNORECASE)
_REFUTED_IN_LINE = re.compile(
    r"(?:\b(?:not?|nor|neither|never|nothing|nobody|none|wrong|incorrect|false|excluded|eliminated|unlikely|cannot|out"
    rf"|inapplicable|irrelevant|without)\b|n't\b|{CROSS}|{TICK})",
    re.IGNORECASE,
)


def with_lists_joined(text: str, mentions: Sequence[Mention], letters: Set[str], stances: Stances) -> list[Mention]:
    """The mentions with each list under "the answers are:", or that opens the reply, as one.

    A list that goes through all options of the item, saying something of each, can't be read.
    """
    joined: list[Mention] = []
    position = 0
    while position < len(mentions):
        lines = _lines_from(text, mentions, position, stances)
        heads = [
            mentions[position],
            *(one for one in mentions[position + 1 : position + lines] if _opens_line(text, one)),
        ]
        together = _together(heads)
        if len(heads) > 1 and together.picked == letters and _talk_between(text, heads[0], heads[1]):
            together = replace(together, picked=frozenset())
        joined.append(together)
        position += lines
    return joined


def _lines_from(text: str, mentions: Sequence[Mention], first: int, stances: Stances) -> int:
    """How many mentions from this one on are in the lines of one list; 1 where it begins none."""
    before = text[max(0, mentions[first].start - 100) : mentions[first].start]
    headed = _LIST_HEAD.search(before) and not _DENIED_HEAD.search(before.rstrip("\n").rpartition("\n")[2])
    if not (headed or mentions[first].start == 0) or not _is_of_list(text, mentions[first], stances):
        return 1
    last, seen = first, set(mentions[first].picked)
    for place in range(first + 1, len(mentions)):
        one = mentions[place]
        if one.start - mentions[last].end > _LONGEST_REASON:
            break
        if not _opens_line(text, one):
            continue
        if one.picked & seen or not _is_of_list(text, one, stances):
            break
        if not _continues(text, mentions[last], one, headed=bool(headed)):
            break
        seen |= one.picked
        last = place
    return last - first + 1


def is_refuted_in_line(text: str, mention: Mention) -> bool:
    """Whether what the line says behind an option may be that it is no answer."""
    return _REFUTED_IN_LINE.search(text[mention.end : mention.end + 240].partition("\n")[0]) is not None


def _is_of_list(text: str, mention: Mention, stances: Stances) -> bool:
    return bool(mention.picked) and not stances.is_denied(mention) and not is_refuted_in_line(text, mention)


def _continues(text: str, one: Mention, two: Mention, *, headed: bool) -> bool:
    """Whether the second stands in the next line, or the one after it; without a heading nothing may be between."""
    between = _IN_BRACKETS.sub("", text[one.end : two.start])
    return not any(map(str.isalnum, between)) or (headed and between.count("\n") <= 2)


def _opens_line(text: str, mention: Mention) -> bool:
    return text[mention.start - 1] == "\n" or text[mention.start - 2 : mention.start] == "\n("


def _talk_between(text: str, one: Mention, two: Mention) -> bool:
    return any(character.isalnum() for character in text[one.end : two.start])


def _together(mentions: Sequence[Mention]) -> Mention:
    picked = frozenset[str]().union(*(one.picked for one in mentions))
    return replace(mentions[0], end=mentions[-1].end, picked=picked, listed=all(one.listed for one in mentions))
