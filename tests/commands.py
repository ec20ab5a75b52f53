"""Commands in processes of their own, forked from one that has imported everything.

Where it prints, its status and what it leaves are as with `python -m dtomtrack`; only starting takes no second.
Tests of starting and stopping start the real thing.
"""

from __future__ import annotations

import os
import runpy
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from subprocess import CompletedProcess

from dtomtrack.cli.main import main

__all__ = ["PYTHON", "begun", "ended", "run", "script"]

PYTHON = [sys.executable, "-m", "dtomtrack"]
"""The beginning of the command line that starts the real thing."""

_FORKING = get_context("forkserver")
_FORKING.set_forkserver_preload(
    [
        "commands",
        "dtomtrack.api",
        "dtomtrack.audit.run",
        "dtomtrack.cli.metrics_table",
        "dtomtrack.cli.summary",
        "dtomtrack.graphs.roleplay",
        "dtomtrack.library",
        "dtomtrack.report.writing",
        "dtomtrack.runs.engines.local",
        "dtomtrack.suites.dtom.generation",
        "dtomtrack.suites.dtom.suite",
        "matplotlib.backends.backend_agg",
        "matplotlib.figure",
        "sklearn.linear_model",
        "sklearn.model_selection",
        "statsmodels.api",
    ]
)


def run(*arguments: str | Path, cwd: Path | None = None, env: Mapping[str, str] | None = None) -> CompletedProcess[str]:
    """`dtomtrack` with these arguments, when it has come to its end; what is not said is as in this process."""
    return _finished(main, ["dtomtrack", *map(str, arguments)], cwd, env)


def ended(
    command: Sequence[str | Path], *, cwd: Path | None = None, env: Mapping[str, str] | None = None
) -> CompletedProcess[str]:
    """The same of a command line that would start the real thing."""
    assert list(command[: len(PYTHON)]) == PYTHON
    return run(*command[len(PYTHON) :], cwd=cwd, env=env)


def script(path: Path, cwd: Path) -> CompletedProcess[str]:
    """A Python file when it has been run to its end, in this folder."""
    return _finished(_run_script, [str(path)], cwd, None)


def begun(command: Sequence[str], streams: Mapping[int, int], env: Mapping[str, str]) -> BaseProcess:
    """Such a command line at work, with these open files of this process as its standard streams, by descriptor."""
    assert list(command[: len(PYTHON)]) == PYTHON
    return _begun(main, ["dtomtrack", *command[len(PYTHON) :]], streams, None, env)


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
    process = _FORKING.Process(target=_do, args=(job, words, carried, str(cwd or Path.cwd()), dict(env)))
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
    job()


def _run_script() -> None:
    runpy.run_path(sys.argv[0], run_name="__main__")
