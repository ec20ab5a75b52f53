"""The rows of a journal: their table, and the checksum by which each is known to be what was written."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from typing import Any

from dtomtrack.llm.chat import ChatReply, ChatRequest, Usage
from dtomtrack.llm.spec import ModelSpec
from dtomtrack.llm.usage import UsageTotals

__all__ = [
    "COLUMNS",
    "INSERT",
    "KNOWN_VERSIONS",
    "TABLE",
    "VERSION",
    "WITHOUT_CHECKSUMS",
    "Row",
    "checksum",
    "is_sound",
    "reply_of",
    "row_of",
    "totals_of",
]

Row = tuple[Any, ...]
"""A reply as it stands in a journal; its first column is the key."""

VERSION, WITHOUT_CHECKSUMS = 3, 2
KNOWN_VERSIONS = frozenset({0, WITHOUT_CHECKSUMS, VERSION})
"""Those that can be gone on with; a file that was just made has 0."""
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


def row_of(key: bytes, spec: ModelSpec, request: ChatRequest, reply: ChatReply, cost: float) -> Row:
    """The row of a reply, with its checksum."""
    call, usage = request.call, reply.usage
    row = (
        key,
        call.unit,
        call.purpose,
        call.try_,
        spec.provider,
        spec.base_url,
        spec.name,
        reply.finish,
        # a model of one's own may count in floats, which the file gives back as whole numbers
        int(usage.prompt_tokens),
        int(usage.completion_tokens),
        int(usage.estimated),
        float(cost),
        json.dumps(reply.probabilities) if reply.probabilities is not None else None,
        reply.text,
    )
    return (*row, checksum(row))


def reply_of(row: Row) -> ChatReply:
    """The reply that a sound row holds."""
    finish, prompt, completion, estimated, _, probabilities, text = row[7:14]
    likely = json.loads(probabilities) if probabilities else None
    return ChatReply(text, finish, Usage(prompt, completion, bool(estimated)), likely)


def totals_of(rows: Iterable[Row]) -> UsageTotals:
    """Sums over the replies of sound rows."""
    totals = UsageTotals()
    for row in rows:
        prompt, completion, estimated, cost = row[8:12]
        totals.count(Usage(prompt, completion, bool(estimated)), cost)
    return totals


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
