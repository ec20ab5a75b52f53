"""What commands that can be stopped and given again have in common: signals, the hint how to go on, a log."""

from __future__ import annotations

import logging
import shlex
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import typer

from dtomtrack.errors import ModelError, WriteError

__all__ = ["complain", "logging_to", "resumable"]


def complain(what: str) -> None:
    """A line on standard error."""
    sys.stderr.write(f"dtomtrack: {what}\n")


@contextmanager
def resumable() -> Iterator[str]:
    """For a command that goes on when it is given again; gives the command line.

    Raises:
        typer.Exit: 130 where it was interrupted, 1 where a language model stopped it.
    """
    command_line = shlex.join(["dtomtrack", *sys.argv[1:]])
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield command_line
    except KeyboardInterrupt:
        complain(f"interrupted; what is done is safe. Go on with:\n  {command_line}")
        raise typer.Exit(130) from None
    except ModelError as error:
        complain(f"{error}\nWhat is done is safe, and nothing is paid for twice. Go on with:\n  {command_line}")
        raise typer.Exit(1) from None


@contextmanager
def logging_to(path: Path | None) -> Iterator[None]:
    """Lines of the language-model layer go to this file.

    Raises:
        WriteError: it can't be written.
    """
    if path is None:
        yield
        return
    try:
        handler = logging.FileHandler(path, encoding="utf-8")
    except OSError as error:
        raise WriteError(f"{path}: can't be written ({error.strerror}); choose another --log") from error
    handler.setFormatter(logging.Formatter("%(asctime)s %(message)s"))
    logger = logging.getLogger("dtomtrack.llm")
    logger.setLevel(logging.INFO)
    logger.addHandler(handler)
    try:
        yield
    finally:
        logger.removeHandler(handler)
        handler.close()
