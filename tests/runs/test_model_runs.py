"""Whole runs with language models, played by a stand-in that follows stage directions to the letter.

Whatever goes wrong on the way, every slot is filled once, no reply is paid for twice, and the bytes are the same.
"""

from __future__ import annotations

import json
import shlex
import signal
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from asking import KEY, body_of, refused, with_message
from commands import PYTHON, ended
from killed_runs import killed
from loopback import Answer, Loopback, Request, completion
from model_folder import command, contents, dialogues, journaled, seeds
from performer import perform

from dtomtrack.api import agenerate, make_job
from dtomtrack.errors import BudgetError, DatasetError
from dtomtrack.runs.engines import choose_engine
from dtomtrack.runs.manifest import Manifest
from dtomtrack.runs.run import run


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)


async def generated(server: Loopback, out: Path, n: int, **options: Any) -> Manifest:
    """A run in this process that does not wait long before it tries again."""
    job = make_job("restaurant", n=n, actor_model="openai/x", base_url=server.base_url, **options)
    assert job.models is not None
    client = replace(job.models.client, first_pause=0.005)
    quick = replace(job, models=replace(job.models, client=client))
    return await run(quick, choose_engine(None, options.get("workers")), n=n, out=out)


# -- faults ----------------------------------------------------------------------------------------------------------


class Faulty:
    """Answers three requests in ten with something that is of no use, the same request three times at most."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)
        self._hangs = 4
        self._of_no_use: Counter[str] = Counter()
        self.completed = 0
        self.kinds: Counter[str] = Counter()

    def __call__(self, request: Request) -> Answer:
        """The next answer."""
        good = perform(request)
        kind = self._kind(json.dumps(request))
        self.kinds[kind] += 1
        answer = FAULTS[kind](good) if kind != "good" else good
        self.completed += answer.status == 200 and kind in {"good", *COMPLETIONS}
        return answer

    def _kind(self, request: str) -> str:
        kind = self._random.choice(list(FAULTS)) if self._random.random() < 0.3 else "good"
        if kind == "hang":
            self._hangs -= 1
        if self._of_no_use[request] == 3 or (self._hangs < 0 and kind == "hang"):
            return "good"
        self._of_no_use[request] += kind != "good"
        return kind


COMPLETIONS: dict[str, Callable[[Answer], Answer]] = {
    "refusal": lambda _: with_message(content=None, refusal="I can't play that."),
    "cut": lambda good: completion(body_of(good)["choices"][0]["message"]["content"][:40], finish="length"),
    "filtered": lambda _: completion("", finish="content_filter"),
    "wrong schema": lambda _: completion('{"thoughts": ["none"], "line": 7}'),
    "no JSON": lambda _: completion("Well, let me think about that."),
}
"""Replies that are replies: they are stored, and the turn is asked for again."""
FAULTS = COMPLETIONS | {
    "empty": lambda _: completion(""),
    "no content": lambda _: completion(None),
    "429": lambda _: refused(429, "slow down"),
    "429 with a time": lambda _: refused(429, "slow down", {"Retry-After": "0.01"}),
    "500": lambda _: refused(500, "oops"),
    "500 for the schema": lambda _: refused(500, "The output does not match the expected grammar"),
    "HTML": lambda _: Answer(b"<html>Bad Gateway</html>", status=502, headers={"Content-Type": "text/html"}),
    "malformed": lambda _: Answer(b"{'choices': ["),
    "truncated": lambda good: Answer(good.body[: len(good.body) // 2]),
    "no choices": lambda _: Answer(b'{"choices": []}'),
    "dropped": lambda good: replace(good, cut=len(good.body) // 2),
    "hang": lambda good: replace(good, after=60.0),
}


async def test_with_three_calls_in_ten_faulty_nothing_is_lost_or_doubled(tmp_path: Path) -> None:
    faulty = Faulty(0)
    with Loopback(faulty, keep=False) as server:
        manifest = await generated(server, tmp_path / "out", 40, concurrency=32, timeout=4.0)
    assert set(faulty.kinds) == {"good", *FAULTS}
    assert 0.25 < 1 - faulty.kinds["good"] / faulty.kinds.total() < 0.35
    assert manifest.status == "complete"
    assert manifest.counts.dialogues + manifest.counts.unfilled == manifest.n == 40
    kept = dialogues(tmp_path / "out")
    assert [dialogue.slot for dialogue in kept] == list(range(40))
    assert all(len(dialogue.turns) == 10 for dialogue in kept)
    calls = journaled(tmp_path / "out")
    assert len(set(calls)) == len(calls) == faulty.completed == manifest.calls


# -- kills -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["jsonl", "parquet"])
def test_a_killed_run_ends_in_the_same_bytes_and_asks_nothing_twice(tmp_path: Path, form: str) -> None:
    out, how = tmp_path / "out", ("--quiet", "--format", form)
    with Loopback(perform, latency=0.01) as server:
        assert ended(command(server, tmp_path / "reference", *how, n=12)).returncode == 0
        once, rng = server.count, Random(5)
        stored: set[int] = set()
        for _ in range(2):
            seen = server.count
            assert killed(command(server, out, *how, n=12), server, out, rng.randrange(10, 40)) == (-signal.SIGKILL, "")
            assert not stored & asked_since(server, seen)
            stored = seeds(journaled(out))
        seen = server.count
        last = ended(command(server, out, *how, n=12))
        assert (last.returncode, last.stdout, last.stderr) == (0, "", "")
        assert len(stored) >= 2 * 5
        assert not stored & asked_since(server, seen)
    assert data_of(out) == data_of(tmp_path / "reference")
    assert len(journaled(out)) == once


def data_of(folder: Path) -> dict[str, bytes]:
    """The data files, in whatever form."""
    parts = {str(path.relative_to(folder)): path.read_bytes() for path in folder.glob("*/part-*.parquet")}
    return parts or contents(folder)


def asked_since(server: Loopback, seen: int) -> set[int]:
    """The seeds of all requests but the first so many."""
    return {request["seed"] for request in server.requests[seen:]}


async def test_concurrency_changes_no_byte(tmp_path: Path) -> None:
    with Loopback(perform) as server:
        for concurrency in (1, 64):
            await generated(server, tmp_path / str(concurrency), 12, concurrency=concurrency)
    assert contents(tmp_path / "1") == contents(tmp_path / "64")
    assert len(dialogues(tmp_path / "1")) == 12


async def test_more_dialogues_later_are_the_same_as_at_once(tmp_path: Path) -> None:
    with Loopback(perform) as server:
        await generated(server, tmp_path / "at once", 9)
        await generated(server, tmp_path / "later", 4)
        manifest = await generated(server, tmp_path / "later", 9)
    assert contents(tmp_path / "later") == contents(tmp_path / "at once")
    assert manifest.calls == len(journaled(tmp_path / "later"))


# -- budgets ---------------------------------------------------------------------------------------------------------


def test_a_budget_stops_a_run_that_a_larger_one_finishes(tmp_path: Path) -> None:
    with Loopback(perform) as server:
        assert ended(command(server, tmp_path / "reference", "--quiet", n=4)).returncode == 0
        once = server.count
        short = ended(command(server, tmp_path / "out", "--max-tokens-total", "1300", "--quiet", n=4))
        assert short.returncode == 1
        assert "the next call might exceed the budget of 1300 tokens" in short.stderr
        assert short.stderr.count("might exceed") == 1
        assert f"--out {tmp_path / 'out'}" in short.stderr
        assert "Go on with more, as in:\n" in short.stderr
        assert "--max-tokens-total 2600" in short.stderr
        assert "Traceback" not in short.stderr
        stopped = json.loads((tmp_path / "out" / "manifest.json").read_bytes())
        assert stopped["status"] == "interrupted"
        assert stopped["tokens"] == 18 * stopped["calls"] <= 1300
        assert stopped["calls"] == len(journaled(tmp_path / "out")) == server.count - once
        whole = ended(command(server, tmp_path / "out", "--max-tokens-total", "100000", "--quiet", n=4))
        assert (whole.returncode, whole.stderr) == (0, "")
        assert server.count == 2 * once
    assert contents(tmp_path / "out") == contents(tmp_path / "reference")


@pytest.mark.parametrize("workers", ["1", "2"])
def test_the_command_that_is_proposed_has_room_for_the_next_call(tmp_path: Path, workers: str) -> None:
    with Loopback(perform) as server:
        none = ended(command(server, tmp_path / "out", "--max-tokens-total", "0", "--workers", workers, "--quiet", n=2))
        assert (none.returncode, server.count) == (1, 0)
        proposed = shlex.split(none.stderr.splitlines()[-1])
        assert proposed[0] == "dtomtrack"
        more = ended([*PYTHON, *proposed[1:]])
        assert server.count > 0, more.stderr


async def test_money_is_never_exceeded(tmp_path: Path) -> None:
    prices = tmp_path / "prices.yaml"
    prices.write_text("openai/x: {input: 1000.0, output: 3000.0}\n", encoding="utf-8")
    cost = (11 * 1000 + 7 * 3000) / 1e6
    with Loopback(perform, latency=0.01) as server, pytest.raises(BudgetError, match=r"the budget of \$5 "):
        await generated(server, tmp_path / "out", 50, concurrency=64, max_cost=5.0, prices=prices)
    paid = len(journaled(tmp_path / "out"))
    assert paid == server.count
    assert 2.0 < paid * cost <= 5.0
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_bytes())
    assert manifest["cost"] == pytest.approx(paid * cost)


# -- what is said of a run --------------------------------------------------------------------------------------------


async def test_a_folder_of_another_model_is_refused_with_what_differs(tmp_path: Path) -> None:
    with Loopback(perform) as server:
        await generated(server, tmp_path / "out", 1)
        before = contents(tmp_path / "out")
        others: list[tuple[dict[str, Any], str]] = [
            ({"temperature": 0.1}, "temperature"),
            ({"turn_format": "text"}, "turn format json there, text here"),
            ({"verifier_model": "openai/y"}, "verifier"),
        ]
        for options, said in others:
            with pytest.raises(DatasetError, match=said) as caught:
                await generated(server, tmp_path / "out", 1, **options)
            assert "\n" not in str(caught.value)
        with pytest.raises(DatasetError, match="openai/z") as caught:
            await agenerate("restaurant", n=1, out=tmp_path / "out", actor_model="openai/z", base_url=server.base_url)
        assert "openai/x" in str(caught.value)
    assert contents(tmp_path / "out") == before


def test_a_log_has_a_line_for_each_call_and_no_words(tmp_path: Path) -> None:
    log = tmp_path / "calls.log"
    with Loopback(perform) as server:
        run_once = ended(command(server, tmp_path / "out", "--log", str(log), n=3))
        assert run_once.returncode == 0, run_once.stderr
    text = log.read_text(encoding="utf-8")
    assert text.count("\n") == server.count
    assert text.count(" tokens, ") == server.count
    for dialogue in dialogues(tmp_path / "out"):
        for turn in dialogue.turns:
            assert turn.utterance not in text + run_once.stdout
            assert not any(speech.text in text + run_once.stdout for speech in turn.inner_speech)
        assert not any(fact in text for agent in dialogue.scenario.agents for fact in agent.private_info)
    assert KEY not in text + run_once.stdout + run_once.stderr
