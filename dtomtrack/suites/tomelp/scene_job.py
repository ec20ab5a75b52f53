"""The job of making scenes: every slot is a scene with its states (`dtomtrack.runs.job.Job`)."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass

from dtomtrack.records import Count, Record, Text
from dtomtrack.runs.job import SlotFiller
from dtomtrack.runs.lines import digest, to_lines
from dtomtrack.runs.manifest import Counts, Manifest
from dtomtrack.runs.slot_lines import SlotLines
from dtomtrack.runs.slots import slot_at
from dtomtrack.runs.workplace import Workplace
from dtomtrack.scenarios.route.pack import RoutePack
from dtomtrack.scenarios.route.pack_files import shared
from dtomtrack.scenarios.route.sampler import scene_states
from dtomtrack.scenarios.route.state import SceneState
from dtomtrack.suites.items.records import CONTEXTS, ITEMS
from dtomtrack.suites.model_job import ModelJob
from dtomtrack.suites.tomelp.card import scene_card
from dtomtrack.suites.tomelp.schema import STATES, context_of, item_lines

__all__ = ["SceneConfig", "SceneJob"]


class SceneConfig(Record):
    """Everything that decides the bytes of scripted scenes.

    Attributes:
        domains: ids of the packs, in the order in which they take turns.
        topics: SHA-256 of each pack, by id; ``shared``: of what all share.
    """

    source: Text = "dtomtrack"
    seed: Count = 0
    domains: tuple[Text, ...]
    topics: dict[str, str]
    shared: Text
    generator: Text = "scripted"


@dataclass(frozen=True)
class SceneJob(ModelJob):
    """Draws scenes from packs; no language model takes part."""

    packs: tuple[RoutePack, ...]
    seed: int = 0

    suite = "tomelp"
    files = (CONTEXTS, ITEMS, STATES)

    @property
    def config(self) -> SceneConfig:
        """Everything that decides the bytes."""
        topics = {pack.id: digest(pack) for pack in self.packs}
        return SceneConfig(seed=self.seed, domains=tuple(topics), topics=topics, shared=digest(shared()))

    @property
    def stages(self) -> Mapping[str, str]:
        """Who does what."""
        return {"scenes": "scripted"}

    @asynccontextmanager
    async def open(self, place: Workplace) -> AsyncIterator[SlotFiller]:
        """Get ready for work in this process."""
        packs = {pack.id: pack for pack in self.packs}

        async def fill(index: int) -> SlotLines:
            slot = slot_at(self.seed, index, list(packs))
            return scene_lines(index, scene_states(packs[slot.domain], slot, index % len(packs)))

        yield fill

    def card(self, manifest: Manifest) -> str:
        """The card of the finished dataset."""
        return scene_card(manifest)


def scene_lines(index: int, scene: tuple[SceneState, ...]) -> SlotLines:
    """A scene as the lines of a dataset."""
    items = [line for state in scene for line in item_lines(state)]
    groups: dict[str, dict[str, int]] = {}
    for item in items:
        for name, value in item.groups.items():
            own = groups.setdefault(name, {})
            own[value] = own.get(value, 0) + 1
    return SlotLines(
        index,
        {CONTEXTS: to_lines([context_of(scene)]), ITEMS: to_lines(items), STATES: to_lines(scene)},
        Counts(dialogues=1, questions=len(items), totals={"clusters": 1, "states": len(scene)}, groups=groups),
    )
