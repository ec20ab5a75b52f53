"""A job: everything that decides what is in the slots of a dataset.

A suite brings a job of its own; runs and engines know no more of it than this. Other work that is done piece by piece,
and whose lines go elsewhere, is `Work`: its pieces are slots, too.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING, Protocol

from dtomtrack.records import Record
from dtomtrack.runs.manifest import Manifest
from dtomtrack.runs.slot_lines import SlotLines
from dtomtrack.runs.workplace import Workplace

if TYPE_CHECKING:
    from dtomtrack.llm.settings import ClientSettings

__all__ = ["Job", "SlotFiller", "Work"]

SlotFiller = Callable[[int], Awaitable[SlotLines]]
"""Gives the lines of a slot; they depend on the job and on the slot alone."""


class Work(Protocol):
    """Fills slots, as engines see it; it can be pickled, and is opened once in each process that works on it."""

    @property
    def client(self) -> ClientSettings | None:
        """How language models are asked; None where none takes part."""
        ...

    def max_concurrency(self, workers: int) -> int:
        """Slots that are filled at once in each of so many processes."""
        ...

    def open(self, place: Workplace) -> AbstractAsyncContextManager[SlotFiller]:
        """Get ready for work in this process."""
        ...


class Job(Work, Protocol):
    """Fills the slots of a dataset."""

    @property
    def suite(self) -> str:
        """The name of the suite whose dataset it is."""
        ...

    @property
    def format_version(self) -> int:
        """The version of its lines."""
        ...

    @property
    def config(self) -> Record:
        """Everything that decides the bytes, in the suite's own terms."""
        ...

    @property
    def files(self) -> Sequence[str]:
        """The names of the data files that slots add lines to."""
        ...

    @property
    def stages(self) -> Mapping[str, str]:
        """Who does what, by stage: a model, or a word such as "scripted" where none does."""
        ...

    def card(self, manifest: Manifest) -> str:
        """The card of the finished dataset: its ``README.md``."""
        ...
