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
from threading import Event, Thread
from typing import TYPE_CHECKING

from dtomtrack.cli.pace import Pace
from dtomtrack.cli.stopping import complain

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderResult

    from dtomtrack.llm.usage import UsageTotals

__all__ = ["Waiting", "waiting"]

_EVERY = 30.0
"""Seconds between two lines where there is no terminal."""
_BAR = 24


@dataclass(frozen=True)
class _Stand:
    """How far something is: ``made`` are its results in words; ``wanted`` is None where nobody knows."""

    done: int
    wanted: int | None
    made: str
    usage: UsageTotals | None

    @property
    def calls(self) -> int:
        """Replies that came in."""
        return 0 if self.usage is None else self.usage.calls


@dataclass(frozen=True)
class _Paces:
    """How fast it goes, and its calls."""

    done: Pace
    calls: Pace


class Waiting:
    """How far a command is, of one thing after another.

    Args:
        now: the clock, in seconds; another for tests.
    """

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._stands: dict[str, _Stand] = {}
        self._paces: dict[str, _Paces] = {}

    def tell(
        self, name: str, done: int = 0, wanted: int | None = None, made: str = "", usage: UsageTotals | None = None
    ) -> None:
        """Something of this name is so far; it is the one that is shown from now on."""
        stand, now = _Stand(done, wanted, made, usage), self._now()
        paces = self._paces.setdefault(name, _Paces(Pace(now, done), Pace(now, stand.calls)))
        paces.done.note(now, done)
        paces.calls.note(now, stand.calls)
        self._stands[name] = stand

    def step(self, name: str) -> None:
        """Something else is begun, of which nobody knows how long it takes."""
        self.tell(name)

    def line(self) -> str | None:
        """All of it as one line; None before anything was told."""
        if not self._stands:
            return None
        name, stand = list(self._stands.items())[-1]
        now = self._now()
        told = (self._pace(name, stand, now), *self._details(name, stand, now))
        return f"{name}: {'; '.join(one for one in told if one)}" if any(told) else name

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        from rich.progress_bar import ProgressBar
        from rich.table import Table
        from rich.text import Text

        from dtomtrack.terminal import without_controls

        now = self._now()
        for name, stand in list(self._stands.items())[-1:]:
            yield Text(without_controls(name))
            if stand.wanted or stand.done:
                row = Table.grid(padding=(0, 2))
                bar = ProgressBar(total=stand.wanted, completed=stand.done, width=_BAR)
                row.add_row(bar, Text(self._pace(name, stand, now)))
                yield row
            for detail in self._details(name, stand, now):
                yield Text("\n".join(textwrap.wrap(without_controls(detail), options.max_width)))

    def _pace(self, name: str, stand: _Stand, now: float) -> str:
        """N of M, how many in what time, and how long the rest will take."""
        if not (stand.wanted or stand.done):
            return ""
        pace, done = self._paces[name].done, stand.done
        if stand.wanted is None:
            parts = [f"{done}", pace.rate(now, done)]
        else:
            parts = [f"{done}/{stand.wanted}", pace.rate(now, done), pace.left(now, done, stand.wanted)]
        return ", ".join(part for part in parts if part)

    def _details(self, name: str, stand: _Stand, now: float) -> list[str]:
        """What was made, what models took for it, and what went wrong last."""
        usage = stand.usage
        if usage is None:
            return [stand.made] if stand.made else []
        taken = (
            f"{usage.in_flight} calls under way",
            f"{usage.queued} queued",
            f"{usage.calls} done",
            self._paces[name].calls.rate(now, usage.calls, " calls"),
            f"{usage.retries} retries",
            f"{usage.tokens} tokens",
            f"${usage.cost:.4f}",
        )
        retried = f"last retry: {usage.last_retry}" if usage.last_retry else ""
        return [one for one in (stand.made, ", ".join(one for one in taken if one), retried) if one]


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
