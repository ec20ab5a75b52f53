"""The rows of a journal: their table, and the checksum by which each is known to be what was written."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import Any

__all__ = ["COLUMNS", "INSERT", "TABLE", "VERSION", "checksum", "is_sound"]

VERSION = 3
"""Version 2 had no checksums."""
TABLE = """
create table if not exists replies (
    key blob primary key, unit text, purpose text, try integer, provider text, address text, model text,
    finish text, prompt_tokens integer, completion_tokens integer, estimated integer, cost real,
    probabilities text, text text, checksum blob
) without rowid
"""
# the texts stand last: sums are found without reading them
COLUMNS = 15
INSERT = f"insert or ignore into replies values ({', '.join('?' * COLUMNS)})"  # noqa: S608 - no value goes in here
_FINISHES = frozenset({"stop", "length", "filter", "refusal"})


def checksum(row: Sequence[Any]) -> bytes:
    """The checksum of a row, from its other columns."""
    key, *rest = row
    told = json.dumps(rest).encode()
    return hashlib.blake2b(key + told, digest_size=12).digest()


def is_sound(row: Sequence[Any]) -> bool:
    """Whether a row is what was written; of one without a checksum, whether it may be."""
    if len(row) != COLUMNS or not isinstance(row[0], bytes):
        return False
    *given, known = row
    try:
        if known is not None:
            return bool(checksum(given) == known)
        return _is_likely(row)
    except (TypeError, ValueError):
        return False


def _is_likely(row: Sequence[Any]) -> bool:
    finish, prompt, completion, _, _, probabilities, text = row[7:14]
    likely = None if probabilities is None else json.loads(probabilities)
    return (
        isinstance(text, str)
        and finish in _FINISHES
        and isinstance(prompt, int)
        and isinstance(completion, int)
        and (likely is None or (isinstance(likely, dict) and all(isinstance(one, float) for one in likely.values())))
    )
