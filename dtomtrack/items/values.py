"""Values that a record holds under a name: fields in fields, texts, numbers, options."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping

from dtomtrack.errors import InputError

__all__ = ["flat", "json_in", "looked_up", "options_of", "text_of"]

_DEEPEST = 50


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
    while rest:
        if first in record:
            return looked_up(record[first], rest)
        longer, _, rest = rest.partition(".")
        first = f"{first}.{longer}"
    return None


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
    if isinstance(value, Mapping | list | tuple):
        raise InputError(f"{place}: {what} has to be a text or a number; name the field inside it with a dot")
    return None if value is None else text_of(value)


def options_of(
    record: Mapping[str, object], fields: tuple[str, ...], place: str
) -> tuple[tuple[str, ...], tuple[str, ...] | None]:
    """The options of a record, and their keys where they have keys.

    An object is options by key; one of two lists, ``text`` and ``label``, is how published sets write the same.

    Raises:
        InputError: they are neither a list, nor an object, nor in fields of their own, a text or a number each.
    """
    if len(fields) > 1:
        values = {name: looked_up(record, name) for name in fields}
        several = next((name for name, value in values.items() if isinstance(value, Mapping | list | tuple)), None)
        if several is not None:
            raise InputError(f"{place}: {several} holds several values, not one option; map options={several} alone")
        texts = [text_of(value) for value in values.values()]
        while texts and not texts[-1].strip():
            texts.pop()
        return tuple(texts), fields[: len(texts)]
    value = looked_up(record, fields[0])
    if isinstance(value, str):
        value = json_in(value)
    if isinstance(value, Mapping):
        return _by_key(value, f"{place}: {fields[0]}")
    if isinstance(value, list | tuple):
        if any(isinstance(option, Mapping | list) for option in value):
            raise InputError(f"{place}: the options are objects; name the field inside them: options={fields[0]}.FIELD")
        return tuple(map(text_of, value)), None
    if value is None:
        return (), None
    raise InputError(f"{place}: {fields[0]!r} has to be a list or object of options; or name a field for each: A|B|C|D")


def _by_key(options: Mapping[str, object], where: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    if options.keys() == {"text", "label"}:
        texts, labels = options["text"], options["label"]
        if isinstance(texts, list | tuple) and isinstance(labels, list | tuple) and len(texts) == len(labels):
            return tuple(map(text_of, texts)), tuple(map(text_of, labels))
    by_key = {str(key): text for key, text in options.items() if text is not None}
    inner = next((key for key, text in by_key.items() if isinstance(text, Mapping | list | tuple)), None)
    if inner is not None:
        raise InputError(
            f"{where} is an object whose field {inner!r} holds several values; name the field with the options: "
            f"options={where.rpartition(': ')[2]}.{inner}"
        )
    return tuple(map(text_of, by_key.values())), tuple(by_key)


def json_in(text: str) -> object:
    """The value of a cell that is itself JSON, a list or an object; of another cell, its text."""
    if text.lstrip()[:1] not in {"[", "{"}:
        return text
    try:
        found: object = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return found
