"""The job of making fresh characters: every slot is a pack (`dtomtrack.runs.job.Job`)."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass

from dtomtrack.records import Count, Record, Text
from dtomtrack.runs.job import SlotFiller
from dtomtrack.runs.lines import to_lines
from dtomtrack.runs.manifest import Counts, Manifest
from dtomtrack.runs.slot_lines import SlotLines
from dtomtrack.runs.workplace import Workplace
from dtomtrack.scenarios.persuasion_npc.fresh import fresh_pack
from dtomtrack.scenarios.persuasion_npc.pack_files import CHARACTERS
from dtomtrack.suites.model_job import ModelJob
from dtomtrack.suites.rhetbench.card import fresh_card

__all__ = ["FreshConfig", "FreshJob"]


class FreshConfig(Record):
    """Everything that decides the bytes of fresh characters."""

    seed: Count = 0
    generator: Text = "scripted"


@dataclass(frozen=True)
class FreshJob(ModelJob):
    """Draws characters; no language model takes part."""

    seed: int = 0

    suite = "rhetbench"
    files = (CHARACTERS,)

    @property
    def config(self) -> FreshConfig:
        """Everything that decides the bytes."""
        return FreshConfig(seed=self.seed)

    @property
    def stages(self) -> Mapping[str, str]:
        """Who does what."""
        return {"characters": "scripted"}

    @asynccontextmanager
    async def open(self, place: Workplace) -> AsyncIterator[SlotFiller]:
        """Get ready for work in this process."""

        async def fill(index: int) -> SlotLines:
            pack = fresh_pack(index, self.seed)
            totals = {"characters": 1, f"moved most by {pack.dominant}": 1}
            return SlotLines(index, {CHARACTERS: to_lines([pack])}, Counts(dialogues=1, totals=totals))

        yield fill

    def card(self, manifest: Manifest) -> str:
        """The card of the finished folder."""
        return fresh_card(manifest)
