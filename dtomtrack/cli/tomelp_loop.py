"""``dtomtrack play tomelp --closed-loop``: what becomes of a request, and its table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from dtomtrack.cli.output import echo
from dtomtrack.cli.stopping import logging_to, printing, run_stoppable
from dtomtrack.cli.subject_progress import show_subjects

if TYPE_CHECKING:
    from dtomtrack.cli.options import RunFlags
    from dtomtrack.suites.tomelp.loop.metrics import LoopMetrics
    from dtomtrack.suites.tomelp.loop.run import LoopRequest

__all__ = ["needs_of", "play_loops"]


def needs_of(text: str) -> tuple[float, ...]:
    """Needs for cognition, as they are written with commas.

    Raises:
        InputError: one is no number from 0 to 1.
    """
    from dtomtrack.errors import InputError

    try:
        found = tuple(float(one) for one in text.split(","))
    except ValueError:
        raise InputError(f"--need {text[:80]!r}: give numbers from 0 to 1 with commas between them") from None
    if not all(0 <= one <= 1 for one in found):
        raise InputError(f"--need {text[:80]!r}: a need for cognition lies between 0 and 1")
    return found


def play_loops(request: LoopRequest, running: RunFlags) -> None:
    """Talk, or say how many calls that takes."""
    from dtomtrack.suites.subjects import subject_folder
    from dtomtrack.suites.tomelp.loop.run import count_calls, run_loops

    if running.dry_run:
        conversations, calls = count_calls(request)
        with printing("the product", needed=True):
            echo(f"{conversations:,} conversations with each model; at most {calls:,} calls, and fewer where it agrees")
        return
    with logging_to(running.log, running.trace), show_subjects(quiet=running.quiet) as report:
        found = run_stoppable(run_loops(request, report))
    if not running.quiet:
        with printing(f"{request.place} has all conversations and metrics; the table"):
            _show(found)
            for one in found:
                echo(f"conversations: {subject_folder(request.place, one.subject)}")


def _show(found: Sequence[LoopMetrics]) -> None:
    from dtomtrack.cli.console import Console
    from dtomtrack.cli.metrics_table import columns
    from dtomtrack.suites.tomelp.loop.reporting import loop_tables

    for shown in loop_tables(found):
        for row in shown.rows:
            echo(row.name)
            table = columns("", "", "95 %")
            for name, cell in zip(shown.columns, row.cells, strict=True):
                table.add_row(name, cell.text, f"[{cell.interval}]" if cell.interval else "-")
            Console(markup=False).print(table)
    for one in found:
        cost = f"; {one.calls} calls, {one.tokens} tokens, ${one.cost:.4f}" if one.calls else ""
        failed = sum(own.uninferred for own in one.variants)
        told = f"; {failed} inferences could not be used" if failed else ""
        cut, withheld = one.flagged
        told += f"; {cut} messages were cut, and {withheld} refused or filtered" if cut or withheld else ""
        echo(f"{one.subject}: {one.scenes} scenes, {one.episodes} conversations, {one.turns} messages{told}{cost}")
