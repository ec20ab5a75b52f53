"""The job of importing PersuasiveToM: a scene a slot, with resources by a model where one is named."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from pathlib import Path

from pydantic import Field

from dtomtrack.errors import ReplyError
from dtomtrack.llm.chat import ChatModel
from dtomtrack.llm.spec import ModelSpec
from dtomtrack.records import Count, Record, Text
from dtomtrack.runs.job import SlotFiller
from dtomtrack.runs.lines import digest, to_lines
from dtomtrack.runs.manifest import Counts, Manifest
from dtomtrack.runs.slot_lines import SlotLines
from dtomtrack.runs.workplace import Workplace
from dtomtrack.scenarios.route.state import SceneState
from dtomtrack.suites.items.records import CONTEXTS, ITEMS
from dtomtrack.suites.model_job import ModelJob
from dtomtrack.suites.tomelp.card import scene_card
from dtomtrack.suites.tomelp.persuasivetom import published_scenes
from dtomtrack.suites.tomelp.published_minds import PublishedMinds, count_questions
from dtomtrack.suites.tomelp.scene_job import scene_lines
from dtomtrack.suites.tomelp.schema import STATES

__all__ = ["ImportConfig", "ImportJob"]


class ImportConfig(Record):
    """Everything that decides the bytes of imported scenes.

    Attributes:
        published: SHA-256 of the states as they were read.
        gold: how many states have a published question about a mind, by role and field; ``missing``: files of such
            questions that are not there; ``contradicting``: questions with two answers, which were not taken.
        model: who writes facts and cues; None for nobody, and then the scenes can't be played.
    """

    source: Text = "PersuasiveToM"
    published: Text
    gold: dict[str, int] = Field(default_factory=dict)
    missing: tuple[str, ...] = ()
    contradicting: dict[str, int] = Field(default_factory=dict)
    model: str | None = None
    address: str | None = None
    seed: Count = 0
    generator: Text = "imported"
    resources_note: str = ""


@dataclass(frozen=True)
class ImportJob(ModelJob):
    """Reads the scenes of a clone (a `dtomtrack.runs.job.Job`)."""

    source: Path
    spec: ModelSpec | None = None
    seed: int = 0

    suite = "tomelp"
    files = (CONTEXTS, ITEMS, STATES)

    @property
    def specs(self) -> tuple[ModelSpec | None, ...]:
        """The model that writes resources."""
        return (self.spec,)

    @cached_property
    def scenes(self) -> list[tuple[SceneState, ...]]:
        """The scenes, in the order of the file, with the questions about both minds.

        Raises:
            InputError: the folder can't be read as such.
        """
        return [tuple(map(self.minds.given_to, scene)) for scene in published_scenes(self.source)]

    @cached_property
    def minds(self) -> PublishedMinds:
        """The questions about both minds.

        Raises:
            InputError: the folder can't be read as such.
        """
        return PublishedMinds(self.source)

    @property
    def config(self) -> ImportConfig:
        """Everything that decides the bytes."""
        named = None if self.spec is None else self.spec.label
        note = f"Facts, counterpoints and cues were written by {named}; nobody has checked them." if named else ""
        return ImportConfig(
            published=digest(*chain.from_iterable(self.scenes)),
            gold=count_questions(chain.from_iterable(self.scenes)),
            missing=self.minds.missing,
            contradicting=dict(self.minds.contradicting),
            model=named,
            address=None if self.spec is None else self.spec.base_url,
            seed=self.seed,
            resources_note=note or "Nobody has written facts and cues for them, so that they can't be played.",
        )

    @property
    def stages(self) -> Mapping[str, str]:
        """Who does what."""
        return {"scenes": "imported", "resources": self.spec.label if self.spec else "none"}

    @asynccontextmanager
    async def open(self, place: Workplace) -> AsyncIterator[SlotFiller]:
        """Get ready for work in this process."""
        async with self.open_models(place) as (model,):

            async def fill(index: int) -> SlotLines:
                return scene_lines(index, self.scenes[index]) if model is None else await self._written(index, model)

            yield fill

    async def _written(self, index: int, model: ChatModel) -> SlotLines:
        from dtomtrack.suites.tomelp.resources import write_resources

        scene = self.scenes[index]
        try:
            resources = await write_resources(model, scene[0].scene, scene[0].background, scene[-1].history, self.seed)
        except ReplyError as error:
            return _unusable(index, scene, str(error))
        made_by = f"imported, resources by {model.name}"
        return scene_lines(
            index, tuple(one.model_copy(update={"resources": resources, "generator": made_by}) for one in scene)
        )

    def card(self, manifest: Manifest) -> str:
        """The card of the finished dataset."""
        return scene_card(manifest)


def _unusable(index: int, scene: Sequence[SceneState], reason: str) -> SlotLines:
    """A scene whose resources could not be had is left out, and counted by the reason."""
    data = {CONTEXTS: to_lines([]), ITEMS: to_lines([]), STATES: to_lines([])}
    counts = {"clusters": 0, "states": 0}
    return SlotLines(
        index, data, Counts(unfilled=1, totals=counts, rejected_dialogues={f"resources: {reason}"[:200]: 1})
    )
