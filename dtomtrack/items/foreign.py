"""Other people's benchmarks as items: files or records, read as a mapping says."""

from __future__ import annotations

import hashlib
import re
import reprlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from dtomtrack.errors import InputError
from dtomtrack.items.contexts import LinesContext, context_lines
from dtomtrack.items.files import Fields, FoundRecord, read_records
from dtomtrack.items.foreign_notes import ForeignNotes
from dtomtrack.items.golds import GoldForm, GoldFormName, RawItem, find_golds, gold_values, other_form
from dtomtrack.items.item import Item, Select
from dtomtrack.items.letters import MOST_OPTIONS
from dtomtrack.items.mapping import FieldMap, field_map
from dtomtrack.items.problems import Faults, ProblemKind, item_faults
from dtomtrack.items.selects import SELECTS, SelectName, Selects
from dtomtrack.items.texts import printable, turn_in
from dtomtrack.items.values import looked_up, options_of, text_of

__all__ = ["ForeignItems", "MappingOptions", "RejectedRecord", "foreign_items"]

Records = Callable[[], Iterator[FoundRecord]]
"""Gives the records, from the first, as often as it is called."""

_TURN = re.compile(r"\s*(?:turn\s*)?(\d{1,9})(?:\.0+)?\s*", re.IGNORECASE)
_LONGEST_NAME = 200


@dataclass(frozen=True)
class MappingOptions:
    """How records are read.

    Attributes:
        mapping: "question=FIELD,options=FIELD,gold=FIELD,...", as text or by name.
        select: "one" or "any" for all items; "auto" finds out which types have items with several right options.
    """

    mapping: str | Mapping[str, str] | None = None
    gold_form: GoldFormName = "auto"
    select: SelectName = "auto"


@dataclass(frozen=True)
class RejectedRecord:
    """A record that can't be an item, and why."""

    record: FoundRecord
    name: str
    reason: ProblemKind


def foreign_items(
    benchmark: Path | Iterable[Mapping[str, object]], options: MappingOptions | None = None
) -> ForeignItems:
    """The items of a file, of a folder of files, or of records.

    Raises:
        InputError: there are no records, they can't be read, or the mapping doesn't fit them.
    """
    how = options or MappingOptions()
    if how.select not in SELECTS:
        raise InputError(f"select is {how.select!r}; choose one of {', '.join(SELECTS)}")
    if isinstance(benchmark, Path):
        return _mapped(str(benchmark), lambda: read_records(benchmark), how)
    found = list(_given(benchmark))
    return _mapped("records", lambda: iter(found), how)


def _given(records: object) -> Iterator[FoundRecord]:
    """Records that a program hands over."""
    if not isinstance(records, Iterable) or isinstance(records, bytes):
        raise InputError(f"benchmark is {reprlib.repr(records)}; it has to be a path or records")
    for number, one in enumerate(records, 1):
        if not isinstance(one, Mapping):
            raise InputError(f"record {number}: is {reprlib.repr(one)}; it has to be a mapping from fields to values")
        yield FoundRecord(one, "", f"record {number}", f"record {number}")


def _mapped(source: str, records: Records, how: MappingOptions) -> ForeignItems:
    if next(records(), None) is None:
        raise InputError(f"{source}: holds no items")
    fields = field_map(how.mapping, (one.fields for one in records()))
    golds = find_golds((_raw(one, fields) for one in records()), fields.gold, how.gold_form)
    return ForeignItems(source, records, fields, golds.form, Selects(how.select, fields, golds.several))


class ForeignItems:
    """The items of a benchmark by others; each reading goes through the records anew and counts faults anew.

    Attributes:
        source: where they are from.
        mapping: which field is what, as text.
        gold_form: how the golds are written, in words.
        selects: for which items any set of options may be right, in words.
        faults: of single items, as far as they were read.
        notes: what was taken for granted, and what of the mapping could not be followed.
    """

    def __init__(self, source: str, records: Records, fields: FieldMap, form: GoldForm, selects: Selects) -> None:
        self.source = source
        self.mapping = fields.told
        self.gold_form = form.words
        self.selects = selects.words
        self._records = records
        self._fields = fields
        self._form = form
        self._selects = selects
        self._begin()

    def _begin(self) -> None:
        self.faults = Faults()
        self.notes = ForeignNotes(self._fields, self._selects.notes)
        self._ids: set[str] = set()

    def read(self) -> Iterator[Item | RejectedRecord]:
        """The items in their order, and the records that are none.

        Raises:
            InputError: a record can't be read.
        """
        self._begin()
        for record in self._records():
            yield self._one(record)

    def items(self) -> Iterator[Item]:
        """The items alone.

        Raises:
            InputError: a record can't be read, or none of them is an item.
        """
        first: RejectedRecord | None = None
        found = False
        for one in self.read():
            if isinstance(one, Item):
                found = True
                yield one
            else:
                first = first or one
        if not found and first is not None:
            raise InputError(
                f"{first.record.place}: {first.reason}, and no other record is an item; does the mapping fit?"
            )

    def _one(self, record: FoundRecord) -> Item | RejectedRecord:
        raw = _raw(record, self._fields)
        name = self._name(record)
        gold = self._form.read(raw)
        question = text_of(looked_up(record.fields, self._fields.question))
        select = self._selects.of(record, raw.type)
        for fault in item_faults(question, raw.options):
            self._note(fault, record, name)
        reason = self._why_none(raw, gold, select)
        if reason is not None or gold is None:
            kind = reason or "gold that is no option"
            self._note(kind, record, name)
            return RejectedRecord(record, name, kind)
        return self._item(record, raw, gold, select, name, question)

    def _why_none(self, raw: RawItem, gold: frozenset[int] | None, select: Select) -> ProblemKind | None:
        """Why a record can't be an item, if it can't."""
        if len(raw.options) < 2:
            return "fewer than two options"
        if len(raw.options) > MOST_OPTIONS:
            return "more than 26 options"
        if gold is not None:
            return "several golds, one to be selected" if select == "one" and len(gold) > 1 else None
        other = other_form(raw, self._form)
        if other is None:
            return "gold that is no option"
        self.notes.other_form(raw.place, ", ".join(raw.gold), other.words)
        return "gold in another form than most"

    def _item(
        self, record: FoundRecord, raw: RawItem, gold: frozenset[int], select: Select, name: str, question: str
    ) -> Item:
        fields = self._fields
        value = None if fields.context is None else looked_up(record.fields, fields.context)
        lines = context_lines(value) if value is not None else ()
        item = Item(
            id=self._own_id(record, name),
            cluster=self._cluster(record, value, name),
            question=question,
            options=raw.options,
            gold=gold,
            select=select,
            groups={name: _group_name(source.read(*_at(record, name))) for name, source in fields.groups.items()},
            turn=self._turn(record, question),
            context=LinesContext(lines) if lines else None,
        )
        self.notes.see(item)
        return item

    def _name(self, record: FoundRecord) -> str:
        source = self._fields.id
        found = "" if source is None else source.read(*_at(record, "id")) or ""
        return printable(found, _LONGEST_NAME) or _short_place(record)

    def _own_id(self, record: FoundRecord, name: str) -> str:
        """The name, or where another item has it, the name with a number."""
        own, number = name, 1
        while own in self._ids:
            number += 1
            own = f"{name}#{number}"
        if number > 1:
            self._note("ids that are the same", record, name)
        self._ids.add(own)
        return own

    def _note(self, fault: ProblemKind, record: FoundRecord, name: str) -> None:
        place = _short_place(record)
        self.faults.note(fault, name if name == place or not record.file else f"{name} at {place}")

    def _cluster(self, record: FoundRecord, context: object, name: str) -> str:
        source = self._fields.cluster
        if source is not None:
            found = printable(source.read(*_at(record, "cluster")) or "", _LONGEST_NAME)
            if found:
                return found
            self.notes.no_cluster(record.place)
        told = text_of(context).strip()
        return f"context {hashlib.sha256(told.encode()).hexdigest()[:16]}" if told else f"item {name}"

    def _turn(self, record: FoundRecord, question: str) -> int | None:
        source = self._fields.turn
        if source is None:
            return turn_in(question)
        text = source.read(*_at(record, "turn"))
        found = _TURN.fullmatch(text or "")
        if found is None and text is not None and text.strip():
            self.notes.no_turn(record.place, text)
        return int(found[1]) if found else None


def _short_place(record: FoundRecord) -> str:
    """The file's name, without the folders, and where in it the record stands."""
    return printable(record.place.rpartition("/")[2], _LONGEST_NAME)


def _at(record: FoundRecord, what: str) -> tuple[Fields, str, str]:
    return record.fields, record.place, what


def _raw(record: FoundRecord, fields: FieldMap) -> RawItem:
    options, keys = options_of(record.fields, fields.options, record.place)
    kind = fields.groups.get("type")
    return RawItem(
        place=record.place,
        options=_without_labels(options),
        keys=keys,
        gold=gold_values(looked_up(record.fields, fields.gold)),
        type="" if kind is None else _group_name(kind.read(*_at(record, "group"))),
    )


def _without_labels(options: tuple[str, ...]) -> tuple[str, ...]:
    """Options without the "A) " or "(a) " in front of each, if each has its own."""
    for first in "Aa":
        bare = [_bare(option, chr(ord(first) + place)) for place, option in enumerate(options)]
        known = [option for option in bare if option is not None]
        if len(known) == len(options):
            return tuple(known)
    return options


def _bare(option: str, label: str) -> str | None:
    found = re.fullmatch(rf"\s*[(\[]?{re.escape(label)}\s?[)\].:]\s*(.*)", option, re.DOTALL)
    return None if found is None else found[1]


def _group_name(group: str | None) -> str:
    return printable(group or "") or "(none)"
