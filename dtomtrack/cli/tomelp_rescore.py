"""``dtomtrack rescore --paper-defaults``: plays of ToMELP by our rules and by its paper's, side by side."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from dtomtrack.cli.stopping import complain, printing

if TYPE_CHECKING:
    from dtomtrack.suites.tomelp.rescoring import RescoredPlay

__all__ = ["rescore_plays"]


def rescore_plays(folder: Path, subject: str | None, *, quiet: bool) -> None:
    """Add up stored plays once more, write the paper's metrics beside ours, and show both."""
    from dtomtrack.suites.subjects import subject_folder
    from dtomtrack.suites.tomelp.play_run import PLAY
    from dtomtrack.suites.tomelp.rescoring import BY_DEFAULT, rescored_plays

    for one in rescored_plays(folder, subject):
        path = subject_folder(folder / PLAY, one.ours.subject) / BY_DEFAULT
        if not quiet:
            with printing(f"{path} has the metrics; the table"):
                _show(one)
        complain(f"{one.ours.subject}: {sum(one.ours.unjudged.values())} verdicts could not be had; {path}")


def _show(one: RescoredPlay) -> None:
    from dtomtrack.cli.console import Console
    from dtomtrack.cli.metrics_table import columns
    from dtomtrack.cli.output import echo
    from dtomtrack.suites.tomelp.tables import COLUMNS, TOLD, VARIANT_LABELS, interval_text, value_text

    for figures, by_default in zip(one.ours.variants, one.by_default.variants, strict=True):
        echo(f"{one.ours.subject}, {VARIANT_LABELS[figures.variant]}")
        table = columns("", "ours", "95 %", "by default", "95 %")
        for column in (*COLUMNS, TOLD):
            pair = column.figure(one.ours, figures), column.figure(one.by_default, by_default)
            texts = [(value_text(own), interval_text(own) or "-") for own in pair]
            table.add_row(column.label, *texts[0], *texts[1])
        Console(markup=False).print(table)
