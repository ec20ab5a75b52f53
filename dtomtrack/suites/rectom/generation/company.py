"""Who plays and who listens: scripted actors whose lines a reader understands, or models whose lines a model hears."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from dtomtrack.llm.chat import ChatModel
from dtomtrack.runs.slots import attempt_unit
from dtomtrack.scenarios.recommendation.clauses import ClauseReader, LinePlan
from dtomtrack.scenarios.recommendation.director import SessionPlan
from dtomtrack.scenarios.recommendation.model_performer import ModelPerformer, PerformanceSettings
from dtomtrack.scenarios.recommendation.pack import RecommendationPack, forms
from dtomtrack.suites.generation.model_config import ModelConfig
from dtomtrack.suites.rectom.generation.heard import HeardSession, heard_session
from dtomtrack.suites.rectom.generation.playing import ScriptedPerformer, read_session
from dtomtrack.suites.rectom.published import SPEAKERS
from dtomtrack.suites.rectom.wordings import made_wordings
from dtomtrack.verifiers.judging.attitude_listener import AttitudeListener
from dtomtrack.verifiers.judging.label_listener import LabelListener
from dtomtrack.verifiers.recommendation import labels_verdict

__all__ = ["ModelCompany", "ScriptedCompany"]


class ScriptedCompany:
    """Actors in a pack's words, and a reader who knows its forms."""

    def __init__(self) -> None:
        self._readers: dict[str, ClauseReader] = {}

    async def play(
        self, pack: RecommendationPack, plan: SessionPlan, name: str, slot: int, attempt: int
    ) -> HeardSession:
        """The dialogue as it is heard.

        Raises:
            ReplyError: a line does not do what it should.
        """
        # imported late: LangGraph takes half a second
        from dtomtrack.graphs.recommending import Session, play_session

        seeker, recommender = (
            ScriptedPerformer(pack, forms(), Random(f"{name}/{attempt}/{role}"))  # noqa: S311
            for role in ("seeker", "recommender")
        )
        return read_session(self._reader(pack), plan, await play_session(Session(seeker, recommender), plan.lines))

    def _reader(self, pack: RecommendationPack) -> ClauseReader:
        """One for all dialogues of a pack: its forms take longer to compile than a dialogue to read."""
        return self._readers.setdefault(pack.name, ClauseReader(pack, forms()))


@dataclass(frozen=True)
class ModelCompany:
    """A model that speaks for both, each with its own directions, and one that hears what its lines do."""

    actor: ChatModel
    verifier: ChatModel
    how: ModelConfig
    seed: int

    async def play(
        self, pack: RecommendationPack, plan: SessionPlan, name: str, slot: int, attempt: int
    ) -> HeardSession:
        """The dialogue as it is heard: the labels and attitudes that the model hears are those that were meant.

        Raises:
            ReplyError: a line does not do what it should, however often it was asked for.
            ModelError: no answer can be had.
        """
        from dtomtrack.graphs.recommending import Session, play_session

        how = self.how
        settings = PerformanceSettings(attempt_unit(slot, attempt), self.seed, how.temperature, how.turn_retries)
        seeker, recommender = (
            ModelPerformer(self.actor, pack, made_wordings(role), self._reason, settings)
            for role in ("seeker", "recommender")
        )
        said: Sequence[str] = await play_session(Session(seeker, recommender), plan.lines)
        return heard_session([(line.role, text, line.clauses) for line, text in zip(plan.lines, said, strict=True)])

    async def _reason(self, direction: LinePlan, text: str, unit: str) -> str | None:
        listener = LabelListener(self.verifier, self.seed)
        heard = await listener.heard(made_wordings(direction.role), SPEAKERS[direction.role], text, unit)
        verdict = labels_verdict(direction.labels, heard)
        if verdict.kept and direction.role == "seeker":
            # golds of belief and desire are attitudes, which labels alone don't tell
            told = AttitudeListener(self.verifier, self.seed)
            verdict = await told.verdict(direction.clauses, SPEAKERS["seeker"], text, unit)
        return None if verdict.kept else verdict.reason
