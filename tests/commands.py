"""Commands in processes of their own, forked from one that has imported everything.

Where it prints, its status and what it leaves are as with `python -m dtomtrack`; only starting takes no second.
Tests of starting and stopping start the real thing. Worker processes are forked from there, too, by `ForkedWorkers`;
those of such a command from itself, before it has done anything, by `_EarlyWorkers`.
"""

from __future__ import annotations

import os
import runpy
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import pairwise
from multiprocessing import forkserver, get_context
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerContext
from multiprocessing.process import BaseProcess
from pathlib import Path
from subprocess import CompletedProcess
from typing import BinaryIO

import pytest

from dtomtrack.cli.main import main
from dtomtrack.runs import starting
from dtomtrack.runs.worker_process import work

__all__ = ["PYTHON", "ForkedWorkers", "Started", "begun", "ended", "run", "script", "started", "told"]

PYTHON = [sys.executable, "-m", "dtomtrack"]
"""The beginning of the command line that starts the real thing."""
_FORK = get_context("fork")
_SPAWN = get_context("spawn")


@cache
def _forking() -> ForkServerContext:
    """What forks commands: a process that has done what stands in `prepared`."""
    context = get_context("forkserver")
    context.set_forkserver_preload(["prepared"])
    # not before Python 3.13 does it look for modules where this process does
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(Path(__file__).parent), prepend=os.pathsep)
        forkserver.ensure_running()
    return context


def run(*arguments: str | Path, cwd: Path | None = None, env: Mapping[str, str] | None = None) -> CompletedProcess[str]:
    """`dtomtrack` with these arguments, when it has come to its end; what is not said is as in this process."""
    return _finished(main, ["dtomtrack", *map(str, arguments)], cwd, env)


def told(*arguments: str | Path) -> str:
    """The one line, but for the program's name, of a command that ends with status 2."""
    done = run(*arguments)
    assert (done.returncode, done.stderr.count("\n"), done.stdout) == (2, 1, ""), done.stderr
    return done.stderr.removeprefix("dtomtrack: ").rstrip()


def ended(
    command: Sequence[str | Path], *, cwd: Path | None = None, env: Mapping[str, str] | None = None
) -> CompletedProcess[str]:
    """The same of a command line that would start the real thing."""
    assert list(command[: len(PYTHON)]) == PYTHON
    return run(*command[len(PYTHON) :], cwd=cwd, env=env)


def script(path: Path, cwd: Path, *arguments: str, env: Mapping[str, str] | None = None) -> CompletedProcess[str]:
    """A Python file when it has been run to its end, in this folder."""
    return _finished(_run_script, [str(path), *arguments], cwd, env)


def begun(command: Sequence[str], streams: Mapping[int, int], env: Mapping[str, str]) -> BaseProcess:
    """Such a command line at work, with these open files of this process as its standard streams, by descriptor."""
    assert list(command[: len(PYTHON)]) == PYTHON
    return _begun(main, ["dtomtrack", *command[len(PYTHON) :]], streams, None, env)


class Started:
    """A command line at work that may be killed; its words are those of `subprocess.Popen`."""

    def __init__(self, process: BaseProcess, errors: BinaryIO) -> None:
        assert process.pid is not None
        self.pid = process.pid
        self._process = process
        self._errors = errors

    def poll(self) -> int | None:
        """Its exit status; None while it works."""
        return self._process.exitcode

    def kill(self) -> None:
        """As if there was no memory left."""
        self._process.kill()

    def ended(self) -> tuple[int, str]:
        """Its exit status and what it wrote on standard error, when it has come to its end."""
        self._process.join()
        assert self._process.exitcode is not None
        with self._errors:
            self._errors.seek(0)
            return self._process.exitcode, self._errors.read().decode()


def started(command: Sequence[str | Path]) -> Started:
    """Such a command line at work, to be looked after."""
    errors = tempfile.TemporaryFile()  # noqa: SIM115 - closed when the command has ended
    with Path(os.devnull).open("wb") as nowhere:
        words = [str(one) for one in command]
        return Started(begun(words, {1: nowhere.fileno(), 2: errors.fileno()}, os.environ), errors)


class ForkedWorkers:
    """What starts the workers of this process, instead of a `multiprocessing` context that spawns them."""

    def Pipe(self) -> tuple[Connection, Connection]:
        """As there."""
        return _forking().Pipe()

    def Process(self, *, target: Callable[..., None], args: tuple[object, ...], daemon: bool) -> BaseProcess:
        """As there; it has the environment of this process, not that of what it is forked from."""
        return _forking().Process(target=_work, args=(dict(os.environ), target, args), daemon=daemon)


def _work(env: dict[str, str], job: Callable[..., None], arguments: tuple[object, ...]) -> None:
    os.environ.clear()
    os.environ.update(env)
    job(*arguments)


class _EarlyWorker:
    """A worker that waits for its assignment; it stands for its end of the pipe, too, which it has already."""

    def __init__(self) -> None:
        self.ours, theirs = _FORK.Pipe()
        self._process = _FORK.Process(target=work, args=(theirs,), daemon=True)
        self._process.start()
        theirs.close()
        self.kill, self.join = self._process.kill, self._process.join

    def start(self) -> None:
        """It goes on already."""

    def close(self) -> None:
        """Nobody else is at its end."""


class _EarlyWorkers:
    """Workers of a command, forked while nothing else goes on in it; those that it has beyond are spawned."""

    def __init__(self, workers: int) -> None:
        self._waiting = [_EarlyWorker() for _ in range(workers)]

    def Pipe(self) -> tuple[Connection, object]:
        """As that of a `multiprocessing` context."""
        if not self._waiting:
            return _SPAWN.Pipe()
        worker = self._waiting.pop()
        return worker.ours, worker

    def Process(self, *, target: Callable[..., None], args: tuple[object, ...], daemon: bool) -> object:
        """As there."""
        assert daemon and target is work
        (theirs,) = args
        return theirs if isinstance(theirs, _EarlyWorker) else _SPAWN.Process(target=target, args=args, daemon=daemon)

    def end(self) -> None:
        """End those that nobody wanted."""
        for worker in self._waiting:
            worker.kill()


def _workers_in(words: Sequence[str]) -> int:
    """The workers that a command line asks for, where it does not ask for many."""
    after = dict(pairwise(words)).get("--workers", "")
    return int(after) if after in {"2", "3", "4"} else 0


def _finished(
    job: Callable[[], None], words: list[str], cwd: Path | None, env: Mapping[str, str] | None
) -> CompletedProcess[str]:
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        process = _begun(job, words, {1: out.fileno(), 2: err.fileno()}, cwd, os.environ if env is None else env)
        process.join()
        printed = []
        for file in (out, err):
            file.seek(0)
            printed.append(file.read().decode())
    assert process.exitcode is not None
    return CompletedProcess(words, process.exitcode, *printed)


def _begun(
    job: Callable[[], None], words: list[str], streams: Mapping[int, int], cwd: Path | None, env: Mapping[str, str]
) -> BaseProcess:
    # connections are what carries open files to a process that is no child of this one
    carried = {number: Connection(os.dup(opened)) for number, opened in streams.items()}
    process = _forking().Process(target=_do, args=(job, words, carried, str(cwd or Path.cwd()), dict(env)))
    process.start()
    for one in carried.values():
        one.close()
    return process


def _do(
    job: Callable[[], None], words: list[str], streams: Mapping[int, Connection], cwd: str, env: dict[str, str]
) -> None:
    for number, opened in streams.items():
        os.dup2(opened.fileno(), number)
        opened.close()
    if 0 in streams:
        sys.stdin = os.fdopen(0, closefd=False)
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(env)
    sys.argv = words
    workers = _EarlyWorkers(_workers_in(words))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(starting, "CONTEXT", workers)
        try:
            job()
        finally:
            workers.end()


def _run_script() -> None:
    runpy.run_path(sys.argv[0], run_name="__main__")
