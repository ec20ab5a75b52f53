"""Counting tokens before a server does: with tiktoken's table where it is at hand, else as an estimate."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

from dtomtrack.llm.chat import ChatRequest, Usage

__all__ = ["count_tokens", "estimated_usage", "prompt_tokens"]

_TABLE = "https://openaipublic.blob.core.windows.net/encodings/o200k_base.tiktoken"
_BYTES_A_TOKEN = 4
_MESSAGE = 4
"""Tokens that a message takes beside its text."""
_IN_WORDS = 30
"""Tokens that it takes to ask for a schema in words, beside the schema."""


@cache
def _encoder() -> Callable[[str], list[int]] | None:
    """Counts by tiktoken's table, if that is on this machine; it is never downloaded."""
    folder = os.environ.get("TIKTOKEN_CACHE_DIR") or os.environ.get("DATA_GYM_CACHE_DIR")
    at_hand = Path(folder or Path(tempfile.gettempdir()) / "data-gym-cache")
    if not (at_hand / hashlib.sha1(_TABLE.encode(), usedforsecurity=False).hexdigest()).is_file():
        return None
    import tiktoken

    return tiktoken.get_encoding("o200k_base").encode_ordinary


def count_tokens(text: str) -> int:
    """Tokens of a text, or, without the table, an estimate: a token for each four bytes of UTF-8."""
    encode = _encoder()
    return len(encode(text)) if encode else rough_tokens(text)


def rough_tokens(text: str) -> int:
    """The estimate, at once."""
    size = len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))
    return -(-size // _BYTES_A_TOKEN)


def prompt_tokens(request: ChatRequest) -> int:
    """About how many tokens a request's messages take, and its schema, which may have to be asked for in words."""
    schema = 0 if request.schema is None else rough_tokens(json.dumps(request.schema)) + _IN_WORDS
    return sum(rough_tokens(message.content) + _MESSAGE for message in request.messages) + schema


def estimated_usage(request: ChatRequest, text: str) -> Usage:
    """The tokens of a call, where the server doesn't say."""
    prompt = sum(count_tokens(message.content) + _MESSAGE for message in request.messages)
    return Usage(prompt, count_tokens(text), estimated=True)
