"""Lines on standard output, without what a terminal would act on."""

from __future__ import annotations

import typer

from dtomtrack.terminal import without_controls

__all__ = ["echo"]


def echo(text: str, *, err: bool = False, nl: bool = True) -> None:
    """Print a text that may have come from a file or a server."""
    typer.echo(without_controls(text), err=err, nl=nl)
