"""LangGraph Studio's own server, with the langgraph.json of the repository: it shows forms and plays a dialogue."""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.request import Request, urlopen

import pytest

REPOSITORY = Path(__file__).parents[2]
ATTEMPT = {"domains": ["restaurant"], "seed": 0, "index": 0, "attempt": 0, "length": 10}


def ask(url: str, body: object = None) -> Any:
    """The answer of the server; with a body, to a POST."""
    data = None if body is None else json.dumps(body).encode()
    with urlopen(Request(url, data, {"Content-Type": "application/json"}), timeout=60) as answer:  # noqa: S310
        return json.load(answer)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a running ``langgraph dev``, which leaves what it writes in a copy of the repository."""
    copy = tmp_path_factory.mktemp("studio")
    shutil.copy(REPOSITORY / "langgraph.json", copy)
    shutil.copytree(REPOSITORY / "graphs", copy / "graphs")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "langgraph_cli", "dev", "--no-browser", "--no-reload", "--port", str(port)]
    with subprocess.Popen(command, cwd=copy, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        address = f"http://127.0.0.1:{port}"
        try:
            wait_for(f"{address}/ok", process)
            yield address
        finally:
            process.terminate()


def wait_for(url: str, process: subprocess.Popen[bytes]) -> None:
    for _ in range(240):
        assert process.poll() is None, "the server ended"
        try:
            ask(url)
        except (URLError, ConnectionError):
            time.sleep(0.25)
        else:
            return
    pytest.fail("the server does not answer")


def test_studio_shows_the_forms_of_the_workflow(server: str) -> None:
    (assistant,) = ask(f"{server}/assistants/search", {})
    schemas = ask(f"{server}/assistants/{assistant['assistant_id']}/schemas")
    attempt = schemas["input_schema"]["$defs"]["Attempt"]["properties"]
    assert attempt.keys() == ATTEMPT.keys()
    assert "reviewed" in schemas["output_schema"]["properties"]
    assert "turns" in schemas["state_schema"]["properties"]


def test_studio_plays_a_dialogue(server: str) -> None:
    found = ask(f"{server}/runs/wait", {"assistant_id": "roleplay", "input": {"attempt": ATTEMPT}})
    assert len(found["reviewed"]["dialogue"]["turns"]) == ATTEMPT["length"]
    assert found["reviewed"]["questions"]


def test_studio_keeps_every_step_of_a_dialogue_on_a_thread(server: str) -> None:
    thread = ask(f"{server}/threads", {})["thread_id"]
    ask(f"{server}/threads/{thread}/runs/wait", {"assistant_id": "roleplay", "input": {"attempt": ATTEMPT}})
    steps = [one["next"] for one in ask(f"{server}/threads/{thread}/history", {"limit": 100})]
    assert [step for step in steps if step == ["agent"]] == [["agent"]] * 10
