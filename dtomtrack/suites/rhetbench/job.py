"""The job of a subject: episodes as slots of a run (`dtomtrack.runs.job.Job`)."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pydantic import Field

from dtomtrack.llm.spec import ModelSpec
from dtomtrack.records import Record, Text
from dtomtrack.runs.lines import digest, to_lines
from dtomtrack.runs.manifest import Counts, Manifest
from dtomtrack.runs.slot_lines import SlotLines
from dtomtrack.runs.workplace import Workplace
from dtomtrack.scenarios.persuasion_npc.pack import PersuasionPack
from dtomtrack.suites.model_job import ModelJob
from dtomtrack.suites.rhetbench.card import CANARY
from dtomtrack.suites.rhetbench.episode import Episode, EpisodeConfig
from dtomtrack.suites.rhetbench.planning import PlayConfig, episode_config
from dtomtrack.suites.rhetbench.talking import Talking

if TYPE_CHECKING:
    from dtomtrack.graphs.persuasion import Persuader
    from dtomtrack.llm.chat import ChatModel
    from dtomtrack.runs.job import SlotFiller
    from dtomtrack.suites.rhetbench.listening import Classifier, Verbalizer

__all__ = ["EPISODES", "PersuasionJob", "SubjectConfig", "unit_of"]

EPISODES = "episodes.jsonl"
_DIGITS = 16


def unit_of(index: int) -> str:
    """The name that calls of an episode go by in the journal."""
    return f"episode {index}"


class SubjectConfig(Record):
    """Everything that decides the bytes of a subject's episodes.

    Attributes:
        addresses: of the models that have a server of their own address, by what they do.
        scenarios: digests of the packs, by id; ``order``: their ids in the order in which they take turns.
        talking: how a model is asked; None where none takes part.
    """

    subject: Text
    # left out where there are none: manifests of before have none
    addresses: dict[str, str] = Field(default_factory=dict, exclude_if=lambda own: not own)
    play: PlayConfig
    scenarios: dict[str, str]
    order: tuple[Text, ...] = ()
    talking: Talking | None = None


@dataclass(frozen=True)
class PersuasionJob(ModelJob):
    """Plays the episodes of one subject.

    Attributes:
        spec: the language model that persuades, if one does; ``classifier`` the one that classifies, ``verbalizer``
            the one that words replies.
        human: the person who does, if one does; then episodes are played one after another in this process.
    """

    subject: str
    packs: tuple[PersuasionPack, ...]
    play: PlayConfig
    talking: Talking
    spec: ModelSpec | None = None
    classifier: ModelSpec | None = None
    verbalizer: ModelSpec | None = None
    human: Persuader | None = None

    suite = "rhetbench"
    files = (EPISODES,)

    @property
    def specs(self) -> tuple[ModelSpec | None, ...]:
        """The models that persuade, classify and word replies."""
        return (self.spec, self.classifier, self.verbalizer)

    @property
    def config(self) -> SubjectConfig:
        """Everything that decides the bytes."""
        return SubjectConfig(
            subject=self.subject,
            addresses=self._addresses,
            play=self.play,
            scenarios={pack.id: digest(pack)[:_DIGITS] for pack in self.packs},
            order=tuple(pack.id for pack in self.packs),
            talking=None if self.spec is None else self.talking,
        )

    @property
    def _addresses(self) -> dict[str, str]:
        parts = zip(("persuader", "classifier", "verbalizer"), self.specs, strict=True)
        return {part: one.base_url for part, one in parts if one is not None and one.base_url is not None}

    @property
    def stages(self) -> Mapping[str, str]:
        """Who does what."""
        return {
            "persuader": self.subject,
            "character": "rules",
            "classifier": self.play.classifier,
            "replies": self.play.verbalizer,
        }

    def max_concurrency(self, workers: int) -> int:
        """Episodes under way at once in each of so many processes."""
        return 1 if self.human is not None else -(-self.settings.concurrency // workers)

    @asynccontextmanager
    async def open(self, place: Workplace) -> AsyncIterator[SlotFiller]:
        """Get ready for work in this process."""
        # imported late: LangGraph takes half a second
        from dtomtrack.suites.rhetbench.playing import play_episode

        async with self.open_models(place) as (model, reader, voice):

            async def fill(index: int) -> SlotLines:
                pack, config = episode_config(self.play, self.packs, index)
                persuader = self._persuader(model, pack, config, index)
                classifier = self._classifier(reader, index)
                verbalizer = self._verbalizer(voice, pack, index)
                return _lines(await play_episode(persuader, self.subject, pack, config, index, classifier, verbalizer))

            yield fill

    def _classifier(self, model: ChatModel | None, index: int) -> Classifier | None:
        if model is None:
            return None
        from dtomtrack.suites.rhetbench.model_classifier import ModelClassifier
        from dtomtrack.suites.rhetbench.rules import load_rules

        asks = load_rules(self.play.rules).asks
        return ModelClassifier(model, unit_of(index), self.play.seed, asks=asks)

    def _verbalizer(self, model: ChatModel | None, pack: PersuasionPack, index: int) -> Verbalizer | None:
        if model is None:
            return None
        from dtomtrack.suites.rhetbench.model_verbalizer import ModelVerbalizer

        return ModelVerbalizer(model, pack, unit_of(index), self.play.seed)

    def _persuader(self, model: ChatModel | None, pack: PersuasionPack, config: EpisodeConfig, index: int) -> Persuader:
        from dtomtrack.suites.rhetbench.exploits import ExploitPersuader
        from dtomtrack.suites.rhetbench.model_persuader import ModelPersuader
        from dtomtrack.suites.rhetbench.persuaders import ScriptedPersuader

        if self.human is not None:
            return self.human
        if model is not None:
            return ModelPersuader(model, self.talking, config.turns, unit_of(index), self.play.seed)
        kind, _, name = self.subject.partition("/")
        return ExploitPersuader(name, pack) if kind == "exploit" else ScriptedPersuader(name, pack, config)

    def card(self, manifest: Manifest) -> str:
        """The card of the finished folder."""
        return (
            f"# RhetBench episodes: {self.subject}\n\n"
            f"{manifest.n} episodes of {len(self.packs)} scenarios under the rules {self.play.rules!r}, cue "
            f"{self.play.cue}, tones {self.play.legibility}, drift {self.play.drift}. The characters follow rules: no "
            "human data stand behind them. A message counts by its kind of argument and not by its quality, so that a "
            f"made-up figure is an argument from figures.\n\n{CANARY}\n"
        )


def _lines(episode: Episode) -> SlotLines:
    totals = {"episodes": 1, "turns": len(episode.turns), "wins": int(episode.won)}
    return SlotLines(episode.index, {EPISODES: to_lines([episode])}, Counts(dialogues=1, totals=totals))
