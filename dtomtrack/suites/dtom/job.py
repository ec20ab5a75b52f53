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
from dtomtrack.suites.generation.job import GenerationJob

if TYPE_CHECKING:
    from dtomtrack.graphs.context import RoleplayContext

__all__ = ["DtomJob"]


@dataclass(frozen=True)
class DtomJob(GenerationJob[RunConfig]):
    """Makes dialogues; see `dtomtrack.runs.job.Job`.

    Attributes:
        packs: by domain.
        scenarios: scenarios to be played as they are, by slot.
    """

    packs: Mapping[str, DomainPack]
    scenarios: Mapping[int, Scenario] | None = None

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
        """Who does what, by stage; dialogues in which minds come apart are planned, whoever plays them."""
        planned = {"scenario": "scripted"} if self.config.difficulty.comes_apart else {}
        return {**super().stages, **planned}

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

    def __getstate__(self) -> Mapping[str, object]:
        """What other processes get: packs with what each of them would make of them, while it is not there yet."""
        if self.models is None:
            for pack in self.packs.values():
                played = pack.among_several if self.config.difficulty.comes_apart else pack
                _ = pack.lines, played.lines
        return self.__dict__

    def card(self, manifest: Manifest) -> str:
        """The card of the finished dataset."""
        return card(manifest)
