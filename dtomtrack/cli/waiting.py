"""What a command shows while it works: on a terminal a bar that is drawn anew, elsewhere a line now and then.

All of it goes to standard error. What is shown is looked up whenever it is drawn, so that calls, retries and the time
that is left go on while nothing is finished.
"""

from __future__ import annotations

import textwrap
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from threading import Event, Thread
from typing import TYPE_CHECKING

from dtomtrack.cli.stopping import complain

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderResult

    from dtomtrack.llm.usage import UsageTotals

__all__ = ["Waiting", "waiting"]

_EVERY = 30.0
"""Seconds between two lines where there is no terminal."""
_BAR = 24
_MINUTE, _HOUR = 60, 3600


@dataclass(frozen=True)
class _Stand:
    """How far something is: ``made`` are its results in words; ``wanted`` is None where nobody knows."""

    done: int
    wanted: int | None
    made: str
    usage: UsageTotals | None


class Waiting:
    """How far a command is, of one thing after another.

    Args:
        now: the clock, in seconds; another for tests.
    """

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._stands: dict[str, _Stand] = {}
        self._began: dict[str, tuple[float, int]] = {}

    def tell(
        self, name: str, done: int = 0, wanted: int | None = None, made: str = "", usage: UsageTotals | None = None
    ) -> None:
        """Something of this name is so far; it is the one that is shown from now on."""
        self._began.setdefault(name, (self._now(), done))
        self._stands[name] = _Stand(done, wanted, made, usage)

    def step(self, name: str) -> None:
        """Something else is begun, of which nobody knows how long it takes."""
        self.tell(name)

    def line(self) -> str | None:
        """All of it as one line; None before anything was told."""
        if not self._stands:
            return None
        name, stand = list(self._stands.items())[-1]
        told = (self._pace(name, stand), *_details(stand))
        return f"{name}: {'; '.join(one for one in told if one)}" if any(told) else name

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        from rich.progress_bar import ProgressBar
        from rich.table import Table
        from rich.text import Text

        from dtomtrack.terminal import without_controls

        for name, stand in list(self._stands.items())[-1:]:
            yield Text(without_controls(name))
            if stand.wanted or stand.done:
                row = Table.grid(padding=(0, 2))
                bar = ProgressBar(total=stand.wanted, completed=stand.done, width=_BAR)
                row.add_row(bar, Text(self._pace(name, stand)))
                yield row
            for detail in _details(stand):
                yield Text("\n".join(textwrap.wrap(without_controls(detail), options.max_width)))

    def _pace(self, name: str, stand: _Stand) -> str:
        """N of M, how many in what time, and how long the rest will take."""
        if not (stand.wanted or stand.done):
            return ""
        began, first = self._began[name]
        seconds, made = self._now() - began, stand.done - first
        parts = [f"{stand.done}" if stand.wanted is None else f"{stand.done}/{stand.wanted}"]
        if made > 0 and seconds > 0:
            parts.append(_rate(made / seconds))
            if stand.wanted is not None:
                left = timedelta(seconds=round((stand.wanted - stand.done) * seconds / made))
                parts.append(f"{left} left")
        return ", ".join(parts)


def _rate(a_second: float) -> str:
    if a_second >= 1:
        return f"{a_second:.1f}/s"
    if a_second * _MINUTE >= 1:
        return f"{a_second * _MINUTE:.1f}/min"
    return f"{a_second * _HOUR:.1f}/h"


def _details(stand: _Stand) -> list[str]:
    """What was made, what models took for it, and what went wrong last."""
    usage = stand.usage
    if usage is None:
        return [stand.made] if stand.made else []
    taken = (
        f"{usage.in_flight} calls under way, {usage.calls} done, {usage.retries} retries, {usage.tokens} tokens, "
        f"${usage.cost:.4f}"
    )
    retried = f"last retry: {usage.last_retry}" if usage.last_retry else ""
    return [one for one in (stand.made, taken, retried) if one]


@contextmanager
def waiting(*, quiet: bool = False, every: float = _EVERY) -> Iterator[Waiting | None]:
    """Shows how far a command is until the block ends; None where it is to be quiet.

    Args:
        every: seconds between two lines where standard error is no terminal.
    """
    from dtomtrack.cli.console import Console

    if quiet:
        yield None
        return
    console, shown = Console(stderr=True), Waiting()
    if not console.is_terminal:
        with _now_and_then(shown, every):
            yield shown
        return
    from rich.live import Live

    with Live(shown, console=console, transient=True):
        yield shown


@contextmanager
def _now_and_then(shown: Waiting, every: float) -> Iterator[None]:
    """A line of its own for how far it is, again and again."""
    over = Event()

    def tell() -> None:
        while not over.wait(every):
            line = shown.line()
            if line is not None:
                complain(line)

    teller = Thread(target=tell, daemon=True)
    teller.start()
    try:
        yield
    finally:
        over.set()
        teller.join()
