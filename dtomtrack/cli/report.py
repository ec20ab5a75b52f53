"""``dtomtrack report``: figures and a page on a dataset and on what was answered to its questions."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dtomtrack.cli.options import Evaluations, Strict
from dtomtrack.cli.output import counted, echo
from dtomtrack.cli.stopping import complain
from dtomtrack.files import as_argument

if TYPE_CHECKING:
    from dtomtrack.report.writing import Report

__all__ = ["EXAMPLES", "command"]

EXAMPLES = "dtomtrack report DIR --no-audit"


def command(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A finished dataset folder.")],
    audit: Annotated[
        bool, typer.Option("--audit/--no-audit", help="Whether the questions are audited, too, and the page shows it.")
    ] = True,
    dialogues: Annotated[
        int, typer.Option(help="How many dialogues the page shows: the first; of more than 2,000, drawn ones.")
    ] = 500,
    out: Annotated[Path | None, typer.Option(help="A folder for page and figures.  [default: DIR/report]")] = None,
    evaluations: Evaluations = None,
    strict: Strict = False,
) -> None:
    """Write figures (SVG, PNG) and one self-contained page to DIR/report.

    The page has the table of accuracies, the figures, the audit and a browser of the dialogues with every subject's
    answers. It opens from disk: no server, no network.
    """
    from dtomtrack.cli.waiting import waiting
    from dtomtrack.library import make_report

    with waiting() as shown:
        tell = shown.step if shown is not None else (lambda _: None)
        written = make_report(folder, out=out, evaluations=evaluations, audit=audit, dialogues=dialogues, tell=tell)
    answered = evaluations or folder / "eval"
    for name in written.unfinished:
        complain(f"{answered / name} is not finished: the report has the answers that are there, if there are any")
    echo(
        f"{_found(written)}, {counted(len(written.figures), 'figure file')}, "
        f"{counted(written.dialogues, 'dialogue')} to look at: {written.page}"
    )
    if not (written.subjects or written.players or written.unfinished):
        place = "" if evaluations is None else f" --out {shlex.quote(as_argument(evaluations))}"
        command = f"dtomtrack evaluate {shlex.quote(as_argument(folder))} -m PROVIDER/NAME{place}"
        echo(f"nobody has answered it yet: {command} asks a model; then report it again")


def _found(written: Report) -> str:
    """The matter of a report: who played, what a suite shows by itself, how many evaluations."""
    told = [f"{counted(len(written.players), 'subject')} that played"] if written.players else []
    if written.subjects or not (told or written.sections):
        told.append(counted(len(written.subjects), "evaluation"))
    return ", ".join((*written.sections, *told))
