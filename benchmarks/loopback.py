"""A server on loopback that speaks the OpenAI chat-completions API, for tests and benchmarks.

It runs in a thread with an event loop of its own, so that what talks to it may be this process or another one. What it
answers is up to a function; what goes wrong, too.
"""

from __future__ import annotations

import asyncio
import json
import math
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Self

from aiohttp import web

__all__ = ["Answer", "Loopback", "Request", "completion"]

Request = Mapping[str, Any]
"""The body of a request."""


@dataclass(frozen=True)
class Answer:
    """An answer as it goes over the wire.

    Attributes:
        after: seconds until it does.
        cut: bytes of the body that are sent before the connection is dropped; None sends it whole.
    """

    body: bytes
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    after: float = 0.0
    cut: int | None = None


def completion(text: str | None, finish: str = "stop", **more: Any) -> Answer:
    """An ordinary chat completion; ``more`` goes into its choice."""
    message = {"role": "assistant", "content": text}
    body = {
        "id": "chatcmpl-loopback",
        "object": "chat.completion",
        "model": "loopback",
        "choices": [{"index": 0, "message": message, "finish_reason": finish, **more}],
        "usage": {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18},
    }
    return Answer(json.dumps(body).encode(), headers={"Content-Type": "application/json"})


class Loopback:
    """Use it as a context manager; then ``base_url`` is where it answers.

    Args:
        answer: what to answer to a request, called in the order in which requests come in.
        latency: seconds that every answer takes at least.

    Attributes:
        requests: the bodies of all requests, in order, if ``keep`` is set.
        headers: of the last request.
        most_at_once: the largest number of requests that were under way together.
    """

    def __init__(self, answer: Callable[[Request], Answer], *, latency: float = 0.0, keep: bool = True) -> None:
        self._answer = answer
        self._latency = latency
        self._keep = keep
        self._at_once = 0
        self._held_after = math.inf
        self._released = asyncio.Event()
        self._started = threading.Event()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self.requests: list[Request] = []
        self.headers: Mapping[str, str] = {}
        self.count = 0
        self.most_at_once = 0
        self.port = 0

    @property
    def base_url(self) -> str:
        """Where a client finds the API."""
        return f"http://127.0.0.1:{self.port}/v1"

    def hold(self, after: int) -> None:
        """Answer so many requests more; later ones wait until they are released."""
        self._released = asyncio.Event()
        self._held_after = self.count + after

    def release(self) -> None:
        """Answer what waits, and all that comes."""
        self._loop.call_soon_threadsafe(self._released.set)

    def __enter__(self) -> Self:
        self._thread.start()
        self._started.wait()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()

    def _serve(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._runner = web.AppRunner(self._app(), access_log=None, shutdown_timeout=0.1)
        self._loop.run_until_complete(self._listen())
        self._started.set()
        self._loop.run_forever()
        self._loop.run_until_complete(self._runner.cleanup())
        self._loop.close()

    def _app(self) -> web.Application:
        app = web.Application(client_max_size=64 * 2**20)
        app.router.add_post("/v1/chat/completions", self._handle)
        return app

    async def _listen(self) -> None:
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        self.port = self._runner.addresses[0][1]

    async def _handle(self, request: web.Request) -> web.StreamResponse:
        body = json.loads(await request.read())
        self.count += 1
        number = self.count
        self.headers = dict(request.headers)
        if self._keep:
            self.requests.append(body)
        self._at_once += 1
        self.most_at_once = max(self.most_at_once, self._at_once)
        try:
            answer = self._answer(body)
            if number > self._held_after:
                await self._released.wait()
            await asyncio.sleep(self._latency + answer.after)
        finally:
            self._at_once -= 1
        if answer.cut is None:
            return web.Response(body=answer.body, status=answer.status, headers=dict(answer.headers))
        response = web.StreamResponse(status=answer.status, headers=dict(answer.headers))
        response.content_length = len(answer.body)
        await response.prepare(request)
        await response.write(answer.body[: answer.cut])
        if request.transport is not None:
            request.transport.close()
        return response
