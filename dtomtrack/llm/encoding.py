"""Values as JSON, fast: a call's body and key take more time than all else that is done for it; and text for files."""

from __future__ import annotations

import json

from pydantic_core import PydanticSerializationError, to_json

__all__ = ["as_json", "encodable"]


def as_json(value: object) -> bytes:
    """A value of strings, numbers, mappings and sequences as JSON."""
    try:
        return to_json(value)
    except PydanticSerializationError:
        # lone surrogates, which have no UTF-8, but an escape
        return json.dumps(value).encode()


def encodable(text: str) -> str:
    """Text without lone surrogates, which JSON may hold and no file can; the same object where there are none."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text
