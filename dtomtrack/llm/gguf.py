"""The transport: a llama.cpp model in this process, from a GGUF file.

llama.cpp batches the calls that are under way together. Each waits in a thread of its own, outside the interpreter's
lock, and its tokens come as a stream, so that a call which is cancelled frees its place within a token.
"""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from dtomtrack.errors import ModelError, ModelSpecError
from dtomtrack.llm.chat import ChatReply, ChatRequest
from dtomtrack.llm.completions import from_body, to_body
from dtomtrack.llm.failures import failure
from dtomtrack.llm.spec import Dialect, ModelSpec

if TYPE_CHECKING:
    import xllamacpp

__all__ = ["GgufModel"]

_MAGIC = b"GGUF"
_SILENT = -1
_TOPOLOGY = "/sys/devices/system/cpu/cpu{}/topology/thread_siblings_list"

_Chunk = Mapping[str, Any]
"""A piece of a streamed answer, as llama.cpp writes it."""


class GgufModel:
    """A model from a GGUF file; use it as an async context manager.

    Args:
        calls_at_once: calls that are answered together; more wait their turn.
        context: tokens of prompt and reply that one call may take.
        threads: that compute; None for one a core. They wait for each other all the time: where something else keeps a
            core busy, fewer are much faster.
    """

    def __init__(
        self, spec: ModelSpec, *, calls_at_once: int = 4, context: int = 8192, threads: int | None = None
    ) -> None:
        """Look at the file.

        Raises:
            ModelSpecError: there is none, it is no GGUF file, or the package that runs it is missing.
        """
        self._spec = spec
        self._path = Path(spec.name).expanduser()
        _check_package(spec)
        _check_file(self._path, spec)
        self._calls_at_once = calls_at_once
        self._context = context
        self._cores = threads or _physical_cores()
        self._waiting = ThreadPoolExecutor(calls_at_once, thread_name_prefix="gguf")
        self._server: xllamacpp.Server | None = None

    @property
    def name(self) -> str:
        """Provider and path."""
        return self._spec.label

    async def __aenter__(self) -> Self:
        """Load the model.

        Raises:
            ModelSpecError: llama.cpp can't.
        """
        # Loading holds the interpreter's lock: a thread would not keep the event loop free.
        self._server = self._load()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Wait for the calls under way and free the model."""
        await asyncio.to_thread(self._waiting.shutdown, cancel_futures=True)
        self._server = None

    async def chat(self, request: ChatRequest) -> ChatReply:
        """One request.

        Raises:
            TransientError, SchemaError: see `dtomtrack.llm.failures`.
            ModelError: another try won't help.
        """
        if self._server is None:
            raise RuntimeError("use it as an async context manager")
        body = to_body(request, self._spec.name, Dialect.LLAMA_CPP)
        streamed = json.dumps(body | {"stream": True, "stream_options": {"include_usage": True}}).encode()
        unwanted = threading.Event()
        try:
            chunks = await asyncio.get_running_loop().run_in_executor(
                self._waiting, _ask, self._server, streamed, unwanted
            )
        finally:
            unwanted.set()
        wrong = next((chunk["error"] for chunk in chunks if "error" in chunk), None)
        if wrong is not None:
            raise self._failure(wrong)
        return from_body(_whole(chunks), request)

    def _failure(self, wrong: Mapping[str, Any]) -> ModelError:
        said = f"{wrong.get('message')}, {wrong.get('type')}"
        return failure(self.name, "llama.cpp", None, int(wrong.get("code", 500)), {}, said)

    def _load(self) -> xllamacpp.Server:
        import xllamacpp

        try:
            server = xllamacpp.Server(self._parameters())
        except RuntimeError:
            raise ModelSpecError(
                f"{self.name}: llama.cpp can't load it; "
                "give a whole GGUF file of a language model that fits into this machine's memory"
            ) from None
        # A server that is freed before its loop has begun waits for it forever: this waits until the loop answers.
        server.handle_metrics()
        return server

    def _parameters(self) -> xllamacpp.CommonParams:
        import xllamacpp

        parameters = xllamacpp.CommonParams()
        parameters.model.path = str(self._path)
        parameters.n_parallel = self._calls_at_once
        parameters.n_ctx = self._calls_at_once * self._context
        parameters.verbosity = _SILENT
        if self._cores is not None:
            parameters.cpuparams.n_threads = self._cores
            parameters.cpuparams_batch.n_threads = self._cores
        # It listens on loopback whether asked to or not: nobody else is to be answered there.
        parameters.api_keys = [secrets.token_urlsafe()]
        parameters.endpoint_slots = False
        parameters.endpoint_metrics = True
        return parameters


def _check_package(spec: ModelSpec) -> None:
    try:
        import xllamacpp  # noqa: F401
    except ImportError:
        raise ModelSpecError(f"{spec.label} needs an extra: pip install 'dtomtrack[local]'") from None


def _check_file(path: Path, spec: ModelSpec) -> None:
    try:
        with path.open("rb") as file:
            magic = file.read(len(_MAGIC))
    except FileNotFoundError:
        raise ModelSpecError(f"{spec.label}: there is no such file; give the path of a GGUF file after gguf/") from None
    except OSError as error:
        raise ModelSpecError(f"{spec.label}: the file can't be read ({error.strerror}); give a GGUF file") from None
    if magic != _MAGIC:
        raise ModelSpecError(f"{spec.label}: that is no GGUF file; give a model in llama.cpp's format")


def _physical_cores() -> int | None:
    """Cores that this process may use, hyper-threads not counted; None where llama.cpp has to count them itself."""
    try:
        usable = os.sched_getaffinity(0)
        return len({Path(_TOPOLOGY.format(cpu)).read_text(encoding="ascii") for cpu in usable})
    except (AttributeError, OSError):
        return None


def _ask(server: xllamacpp.Server, body: bytes, unwanted: threading.Event) -> list[_Chunk]:
    """The pieces of an answer; all that there are until nobody wants it any more."""
    chunks: list[_Chunk] = []

    def take(piece: bytes) -> bool:
        chunks.append(json.loads(piece))
        return unwanted.is_set()

    try:
        server.handle_chat_completions(body, take)
    except (ValueError, RuntimeError) as error:
        # the request itself can't be read; what goes wrong later comes as a piece
        chunks.append({"error": {"code": 400, "message": str(error), "type": "invalid_request_error"}})
    return chunks


def _whole(chunks: Sequence[_Chunk]) -> dict[str, Any]:
    """A streamed answer as the body of one that isn't streamed."""
    choices = [chunk["choices"][0] for chunk in chunks if chunk.get("choices")]
    tokens = [token for choice in choices for token in (choice.get("logprobs") or {}).get("content") or ()]
    return {
        "choices": [
            {
                "message": {"content": "".join(choice["delta"].get("content") or "" for choice in choices)},
                "finish_reason": next((choice["finish_reason"] for choice in reversed(choices)), None),
                "logprobs": {"content": tokens},
            }
        ],
        "usage": next((chunk["usage"] for chunk in chunks if chunk.get("usage")), None),
    }
