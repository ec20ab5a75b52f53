"""The transport: OpenAI-compatible chat completions over HTTP.

One call is one request. What can be done about a failure is for the wrappers: here every failure becomes one of
`dtomtrack.llm.failures`, and nothing of aiohttp, whose exceptions show the API key, gets past.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from types import TracebackType
from typing import Self

import aiohttp

from dtomtrack.errors import ModelError, ModelSpecError
from dtomtrack.llm.chat import ChatReply, ChatRequest, Usage
from dtomtrack.llm.completions import from_body, to_body
from dtomtrack.llm.failures import ContentFilterError, TransientError, failure
from dtomtrack.llm.spec import PROVIDERS, ModelSpec, key_of

__all__ = ["OpenAIChat"]

_CONNECT = 15.0
"""Seconds to wait for a connection."""


class OpenAIChat:
    """A model behind an OpenAI-compatible server; use it as an async context manager.

    Args:
        timeout: seconds that one call may take.
    """

    def __init__(self, spec: ModelSpec, timeout: float = 300.0) -> None:
        """Read the key from the environment.

        Raises:
            ModelSpecError: the provider needs a key and there is none, or it has no server.
        """
        if spec.base_url is None:
            raise ModelSpecError(f"{spec.label} has no server")
        self._spec = spec
        self._url = f"{spec.base_url}/chat/completions"
        self._key = key_of(spec)
        self._timeout = timeout
        self._session: aiohttp.ClientSession | None = None

    @property
    def name(self) -> str:
        """Provider and name."""
        return self._spec.label

    async def __aenter__(self) -> Self:
        headers = {"Content-Type": "application/json"}
        if self._key is not None:
            headers["Authorization"] = f"Bearer {self._key.reveal()}"
        self._session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=0),
            timeout=aiohttp.ClientTimeout(total=self._timeout, sock_connect=_CONNECT),
            headers=headers,
        )
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._session is not None:
            await self._session.close()

    async def chat(self, request: ChatRequest) -> ChatReply:
        """One request.

        Raises:
            TransientError, SchemaError: see `dtomtrack.llm.failures`.
            ModelError: another try won't help.
        """
        body = json.dumps(to_body(request, self._spec.name, self._spec.dialect)).encode()
        status, headers, answer = await self._post(body)
        if status != 200:
            try:
                raise self._failure(status, headers, answer)
            except ContentFilterError:
                return ChatReply("", "filter", Usage(0, 0))
        try:
            return from_body(json.loads(answer), request)
        except (ValueError, RecursionError):
            wrong = "answered with broken JSON"
        except TransientError as error:
            wrong = f"answered, but {error}"
        raise TransientError(f"{self.name}: {self._spec.base_url} {wrong}")

    async def _post(self, body: bytes) -> tuple[int, Mapping[str, str], bytes]:
        if self._session is None:
            raise RuntimeError("use it as an async context manager")
        try:
            async with self._session.post(self._url, data=body, allow_redirects=False) as response:
                return response.status, response.headers, await response.read()
        except (aiohttp.ClientError, TimeoutError) as error:
            broken = self._broken(error)
        # raised out here, for even "from None" would leave aiohttp's exception within reach
        raise broken

    def _broken(self, error: Exception) -> TransientError:
        where = f"{self.name}: {self._spec.base_url}"
        if isinstance(error, aiohttp.ClientConnectorError):
            cause = error.__cause__
            reason = (cause.strerror if isinstance(cause, OSError) else None) or type(cause or error).__name__
            return TransientError(f"{where} can't be reached ({reason}); is the server running?", nobody_there=True)
        if isinstance(error, TimeoutError):
            return TransientError(f"{where} gave no answer within {self._timeout:g} s")
        return TransientError(f"{where}: the connection broke ({type(error).__name__})")

    def _failure(self, status: int, headers: Mapping[str, str], answer: bytes) -> ModelError:
        text = answer[:10_000].decode("utf-8", "replace")
        said = _message(answer) or text
        if self._key is not None:
            said = self._key.hide_in(said)
        key_name = PROVIDERS[self._spec.provider].key_name
        return failure(self.name, self._spec.base_url or "", key_name, status, headers, said)


def _message(answer: bytes) -> str | None:
    """What an error body says, with its type and code, which tell a quota from a rate."""
    try:
        error = json.loads(answer)["error"]
    except (ValueError, RecursionError, KeyError, TypeError, IndexError):
        return None
    if isinstance(error, dict):
        parts = [error.get(name) for name in ("message", "type", "code")]
        return ", ".join(str(part) for part in parts if part)
    return error if isinstance(error, str) else None
