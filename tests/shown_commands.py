"""Whether lines that documentation and help show are commands of this program."""

from __future__ import annotations

import shlex
from functools import cache
from typing import Any

import typer

from dtomtrack.cli.main import app

__all__ = ["is_command"]


def is_command(line: str) -> bool:
    """Whether a line names a command and nothing but options that the command has, as a shell takes it."""
    words = shlex.split(line.partition("#")[0].partition(" > ")[0])[1:]
    command = _commands()
    while words and words[0] in getattr(command, "commands", {}):
        command = command.commands[words.pop(0)]
    options = {"--help", *(name for one in command.params for name in (*one.opts, *one.secondary_opts))}
    leads_on = hasattr(command, "commands") and bool(words) and not words[0].startswith("-")
    # a shell takes what stands behind it for another program
    piped = any("|" in word for word in line.split() if not word.startswith(("'", '"')))
    return not leads_on and not piped and all(word in options for word in words if word.startswith("-"))


@cache
def _commands() -> Any:
    return typer.main.get_command(app)
