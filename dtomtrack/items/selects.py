"""Of which items exactly one option is right, and of which one or several may be: said, or found out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal, get_args

from dtomtrack.errors import InputError
from dtomtrack.items.files import FoundRecord
from dtomtrack.items.item import Select
from dtomtrack.items.mapping import FieldMap
from dtomtrack.items.texts import printable

__all__ = ["SELECTS", "SelectName", "Selects"]

SelectName = Literal["auto", "one", "any"]
_LEAST_SHARE, _NOTED_SHARE = 1 / 50, 1 / 5
"""Of items of a type whose golds name several options: from where on sets are meant, and up to where a note says so."""
SELECTS: tuple[SelectName, ...] = get_args(SelectName)

_SELECT_WORDS: Mapping[str, Select] = {
    **dict.fromkeys(("one", "single", "false", "0"), "one"),
    **dict.fromkeys(("any", "multi", "multiple", "several", "many", "true", "1"), "any"),
}


class Selects:
    """For which items any set of options may be right.

    If nothing says it, for those of a type of which at least one in fifty names several; where fewer do, they are
    faults, and guessing doesn't become harder for all the others.

    Args:
        several: by type, how many golds name several options, and of how many items.

    Attributes:
        words: for which, in words.
        notes: types of which few items name several: how they are taken, a sentence each.
    """

    def __init__(self, named: SelectName, fields: FieldMap, several: Mapping[str, tuple[int, int]]) -> None:
        self._named = named
        self._field = fields.select
        self._several = {kind for kind, (count, items) in several.items() if count >= items * _LEAST_SHARE}
        self.words = self._in_words()
        found_out = self._field is None and named == "auto"
        self.notes = tuple(self._notes(several)) if found_out else ()

    def of(self, record: FoundRecord, kind: str) -> Select:
        """Whether exactly one option of an item of this type is right, or any number of them.

        Raises:
            InputError: the mapped field doesn't say.
        """
        if self._field is not None:
            told = self._field.read(record.fields, record.place, "select")
            found = _SELECT_WORDS.get((told or "").strip().casefold())
            if found is None:
                raise InputError(f"{record.place}: select is {printable(told or '')!r}; it has to be one or any")
            return found
        if self._named != "auto":
            return self._named
        return "any" if kind in self._several else "one"

    def _notes(self, several: Mapping[str, tuple[int, int]]) -> Iterator[str]:
        for kind, (count, items) in several.items():
            if count < items * _NOTED_SHARE:
                which = f" of type {printable(kind)}" if kind else ""
                told = (
                    "any set of options may be right of all (--select one if exactly one is)"
                    if kind in self._several
                    else "so few count as faults (--select any if any set of options may be right)"
                )
                yield f"{count:,} of the {items:,} items{which} {'has' if count == 1 else 'have'} several golds: {told}"

    def _in_words(self) -> str:
        if self._field is not None:
            return f"as {self._field.name!r} says"
        if self._named != "auto" or not self._several:
            return self._named if self._named != "auto" else "one"
        kinds = " or ".join(sorted(map(printable, filter(None, self._several))))
        return f"any where the type is {kinds}" if kinds else "any"
