"""Commands on a terminal of their own."""

from __future__ import annotations

import os
import pty
import re
import subprocess

__all__ = ["on_a_terminal"]


def on_a_terminal(arguments: list[str]) -> str:
    """What a command shows where standard error is a terminal."""
    master, slave = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "160"}
    process = subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=slave, env=environment)
    os.close(slave)
    shown = b""
    try:
        while part := os.read(master, 65536):
            shown += part
    except OSError:
        # so Linux tells that the other side is closed
        pass
    finally:
        os.close(master)
    assert process.wait() == 0, shown
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown.decode())
