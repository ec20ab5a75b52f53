"""Commands on a terminal of their own."""

from __future__ import annotations

import os
import pty
import re
from pathlib import Path

from commands import begun

__all__ = ["at_a_terminal", "on_a_terminal"]


def at_a_terminal(arguments: list[str], answer: bytes = b"", *, stdin: int | None = None) -> tuple[int, str]:
    """The exit status of a command, and what it shows on standard error to somebody who gives this answer.

    Without an answer it reads from `stdin`, an open file, or nothing.
    """
    master, slave = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "160"}
    with Path(os.devnull).open("r+b") as nowhere:
        unanswered = nowhere.fileno() if stdin is None else stdin
        streams = {0: slave if answer else unanswered, 1: nowhere.fileno(), 2: slave}
        process = begun(arguments, streams, environment)
    os.close(slave)
    os.write(master, answer)
    shown = b""
    try:
        while part := os.read(master, 65536):
            shown += part
    except OSError:
        # so Linux tells that the other side is closed
        pass
    finally:
        os.close(master)
    process.join()
    assert process.exitcode is not None
    return process.exitcode, shown.decode()


def on_a_terminal(arguments: list[str], *, stdin: int | None = None) -> str:
    """What a command shows where standard error is a terminal."""
    status, shown = at_a_terminal(arguments, stdin=stdin)
    assert status == 0, shown
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown)
