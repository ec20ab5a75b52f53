"""The job of a subject: dialogue states as slots of a run (`dtomtrack.runs.job.Job`)."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import Field

from dtomtrack.errors import DatasetError, InputError
from dtomtrack.llm.spec import ModelSpec, parse_spec
from dtomtrack.records import Record, Text
from dtomtrack.runs.lines import to_lines
from dtomtrack.runs.manifest import Counts, Manifest
from dtomtrack.runs.slot_lines import SlotLines
from dtomtrack.runs.workplace import Workplace
from dtomtrack.scenarios.route.terms import Ablation, Disturbance, Variant, cells
from dtomtrack.suites.model_job import ModelJob
from dtomtrack.suites.tomelp.asking import Asking
from dtomtrack.suites.tomelp.played import PLAYS, PlayedState
from dtomtrack.suites.tomelp.states import StateFile, digest_of_states

if TYPE_CHECKING:
    from dtomtrack.graphs.route_state import Panel, Subject
    from dtomtrack.llm.chat import ChatModel
    from dtomtrack.runs.job import SlotFiller
    from dtomtrack.scenarios.route.state import SceneState

__all__ = ["RULES", "PlayConfig", "RoutePlayJob", "judge_spec", "play_config"]

RULES = "rules"
"""The judge that is no model."""


def judge_spec(judge: str, base_url: str | None) -> ModelSpec | None:
    """The model that judges; None where rules do.

    Raises:
        InputError: there is no such judge.
    """
    if judge == RULES:
        return None
    if "/" not in judge:
        raise InputError(f"no judge {judge[:80]!r}; name {RULES}, or a model as PROVIDER/NAME")
    return parse_spec(judge, base_url)


class PlayConfig(Record):
    """Everything that decides the bytes of a play.

    Attributes:
        addresses: of models that have a server of their own address.
        states: SHA-256 of the file of states.
        asking: how a model is asked; None where the subject is scripted.
    """

    subject: Text
    judge: Text = RULES
    addresses: dict[str, str] = Field(default_factory=dict)
    variants: tuple[Variant, ...] = ("no_tom", "inferred")
    disturbances: tuple[Disturbance, ...] = ()
    ablations: tuple[Ablation, ...] = ()
    seed: int = 0
    states: Text
    asking: Asking | None = None


def play_config(folder: Path, play: Path, manifest: Manifest) -> PlayConfig:
    """How the states of a dataset were played.

    Raises:
        DatasetError: these were other states.
    """
    config = PlayConfig.model_validate(manifest.config)
    if config.states != digest_of_states(folder):
        raise DatasetError(f"{play}: is a play of other states; move it away, or play again")
    return config


@dataclass(frozen=True)
class RoutePlayJob(ModelJob):
    """Plays the states of a dataset.

    Attributes:
        folder: of the dataset.
        spec, judge_spec: the models that persuade and judge, where models do.
    """

    folder: Path
    config: PlayConfig
    spec: ModelSpec | None = None
    judge_spec: ModelSpec | None = None

    suite = "tomelp"
    files = (PLAYS,)
    slots_without_models = 4
    calls_of_slot = 4

    @property
    def specs(self) -> tuple[ModelSpec | None, ...]:
        """The persuader and the judge."""
        return (self.spec, self.judge_spec)

    @property
    def stages(self) -> Mapping[str, str]:
        """Who does what."""
        return {"persuader": self.config.subject, "judge": self.config.judge}

    @asynccontextmanager
    async def open(self, place: Workplace) -> AsyncIterator[SlotFiller]:
        """Get ready for work in this process."""
        states = StateFile(self.folder)
        async with self.open_models(place) as (subject, judge):

            async def fill(index: int) -> SlotLines:
                return _lines(await self._play(states, index, subject, judge))

            yield fill

    async def _play(
        self, states: StateFile, index: int, model: ChatModel | None, judge: ChatModel | None
    ) -> PlayedState:
        # imported late: LangGraph takes half a second
        from dtomtrack.suites.tomelp.playing import play_state

        state, variants = states[index], self.config.variants
        elsewhere = states.elsewhere(index, self.config.seed) if "shuffled" in variants else None
        return await play_state(
            index,
            state,
            self._subject(model, state, elsewhere),
            self._panel(judge, state),
            tuple(cells(variants, self.config.disturbances, self.config.ablations)),
            elsewhere,
        )

    def _subject(self, model: ChatModel | None, state: SceneState, elsewhere: SceneState | None) -> Subject:
        from dtomtrack.suites.tomelp.model_subject import ModelSubject
        from dtomtrack.suites.tomelp.scripted import PREFIX, ScriptedSubject

        if model is None:
            return ScriptedSubject(self.config.subject.removeprefix(PREFIX), state, elsewhere)
        return ModelSubject(model, self.config.asking or Asking(), f"state {state.id}", self.config.seed)

    def _panel(self, judge: ChatModel | None, state: SceneState) -> Panel:
        from dtomtrack.suites.tomelp.model_judge import ModelPanel
        from dtomtrack.suites.tomelp.rule_judge import RulePanel

        return RulePanel(state) if judge is None else ModelPanel(judge, f"state {state.id}", self.config.seed)

    def card(self, manifest: Manifest) -> str:
        """The card of the finished folder."""
        scripted = (
            "" if self.spec else "The subject is scripted: no language model, but a plant whose scores are known. "
        )
        judged = (
            "The judge is a set of rules over the scene's closed world, and no model. " if not self.judge_spec else ""
        )
        return (
            f"# Route-controlled persuasion: {self.config.subject}\n\n{manifest.n} dialogue states, judged by "
            f"{self.config.judge}. {scripted}{judged}Attitude change is judged, not observed, and no human stands "
            "behind any score.\n"
        )


def _lines(played: PlayedState) -> SlotLines:
    written = [one for one in played.replies if one.cell.written]
    totals = {
        "states": 1,
        "replies": len(written),
        "invalid": sum(one.text is None for one in written),
        "without_gold": int(played.without_gold),
        "unjudged": sum(len(one.verdicts.unjudged) for one in played.replies),
    }
    return SlotLines(played.index, {PLAYS: to_lines([played])}, Counts(dialogues=1, totals=totals))
