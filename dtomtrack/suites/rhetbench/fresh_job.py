"""The job of making fresh characters: every slot is a pack (`dtomtrack.runs.job.Job`)."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

from dtomtrack.llm.settings import ClientSettings
from dtomtrack.records import Count, Record, Text
from dtomtrack.runs.job import SlotFiller
from dtomtrack.runs.lines import to_lines
from dtomtrack.runs.manifest import Counts, Manifest
from dtomtrack.runs.slot_lines import SlotLines
from dtomtrack.runs.workplace import Workplace
from dtomtrack.scenarios.persuasion_npc.fresh import fresh_pack
from dtomtrack.scenarios.persuasion_npc.pack_files import CHARACTERS
from dtomtrack.suites.rhetbench.card import fresh_card

__all__ = ["FreshConfig", "FreshJob"]

_AT_ONCE = 8


class FreshConfig(Record):
    """Everything that decides the bytes of fresh characters."""

    seed: Count = 0
    generator: Text = "scripted"


@dataclass(frozen=True)
class FreshJob:
    """Draws characters; no language model takes part."""

    seed: int = 0

    @property
    def suite(self) -> str:
        """The name of the suite."""
        return "rhetbench"

    @property
    def format_version(self) -> int:
        """The version of its lines."""
        return 2

    @property
    def config(self) -> FreshConfig:
        """Everything that decides the bytes."""
        return FreshConfig(seed=self.seed)

    @property
    def files(self) -> Sequence[str]:
        """The names of the data files."""
        return (CHARACTERS,)

    @property
    def stages(self) -> Mapping[str, str]:
        """Who does what."""
        return {"characters": "scripted"}

    @property
    def client(self) -> ClientSettings | None:
        """None: no language model takes part."""
        return None

    def max_concurrency(self, workers: int) -> int:
        """Characters under way at once."""
        return _AT_ONCE

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
