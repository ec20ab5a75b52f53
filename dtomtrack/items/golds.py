"""How a benchmark writes down which options are right: said outright, or found out from all of it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, get_args

from dtomtrack.errors import InputError
from dtomtrack.items.letters import letter_of
from dtomtrack.items.texts import as_written, normalized
from dtomtrack.items.values import json_in, text_of

__all__ = ["GOLD_FORMS", "GoldForm", "GoldFormName", "GoldsFound", "RawItem", "find_golds", "gold_values", "other_form"]

GoldFormName = Literal["auto", "marks", "key", "text", "letter", "index0", "index1"]
GOLD_FORMS: tuple[GoldFormName, ...] = get_args(GoldFormName)

_LETTER = re.compile(r"[(\[]?\s*([A-Za-z])\s*(?:[)\].:]+(?:\s.*)?)?", re.DOTALL)
_SEVERAL = re.compile(r"\s*[,;/&|]\s*(?:and\s+)?|\s+and\s+|\s+")
_LISTED = re.compile(r"\s*[,;|\n]\s*")
_JOINED = re.compile(r"[A-Z]{2,26}|[a-z]{2,26}")
_WHOLE = re.compile(r"-?\d{1,9}(?:\.0+)?")
_MARKS = {"0": False, "0.0": False, "false": False, "1": True, "1.0": True, "true": True}
_SAMPLES = 3


@dataclass(frozen=True)
class RawItem:
    """The options of a record as written, with their keys where they have keys, and what is written for its gold.

    Attributes:
        type: the group that it belongs to, empty where there are none.
    """

    place: str
    options: tuple[str, ...]
    keys: tuple[str, ...] | None
    gold: tuple[str, ...]
    type: str = ""


def gold_values(value: object) -> tuple[str, ...]:
    """The texts that are written for a gold: one, or those of a list; empty where there is none.

    Raises:
        InputError: it is nested too deep.
    """
    if isinstance(value, str) and value.lstrip().startswith("["):
        value = json_in(value)
    if isinstance(value, list | tuple):
        return tuple(text_of(one) for one in value if one is not None)
    return () if value is None else (text_of(value),)


class GoldForm(Protocol):
    """One way to write golds."""

    @property
    def name(self) -> GoldFormName:
        """As it is chosen."""
        ...

    @property
    def words(self) -> str:
        """As it is told."""
        ...

    def read(self, item: RawItem) -> frozenset[int] | None:
        """The positions of the right options; None where any of what is written is none of them."""
        ...


@dataclass(frozen=True)
class _Marks:
    """A mark for each option, whether it is right."""

    name: GoldFormName = "marks"
    words: str = "a mark for each option"

    def read(self, item: RawItem) -> frozenset[int] | None:
        marks = [_MARKS.get(text.strip().lower()) for text in item.gold]
        if len(marks) != len(item.options) or None in marks:
            return None
        return frozenset(place for place, mark in enumerate(marks) if mark) or None


Reader = Callable[[str, RawItem], int | None]
"""Reads one option's name: its position, or None."""
Splitter = Callable[[str, RawItem], Sequence[str]]
"""Cuts what may name several options into what may name one."""


@dataclass(frozen=True)
class _Names:
    """The right options by name, and how a name is read."""

    name: GoldFormName
    words: str
    one: Reader
    split: Splitter

    def read(self, item: RawItem) -> frozenset[int] | None:
        found: list[int] = []
        for text in item.gold:
            position = self.one(text, item)
            positions = [position] if position is not None else self._several(text, item)
            if not positions:
                return None
            found += positions
        # what names one twice is something else than names
        return frozenset(found) if 0 < len(found) == len(set(found)) else None

    def _several(self, text: str, item: RawItem) -> list[int]:
        """The positions that a text names which names several; none where one of them is no option."""
        parts = self.split(text.strip(), item)
        positions = [self.one(part, item) for part in parts] if len(parts) > 1 else []
        return [] if None in positions else [one for one in positions if one is not None]


def _by_key(text: str, item: RawItem) -> int | None:
    if item.keys is None:
        return None
    return item.keys.index(text.strip()) if text.strip() in item.keys else None


def _by_text(text: str, item: RawItem) -> int | None:
    if not text.strip():
        return None
    if text in item.options:
        return item.options.index(text)
    written = list(map(as_written, item.options))
    if as_written(text) in written:
        return written.index(as_written(text))
    texts = list(map(normalized, item.options))
    return texts.index(normalized(text)) if texts.count(normalized(text)) == 1 else None


def _by_letter(text: str, item: RawItem) -> int | None:
    found = _LETTER.fullmatch(text.strip())
    if found is None:
        return None
    position = ord(found[1].upper()) - ord("A")
    return position if position < len(item.options) else None


def _by_index(first: int) -> Reader:
    def read(text: str, item: RawItem) -> int | None:
        if not _WHOLE.fullmatch(text.strip()):
            return None
        position = int(float(text)) - first
        return position if 0 <= position < len(item.options) else None

    return read


def _words(text: str, item: RawItem) -> Sequence[str]:
    return _SEVERAL.split(text)


def _letters(text: str, item: RawItem) -> Sequence[str]:
    """Letters side by side, or one by one."""
    return list(text) if _JOINED.fullmatch(text) and len(set(text)) == len(text) else _SEVERAL.split(text)


def _keys(text: str, item: RawItem) -> Sequence[str]:
    single = item.keys is not None and all(len(key) == 1 for key in item.keys)
    return _letters(text, item) if single else _SEVERAL.split(text)


def _listed(text: str, item: RawItem) -> Sequence[str]:
    return _LISTED.split(text)


_NAMES = (
    _Names("key", "key of the option", _by_key, _keys),
    _Names("text", "text of the option", _by_text, _listed),
    _Names("letter", "letter", _by_letter, _letters),
    _Names("index0", "index from 0", _by_index(0), _words),
    _Names("index1", "index from 1", _by_index(1), _words),
)
_FROM_0 = _NAMES[3]
_EITHER = _Names("index0", "index from 0 (nothing tells it from an index from 1)", _FROM_0.one, _FROM_0.split)
# first, as marks could be read as indices, too: of the second option and of the first, many times
_FORMS: tuple[GoldForm, ...] = (_Marks(), *_NAMES)


@dataclass(frozen=True)
class GoldsFound:
    """The form of a benchmark's golds.

    Attributes:
        several: by type of items, how many golds name several options, and of how many items.
    """

    form: GoldForm
    several: Mapping[str, tuple[int, int]]


def find_golds(items: Iterable[RawItem], field: str, named: GoldFormName = "auto") -> GoldsFound:
    """The form that is named, or in which most golds can be read; of forms alike, the first.

    Raises:
        InputError: there is no such form, or not even half of the golds can be read in it.
    """
    if named not in GOLD_FORMS:
        raise InputError(f"there is no gold form {named!r}; choose one of {', '.join(GOLD_FORMS)}")
    tallies = [_Tally(form) for form in _FORMS if named in {"auto", form.name}]
    total = 0
    for item in items:
        total += 1
        for tally in tallies:
            tally.add(item)
    best = max(tallies, key=lambda tally: tally.readable)
    if 2 * best.readable < total:
        as_said = None if named == "auto" else _said_wrong(best, field)
        raise as_said or _mixed(best, field) or _unreadable(best.unread, field, named)
    alike = {tally.form.name for tally in tallies if tally.readable == best.readable}
    form = _EITHER if best.form is _FROM_0 and "index1" in alike else best.form
    return GoldsFound(form, {kind: (count, best.items[kind]) for kind, count in best.several.items()})


def other_form(item: RawItem, form: GoldForm) -> GoldForm | None:
    """The form that names options for itself, by key, text or letter, in which the gold can be read, if not in this."""
    others = (one for one in _NAMES if one.name in _PLAIN and one.name != form.name)
    return next((one for one in others if one.read(item) is not None), None)


_PLAIN = frozenset({"key", "text", "letter"})


class _Tally:
    """How many golds can be read in a form, the first of them, and the first that can't."""

    def __init__(self, form: GoldForm) -> None:
        self.form = form
        self.readable = 0
        self.items: Counter[str] = Counter()
        self.several: Counter[str] = Counter()
        self.first: RawItem | None = None
        self.unread: list[RawItem] = []

    def add(self, item: RawItem) -> None:
        found = self.form.read(item)
        if found is not None:
            self.readable += 1
            self.first = self.first or item
            self.items[item.type] += 1
            if len(found) > 1:
                self.several[item.type] += 1
        elif len(self.unread) < _SAMPLES:
            self.unread.append(item)


def _said_wrong(best: _Tally, field: str) -> InputError | None:
    """That golds are written in another way than was said, if none can be read so, and the first ones in one other."""
    others = [other_form(item, best.form) for item in best.unread]
    form = others[0]
    if best.readable or form is None or any(one is not form for one in others):
        return None
    item = best.unread[0]
    return InputError(
        f"{item.place}: the gold {_shown(item)} in {field!r} is no {_WANTED[best.form.name]} but the {form.words}, and "
        f"so are others; say --gold-form {form.name}, or leave it out"
    )


def _mixed(best: _Tally, field: str) -> InputError | None:
    """That golds are written in several ways, if they are; each is given with where it stands."""
    others = ((item, other_form(item, best.form)) for item in best.unread)
    item, form = next(((item, form) for item, form in others if form is not None), (None, None))
    if best.first is None or item is None or form is None:
        return None
    return InputError(
        f"{best.first.place}: the gold {_shown(best.first)} in {field!r} is read as {best.form.words}, and "
        f"{_shown(item)} at {item.place} as {form.words}; write all golds in one way"
    )


def _shown(item: RawItem) -> str:
    return repr(", ".join(item.gold)[:80])


def _unreadable(unread: Sequence[RawItem], field: str, named: GoldFormName) -> InputError:
    item = next((one for one in unread if one.options and one.gold), unread[0])
    shown = ", ".join(f"{letter_of(place)} {option[:40]!r}" for place, option in enumerate(item.options[:4]))
    wanted = _WANTED[named]
    return InputError(
        f"{item.place}: the gold {_shown(item)} in {field!r} is no {wanted} of its options "
        f"({shown or 'it has none'}), and so with most others; is it the right field?"
    )


_WANTED: Mapping[GoldFormName, str] = {
    "auto": "letter, index or text",
    "marks": "list of marks, 0 or 1 for each,",
    "key": "key",
    "text": "text",
    "letter": "letter",
    "index0": "index from 0",
    "index1": "index from 1",
}
