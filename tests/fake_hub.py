"""A server on loopback that takes what `huggingface_hub` pushes to a dataset repository, as the hub's API does."""

from __future__ import annotations

import asyncio
import base64
import json
import threading
from types import TracebackType
from typing import Self

from aiohttp import web

__all__ = ["FakeHub"]


class FakeHub:
    """Use it as a context manager.

    Attributes:
        committed: the files of the commits, by path.
        validated: the cards whose front matter the client wanted to be validated.
        created: kind and name of the repositories that were asked for.
    """

    def __init__(self) -> None:
        self.committed: dict[str, bytes] = {}
        self.validated: list[str] = []
        self.created: list[tuple[str, str]] = []
        self.url = ""
        self._loop = asyncio.new_event_loop()
        self._started = threading.Event()
        self._thread = threading.Thread(target=self._serve, daemon=True)

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
        app = web.Application(client_max_size=64 * 2**20)
        app.router.add_post("/api/repos/create", self._create)
        app.router.add_post("/api/validate-yaml", self._validate)
        app.router.add_post("/api/datasets/owner/name/preupload/main", self._preupload)
        app.router.add_post("/api/datasets/owner/name/commit/main", self._commit)
        app.router.add_route("*", "/{path:.*}", self._anything)
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        self._loop.run_until_complete(runner.setup())
        self._loop.run_until_complete(web.TCPSite(runner, "127.0.0.1", 0).start())
        self.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
        self._started.set()
        self._loop.run_forever()
        self._loop.run_until_complete(runner.cleanup())
        self._loop.close()

    async def _anything(self, request: web.Request) -> web.Response:
        return web.json_response({"error": f"{request.method} {request.path} is not known here"}, status=404)

    async def _create(self, request: web.Request) -> web.Response:
        wanted = await request.json()
        self.created.append((wanted["type"], f"{wanted['organization']}/{wanted['name']}"))
        return web.json_response({"url": f"{self.url}/datasets/owner/name", "name": "owner/name", "id": "0"})

    async def _validate(self, request: web.Request) -> web.Response:
        self.validated.append((await request.json())["content"])
        return web.json_response({"errors": [], "warnings": []})

    async def _preupload(self, request: web.Request) -> web.Response:
        files = (await request.json())["files"]
        return web.json_response(
            {"files": [{"path": file["path"], "uploadMode": "regular", "shouldIgnore": False} for file in files]}
        )

    async def _commit(self, request: web.Request) -> web.Response:
        for line in (await request.text()).split("\n"):
            entry = json.loads(line) if line else {}
            if entry.get("key") == "file":
                value = entry["value"]
                assert value["encoding"] == "base64"
                self.committed[value["path"]] = base64.b64decode(value["content"])
        return web.json_response(
            {"success": True, "commitOid": "0" * 40, "commitUrl": f"{self.url}/datasets/owner/name/commit/{'0' * 40}"}
        )
