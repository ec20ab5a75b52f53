"""Slots of local servers: a llama.cpp server keeps the prefix of a prompt in each, and works on as many calls at once.

Calls beyond them queue in the server; dialogues beyond them push each other's prefixes out and are read anew each turn.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from http.client import HTTPException, HTTPMessage
from typing import IO, Final
from urllib.error import URLError
from urllib.request import HTTPRedirectHandler, ProxyHandler, Request, build_opener

from dtomtrack.llm.settings import ClientSettings
from dtomtrack.llm.spec import ModelSpec, key_of

__all__ = ["IN_PROCESS", "following_slots", "server_slots"]

IN_PROCESS: Final = 4
"""Slots of a model in this process, each with memory of its own for its context."""
_SECONDS = 2.0
_MOST_BYTES = 4 * 2**20


def following_slots(settings: ClientSettings, models: Iterable[object]) -> ClientSettings:
    """The settings for these models: no more calls at once than the smallest of their servers has slots.

    Args:
        models: those that go by name count; a server that does not say how many slots it has changes nothing.
    """
    known = {server_slots(model) for model in models if isinstance(model, ModelSpec)} - {None}
    if not known:
        return settings
    slots = min(one for one in known if one is not None)
    most = min(settings.concurrency, slots)
    return replace(settings, concurrency=most, slots=most)


def server_slots(spec: ModelSpec) -> int | None:
    """How many slots the server of a model has, from ``/props`` or ``/slots``; None where it doesn't say."""
    if spec.provider == "gguf":
        return IN_PROCESS
    if spec.provider != "llamacpp" or spec.base_url is None:
        return None
    root = spec.base_url.removesuffix("/v1")
    props = _read(f"{root}/props", spec)
    total = props.get("total_slots") if isinstance(props, dict) else None
    if isinstance(total, int) and not isinstance(total, bool) and total > 0:
        return total
    slots = _read(f"{root}/slots", spec)
    return len(slots) if isinstance(slots, list) and slots else None


class _NoRedirects(HTTPRedirectHandler):
    """Goes nowhere else: the key is for the address that was given, and for no other."""

    def redirect_request(
        self, req: Request, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage, newurl: str
    ) -> Request | None:
        """None: the redirect is the answer, which is an error."""
        return None


def _read(url: str, spec: ModelSpec) -> object:
    """What a server says there; None where it says nothing that can be read."""
    key = key_of(spec)
    headers = {} if key is None else {"Authorization": f"Bearer {key.reveal()}"}
    request = Request(url, headers=headers)  # noqa: S310 - the address is http or https, see `parse_spec`
    try:
        with build_opener(_NoRedirects, ProxyHandler({})).open(request, timeout=_SECONDS) as answer:
            return json.loads(answer.read(_MOST_BYTES))
    except (URLError, HTTPException, OSError, ValueError, RecursionError):
        return None
