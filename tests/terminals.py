"""Commands on a terminal of their own."""

from __future__ import annotations

import os
import pty
import re
import subprocess

__all__ = ["at_a_terminal", "on_a_terminal"]


def at_a_terminal(arguments: list[str], answer: bytes = b"") -> tuple[int, str]:
    """The exit status of a command, and what it shows on standard error to somebody who gives this answer."""
    master, slave = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "160"}
    process = subprocess.Popen(
        arguments, stdin=slave if answer else None, stdout=subprocess.DEVNULL, stderr=slave, env=environment
    )
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
    return process.wait(), shown.decode()


def on_a_terminal(arguments: list[str]) -> str:
    """What a command shows where standard error is a terminal."""
    status, shown = at_a_terminal(arguments)
    assert status == 0, shown
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown)
