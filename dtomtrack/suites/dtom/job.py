"""The job of DToM-Track: dialogues with questions about them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dtomtrack.beliefs.scenario import Scenario
from dtomtrack.runs.job import SlotFiller
from dtomtrack.runs.manifest import Manifest
from dtomtrack.runs.slot_lines import SlotLines
from dtomtrack.runs.workplace import Workplace
from dtomtrack.scenarios.pack import DomainPack
from dtomtrack.suites.dtom.card import card
from dtomtrack.suites.dtom.config import RunConfig
from dtomtrack.suites.dtom.slot_result import DATA_FILES

if TYPE_CHECKING:
    from dtomtrack.graphs.context import RoleplayContext
    from dtomtrack.llm.settings import ClientSettings
    from dtomtrack.suites.dtom.stage_models import StageModels

__all__ = ["DtomJob"]

_DIALOGUES_A_CALL = 2
"""Dialogues under way for each call that may be: so many that the models never wait for a dialogue."""


@dataclass(frozen=True)
class DtomJob:
    """Makes dialogues; see `dtomtrack.runs.job.Job`.

    Attributes:
        packs: by domain.
        scenarios: scenarios to be played as they are, by slot.
        models: the language models, where any take part.
        concurrency: without them, dialogues under way at once in each process.
    """

    config: RunConfig
    packs: Mapping[str, DomainPack]
    scenarios: Mapping[int, Scenario] | None = None
    models: StageModels | None = None
    concurrency: int = 8

    @property
    def suite(self) -> str:
        """The name of the suite."""
        return "dtom"

    @property
    def format_version(self) -> int:
        """The version of its lines."""
        return 1

    @property
    def files(self) -> Sequence[str]:
        """The names of the data files."""
        return DATA_FILES

    @property
    def stages(self) -> Mapping[str, str]:
        """Who does what, by stage."""
        how = self.config.models
        writer = None if how is None or self.config.difficulty.several else how.scenario
        return {
            "scenario": writer or "scripted",
            "actors": (how and how.actor) or "scripted",
            "verifiers": (how and how.verifier) or "rules",
        }

    @property
    def client(self) -> ClientSettings | None:
        """How language models are asked; None where none takes part."""
        return None if self.models is None else self.models.client

    def max_concurrency(self, workers: int) -> int:
        """Dialogues under way at once in each of so many processes."""
        if self.models is None:
            return self.concurrency
        return -(-self.models.client.concurrency * _DIALOGUES_A_CALL // workers)

    @asynccontextmanager
    async def open(self, place: Workplace) -> AsyncIterator[SlotFiller]:
        """Get ready for work in this process.

        Raises:
            ModelSpecError: a model can't be used as it is named.
        """
        # imported late: LangGraph takes half a second
        from dtomtrack.suites.dtom.generation import fill_slot

        async with self.context(place) as context:

            async def fill(index: int) -> SlotLines:
                return (await fill_slot(context, self.config, index)).lines()

            yield fill

    @asynccontextmanager
    async def context(self, place: Workplace) -> AsyncIterator[RoleplayContext]:
        """The context in which the workflow plays dialogues.

        Raises:
            ModelSpecError: a model can't be used as it is named.
        """
        from dtomtrack.suites.dtom.generation import build_context, build_model_context

        if self.models is None:
            yield build_context(self.config, self.packs, self.scenarios)
            return
        async with place.clients(self.models.client) as clients:
            yield await build_model_context(self.config, self.packs, self.scenarios, self.models, clients)

    def card(self, manifest: Manifest) -> str:
        """The card of the finished dataset."""
        return card(manifest)
