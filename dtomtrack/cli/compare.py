"""``dtomtrack compare``: which of several subjects are better on the same items."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dtomtrack.cli.options import Evaluations, Strict
from dtomtrack.cli.output import echo
from dtomtrack.cli.stopping import complain, printing

if TYPE_CHECKING:
    from dtomtrack.evaluation.comparison import Comparisons

__all__ = ["EXAMPLES", "command"]

EXAMPLES = """
dtomtrack compare DIR
dtomtrack compare DIR --subject baseline/recency --subject openai/gpt-4o-mini
"""


def command(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A dataset folder with evaluations.")],
    subject: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="Compare this one, by a model's name or a folder's in eval; may be given several times.  [default: "
            "all]",
        ),
    ] = None,
    evaluations: Evaluations = None,
    strict: Strict = False,
) -> None:
    """Compare subjects, each with each other, on the items that both answered.

    Differences are of accuracy, in points, with intervals clustered by dialogue; p values are corrected for the number
    of pairs (Holm). An evaluation that was stopped counts as far as it got.
    """
    from dtomtrack.library import compare

    found = compare(folder, subject or (), evaluations=evaluations)
    with printing("the table", needed=True):
        _show(found)
    for name in found.stopped:
        complain(f"{name} was stopped: the items that it answered so far are compared; the evaluate command goes on")


def _show(found: Comparisons) -> None:
    from dtomtrack.cli.console import Console
    from dtomtrack.cli.metrics_table import columns, p_text, percent, points

    number = {name: str(place) for place, name in enumerate(found.subjects, 1)}
    pairs = columns("", "items", "accuracies", "difference, 95 %", "p (Holm)", "left out")
    for name, own_number in number.items():
        echo(f"{own_number:>2}  {name}{' (reads the records)' if name in found.references else ''}")
    for pair in found.pairs:
        own = pair.compared.overall
        pairs.add_row(
            f"{number[pair.one]} - {number[pair.other]}",
            str(own.items),
            f"{percent(own.one)}, {percent(own.other)}",
            points(own.difference),
            "-" if pair.holm is None else p_text(pair.holm),
            str(pair.compared.left_out),
        )
    Console().print(pairs)
