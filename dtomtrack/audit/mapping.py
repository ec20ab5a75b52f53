"""Which field of a benchmark's records is what."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from dtomtrack.audit.files import Fields
from dtomtrack.errors import InputError

__all__ = ["FieldMap", "Part", "field_map", "flat", "looked_up", "options_of", "text_of"]

Part = Literal["question", "options", "gold", "context", "group", "cluster", "turn", "id"]
_PARTS: tuple[Part, ...] = get_args(Part)
_CUSTOMARY: dict[Part, tuple[str, ...]] = {
    "question": ("question",),
    "options": ("options", "choices"),
    "gold": ("answer", "gold", "label"),
    "id": ("id",),
}
"""Names that are looked for where the mapping doesn't say."""
_LOOKED_AT = 1000
_SHOWN = 40
_DEEPEST = 50


@dataclass(frozen=True)
class FieldMap:
    """The field of each part; options may be in several fields, one an option."""

    question: str
    gold: str
    options: tuple[str, ...]
    context: str | None = None
    group: str | None = None
    cluster: str | None = None
    turn: str | None = None
    id: str | None = None


def field_map(mapping: str | Mapping[str, str] | None, records: Sequence[Fields]) -> FieldMap:
    """The mapping "question=FIELD,options=A|B|C,...", checked against the records.

    Raises:
        InputError: it can't be read, leaves out what has to be there, or names a field that no record has.
    """
    named = _named(mapping)
    there = _fields_of(records)
    for part in _CUSTOMARY:
        if part not in named:
            found = next((name for name in _CUSTOMARY[part] if name in there), None)
            if found is not None:
                named[part] = found
    shown = ", ".join(there[:_SHOWN]) + (f" and {len(there) - _SHOWN} more" if len(there) > _SHOWN else "")
    for part in ("question", "options", "gold"):
        if part not in named:
            raise InputError(f"no field is mapped to {part}; add {part}=FIELD to --map; there are: {shown}")
    for part, field in named.items():
        for name in _fields(part, field):
            if not any(looked_up(record, name) is not None for record in records):
                raise InputError(f"{part}={field}: no record has a field {name!r}; there are: {shown}")
    single = {part: field for part, field in named.items() if part != "options"}
    return FieldMap(options=_fields("options", named["options"]), **single)


def _named(mapping: str | Mapping[str, str] | None) -> dict[Part, str]:
    pairs: Iterable[tuple[str, str]]
    if isinstance(mapping, str):
        pairs = [(name, field) for name, _, field in (pair.partition("=") for pair in mapping.split(","))]
    else:
        pairs = (mapping or {}).items()
    named: dict[Part, str] = {}
    for name, field in pairs:
        part = next((one for one in _PARTS if one == name.strip()), None)
        if part is None or not field.strip():
            raise InputError(f"--map has {f'{name}={field}'[:80]!r}; it takes PART=FIELD with {', '.join(_PARTS)}")
        if part in named:
            raise InputError(f"--map has {part} twice")
        named[part] = field.strip()
    return named


def _fields(part: str, field: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in field.split("|")) if part == "options" else (field,)


def _fields_of(records: Sequence[Fields]) -> list[str]:
    """The fields of the first records, nested ones with dots."""
    names: dict[str, None] = {}
    for record in records[:_LOOKED_AT]:
        for name, value in record.items():
            names[str(name)] = None
            nested = value[0] if isinstance(value, list) and value else value
            if isinstance(nested, dict):
                names.update(dict.fromkeys(f"{name}.{inner}" for inner in list(nested)[:_SHOWN]))
    return list(names)


def looked_up(record: object, name: str) -> object:
    """A field, nested with dots; of a list of objects, the field of each. None if it is not there."""
    if isinstance(record, list):
        found = [looked_up(one, name) for one in record]
        return None if all(one is None for one in found) else found
    if not isinstance(record, Mapping):
        return None
    if name in record:
        return _present(record[name])
    first, _, rest = name.partition(".")
    return looked_up(record[first], rest) if rest and first in record else None


def _present(value: object) -> object:
    return None if isinstance(value, float) and math.isnan(value) else value


def text_of(value: object, depth: int = 0) -> str:
    """A value as text that can be encoded: lists and objects by all the texts in them, a line each.

    Raises:
        InputError: they are nested too deep.
    """
    if depth > _DEEPEST:
        raise InputError(f"a value is nested more than {_DEEPEST} deep; map the field inside it that is meant")
    if value is None:
        return ""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, Mapping):
        return "\n".join(text_of(inner, depth + 1) for inner in value.values())
    if isinstance(value, list | tuple):
        return "\n".join(text_of(inner, depth + 1) for inner in value)
    return str(value)


def flat(value: object, place: str, what: str) -> str | None:
    """A value that has to be a text or a number.

    Raises:
        InputError: it is several.
    """
    if isinstance(value, list | tuple) and len(value) == 1:
        return flat(value[0], place, what)
    if isinstance(value, list | tuple) and what == "gold":
        raise InputError(f"{place}: the gold names {len(value)} options; an audit is of items with one right option")
    if isinstance(value, Mapping | list | tuple):
        raise InputError(f"{place}: {what} has to be a text or a number; name the field inside it with a dot")
    return None if value is None else text_of(value)


def options_of(record: Fields, fields: tuple[str, ...], place: str) -> tuple[tuple[str, ...], tuple[str, ...] | None]:
    """The options of a record, and their keys where they have keys.

    Raises:
        InputError: they are neither a list, nor an object, nor in fields of their own.
    """
    if len(fields) > 1:
        texts = [text_of(looked_up(record, name)) for name in fields]
        while texts and not texts[-1].strip():
            texts.pop()
        return tuple(texts), fields[: len(texts)]
    value = looked_up(record, fields[0])
    if isinstance(value, str):
        value = _json_in(value)
    if isinstance(value, Mapping):
        by_key = {str(key): text for key, text in value.items() if text is not None}
        return tuple(map(text_of, by_key.values())), tuple(by_key)
    if isinstance(value, list | tuple):
        if any(isinstance(option, Mapping | list) for option in value):
            raise InputError(f"{place}: the options are objects; name the field inside them: options={fields[0]}.FIELD")
        return tuple(map(text_of, value)), None
    if value is None:
        return (), None
    raise InputError(f"{place}: {fields[0]!r} has to be a list or object of options; or name a field for each: A|B|C|D")


def _json_in(text: str) -> object:
    """What a cell holds that is itself JSON."""
    if text.lstrip()[:1] not in {"[", "{"}:
        return text
    try:
        found: object = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return found
