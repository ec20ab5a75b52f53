"""What is shown while a command works: how far it is, what models take for it, what went wrong last."""

from __future__ import annotations

from collections.abc import Iterator
from threading import Event

import pytest
from rich.console import Console

from dtomtrack.cli import waiting as module
from dtomtrack.cli.waiting import Waiting, waiting
from dtomtrack.llm.usage import UsageTotals

NAME = "vllm/meta-llama/Llama-3.3-70B-Instruct"


def busy(why: str) -> UsageTotals:
    """Many calls, of which the last was made again for this reason."""
    sums = {"calls": 123_456, "in_flight": 128, "pending": 144, "retries": 31, "prompt_tokens": 98_765_432}
    return UsageTotals(**sums, cost=1234.5678, last_retry=why)


def told(clock: Iterator[float], usage: UsageTotals | None = None) -> Waiting:
    """Something that began at 0 of 317, and is at 120 when the clock says the next time."""
    shown = Waiting(now=lambda: next(clock))
    shown.tell(NAME, 0, 317, "0 right, 0 unparsed, 0 errors", usage)
    shown.tell(NAME, 120, 317, "87 right, 0 unparsed, 1 errors", usage)
    return shown


def test_a_line_says_how_far_how_fast_and_how_long_still() -> None:
    line = told(iter((0.0, 60.0, 60.0))).line()
    assert line == f"{NAME}: 120/317, 2.0/s, 0:01:38 left; 87 right, 0 unparsed, 1 errors"


@pytest.mark.parametrize(("seconds", "rate"), [(60.0, "2.0/s"), (1200.0, "6.0/min"), (36_000.0, "12.0/h")])
def test_the_rate_is_in_units_that_can_be_read(seconds: float, rate: str) -> None:
    assert f", {rate}, " in (told(iter((0.0, seconds, seconds))).line() or "")


def test_calls_and_the_last_retry_are_told() -> None:
    line = told(iter((0.0, 60.0, 60.0)), busy("429, next try in 4 s")).line() or ""
    assert "128 calls under way, 16 queued, 123456 done, 31 retries, 98765432 tokens, $1234.5678; last" in line
    assert line.endswith("last retry: 429, next try in 4 s")


def test_what_was_there_before_makes_nothing_faster() -> None:
    clock = iter((0.0, 5.0, 10.0, 10.0))
    shown = Waiting(now=lambda: next(clock))
    shown.tell("dialogues", 400, 500)
    assert shown.line() == "dialogues: 400/500"
    shown.tell("dialogues", 410, 500)
    assert shown.line() == "dialogues: 410/500, 1.0/s, 0:01:30 left"


def test_calls_have_a_rate_of_their_own() -> None:
    clock = iter((0.0, 10.0, 10.0))
    shown = Waiting(now=lambda: next(clock))
    shown.tell(NAME, 0, 10, usage=UsageTotals(calls=1000))
    shown.tell(NAME, 0, 10, usage=UsageTotals(calls=1125))
    assert (
        shown.line()
        == f"{NAME}: 0/10; 0 calls under way, 0 queued, 1125 done, 12.5 calls/s, 0 retries, 0 tokens, $0.0000"
    )


def test_what_goes_slower_now_is_told_as_slower() -> None:
    """A hundred a second for ten minutes, then one a second for two."""
    now = 0.0
    shown = Waiting(now=lambda: now)
    for second in range(721):
        now, done = float(second), min(second, 600) * 100 + max(0, second - 600)
        shown.tell("dialogues", done, 61_000)
    assert shown.line() == "dialogues: 60120/61000, 1.0/s, 0:14:40 left"


def test_what_is_rare_is_told_by_a_longer_time() -> None:
    """One in ten minutes: the last minute says nothing."""
    now = 0.0
    shown = Waiting(now=lambda: now)
    for minute in range(301):
        now = 60.0 * minute
        shown.tell("dialogues", minute // 10, 100)
    assert shown.line() == "dialogues: 30/100, 6.0/h, 11:40:00 left"


def test_nothing_is_cut_on_80_columns() -> None:
    console = Console(width=80, record=True)
    with console.capture() as captured:
        console.print(told(iter((0.0, 60.0, 60.0)), busy("no answer for long, asked a second time")))
    text = captured.get()
    assert "…" not in text
    assert max(map(len, text.split("\n"))) <= 80
    for part in (NAME, "120/317, 2.0/s, 0:01:38 left", "87 right, 0 unparsed", "$1234.5678", "asked a second time"):
        assert part in " ".join(text.split())


def test_without_a_terminal_there_is_a_line_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    lines: list[str] = []
    enough = Event()

    def note(line: str) -> None:
        lines.append(line)
        if len(lines) > 1:
            enough.set()

    monkeypatch.setattr(module, "complain", note)
    with waiting(every=0.01) as shown:
        assert shown is not None
        shown.step("drawing the figures")
        assert enough.wait(30)
    assert set(lines) == {"drawing the figures"}


def test_a_quick_command_says_nothing_and_neither_does_a_quiet_one(capsys: pytest.CaptureFixture[str]) -> None:
    with waiting() as shown:
        assert shown is not None
        shown.tell("dialogues", 1, 2)
    with waiting(quiet=True) as quiet:
        assert quiet is None
    assert capsys.readouterr() == ("", "")
