"""A job in which language models may take part, by name: how they are opened, how much is under way at once."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from dtomtrack.llm.settings import ClientSettings
from dtomtrack.llm.spec import ModelSpec
from dtomtrack.runs.workplace import Workplace
from dtomtrack.suites.items.records import FORMAT_VERSION

if TYPE_CHECKING:
    from dtomtrack.llm.chat import ChatModel

__all__ = ["ModelJob"]


@dataclass(frozen=True)
class ModelJob:
    """The part of `dtomtrack.runs.job.Job` that jobs with named models share; where none is named, none takes part.

    Attributes:
        suite, format_version, files: as a job has them, the same for all of a class.
        slots_without_models: slots under way at once in each process where no model takes part.
        calls_of_slot: calls that a slot has under way at a time.
        settings: how language models are asked.
    """

    suite: ClassVar[str]
    files: ClassVar[Sequence[str]]
    format_version: ClassVar[int] = FORMAT_VERSION
    slots_without_models: ClassVar[int] = 8
    calls_of_slot: ClassVar[int] = 1

    settings: ClientSettings = field(default_factory=ClientSettings, kw_only=True)

    @property
    def specs(self) -> tuple[ModelSpec | None, ...]:
        """The models by their parts in the job; None for each part that no model has."""
        return ()

    @property
    def client(self) -> ClientSettings | None:
        """How language models are asked; None where none takes part."""
        return self.settings if any(self.specs) else None

    def max_concurrency(self, workers: int) -> int:
        """Slots under way at once in each of so many processes: together they may have all calls under way."""
        if self.client is None:
            return self.slots_without_models
        least = min(2, self.calls_of_slot)
        return max(least, -(-self.settings.concurrency // (self.calls_of_slot * workers)))

    @asynccontextmanager
    async def open_models(self, place: Workplace) -> AsyncIterator[tuple[ChatModel | None, ...]]:
        """The models of `specs`, ready to be asked in this process.

        Raises:
            ModelSpecError: one can't be used as it is named.
        """
        if self.client is None:
            yield (None,) * len(self.specs)
            return
        async with place.clients(self.settings) as clients:
            yield tuple([None if spec is None else await clients.open(spec) for spec in self.specs])
