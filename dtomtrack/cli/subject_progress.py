"""How far each subject of a play is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from dtomtrack.cli.waiting import waiting

if TYPE_CHECKING:
    from dtomtrack.runs.run import Progress as RunProgress

__all__ = ["show_subjects"]


@contextmanager
def show_subjects(*, quiet: bool) -> Iterator[Callable[[str, RunProgress], None] | None]:
    """How far a play is, on standard error; None where it is to be quiet."""
    with waiting(quiet=quiet) as shown:
        if shown is None:
            yield None
        else:
            yield lambda subject, one: shown.tell(subject, one.done, one.wanted, usage=one.usage)
