"""``dtomtrack play``: suites in which subjects take part, a command each."""

from __future__ import annotations

import typer

from dtomtrack.cli import play, tomelp_play

__all__ = ["app"]

app = typer.Typer(
    name="play",
    help="Interactive suites: subjects (models, policies, a person) take part, and are scored.",
    no_args_is_help=True,
)
app.command("rhetbench")(play.command)
app.command("tomelp")(tomelp_play.command)
