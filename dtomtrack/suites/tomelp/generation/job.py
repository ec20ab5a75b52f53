"""The job of written scenes: plans from packs of topics, lines and resources by a model, both read by a model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Annotated, TypeVar

from pydantic import Field

from dtomtrack.errors import ReplyError
from dtomtrack.llm.chat import ChatModel
from dtomtrack.runs.job import SlotFiller
from dtomtrack.runs.lines import to_lines
from dtomtrack.runs.manifest import Counts, Manifest
from dtomtrack.runs.slot_lines import SlotLines
from dtomtrack.runs.slots import attempt_unit, slot_at
from dtomtrack.scenarios.route.pack import RoutePack
from dtomtrack.scenarios.route.sampler import ScenePlan, resources_of
from dtomtrack.scenarios.route.state import SceneState
from dtomtrack.scenarios.voice import SpeechSettings
from dtomtrack.suites.generation.job import OpenModels, PackJob
from dtomtrack.suites.generation.model_config import ModelConfig
from dtomtrack.suites.generation.rehearsal import Script
from dtomtrack.suites.items.records import CONTEXTS, FORMAT_VERSION, ITEMS, REJECTED, RejectedLine
from dtomtrack.suites.tomelp.card import scene_card
from dtomtrack.suites.tomelp.generation.reading import SceneReader
from dtomtrack.suites.tomelp.generation.rehearsing import script_of
from dtomtrack.suites.tomelp.generation.writing import write_dossier, write_lines
from dtomtrack.suites.tomelp.scene_job import SceneConfig, scene_lines
from dtomtrack.suites.tomelp.schema import STATES

__all__ = ["WrittenSceneConfig", "WrittenSceneJob"]

Kept = TypeVar("Kept")


class WrittenSceneConfig(SceneConfig):
    """Everything that decides the bytes of written scenes.

    Attributes:
        max_attempts: that each part of a scene, its lines and its dossier, may take.
        models: who writes and reads, and how they are asked.
    """

    max_attempts: Annotated[int, Field(ge=1)] = 5
    models: ModelConfig


@dataclass(frozen=True)
class WrittenSceneJob(PackJob[WrittenSceneConfig]):
    """Has scenes written; see `dtomtrack.runs.job.Job`.

    Attributes:
        packs: by id, in the order in which they take turns.
    """

    packs: Mapping[str, RoutePack]

    suite = "tomelp"
    format_version = FORMAT_VERSION
    files: Sequence[str] = (CONTEXTS, ITEMS, STATES, REJECTED)

    def filler(self, models: OpenModels) -> SlotFiller:
        """The function that fills slots with these models."""
        if models.actor is None or models.verifier is None:
            raise ValueError("written scenes need a model that writes and one that reads")
        return partial(self._fill, models.actor, models.verifier)

    async def script(self, index: int) -> Script:
        """Replies with which the first attempt at a slot is kept."""
        return script_of(self._plan(index))

    def card(self, manifest: Manifest) -> str:
        """The card of the finished dataset."""
        return scene_card(manifest)

    async def _fill(self, writer: ChatModel, reader: ChatModel, index: int) -> SlotLines:
        scene = _WrittenScene(self.config, self._plan(index), writer, reader)
        states = await scene.states()
        own = _nothing(index) if states is None else scene_lines(index, states)
        rejected = Counter(f"{one.file}: {one.reason}"[:200] for one in scene.rejected)
        return SlotLines(
            index,
            {**own.data, REJECTED: to_lines(scene.rejected)},
            own.counts.model_copy(update={"rejected_dialogues": dict(rejected)}),
        )

    def _plan(self, index: int) -> ScenePlan:
        slot = slot_at(self.config.seed, index, list(self.packs))
        return ScenePlan(self.packs[slot.domain], slot, index % len(self.packs))


@dataclass(frozen=True)
class _WrittenScene:
    """A scene while it is written.

    Attributes:
        rejected: what was not kept so far.
    """

    config: WrittenSceneConfig
    plan: ScenePlan
    writer: ChatModel
    reader: ChatModel
    rejected: list[RejectedLine] = field(default_factory=list)

    async def states(self) -> tuple[SceneState, ...] | None:
        """The states; None where attempts are used up."""
        lines = await self._until_kept("lines", self._lines)
        pack = None if lines is None else await self._until_kept("dossier", self._dossier)
        if lines is None or pack is None:
            return None
        rng = self.plan.slot.random("noise")
        return self.plan.states(lines, resources_of(pack), self.config.generator, rng)

    async def _until_kept(self, part: str, attempt: Callable[[SpeechSettings], Awaitable[Kept]]) -> Kept | None:
        for number in range(self.config.max_attempts):
            unit = attempt_unit(self.plan.slot.index, number)
            try:
                return await attempt(SpeechSettings(unit, self.config.seed, self.config.models.temperature))
            except ReplyError as error:
                name = str(self.plan.slot.index)
                self.rejected.append(RejectedLine(id=name, file=part, place=f"attempt {number}", reason=str(error)))
        return None

    async def _lines(self, settings: SpeechSettings) -> list[str]:
        lines = await write_lines(self.writer, self.plan, settings)
        await self._reading(settings).check_lines(lines)
        return lines

    async def _dossier(self, settings: SpeechSettings) -> RoutePack:
        written = await write_dossier(self.writer, self.plan.pack, settings)
        return await self._reading(settings).check_dossier(written)

    def _reading(self, settings: SpeechSettings) -> SceneReader:
        return SceneReader(self.reader, self.plan, settings.unit, settings.seed)


def _nothing(index: int) -> SlotLines:
    data = {CONTEXTS: to_lines([]), ITEMS: to_lines([]), STATES: to_lines([])}
    return SlotLines(index, data, Counts(unfilled=1, totals={"clusters": 0, "states": 0}))
