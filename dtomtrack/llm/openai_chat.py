"""The transport: OpenAI-compatible chat completions over HTTP.

One call is one request, or a few where the server refuses a parameter. What else can be done about a failure is for
the wrappers: here every failure becomes one of `dtomtrack.llm.failures`, and nothing of aiohttp, whose exceptions show
the API key, gets past.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from contextlib import suppress
from types import TracebackType
from typing import Self

import aiohttp

from dtomtrack.errors import ModelError, ModelSpecError
from dtomtrack.llm.bounded import MostError, beginning, parsed, read_bounded
from dtomtrack.llm.chat import ChatReply, ChatRequest, Usage
from dtomtrack.llm.clean_request import CleanRequest, LeftOverError
from dtomtrack.llm.completions import from_body, to_body
from dtomtrack.llm.encoding import as_json
from dtomtrack.llm.failures import ContentFilterError, EmptyReplyError, TransientError, failure, without_schema
from dtomtrack.llm.parameters import RefusedParameters
from dtomtrack.llm.spec import PROVIDERS, ModelSpec, key_of
from dtomtrack.llm.waiting import Alarms, TimeLimit

__all__ = ["OpenAIChat"]

_CONNECT = 15.0
"""Seconds to wait for a connection."""
_LONGEST_COMPLAINT = 1 << 16
"""Bytes that are read of an answer that is no success."""

_PAGE = re.compile(rb"\s*<(?:!doctype\s|html)", re.IGNORECASE)


class OpenAIChat:
    """A model behind an OpenAI-compatible server; use it as an async context manager.

    Args:
        timeout: seconds that one call may take.
        most: bytes that an answer may have, decompressed.
    """

    def __init__(self, spec: ModelSpec, timeout: float = 300.0, most: int = 16 << 20) -> None:
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
        self._late = Alarms(timeout)
        self._most = most
        self._refused = RefusedParameters(spec.label)
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
            timeout=aiohttp.ClientTimeout(total=None, sock_connect=_CONNECT),
            headers=headers,
            request_class=CleanRequest,
        )
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._session is not None:
            await self._session.close()

    async def chat(self, request: ChatRequest) -> ChatReply:
        """One request, sent again at once without a parameter that the server refuses.

        Raises:
            TransientError, SchemaError: see `dtomtrack.llm.failures`.
            ModelError: another try won't help.
        """
        status, headers, answer = await self._ask(to_body(request, self._spec.name, self._spec.dialect))
        if status != 200:
            return self._without_success(request, status, headers, answer)
        try:
            return from_body(parsed(answer), request)
        except MostError:
            wrong = "answered with far more parts than a chat completion has"
        except (ValueError, RecursionError):
            if _PAGE.match(answer):
                raise self._page() from None
            wrong = "answered with broken JSON"
        except EmptyReplyError as error:
            raise EmptyReplyError(f"{self.name}: {self._spec.base_url} answered, but {error}", error.reply) from None
        except TransientError as error:
            within = _status_within(answer)
            if within is not None:
                return self._without_success(request, within, headers, answer)
            wrong = f"answered, but {error}"
        raise TransientError(f"{self.name}: {self._spec.base_url} {wrong}")

    def _without_success(
        self, request: ChatRequest, status: int, headers: Mapping[str, str], answer: bytes
    ) -> ChatReply:
        """The reply that a filtered prompt has; all else is raised."""
        try:
            raise without_schema(self._failure(status, headers, answer), request)
        except ContentFilterError:
            return ChatReply("", "filter", Usage(0, 0))

    async def _ask(self, whole: Mapping[str, object]) -> tuple[int, Mapping[str, str], bytes]:
        while True:
            body = self._refused.without(whole)
            status, headers, answer = await self._post(as_json(body))
            if status == 200 or not self._refused.learn(status, _said(answer), _param(answer), body):
                return status, headers, answer

    async def _post(self, body: bytes) -> tuple[int, Mapping[str, str], bytes]:
        try:
            with TimeLimit(self._late):
                while True:
                    # what is left over on a connection is found before anything is sent
                    with suppress(LeftOverError):
                        return await self._posted(body)
        except MostError:
            broken = self._too_long()
        except (aiohttp.ClientError, TimeoutError) as error:
            broken = self._broken(error)
        # raised out here, for even "from None" would leave aiohttp's exception within reach
        raise broken

    async def _posted(self, body: bytes) -> tuple[int, Mapping[str, str], bytes]:
        if self._session is None:
            raise RuntimeError("use it as an async context manager")
        async with self._session.post(self._url, data=body, allow_redirects=False) as response:
            return response.status, response.headers, await self._body(response)

    async def _body(self, response: aiohttp.ClientResponse) -> bytes:
        """The body of an answer; of one that is no success, the beginning."""
        if response.status == 200:
            return await read_bounded(response, self._most)
        return await beginning(response, _LONGEST_COMPLAINT)

    def _too_long(self) -> TransientError:
        limit = f"{self._most / 2**20:g} MB"
        return TransientError(
            f"{self.name}: {self._spec.base_url} answered with more than {limit}; --max-reply-mb sets the limit"
        )

    def _page(self) -> TransientError:
        end = "" if (self._spec.base_url or "").rstrip("/").endswith("/v1") else ", which mostly ends in /v1"
        return TransientError(
            f"{self.name}: {self._spec.base_url} answered with a page (HTML), so there seems to be no API; check "
            f"--base-url{end}",
            no_api=True,
        )

    def _broken(self, error: Exception) -> TransientError:
        where = f"{self.name}: {self._spec.base_url}"
        if isinstance(error, aiohttp.ClientConnectorError):
            cause = error.__cause__
            reason = (cause.strerror if isinstance(cause, OSError) else None) or type(cause or error).__name__
            return TransientError(f"{where} can't be reached ({reason}); is the server running?", nobody_there=True)
        if isinstance(error, aiohttp.ConnectionTimeoutError):
            told = f"{where} can't be reached (no connection within {_CONNECT:g} s); does it speak {self._scheme()}?"
            return TransientError(told, nobody_there=True)
        if isinstance(error, TimeoutError):
            return TransientError(f"{where} gave no answer within {self._timeout:g} s")
        return TransientError(f"{where}: the connection broke ({type(error).__name__})")

    def _scheme(self) -> str:
        return self._url.partition(":")[0]

    def _failure(self, status: int, headers: Mapping[str, str], answer: bytes) -> ModelError:
        said = _said(answer)
        if self._key is not None:
            said = self._key.hide_in(said)
        key_name = PROVIDERS[self._spec.provider].key_name
        return failure(self.name, self._spec.base_url or "", key_name, status, headers, said)


def _said(answer: bytes) -> str:
    """The words of an error body, with its type and code, which tell a quota from a rate."""
    error = _error(answer)
    if isinstance(error, dict):
        parts = [error.get(name) for name in ("message", "type", "code")]
        error = ", ".join(str(part) for part in parts if part)
    return error if isinstance(error, str) and error else answer[:10_000].decode("utf-8", "replace")


def _status_within(answer: bytes) -> int | None:
    """The status of an error that a router passed on within an answer of its own."""
    error = _error(answer)
    code = error.get("code") if isinstance(error, dict) else None
    return code if isinstance(code, int) and 400 <= code < 600 else None


def _param(answer: bytes) -> str | None:
    """The parameter that an error body names as its cause."""
    error = _error(answer)
    param = error.get("param") if isinstance(error, dict) else None
    return param if isinstance(param, str) else None


def _error(answer: bytes) -> object:
    try:
        error: object = json.loads(answer)["error"]
    except (ValueError, RecursionError, KeyError, TypeError, IndexError):
        return None
    return error
