"""One attempt at a dialogue: planned, played, heard, and asked about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from dtomtrack.errors import ReplyError
from dtomtrack.items.item import Item
from dtomtrack.scenarios.fresh_choice import FreshChoice
from dtomtrack.scenarios.recommendation.clauses import (
    Clause,
    ClauseReader,
    LinePlan,
    RecommendationRole,
    worded,
)
from dtomtrack.scenarios.recommendation.director import SessionPlan, planned_session
from dtomtrack.scenarios.recommendation.pack import Forms, RecommendationPack
from dtomtrack.suites.rectom.generation.heard import HeardSession, heard_session
from dtomtrack.suites.rectom.generation.questions import Questions, is_rich_enough
from dtomtrack.verifiers.recommendation import consistency_verdict, labels_verdict

__all__ = ["PlayedSession", "ScriptedPerformer", "promising_plan", "read_session"]

_MOST_PLANS = 200


@dataclass(frozen=True)
class PlayedSession:
    """A dialogue that was played, with its questions."""

    plan: SessionPlan
    session: HeardSession
    items: tuple[Item, ...]


class ScriptedPerformer:
    """Puts stage directions into a pack's words. No model takes part."""

    def __init__(self, pack: RecommendationPack, forms: Forms, random: Random) -> None:
        self._pack = pack
        self._forms = forms
        self._fresh = FreshChoice(random)

    async def say(self, direction: LinePlan, heard: Sequence[str]) -> str:
        """The next utterance."""
        return worded(self._pack, self._forms, direction, self._fresh)


def promising_plan(pack: RecommendationPack, length: int, random: Random) -> SessionPlan | None:
    """A plan that, played as it is, can be asked questions of all types; None if none is found in many."""
    for _ in range(_MOST_PLANS):
        plan = planned_session(pack, random, length)
        session = heard_session([(line.role, "", line.clauses) for line in plan.lines])
        if is_rich_enough(list(Questions(pack, session, "", Random(0)).items())):  # noqa: S311
            return plan
    return None


def read_session(reader: ClauseReader, plan: SessionPlan, utterances: Sequence[str]) -> HeardSession:
    """A dialogue as it is heard from its utterances alone.

    Raises:
        ReplyError: an utterance does not do what it was meant to do, names something else, or contradicts another.
    """
    read: list[tuple[RecommendationRole, str, tuple[Clause, ...]]] = []
    for number, (line, text) in enumerate(zip(plan.lines, utterances, strict=True), 1):
        clauses = reader.read(line.role, text)
        verdict = labels_verdict(line.labels, None if clauses is None else {one.label for one in clauses})
        if not verdict.kept or clauses is None:
            raise ReplyError(f"line {number}: {verdict.reason}")
        if _named(clauses) != _named(line.clauses):
            raise ReplyError(f"line {number}: the line names something else than it was to name")
        read.append((line.role, text, clauses))
    verdict = consistency_verdict((role, clauses) for role, _, clauses in read)
    if not verdict.kept:
        raise ReplyError(verdict.reason)
    return heard_session(read)


def _named(clauses: Sequence[Clause]) -> list[tuple[str | None, str | None]]:
    return [(one.title, one.quality) for one in clauses]
