"""``dtomtrack import dailypersuasion``: conversations in DailyPersuasion's form, asked about as PersuasiveToM asks."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import Annotated

import typer

from dtomtrack.cli.importers.items import show_import
from dtomtrack.cli.published_import import OutOption

__all__ = ["EXAMPLES", "SHORT_HELP", "command"]

SHORT_HELP = "Conversations in the form of DailyPersuasion."
EXAMPLES = "dtomtrack import dailypersuasion train.json --out DIR"


def command(
    source: Annotated[Path, typer.Argument(metavar="FILE", help="A JSON file in the form of DailyPersuasion.")],
    out: OutOption,
) -> None:
    """Make a dataset of PersuasiveToM's kind from conversations in the form of DailyPersuasion.

    The persuader's desire comes from the goal, beliefs about attitudes from the tones, the prediction from the
    strategies; the other four types need an annotator.
    """
    from dtomtrack.suites.items.importing import check_out, write_imported
    from dtomtrack.suites.persuasivetom.daily import DailyPersuasion
    from dtomtrack.suites.persuasivetom.suite import SUITE

    check_out(out, source)
    command_line = shlex.join(["dtomtrack", *sys.argv[1:]])
    show_import(write_imported(SUITE, out, DailyPersuasion(source), command_line), out)
