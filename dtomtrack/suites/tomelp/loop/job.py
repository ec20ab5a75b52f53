"""The job of the closed loop: a scene with a listener of one need for cognition is a slot of a run."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from dtomtrack.llm.spec import ModelSpec
from dtomtrack.records import Record, Share, Text
from dtomtrack.runs.lines import to_lines
from dtomtrack.runs.manifest import Counts, Manifest
from dtomtrack.runs.slot_lines import SlotLines
from dtomtrack.runs.workplace import Workplace
from dtomtrack.scenarios.route.pack import RoutePack
from dtomtrack.scenarios.route.terms import Variant
from dtomtrack.suites.model_job import ModelJob
from dtomtrack.suites.tomelp.asking import Asking
from dtomtrack.suites.tomelp.loop.records import LOOPS, LoopEpisode
from dtomtrack.suites.tomelp.states import StateFile

if TYPE_CHECKING:
    from dtomtrack.graphs.persuasion import Persuader
    from dtomtrack.llm.chat import ChatModel
    from dtomtrack.runs.job import SlotFiller
    from dtomtrack.scenarios.route.state import SceneState
    from dtomtrack.suites.tomelp.loop.giving import Giving

__all__ = ["NEEDS", "TURNS", "LoopConfig", "LoopJob"]

NEEDS = (0.0, 0.25, 0.5, 0.75, 1.0)
TURNS = 6
_STARTS = (-0.5, -0.2)
"""Attitudes before the first turn lie between these."""


class LoopConfig(Record):
    """Everything that decides the bytes of a closed loop.

    Attributes:
        addresses: of a model that has a server of its own address.
        topics: SHA-256 of each pack, by id.
        states: SHA-256 of the file of states.
        asking: how a model is asked; None where the subject is scripted.
    """

    subject: Text
    addresses: dict[str, str] = Field(default_factory=dict)
    needs: Annotated[tuple[Share, ...], Field(min_length=1)] = NEEDS
    variants: tuple[Variant, ...] = ("no_tom", "inferred")
    turns: Annotated[int, Field(ge=1, le=50)] = TURNS
    seed: int = 0
    topics: dict[str, str]
    states: Text
    asking: Asking | None = None


@dataclass(frozen=True)
class LoopJob(ModelJob):
    """Plays the scenes of a dataset (a `dtomtrack.runs.job.Job`)."""

    folder: Path
    packs: Mapping[str, RoutePack]
    config: LoopConfig
    spec: ModelSpec | None = None

    suite = "tomelp"
    files = (LOOPS,)
    slots_without_models = 4

    @property
    def specs(self) -> tuple[ModelSpec | None, ...]:
        """The persuader."""
        return (self.spec,)

    @property
    def stages(self) -> Mapping[str, str]:
        """Who does what."""
        return {"persuader": self.config.subject, "listener": "rules"}

    @asynccontextmanager
    async def open(self, place: Workplace) -> AsyncIterator[SlotFiller]:
        """Get ready for work in this process."""
        states = StateFile(self.folder)
        firsts = states.firsts()
        async with self.open_models(place) as (model,):

            async def fill(index: int) -> SlotLines:
                number, need = divmod(index, len(self.config.needs))
                own = [
                    await self._play(states, firsts[number], index, self.config.needs[need], variant, model)
                    for variant in self.config.variants
                ]
                return _lines(index, own)

            yield fill

    async def _play(
        self, states: StateFile, number: int, index: int, need: float, variant: Variant, model: ChatModel | None
    ) -> LoopEpisode:
        # imported late: LangGraph takes half a second
        from dtomtrack.suites.tomelp.loop.playing import Setting, play_loop

        state = states[number]
        elsewhere = self.elsewhere(states, number) if variant == "shuffled" else None
        setting = Setting(index, self.packs[state.topic], state, need, self._start(state), variant, self.config.turns)
        return await play_loop(setting, self._persuader(setting.giving(elsewhere), state, need, variant, model))

    def elsewhere(self, states: StateFile, number: int) -> SceneState:
        """The state that the one of this number gets states of mind from: none that any doubt here has behind it.

        Raises:
            InputError: there is none.
        """
        from dtomtrack.suites.tomelp.loop.listener import mind_of

        pack = self.packs[states[number].topic]
        return states.elsewhere(number, self.config.seed, [mind_of(one) for one in pack.concerns])

    def _start(self, state: SceneState) -> float:
        """The same for all listeners of a scene, so that they can be compared."""
        return round(Random(f"start/{self.config.seed}/{state.id}").uniform(*_STARTS), 3)  # noqa: S311 - reproducible

    def _persuader(
        self, giving: Giving | None, state: SceneState, need: float, variant: Variant, model: ChatModel | None
    ) -> Persuader:
        from dtomtrack.suites.tomelp.loop.model_persuader import ModelLoopPersuader, Part
        from dtomtrack.suites.tomelp.loop.scripted import ScriptedLoopPersuader
        from dtomtrack.suites.tomelp.playing import shown_resources
        from dtomtrack.suites.tomelp.scripted import PREFIX

        config, pack = self.config, self.packs[state.topic]
        if model is None:
            name = config.subject.removeprefix(PREFIX)
            return ScriptedLoopPersuader(name, pack, need, pack.concern(state.concern or ""), giving)
        infers = variant == "inferred"
        unit = f"loop {state.scene} {need} {variant}"
        part = Part(unit, config.seed, config.turns, infers, None if infers else giving)
        return ModelLoopPersuader(model, config.asking or Asking(), shown_resources(state), part)

    def card(self, manifest: Manifest) -> str:
        """The card of the finished folder."""
        scripted = "" if self.spec else "The persuader is scripted: no language model. "
        return (
            f"# Closed loop: {self.config.subject}\n\n{manifest.n} listeners, up to {self.config.turns} turns, each "
            f"with {', '.join(self.config.variants)}. {scripted}The listener follows rules, and no human data stand "
            "behind them; its attitude is observed, not judged.\n"
        )


def _lines(index: int, played: Sequence[LoopEpisode]) -> SlotLines:
    totals = {
        "episodes": len(played),
        "turns": sum(len(one.turns) for one in played),
        "agreed": sum(one.agreed for one in played),
    }
    return SlotLines(index, {LOOPS: to_lines(played)}, Counts(dialogues=1, totals=totals))
