"""Calls at once follow the slots of a local server, where it says how many it has."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from dtomtrack.llm.server_slots import following_slots, server_slots
from dtomtrack.llm.settings import ClientSettings
from dtomtrack.llm.spec import parse_spec


@contextmanager
def server(says: Mapping[str, bytes], *, elsewhere: str | None = None, keys: list[str] | None = None) -> Iterator[str]:
    """A server that answers so at these paths, and 404 anywhere else.

    Args:
        elsewhere: where it sends whoever asks, instead.
        keys: the keys that are sent to it.
    """

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if keys is not None:
                keys.append(self.headers.get("Authorization", ""))
            body = says.get(self.path)
            self.send_response(302 if elsewhere else 404 if body is None else 200)
            if elsewhere:
                self.send_header("Location", f"{elsewhere.removesuffix('/v1')}{self.path}")
            self.end_headers()
            self.wfile.write(body or b"")

        def log_message(self, format: str, *args: object) -> None:
            """Nothing is said on standard error."""

    with HTTPServer(("127.0.0.1", 0), Handler) as serving:
        thread = threading.Thread(target=serving.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{serving.server_port}/v1"
        finally:
            serving.shutdown()
            thread.join()


@pytest.mark.parametrize(
    ("says", "slots"),
    [
        ({"/props": b'{"total_slots": 4, "model_path": "m.gguf"}'}, 4),
        ({"/slots": json.dumps([{"id": 0}, {"id": 1}]).encode()}, 2),
        ({"/props": b"{}", "/slots": b"[]"}, None),
        ({"/props": b'{"total_slots": true}'}, None),
        ({"/props": b"[" * 200_000}, None),
        ({"/props": b"<html>", "/slots": b'{"error": "off"}'}, None),
        ({}, None),
    ],
)
def test_a_server_says_how_many_slots_it_has(says: Mapping[str, bytes], slots: int | None) -> None:
    with server(says) as base_url:
        assert server_slots(parse_spec("llamacpp/x", base_url)) == slots


def test_calls_and_dialogues_follow_the_slots() -> None:
    with server({"/props": b'{"total_slots": 4}'}) as base_url:
        local, other = parse_spec("llamacpp/x", base_url), parse_spec("openai/x", base_url)
        followed = following_slots(ClientSettings(concurrency=16), [local, None])
        assert (followed.concurrency, followed.slots) == (4, 4)
        fewer = following_slots(ClientSettings(concurrency=2), [local])
        assert (fewer.concurrency, fewer.slots) == (2, 2)
        assert following_slots(ClientSettings(), [other]) == ClientSettings()
    assert following_slots(ClientSettings(), [local]) == ClientSettings()


def test_a_model_in_this_process_has_four() -> None:
    assert following_slots(ClientSettings(), [parse_spec("gguf/m.gguf")]).concurrency == 4


def test_the_key_goes_nowhere_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LLAMACPP_API_KEY", "sk-canary")
    own: list[str] = []
    others: list[str] = []
    with (
        server({"/props": b'{"total_slots": 4}'}, keys=others) as other,
        server({}, elsewhere=other, keys=own) as base_url,
    ):
        assert server_slots(parse_spec("llamacpp/x", base_url)) is None
    assert own == ["Bearer sk-canary"] * 2
    assert others == []
