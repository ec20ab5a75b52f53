"""Answers of servers, read no further than they may go: a megabyte of gzip can hold a gigabyte."""

from __future__ import annotations

import json

from aiohttp import ClientResponse

__all__ = ["MostError", "beginning", "parsed", "read_bounded"]

_MOST_PARTS = 1_000_000
"""Values of a JSON text: each takes a hundred bytes of memory, and two of the text."""
_MARKS = b"[{,"


class MostError(Exception):
    """An answer is longer than it may be, or has more parts."""


async def read_bounded(response: ClientResponse, most: int) -> bytes:
    """The body of an answer, decompressed.

    What is behind the limit is neither read nor decompressed; the connection is closed then.

    Args:
        most: bytes.

    Raises:
        MostError: there are more.
    """
    body = await beginning(response, most + 1)
    if len(body) > most:
        raise MostError
    return body


async def beginning(response: ClientResponse, most: int) -> bytes:
    """So many bytes of an answer, decompressed, or all if there are fewer."""
    body = bytearray()
    while not response.content.at_eof():
        body += await response.content.readany()
        if len(body) >= most:
            response.close()
            break
    return bytes(body[:most])


def parsed(body: bytes) -> object:
    """The value of a JSON text.

    Raises:
        ValueError, RecursionError: it is none.
        MostError: it has more parts than any chat completion.
    """
    if len(body) > _MOST_PARTS and sum(map(body.count, _MARKS)) > _MOST_PARTS:
        raise MostError
    value: object = json.loads(body)
    return value
