"""Which field of a benchmark's records is what."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

from dtomtrack.errors import InputError
from dtomtrack.items.files import Fields
from dtomtrack.items.values import flat, looked_up

__all__ = ["MAPPED", "FieldMap", "Source", "field_map"]

MAPPED = ("question", "options", "gold", "context", "select", "group", "cluster", "turn", "id")
"""The names that fields can be mapped to; ``group.NAME`` adds further groups."""
_CUSTOMARY: dict[str, tuple[str, ...]] = {
    "question": ("question",),
    "options": ("options", "choices"),
    "gold": ("answer", "gold", "label"),
    "id": ("id",),
    "cluster": ("dialogue_id", "cluster"),
}
"""Names that are looked for where the mapping doesn't say."""
_PART = re.compile(r"(?P<name>.+?)(?:/(?P<separator>.+))?:(?P<number>-?\d{1,4})", re.DOTALL)
_USUAL_SEPARATOR = "-"
_GROUP = "group."
_TYPE = "type"
_LOOKED_AT = 1000
_SHOWN = 40


@dataclass(frozen=True)
class Source:
    """A field, or a part of what it holds: the part with this number between separators, from 0; -1 is the last."""

    name: str
    number: int | None = None
    separator: str = _USUAL_SEPARATOR

    def read(self, record: Fields, place: str, what: str) -> str | None:
        """The text or number that is there; None where nothing is.

        Raises:
            InputError: there are several.
        """
        whole = flat(looked_up(record, self.name), place, what)
        if whole is None or self.number is None:
            return whole
        parts = whole.split(self.separator)
        return parts[self.number] if -len(parts) <= self.number < len(parts) else None


@dataclass(frozen=True)
class FieldMap:
    """The field of each thing that is mapped; options may be in several fields, one an option.

    Attributes:
        groups: by what items are grouped ("type" is what ``group`` is mapped to), the field.
        told: the whole mapping as text, with what was found without being named.
        found: what was found so under another name than its own, as "gold=answer".
    """

    question: str
    gold: str
    options: tuple[str, ...]
    told: str
    found: str = ""
    context: str | None = None
    select: Source | None = None
    cluster: Source | None = None
    turn: Source | None = None
    id: Source | None = None
    groups: Mapping[str, Source] = field(default_factory=dict)


def field_map(mapping: str | Mapping[str, str] | None, records: Iterable[Fields]) -> FieldMap:
    """The mapping "question=FIELD,options=A|B|C,...", checked against the records.

    Args:
        records: read as far as it takes to see that every field is there.

    Raises:
        InputError: it can't be read, leaves out what has to be there, or names a field that no record has.
    """
    named = _named(mapping)
    left = iter(records)
    first = list(islice(left, _LOOKED_AT))
    there = _fields_of(first)
    found = {what: known for what, known in _customary(there) if what not in named}
    named |= found
    shown = ", ".join(there[:_SHOWN]) + (f" and {len(there) - _SHOWN} more" if len(there) > _SHOWN else "")
    for what in ("question", "options", "gold"):
        if what not in named:
            raise InputError(f"no field is mapped to {what}; add {what}=FIELD to --map; there are: {shown}")
    sources = {what: _sources(what, text, first) for what, text in named.items()}
    _check_there(sources, named, first, left, shown)
    return _as_map(named, sources, ", ".join(f"{what}={text}" for what, text in found.items() if what != text))


def _customary(there: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The parts that have a field of a customary name, and that name."""
    for what, names in _CUSTOMARY.items():
        known = next((name for name in names if name in there), None)
        if known is not None:
            yield what, known


def _as_map(named: Mapping[str, str], sources: Mapping[str, Sequence[Source]], found: str) -> FieldMap:
    def one(what: str) -> Source | None:
        return sources[what][0] if what in sources else None

    groups = {what.removeprefix(_GROUP): sources[what][0] for what in named if what.startswith(_GROUP)}
    return FieldMap(
        question=sources["question"][0].name,
        gold=sources["gold"][0].name,
        options=tuple(source.name for source in sources["options"]),
        told=",".join(f"{what}={text}" for what, text in named.items()),
        found=found,
        context=named.get("context"),
        select=one("select"),
        cluster=one("cluster"),
        turn=one("turn"),
        id=one("id"),
        groups={**({_TYPE: sources["group"][0]} if "group" in sources else {}), **groups},
    )


def _named(mapping: str | Mapping[str, str] | None) -> dict[str, str]:
    pairs: Iterable[tuple[str, str]]
    if not isinstance(mapping, str | Mapping | None):
        raise InputError(f"mapping is {mapping!r}; it has to be a text or a mapping")
    if isinstance(mapping, str):
        pairs = [(name, text) for name, _, text in (pair.partition("=") for pair in mapping.split(","))]
    else:
        pairs = (mapping or {}).items()
    if not all(isinstance(text, str) for pair in pairs for text in pair):
        raise InputError(f"mapping is {mapping!r}; it has to be names of parts and of fields")
    named: dict[str, str] = {}
    for name, text in pairs:
        what = name.strip()
        _check_pair(what, text)
        if what in named:
            raise InputError(f"--map has {what} twice")
        named[what] = text.strip()
    if "group" in named and _GROUP + _TYPE in named:
        raise InputError(f"--map has group and {_GROUP}{_TYPE}, which are the same")
    return named


def _check_pair(what: str, text: str) -> None:
    if not _is_mapped(what):
        known = f"{', '.join(MAPPED)} and group.NAME"
        raise InputError(f"--map has {what[:80]!r}, which is no part of an item; there are {known}, as PART=FIELD")
    if not text.strip():
        raise InputError(f"--map has {what[:80]!r} without a field; say where it is, as {what[:80]}=FIELD")


def _is_mapped(what: str) -> bool:
    return what in MAPPED or (what.startswith(_GROUP) and len(what) > len(_GROUP))


def _sources(what: str, text: str, records: Sequence[Fields]) -> tuple[Source, ...]:
    """Fields by name; a part of one only where no field has the whole as its name."""
    if what == "options":
        return tuple(Source(name.strip()) for name in text.split("|"))
    found = _PART.fullmatch(text)
    if what in {"question", "gold", "context"} or found is None or any(_has(record, text) for record in records):
        return (Source(text),)
    return (Source(found["name"], int(found["number"]), found["separator"] or _USUAL_SEPARATOR),)


def _check_there(
    sources: Mapping[str, Sequence[Source]],
    named: Mapping[str, str],
    first: Sequence[Fields],
    left: Iterator[Fields],
    shown: str,
) -> None:
    """See that each field is in some record."""
    missing = {source.name: what for what, own in sources.items() for source in own}
    for records in (first, left):
        for record in records:
            if not missing:
                return
            missing = {name: what for name, what in missing.items() if not _has(record, name)}
    for name, what in missing.items():
        raise InputError(f"{what}={named[what]}: no record has a field {name!r}; there are: {shown}")


def _has(record: Fields, name: str) -> bool:
    return looked_up(record, name) is not None


def _fields_of(records: Sequence[Fields]) -> list[str]:
    """The fields of the first records, nested ones with dots."""
    names: dict[str, None] = {}
    for record in records:
        for name, value in record.items():
            names[str(name)] = None
            nested = value[0] if isinstance(value, list) and value else value
            if isinstance(nested, dict):
                names.update(dict.fromkeys(f"{name}.{inner}" for inner in list(nested)[:_SHOWN]))
    return list(names)
