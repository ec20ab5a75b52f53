"""Lines on standard output: numbers of things in words, and without what a terminal would act on."""

from __future__ import annotations

import typer

from dtomtrack.terminal import without_controls

__all__ = ["counted", "echo"]


def counted(number: int, one: str) -> str:
    """A number of things: "1 item", "2 items"."""
    return f"{number} {one}" if number == 1 else f"{number} {one}s"


def echo(text: str, *, err: bool = False, nl: bool = True) -> None:
    """Print a text that may have come from a file or a server."""
    typer.echo(without_controls(text), err=err, nl=nl)
