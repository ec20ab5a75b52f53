"""How a benchmark writes down which option is gold: found out from all of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from dtomtrack.audit.items import letter, normalized
from dtomtrack.errors import InputError

__all__ = ["GoldForm", "RawItem", "gold_form"]

_LETTER = re.compile(r"\(?\s*([A-Za-z])\s*(?:[).:]+(?:\s.*)?)?", re.DOTALL)
_LETTERS = re.compile(r"\(?[A-Za-z]\)?(?:\s*(?:[,;/&|]|and)\s*\(?[A-Za-z]\)?)+")
_JOINED = re.compile(r"[A-Z]{2,26}")
_WHOLE = re.compile(r"-?\d{1,9}(?:\.0+)?")


@dataclass(frozen=True)
class RawItem:
    """The options of a record as written, with their keys where they have keys, and its gold."""

    place: str
    options: tuple[str, ...]
    keys: tuple[str, ...] | None
    gold: str | None


@dataclass(frozen=True)
class GoldForm:
    """One way to write golds, in words, and how it is read: the place of the gold option, or None."""

    words: str
    read: Callable[[RawItem], int | None]


def _by_key(item: RawItem) -> int | None:
    if item.gold is None or item.keys is None:
        return None
    return item.keys.index(item.gold.strip()) if item.gold.strip() in item.keys else None


def _by_text(item: RawItem) -> int | None:
    if item.gold is None or not item.gold.strip():
        return None
    if item.gold in item.options:
        return item.options.index(item.gold)
    texts = [normalized(option) for option in item.options]
    return texts.index(normalized(item.gold)) if normalized(item.gold) in texts else None


def _by_letter(item: RawItem) -> int | None:
    found = _LETTER.fullmatch((item.gold or "").strip())
    if found is None:
        return None
    place = ord(found[1].upper()) - ord("A")
    return place if place < len(item.options) else None


def _by_index(first: int) -> Callable[[RawItem], int | None]:
    def read(item: RawItem) -> int | None:
        if item.gold is None or not _WHOLE.fullmatch(item.gold.strip()):
            return None
        place = int(float(item.gold)) - first
        return place if 0 <= place < len(item.options) else None

    return read


_FORMS = (
    GoldForm("key of the option", _by_key),
    GoldForm("text of the option", _by_text),
    GoldForm("letter", _by_letter),
    GoldForm("index from 0", _by_index(0)),
    GoldForm("index from 1", _by_index(1)),
)


def gold_form(items: Sequence[RawItem], field: str) -> GoldForm:
    """The form in which most golds can be read; of forms alike, the first.

    Raises:
        InputError: golds name several options, or not even half can be read in any form.
    """
    for item in items:
        if item.gold is not None and _by_key(item) is None and _by_text(item) is None and _names_several(item.gold):
            raise InputError(
                f"{item.place}: the gold {item.gold!r} in {field!r} names several options; "
                "an audit is of items with one right option"
            )
    counts = [sum(form.read(item) is not None for item in items) for form in _FORMS]
    best = _FORMS[counts.index(max(counts))]
    if 2 * max(counts) < len(items):
        first = next(item for item in items if best.read(item) is None)
        shown = ", ".join(f"{letter(place)} {option[:40]!r}" for place, option in enumerate(first.options[:4]))
        raise InputError(
            f"{first.place}: the gold {(first.gold or '')[:80]!r} in {field!r} is no letter, index or text of its "
            f"options ({shown or 'it has none'}), and so with most others; is it the right field?"
        )
    if best is _FORMS[3] and counts[4] == counts[3]:
        return GoldForm("index from 0 (nothing tells it from an index from 1)", best.read)
    return best


def _names_several(gold: str) -> bool:
    """Whether it is "A, C" or "ACD"."""
    joined = gold.strip()
    in_order = bool(_JOINED.fullmatch(joined)) and joined == "".join(sorted(set(joined)))
    return in_order or _LETTERS.fullmatch(joined) is not None
