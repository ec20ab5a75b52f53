"""What a user can get wrong about models is told in one sentence; what stops a run lets it go on later."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import pytest
from asking import KEY, refused
from commands import ended
from loopback import Answer, Loopback, Request
from model_folder import command, dialogues
from performer import perform

from dtomtrack.api import generate
from dtomtrack.errors import InputError


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)


def complaint(arguments: list[str], status: int, *, environment: dict[str, str] | None = None) -> str:
    """What is said on standard error, in a sentence and, of what can be gone on with, a hint how."""
    done = ended([*arguments, "--quiet"], env={**os.environ, **(environment or {})})
    assert done.returncode == status, done.stderr
    assert done.stdout == ""
    assert done.stderr.startswith("dtomtrack: ")
    assert "Traceback" not in done.stderr
    assert done.stderr.count("\n") == (1 if status == 2 else 3)
    assert KEY not in done.stderr
    return done.stderr


STOPS = {
    "wrong key": (refused(401, f"Incorrect API key provided: {KEY}"), "the key was refused; set OPENAI_API_KEY"),
    "unknown model": (refused(404, "The model 'x' does not exist"), "no such model or address there"),
    "no money": (refused(429, "exceeded your current quota", code="insufficient_quota"), "the quota is used up"),
    "small window": (
        refused(400, "This model's maximum context length is 512 tokens"),
        "the prompt is longer than the model's context window",
    ),
}


@pytest.mark.parametrize("kind", STOPS)
def test_what_stops_a_run_is_said_once_and_the_run_can_go_on(tmp_path: Path, kind: str) -> None:
    answer, said = STOPS[kind]
    good = [4]

    def answers(request: Request) -> Answer:
        good[0] -= 1
        return perform(request) if good[0] >= 0 else answer

    with Loopback(answers, latency=0.005) as server:
        arguments = command(server, tmp_path / "out", "--concurrency", "16", n=6)
        told = complaint(arguments, 1)
        assert told.count(said) == 1
        assert "What is done is safe, and no reply that came in is paid for twice." in told
        good[0] = 10_000
        generate("restaurant", n=6, out=tmp_path / "out", actor_model="openai/x", base_url=server.base_url)
    assert len(dialogues(tmp_path / "out")) == 6


def test_a_server_that_is_not_there_is_said_once(tmp_path: Path) -> None:
    with Loopback(perform) as server:
        pass
    told = complaint(command(server, tmp_path / "out"), 1)
    assert told.count("can't be reached (") == 1
    assert server.base_url in told


def test_without_a_key_nothing_begins(tmp_path: Path) -> None:
    bare = [sys.executable, "-m", "dtomtrack", "generate", "--n", "1", "--out", str(tmp_path / "out")]
    told = complaint([*bare, "--model", "openai/x"], 2, environment={"OPENAI_API_KEY": ""})
    assert "openai/x needs a key: set the environment variable OPENAI_API_KEY" in told


BAD: list[tuple[dict[str, Any], str]] = [
    ({"actor_model": "opnai/x"}, "model 'opnai/x': write PROVIDER/NAME, with one of openai/"),
    ({"actor_model": "openai/"}, "write PROVIDER/NAME"),
    ({"actor_model": "gpt-4"}, "write PROVIDER/NAME"),
    ({"base_url": "localhost:8000"}, "--base-url has to be an http or https address"),
    ({"base_url": "ftp://127.0.0.1/v1"}, "--base-url has to be"),
    ({"base_url": "http://"}, "--base-url has to be"),
    ({"base_url": "http://127.0.0.1:99999/v1"}, "--base-url has to be"),
    ({"base_url": f"http://user:{KEY}@127.0.0.1/v1"}, "without a user or password"),
    ({"base_url": f"http://127.0.0.1/v1?key={KEY}"}, "--base-url has to be"),
    ({"base_url": "http://127.0.0.1/v1#there"}, "--base-url has to be"),
    ({"base_url": "http://exa mple/v1"}, "--base-url has to be"),
    ({"base_url": "http://[::1/v1"}, "--base-url has to be"),
    ({"turn_retries": -1}, "turn-retries is -1; it has to be from 0 to 20"),
    ({"temperature": 9.0}, "temperature is 9.0; it has to be from 0 to 2"),
    ({"temperature": float("nan")}, "temperature is nan"),
    ({"threshold": 1.5}, "threshold is 1.5"),
    ({"requests_per_minute": 0.0}, "requests-per-minute is 0.0; it has to be from 0.01 to 1,000,000,000"),
    ({"tokens_per_minute": -1.0}, "tokens-per-minute is -1.0"),
    ({"timeout": float("inf")}, "timeout is inf"),
    ({"max_cost": -1.0}, "max-cost is -1.0"),
    ({"max_tokens_total": -1}, "max-tokens-total is -1"),
    ({"max_cost": 1.0}, "openai/x: its price is unknown, so --max-cost can't be kept; give --prices FILE"),
    ({"prices": "nowhere.yaml"}, "nowhere.yaml: there is no such file"),
]


@pytest.mark.parametrize(("options", "said"), BAD, ids=lambda one: str(one)[:60])
def test_bad_input_is_told_before_anybody_is_asked(tmp_path: Path, options: dict[str, Any], said: str) -> None:
    with Loopback(perform) as server:
        given = {"actor_model": "openai/x", "base_url": server.base_url, **options}
        with pytest.raises(InputError) as caught:
            generate("restaurant", n=1, out=tmp_path / "out", **given)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)
    assert KEY not in str(caught.value)
    assert server.count == 0


@pytest.mark.parametrize(
    "prices",
    [
        "openai/x: cheap",
        "openai/x: {input: -1, output: 1}",
        "openai/x: {input: .nan, output: 1}",
        "- a\n- b",
        "a: [",
        "5",
        "openai/x: {input: 2020-13-45, output: 1}",
        "{" * 600,
        "openai/x: !!python/object/apply:os.getcwd []",
        "\x00",
    ],
    ids=range(10),
)
def test_a_bad_file_of_prices_is_named(tmp_path: Path, prices: str) -> None:
    path = tmp_path / "prices.yaml"
    path.write_text(prices, encoding="utf-8")
    with Loopback(perform) as server, pytest.raises(InputError, match=r"prices\.yaml: ") as caught:
        generate("restaurant", n=1, out=tmp_path / "out", actor_model="openai/x", base_url=server.base_url, prices=path)
    assert "\n" not in str(caught.value)
    assert ": :" not in str(caught.value)


def test_the_command_line_says_it_in_one_sentence(tmp_path: Path) -> None:
    with Loopback(perform) as server:
        assert "temperature is 9.0" in complaint(command(server, tmp_path / "out", "--temperature", "9"), 2)
        missing = str(tmp_path / "prices.yaml")
        assert "prices.yaml: there is no such file" in complaint(
            command(server, tmp_path / "out", "--prices", missing), 2
        )
        assert server.count == 0
