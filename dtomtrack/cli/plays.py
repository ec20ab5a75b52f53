"""``dtomtrack play``: suites in which subjects take part, a command each."""

from __future__ import annotations

import typer

from dtomtrack.cli import play, tomelp_play
from dtomtrack.cli.help import GroupedCommand

__all__ = ["app"]

app = typer.Typer(
    name="play",
    help="Interactive suites: subjects (models, policies, a person) take part, and are scored.",
    no_args_is_help=True,
)
app.command(
    "rhetbench",
    cls=GroupedCommand,
    short_help="Persuade a character whose mind can't be seen.",
    epilog=play.EXAMPLES,
)(play.command)
app.command(
    "tomelp",
    cls=GroupedCommand,
    short_help="Persuade by evidence or by cues; a judge scores it.",
    epilog=tomelp_play.EXAMPLES,
)(tomelp_play.command)
