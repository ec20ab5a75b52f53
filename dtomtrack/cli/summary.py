"""What ``generate`` shows: progress while it runs, a table when it is done."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as Bar
from rich.table import Table

from dtomtrack.dataset.run import Progress
from dtomtrack.schema import Manifest

__all__ = ["show_progress", "summarize"]


@contextmanager
def show_progress(wanted: int, *, quiet: bool) -> Iterator[Callable[[Progress], None] | None]:
    """A progress bar on standard error, where that is a terminal."""
    console = Console(stderr=True)
    if quiet or not console.is_terminal:
        yield None
        return
    columns = (
        TextColumn("dialogues"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[questions]} questions, {task.fields[rejected]} rejected"),
        TimeRemainingColumn(),
    )
    with Bar(*columns, console=console, transient=True) as bar:
        task = bar.add_task("", total=wanted, questions=0, rejected=0)

        def report(progress: Progress) -> None:
            rejected = sum(progress.counts.rejected_dialogues.values())
            bar.update(task, completed=progress.done, questions=progress.counts.questions, rejected=rejected)

        yield report


def summarize(manifest: Manifest, out: Path) -> None:
    """The closing table on standard output."""
    counts = manifest.counts
    table = Table(show_header=False, box=None, padding=(0, 2, 0, 0))
    table.add_row("dialogues kept", f"{counts.dialogues} of {manifest.n}")
    table.add_row("changes of mind, all realized", str(counts.updates))
    table.add_row("questions kept", str(counts.questions))
    for name, count in counts.by_type.items():
        table.add_row(f"  {name}", _share(count, counts.questions))
    table.add_row("by mental state", "")
    for name, count in counts.by_state.items():
        table.add_row(f"  {name}", _share(count, counts.questions))
    table.add_row("dialogues rejected", str(sum(counts.rejected_dialogues.values())))
    for reason, count in counts.rejected_dialogues.items():
        table.add_row(f"  {reason}", str(count))
    table.add_row("questions rejected", str(sum(counts.rejected_questions.values())))
    for reason, count in counts.rejected_questions.items():
        table.add_row(f"  {reason}", str(count))
    table.add_row(
        "made by", "scripted actors" if manifest.config.generator == "scripted" else manifest.config.generator
    )
    table.add_row("time", f"{manifest.seconds:.1f} s" + _sessions(manifest.sessions))
    console = Console()
    console.print(table)
    console.print(f"{manifest.status}: {out}", markup=False, highlight=False)


def _share(count: int, total: int) -> str:
    return f"{count} ({count / total:.1%})"


def _sessions(sessions: int) -> str:
    return f" in {sessions} sessions" if sessions > 1 else ""
