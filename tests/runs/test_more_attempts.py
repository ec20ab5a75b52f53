"""Slots that stayed empty are tried again in the same folder, and nothing that was paid for is paid for again."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest
from asking import KEY
from commands import ended
from loopback import Answer, Loopback, Request, completion
from model_folder import command, contents, journaled
from performer import perform

from dtomtrack import load

N = 5


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)


def moody(request: Request) -> Answer:
    """One reply in twenty is of no use, whoever asks, and the same ones again."""
    if Random(json.dumps(request)).random() < 0.05:
        return completion("Well, let me think about that.")
    return perform(request)


def made(server: Loopback, out: Path, attempts: int, *more: str, n: int = N) -> tuple[int, str]:
    """The exit status and what was complained of."""
    options = ("--max-attempts", str(attempts), "--turn-retries", "0", "--scenarios", "pack", "--quiet", *more)
    done = ended(command(server, out, *options, n=n))
    return done.returncode, done.stderr


def test_more_attempts_go_on_in_the_folder_as_if_they_had_been_given_at_once(tmp_path: Path) -> None:
    with Loopback(moody) as server:
        status, said = made(server, tmp_path / "out", 1)
        assert status == 1
        assert "With a larger --max-attempts the same command goes on there" in said
        before, paid = contents(tmp_path / "out"), len(server.requests)
        assert made(server, tmp_path / "out", 12) == (0, "")
        both = len(server.requests)
        assert made(server, tmp_path / "at once", 12) == (0, "")
    assert contents(tmp_path / "out") == contents(tmp_path / "at once")
    assert paid < both == len(server.requests) - both
    assert len(journaled(tmp_path / "out")) == len(set(journaled(tmp_path / "out"))) == both
    # the dataset as it was is kept, and can be read
    copy = tmp_path / "out" / "with-1-attempts"
    assert contents(copy) == before
    assert len(load(copy).dialogues) < N


def test_fewer_attempts_and_fewer_slots_need_another_folder(tmp_path: Path) -> None:
    with Loopback(lambda _: completion("Well, let me think about that.")) as server:
        assert made(server, tmp_path / "out", 2, n=2)[0] == 1
        before = contents(tmp_path / "out")
        for attempts, n, reason in ((1, 2, "max attempts 2 there, 1 here"), (9, 1, "holds 2 slots, more than")):
            status, said = made(server, tmp_path / "out", attempts, n=n)
            assert status == 2
            assert reason in said
    assert contents(tmp_path / "out") == before
