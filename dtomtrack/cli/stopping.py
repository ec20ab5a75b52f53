"""For commands that can be stopped and given again: signals, the hint how to go on, a log, full pipes."""

from __future__ import annotations

import asyncio
import errno
import logging
import os
import re
import signal
import sys
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import NoReturn, TypeVar

import typer

from dtomtrack.cli.command_line import command_line, with_more
from dtomtrack.errors import BudgetError, InputError, ModelError, WorkerError
from dtomtrack.terminal import without_controls

__all__ = ["close_output", "complain", "end_interrupted", "logging_to", "printing", "resumable", "run_stoppable"]

_SIGNALS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))

_SAFE = "What is done is safe, and no reply that came in is paid for twice."
_STAMP = len("2026-11-22 15:04:05,678 ")
_BEGINS = re.compile(rb"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3} ")
"""The beginning of each line of a log."""

Result = TypeVar("Result")


def complain(what: str) -> None:
    """A line on standard error."""
    sys.stderr.write(f"dtomtrack: {without_controls(what)}\n")


@contextmanager
def resumable() -> Iterator[str]:
    """For a command that goes on when it is given again; gives the command line.

    Raises:
        typer.Exit: 130 where it was interrupted, 1 where a language model, or the death of a worker, stopped it.
    """
    line = command_line()
    try:
        with _handling(_interrupt):
            yield line
    except KeyboardInterrupt as error:
        end_interrupted(f"{str(error) or 'interrupted'}; what is done is safe. Go on with:\n  {line}")
    except BudgetError as error:
        # the very command would end at once: its budget is spent
        complain(f"{error}\n{_SAFE} Go on with more, as in:\n  {with_more(line, error.tokens, error.cost)}")
        raise typer.Exit(1) from None
    except (ModelError, WorkerError) as error:
        complain(f"{error}\n{_SAFE} Go on with:\n  {line}")
        raise typer.Exit(1) from None


def end_interrupted(what: str) -> NoReturn:
    """Say so, and end; further signals change nothing.

    Raises:
        typer.Exit: 130.
    """
    complain(what)
    # not before: a signal that came in already and finds nobody would be shown as an error
    for one in _SIGNALS:
        signal.signal(one, signal.SIG_IGN)
    raise typer.Exit(130) from None


def run_stoppable(work: Coroutine[None, None, Result]) -> Result:
    """The result of a coroutine. The first signal cancels it; others, while it closes what it opened, change nothing.

    Raises:
        KeyboardInterrupt: it was cancelled by a signal.
    """
    stop = _Stop()

    async def main() -> Result:
        try:
            stop.listen()
            return await work
        finally:
            # one that was never begun would be complained of
            work.close()

    with _handling(stop.ask):
        try:
            return asyncio.run(main())
        except (asyncio.CancelledError, WorkerError):
            # a signal to the whole group ends the workers, too
            if not stop.asked:
                raise
            raise KeyboardInterrupt from None


class _Stop:
    """Cancels the task that listens, once, when it is asked to."""

    def __init__(self) -> None:
        self.asked = False
        self._cancel: Callable[[], None] | None = None

    def listen(self) -> None:
        """From here on this task can be cancelled.

        Raises:
            asyncio.CancelledError: that was asked for before.
        """
        task, loop = asyncio.current_task(), asyncio.get_running_loop()

        def cancel() -> None:
            if task is not None and not loop.is_closed():
                loop.call_soon_threadsafe(task.cancel)

        self._cancel = cancel
        if self.asked:
            raise asyncio.CancelledError

    def ask(self, number: int, frame: FrameType | None) -> None:
        """A handler of signals."""
        if self.asked:
            return
        self.asked = True
        if self._cancel is not None:
            self._cancel()


@contextmanager
def _handling(handler: Callable[[int, FrameType | None], None]) -> Iterator[None]:
    """Signals that stop a program go to this handler; those that are ignored, as with nohup, still are.

    They don't go through the event loop: once it is closed, the next SIGTERM would kill. After an interruption they do
    nothing any more.
    """
    before = {one: old for one in _SIGNALS if (old := signal.getsignal(one)) not in {None, signal.SIG_IGN}}
    for one in before:
        signal.signal(one, handler)
    try:
        yield
    except KeyboardInterrupt:
        before = dict.fromkeys(before, _let_pass)
        raise
    finally:
        for one, old in before.items():
            signal.signal(one, old)


def _interrupt(number: int, frame: FrameType | None) -> None:
    for one in _SIGNALS:
        signal.signal(one, _let_pass)
    raise KeyboardInterrupt


def _let_pass(number: int, frame: FrameType | None) -> None:
    pass


@contextmanager
def printing(what: str, *, needed: bool = False) -> Iterator[None]:
    """For what goes to standard output: if that is full or closed, one sentence on standard error tells so.

    Args:
        what: can't be printed then.
        needed: whether the command is given for nothing else.

    Raises:
        typer.Exit: 1, if it is needed and can't be printed.
    """
    try:
        yield
        if sys.stdout is not None:
            sys.stdout.flush()
    except (OSError, SystemExit) as error:
        # rich leaves by SystemExit where nobody reads any more
        reason = error.strerror if isinstance(error, OSError) else os.strerror(errno.EPIPE)
        complain(f"{what} can't be printed ({reason})")
        close_output()
        if needed:
            raise typer.Exit(1) from None


def close_output() -> None:
    """Else Python would try again to write, and complain, at the end of the program."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


@contextmanager
def logging_to(path: Path | None, collector: str | None = None, *, asks: bool = True) -> Iterator[None]:
    """Lines of the language-model layer go to this file, if it can be written, and spans to this collector.

    Args:
        asks: whether any language model is asked.

    Raises:
        InputError: spans can't go there, the file is there and no log, or there would be no line in it.
    """
    if path is not None and not asks:
        raise InputError(f"--log {path}: has a line for each call, and no language model is asked here; leave it out")
    # imported late: it is not needed for what is printed at once
    from dtomtrack.llm.span_export import sending_spans

    with sending_spans(collector, complain), _lines_to(path):
        yield


@contextmanager
def _lines_to(path: Path | None) -> Iterator[None]:
    if path is None:
        yield
        return
    _check_log(path)
    handler = _Log(path)
    handler.setFormatter(_WithIds("%(asctime)s %(ids)s%(message)s"))
    logger = logging.getLogger("dtomtrack.llm")
    logger.setLevel(logging.INFO)
    logger.addHandler(handler)
    try:
        yield
    finally:
        logger.removeHandler(handler)
        handler.close()


def _check_log(path: Path) -> None:
    """See that lines are not put behind a dataset's, or anything else that is no log."""
    try:
        if not path.is_file():
            return
        with path.open("rb") as file:
            start = file.read(_STAMP)
    except OSError:
        # whatever it is: it is told when there is a line to write
        return
    if start and not _BEGINS.fullmatch(start):
        raise InputError(f"--log {path}: is there already, and is no log; name another file")


class _WithIds(logging.Formatter):
    """A line with the ids of its call, as others that write logs have them; what is about no call has none."""

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        named = ((name, getattr(record, name, None)) for name in ("trace_id", "span_id"))
        record.ids = "".join(f"{name}={value} " for name, value in named if value)
        return super().format(record)


class _Log(logging.FileHandler):
    """A log that is opened with its first line, and that a run goes on without if it can't be written."""

    def __init__(self, path: Path) -> None:
        # opened late: it may lie in a folder that the run makes
        super().__init__(path, encoding="utf-8", errors="backslashreplace", delay=True)
        self._given_up = False

    def emit(self, record: logging.LogRecord) -> None:
        """Write a line."""
        if self._given_up:
            return
        try:
            super().emit(record)
        except OSError as error:
            self._give_up(error)

    def handleError(self, record: logging.LogRecord) -> None:
        """Leave it to `emit`: logging itself would print a traceback."""
        raise

    def close(self) -> None:
        """Write what is left, if that can be."""
        try:
            super().close()
        except OSError as error:
            self._give_up(error)

    def _give_up(self, error: OSError) -> None:
        if not self._given_up:
            self._given_up = True
            complain(f"{self.baseFilename}: can't be written ({error.strerror}); the run goes on without this log")
