"""Every command that waits for a language model shows how far it is, and what calls are under way."""

from __future__ import annotations

import os
import re
from itertools import count
from pathlib import Path
from threading import Timer

import pytest
from asking import refused
from commands import PYTHON
from loopback import Answer, Loopback, Request, completion
from model_folder import command
from performer import perform
from route_persuader import persuade
from route_plays import plays, scenes
from terminals import on_a_terminal

from dtomtrack.api import Options, agenerate
from dtomtrack.cli.waiting import waiting
from dtomtrack.runs.run import Progress

UNDER_WAY = r"[1-9]\d* calls under way, \d+ queued, \d+ done, (\d+\.\d calls/\w+, )?\d+ retries, \d+ tokens, \$0\.0000"
LINE = "A friend of mine told me how she did it, in a week with the data at hand, so it can be done."


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Scenes, and a scripted play of them."""
    folder = scenes(tmp_path_factory.mktemp("waiting") / "data", 3)
    plays(folder, "policy/faithful")
    return folder


def busy_at_first(request: Request, calls: count[int]) -> Answer:
    """Too busy for the first three."""
    return refused(429, "slow down", {"Retry-After": "0.5"}) if next(calls) < 3 else perform(request)


def says(request: Request) -> Answer:
    """Says a line, or fills in a form."""
    return persuade(request) if "response_format" in request else completion(LINE)


def test_worker_processes_show_what_one_process_shows(tmp_path: Path) -> None:
    calls = count()
    more = ("--engine", "processes", "--workers", "2")
    with Loopback(lambda request: busy_at_first(request, calls), latency=0.1) as server:
        shown = on_a_terminal(command(server, tmp_path / "out", *more, n=4))
    assert re.search(UNDER_WAY, shown)
    assert re.search(r"\d done, \d+\.\d calls/(s|min), ", shown)
    # four calls may be under way, and eight dialogues are
    assert re.search(r"[1-4] calls under way, [1-9]\d* queued, ", shown)
    assert re.search(r"[1-9] retries", shown)
    assert "last retry: 429, " in shown
    assert re.search(r"[1-4]/4, [\d.]+/(s|min)", shown)


async def test_without_a_terminal_lines_tell_of_all_workers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Loopback(perform, latency=0.03, keep=False) as server, waiting(every=0.02) as shown:

        def tell(one: Progress) -> None:
            assert shown is not None
            shown.tell("dialogues", one.done, one.wanted, usage=one.usage)

        models: Options = {"actor_model": "vllm/x", "base_url": server.base_url, "concurrency": 4}
        options: Options = {**models, "engine": "processes", "workers": 2}
        await agenerate("restaurant", n=16, out=tmp_path / "out", report=tell, **options)
    lines = capsys.readouterr().err.splitlines()
    at_work = [line for line in lines if re.match(rf"dtomtrack: dialogues: \d+/16.*; {UNDER_WAY}", line)]
    assert at_work
    # both workers' calls
    assert any(
        re.search(r"[34] calls under way, [1-9]\d* queued, [1-9]\d* done, \d+\.\d calls/s", one) for one in at_work
    )


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (("play", "rhetbench", "--scenarios", "needle_finder", "--samples", "2", "--turns", "4"), "2"),
        (("play", "tomelp", "DIR", "--judge", "rules", "--limit", "1"), "4"),
        (("play", "tomelp", "DIR", "--closed-loop", "--need", "0,1", "--turns", "2"), "6"),
    ],
)
def test_a_play_shows_how_far_each_subject_is(played: Path, tmp_path: Path, words: tuple[str, ...], named: str) -> None:
    arguments = [str(played) if word == "DIR" else word for word in words]
    # long enough that a bar drawn a few times a second can't miss the calls, on a busy machine neither
    with Loopback(says, latency=0.4) as server:
        asked = ("-m", "vllm/persuader", "--base-url", server.base_url, "--out", str(tmp_path / "out"))
        shown = on_a_terminal([*PYTHON, *arguments, *asked])
    assert "vllm/persuader" in shown
    assert re.search(rf"\d+/{named}", shown)
    assert re.search(UNDER_WAY, shown)


@pytest.mark.parametrize(("more", "what"), [((), "policy/faithful"), (("--calibrate", "--limit", "2"), "states")])
def test_a_judge_shows_how_far_it_is(played: Path, more: tuple[str, ...], what: str) -> None:
    with Loopback(persuade, latency=0.2) as server:
        asked = ("verify", str(played), "-m", "vllm/judge", "--base-url", server.base_url, *more)
        shown = on_a_terminal([*PYTHON, *asked])
    assert what in shown
    assert re.search(UNDER_WAY, shown)


def test_nothing_is_drawn_where_a_person_types(tmp_path: Path) -> None:
    """It would be drawn over the line that is typed."""
    asked = ("play", "rhetbench", "-m", "human", "--scenarios", "needle_finder", "--samples", "1", "--turns", "1")
    reader, writer = os.pipe()
    typing = Timer(0.5, os.write, (writer, f"{LINE}\n".encode()))
    typing.start()
    try:
        assert on_a_terminal([*PYTHON, *asked, "--out", str(tmp_path / "out")], stdin=reader) == ""
    finally:
        typing.join()
        os.close(reader)
        os.close(writer)
