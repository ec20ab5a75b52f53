"""A job in which language models may take part: who does what, how they are opened, how much is under way at once."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Generic, Protocol, Self, TypeVar

from dtomtrack.runs.workplace import Workplace
from dtomtrack.suites.generation.model_config import ModelConfig

if TYPE_CHECKING:
    from dtomtrack.llm.chat import ChatModel
    from dtomtrack.llm.settings import ClientSettings
    from dtomtrack.runs.job import SlotFiller
    from dtomtrack.suites.generation.stage_models import StageModels

__all__ = ["GenerationJob", "OpenModels", "PackJob"]

_DIALOGUES_A_CALL = 2
"""Dialogues under way for each call that may be: so many that the models never wait for a dialogue."""


class _NamesModels(Protocol):
    """A configuration that says which models take part; None where none does."""

    @property
    def models(self) -> ModelConfig | None: ...

    def model_copy(self, *, update: Mapping[str, Any] | None = None) -> Self: ...


Config = TypeVar("Config", bound=_NamesModels)


@dataclass(frozen=True)
class OpenModels:
    """The models that actors and verifiers ask; None where scripts or rules do."""

    actor: ChatModel | None = None
    verifier: ChatModel | None = None


@dataclass(frozen=True)
class GenerationJob(Generic[Config]):
    """The part of `dtomtrack.runs.job.Job` that is the same in all suites.

    Attributes:
        config: everything that decides the bytes.
        models: the language models, where any take part.
        concurrency: without them, dialogues under way at once in each process.
    """

    config: Config
    models: StageModels | None = field(default=None, kw_only=True)
    concurrency: int = field(default=8, kw_only=True)

    @property
    def stages(self) -> Mapping[str, str]:
        """Who does what, by stage."""
        how = self.config.models
        return {
            "scenario": (how and how.scenario) or "scripted",
            "actors": (how and how.actor) or "scripted",
            "verifiers": (how and how.verifier) or "rules",
        }

    @property
    def client(self) -> ClientSettings | None:
        """How language models are asked; None where none takes part."""
        return None if self.models is None else self.models.client

    def first_attempt(self, models: StageModels) -> Self:
        """The same job with other models, which tries each slot once."""
        return replace(self, models=models, config=self.config.model_copy(update={"max_attempts": 1}))

    def max_concurrency(self, workers: int) -> int:
        """Dialogues under way at once in each of so many processes."""
        if self.models is None:
            return self.concurrency
        client = self.models.client
        ahead = _DIALOGUES_A_CALL if client.slots is None else 1
        return -(-client.concurrency * ahead // workers)

    @asynccontextmanager
    async def open_models(self, place: Workplace) -> AsyncIterator[OpenModels]:
        """The models of actors and verifiers, ready to be asked in this process.

        Raises:
            ModelSpecError: a model can't be used as it is named.
        """
        if self.models is None:
            yield OpenModels()
            return
        async with place.clients(self.models.client) as clients:
            actor, verifier = self.models.actor, self.models.verifier
            yield OpenModels(
                None if actor is None else await clients.open(actor),
                None if verifier is None else await clients.open(verifier),
            )


@dataclass(frozen=True)
class PackJob(GenerationJob[Config], ABC):
    """A job that fills slots from packs, by scripts or with the models of actors and verifiers."""

    @abstractmethod
    def filler(self, models: OpenModels) -> SlotFiller:
        """The function that fills slots with these models."""

    @asynccontextmanager
    async def open(self, place: Workplace) -> AsyncIterator[SlotFiller]:
        """Get ready for work in this process.

        Raises:
            ModelSpecError: a model can't be used as it is named.
        """
        async with self.open_models(place) as models:
            yield self.filler(models)
