"""How far each subject of a play is: progress bars in a terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dtomtrack.runs.run import Progress as RunProgress

__all__ = ["show_subjects"]


@contextmanager
def show_subjects(*, quiet: bool) -> Iterator[Callable[[str, RunProgress], None] | None]:
    """A progress bar a subject on standard error, where that is a terminal; else None, and nothing is shown."""
    from rich.markup import escape
    from rich.progress import Progress

    from dtomtrack.cli.console import Console

    console = Console(stderr=True)
    if quiet or not console.is_terminal:
        yield None
        return
    with Progress(console=console, transient=True) as bar:
        tasks = {}

        def update(subject: str, progress: RunProgress) -> None:
            if subject not in tasks:
                tasks[subject] = bar.add_task(escape(subject), total=progress.wanted)
            bar.update(tasks[subject], completed=progress.done)

        yield update
