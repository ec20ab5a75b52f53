"""``dtomtrack trajectories``: annotated conversations as questions about before, after and when."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import Annotated

import typer

from dtomtrack.cli.importers.items import show_import

__all__ = ["EXAMPLES", "command"]

EXAMPLES = """
dtomtrack trajectories mine.jsonl --out DIR
dtomtrack trajectories PersuasiveToM --out DIR --balanced
dtomtrack trajectories RecToM --iard umap2020_IARD_Cai.json --out DIR
"""


def command(
    source: Annotated[
        Path,
        typer.Argument(
            metavar="PATH",
            help="A .jsonl or .csv file of trajectories, the repository of PersuasiveToM, RecToM or NegotiationToM, or "
            "persuasiontrace's results.",
        ),
    ],
    out: Annotated[Path, typer.Option(help="A new folder.")],
    form: Annotated[
        str | None,
        typer.Option(
            help="How the source is written: jsonl, csv, persuasivetom, rectom, negotiationtom, persuasiontrace.  "
            "[default: by the names of files]"
        ),
    ] = None,
    thresholds: Annotated[
        tuple[float, float],
        typer.Option(
            metavar="LOW HIGH",
            help="Beliefs in persuasiontrace below the first are a no, above the second a yes.",
        ),
    ] = (0.4, 0.6),
    iard: Annotated[
        Path | None,
        typer.Option(help="IARD's file, which says where recommendations in RecToM's dialogues are taken up."),
    ] = None,
    balanced: Annotated[
        bool,
        typer.Option("--balanced", help="Ask as many questions of each kind of change, and of each value at a turn."),
    ] = False,
) -> None:
    """Make a dataset of annotated conversations: what somebody held before a change, after it, and when it was.

    A line of JSON Lines is {id, turns: [{speaker, utterance}], states: [{turn, holder, about?, mental_state, topic,
    content}], topics: [{id, label, values, question?,
    unsettled?}]}: a state holds until its next entry; turns count from 0, content null says that it
    is not known, and what somebody believes and what they want are two topics. Right answers come from a
    tracker that reads these states.
    """
    from dtomtrack.suites.trajectories.importing import import_trajectories

    line = shlex.join(["dtomtrack", *sys.argv[1:]])
    manifest = import_trajectories(
        source, out, form=form, balance=balanced, thresholds=thresholds, iard=iard, command=line
    )
    show_import(manifest, out)
