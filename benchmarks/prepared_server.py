"""A server of fixed latency that costs next to nothing: each reply is worked out once, and then looked up.

It reads HTTP/1.1 as far as clients of chat completions write it: requests one after another on a kept connection,
their bodies with a length. `loopback` is the server for everything else.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field

from loopback import Answer, Request

__all__ = ["Always", "Prepared", "serve_prepared"]

_LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)


@dataclass
class Prepared:
    """The replies of a server, by request, and what it counts.

    Attributes:
        answer: works out the reply to a request that comes for the first time.
        latency: seconds that every answer takes.
    """

    answer: Callable[[Request], Answer]
    latency: float
    replies: dict[bytes, bytes] = field(default_factory=dict)
    count: int = 0
    at_once: int = 0
    most_at_once: int = 0

    def reply(self, body: bytes) -> bytes:
        """The whole answer to a request with this body."""
        found = self.replies.get(body)
        if found is None:
            found = self.replies[body] = _written(self.answer(json.loads(body)))
        return found


class Always(Prepared):
    """A server with one answer to everything."""

    def __init__(self, answer: Answer, latency: float) -> None:
        super().__init__(lambda _: answer, latency)
        self._reply = _written(answer)

    def reply(self, body: bytes) -> bytes:
        """The answer, whatever is asked."""
        return self._reply


def _written(answer: Answer) -> bytes:
    head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(answer.body)}\r\n\r\n"
    return head.encode() + answer.body


class _Connection(asyncio.Protocol):
    """A client's connection."""

    def __init__(self, prepared: Prepared) -> None:
        self._prepared = prepared
        self._received = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._received += data
        head, end, rest = self._received.partition(b"\r\n\r\n")
        length = _LENGTH.search(head)
        if not end or length is None or len(rest) < int(length[1]):
            return
        self._received = rest[int(length[1]) :]
        prepared = self._prepared
        prepared.count += 1
        prepared.at_once += 1
        prepared.most_at_once = max(prepared.most_at_once, prepared.at_once)
        reply = prepared.reply(rest[: int(length[1])])
        asyncio.get_running_loop().call_later(prepared.latency, self._send, reply)

    def _send(self, reply: bytes) -> None:
        self._prepared.at_once -= 1
        if isinstance(self._transport, asyncio.WriteTransport) and not self._transport.is_closing():
            self._transport.write(reply)


async def serve_prepared(prepared: Prepared) -> asyncio.Server:
    """A server on loopback that has begun to listen."""
    return await asyncio.get_running_loop().create_server(lambda: _Connection(prepared), "127.0.0.1", 0)
