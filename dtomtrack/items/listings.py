"""Lists of options in a reply: echoes of the question, which select nothing, and walks that judge one by one."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set

from dtomtrack.items.mentions import Mention
from dtomtrack.items.plain_reply import CROSS, TICK

__all__ = ["judgement", "without_listings"]

_HEADER = re.compile(
    r"(?:(?:other|remaining|given|possible|incorrect|wrong|available|answer) (?:options?|choices?)"
    r"|(?<!correct )(?<!right )(?<!best )(?<!chosen )(?<!selected )(?<!applicable )(?<!appropriate )"
    r"\b(?:options|choices)"
    r"|alternatives)(?: (?:are|were|is))?(?::\n?|\n)\(?$",
    re.IGNORECASE,
)
_JUDGED = re.compile(
    r"[ :.,)-]*\(?(?:(?:this|that|it)(?:'s| is| one is) )?(?:the )?(?:(?P<right>correct|right|true|yes)"
    r"|incorrect|wrong|false|no)\b(?: (?:answer|option|choice|one))?(?=[).,:;!\n]|$| -)",
    re.IGNORECASE,
)
"""A judgement right after an option: "B) ... (correct)", "A: no"."""


def without_listings(text: str, mentions: Sequence[Mention], letters: Set[str]) -> list[Mention]:
    """The mentions that are not part of an echo: all options with their texts, or a list headed "Other options"."""
    kept: list[Mention] = []
    position = 0
    while position < len(mentions):
        length = _echo_length(text, mentions[position : position + len(letters)], letters)
        if not length and _HEADER.search(text, max(0, mentions[position].start - 60), mentions[position].start):
            length = _list_length(text, mentions, position)
        if not length:
            kept.append(mentions[position])
        position += length or 1
    return kept


def judgement(text: str, mention: Mention, until: int, *, heads: bool) -> bool | None:
    """Whether an option is ticked or called correct before the next one is named; None if nothing of it is said.

    Args:
        text: the reply.
        mention: the option.
        until: where the next option is named.
        heads: whether the option stands where a line or sentence begins, so that a mere word may judge it.
    """
    sign = text[max(0, mention.start - 2) : mention.start].strip()
    if sign in {TICK, CROSS} and (mention.start == 2 or text[mention.start - 3] == "\n"):
        return sign == TICK
    rest = text[mention.end : min(until, mention.end + 240)].partition("\n")[0].rstrip()
    said = _JUDGED.match(rest) if heads else None
    if said is not None:
        return said["right"] is not None
    return TICK in rest if TICK in rest or CROSS in rest else None


def _echo_length(text: str, mentions: Sequence[Mention], letters: Set[str]) -> int:
    """How many mentions from the first on list every option once, in order and with its text."""
    if not mentions[0].listed or _is_judged(text, mentions[0].start, mentions[-1].end):
        return 0
    named: list[str] = []
    for count, mention in enumerate(mentions, start=1):
        if not mention.listed or (count > 1 and _talks(text, mentions[count - 2], mention)):
            return 0
        named += sorted(mention.picked)
        if len(named) >= len(letters):
            return count if len(letters) > 1 and named == sorted(letters) else 0
    return 0


def _is_judged(text: str, start: int, end: int) -> bool:
    """Whether there are ticks or crosses from the beginning of the first line to the end of the last."""
    before = text[max(0, start - 240) : start].rpartition("\n")[2]
    lines = before + text[start:end] + text[end : end + 240].partition("\n")[0]
    return TICK in lines or CROSS in lines


def _list_length(text: str, mentions: Sequence[Mention], first: int) -> int:
    """How many mentions from the first on name one option after the other with nothing in between."""
    end, seen = first + 1, set(mentions[first].picked)
    while (
        end < len(mentions) and not mentions[end].picked & seen and not _talks(text, mentions[end - 1], mentions[end])
    ):
        seen |= mentions[end].picked
        end += 1
    return end - first


def _talks(text: str, one: Mention, two: Mention) -> bool:
    return any(character.isalnum() for character in text[one.end : two.start])
