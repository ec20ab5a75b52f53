"""The job of PersuasiveToM: conversations from packs of goals, with questions of all eight types."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from dtomtrack.beliefs.scenario import MentalState
from dtomtrack.errors import PlanError, ReplyError
from dtomtrack.items.item import Item
from dtomtrack.runs.job import SlotFiller
from dtomtrack.runs.lines import to_lines
from dtomtrack.runs.manifest import Counts, Manifest
from dtomtrack.runs.slot_lines import SlotLines
from dtomtrack.scenarios.persuasion.pack import GoalPack
from dtomtrack.scenarios.persuasion.pack_files import expressions
from dtomtrack.scenarios.persuasion.plan import ROUNDS, PersuasionPlan, plan_at
from dtomtrack.suites.generation.from_packs import PackConfig
from dtomtrack.suites.generation.job import OpenModels, PackJob
from dtomtrack.suites.generation.rehearsal import Script
from dtomtrack.suites.items.records import (
    CONTEXTS,
    FORMAT_VERSION,
    ITEMS,
    REJECTED,
    ContextRecord,
    ItemLine,
    RejectedLine,
    SeenContext,
    stored_line,
)
from dtomtrack.suites.persuasivetom.card import card
from dtomtrack.suites.persuasivetom.generation.conversation import PlayedConversation
from dtomtrack.suites.persuasivetom.generation.playing import PersuasionCompany, play_plan, verify_items, verify_words
from dtomtrack.suites.persuasivetom.generation.questions import ask
from dtomtrack.suites.persuasivetom.generation.rehearsing import script_of
from dtomtrack.suites.trajectories.records import AnnotatedState, AnnotatedTopic, AnnotatedTurn, Trajectory

__all__ = ["TRAJECTORIES", "PersuasionJob"]

TRAJECTORIES = "trajectories.jsonl"
"""The desires of the same conversations, which `dtomtrack trajectories` asks about before, after and when."""


_DIALOGUE, _QUESTION = "dialogue", "question"
"""What a line of rejected.jsonl is about: its field ``file``."""
_LEAST_READ = 0.5
"""The share of a conversation's questions that has to be kept, or none of it is."""


@dataclass(frozen=True)
class PersuasionJob(PackJob[PackConfig]):
    """Makes conversations; see `dtomtrack.runs.job.Job`.

    Attributes:
        goals: by domain.
    """

    goals: Mapping[str, GoalPack]

    suite = "persuasivetom"
    format_version = FORMAT_VERSION
    files: Sequence[str] = (CONTEXTS, ITEMS, REJECTED, TRAJECTORIES)

    def filler(self, models: OpenModels) -> SlotFiller:
        """The function that fills slots with these models."""
        temperature = 0.0 if self.config.models is None else self.config.models.temperature
        company = PersuasionCompany(models.actor, models.verifier, self.config.seed, temperature)
        return _Filling(self.config, self.goals, company).fill

    async def script(self, index: int) -> Script:
        """Replies with which the first attempt at a slot is kept."""
        filling = _Filling(self.config, self.goals, PersuasionCompany())
        played = await play_plan(filling.plan(index, 0), filling.company, 0)
        return script_of(played, filling.ask(played))

    def card(self, manifest: Manifest) -> str:
        """The card of the finished dataset."""
        return card(manifest)


@dataclass(frozen=True)
class _Filling:
    """Fills slots with a company of actors and verifiers."""

    config: PackConfig
    goals: Mapping[str, GoalPack]
    company: PersuasionCompany

    async def fill(self, index: int) -> SlotLines:
        """Attempts until a conversation is kept or they are used up."""
        rejected: list[RejectedLine] = []
        name = self._name(index)
        for attempt in range(self.config.max_attempts):
            kept = await self._attempt(index, attempt, rejected)
            if kept is not None:
                return _kept(index, name, *kept, rejected)
        return SlotLines(index, _data([], [], rejected, []), Counts(unfilled=1, **_reasons(rejected)))

    def plan(self, index: int, attempt: int) -> PersuasionPlan:
        """The plan of an attempt at a slot."""
        return plan_at(self.config.seed, index, list(self.goals.values()), expressions(), attempt)

    def ask(self, played: PlayedConversation) -> list[Item]:
        """The questions about a conversation."""
        return list(ask(played, self._name(played.plan.number), expressions()))

    def _name(self, index: int) -> str:
        goals = list(self.goals)
        return f"{goals[index % len(goals)]}-{self.config.seed}-{index:06d}"

    async def _attempt(
        self, index: int, attempt: int, rejected: list[RejectedLine]
    ) -> tuple[PlayedConversation, list[Item]] | None:
        """The conversation and those of its questions that are kept; None if none is."""
        name, place = self._name(index), f"attempt {attempt}"
        try:
            played = await play_plan(self.plan(index, attempt), self.company, attempt)
        except (PlanError, ReplyError) as error:
            rejected.append(RejectedLine(id=name, file=_DIALOGUE, place=place, reason=str(error)))
            return None
        wrong = verify_words(played) if self.company.actor is None else None
        if wrong is not None:
            rejected.append(RejectedLine(id=name, file=_DIALOGUE, place=place, reason=wrong))
            return None
        items = self.ask(played)
        if self.company.verifier is None:
            return played, items
        verdicts = await verify_items(played, items, self.company, attempt)
        for item, verdict in verdicts:
            if not verdict.kept:
                reason = verdict.reason or "not accepted"
                rejected.append(RejectedLine(id=item.id, file=_QUESTION, place=place, reason=reason))
        read = [item for item, verdict in verdicts if verdict.kept]
        if len(read) < _LEAST_READ * len(items):
            reason = f"the model reads {len(read)} of {len(items)} right answers from the utterances"
            rejected.append(RejectedLine(id=name, file=_DIALOGUE, place=place, reason=reason))
            return None
        return played, read


# -- lines -----------------------------------------------------------------------------------------------------------


def _kept(
    index: int, name: str, played: PlayedConversation, items: Sequence[Item], rejected: Sequence[RejectedLine]
) -> SlotLines:
    plan = played.plan
    whole = played.shown(ROUNDS - 1)
    context = ContextRecord(id=name, lines=tuple(map(stored_line, whole)), background=plan.context)
    data = _data([context], [_line(name, item) for item in items], rejected, [_trajectory(name, played)])
    counts = Counts(
        dialogues=1,
        questions=len(items),
        totals={"clusters": 1, **Counter(_changes(played))},
        groups={"type": dict(Counter(item.groups["type"] for item in items))},
        **_reasons(rejected),
    )
    return SlotLines(index, data, counts)


def _line(name: str, item: Item) -> ItemLine:
    shown = 0 if item.context is None else len(item.context.lines)
    return ItemLine.of_item(item, SeenContext(id=name, lines=shown))


def _data(
    contexts: Sequence[ContextRecord],
    items: Sequence[ItemLine],
    rejected: Sequence[RejectedLine],
    trajectories: Sequence[Trajectory],
) -> dict[str, bytes]:
    return {
        CONTEXTS: to_lines(contexts),
        ITEMS: to_lines(items),
        REJECTED: to_lines(rejected),
        TRAJECTORIES: to_lines(trajectories),
    }


def _reasons(rejected: Sequence[RejectedLine]) -> dict[str, dict[str, int]]:
    """What was rejected, for the sums of a slot."""
    dialogues = sum(one.file == _DIALOGUE for one in rejected)
    questions = Counter(one.reason for one in rejected if one.file == _QUESTION)
    return {
        "rejected_dialogues": {"utterances": dialogues} if dialogues else {},
        "rejected_questions": dict(questions),
    }


def _changes(played: PlayedConversation) -> Iterator[str]:
    """The changes of desire that happen."""
    for number in range(1, ROUNDS):
        before, after = played.desire(number - 1), played.desire(number)
        if before != after:
            yield f"{before} to {after}"


def _trajectory(name: str, played: PlayedConversation) -> Trajectory:
    plan = played.plan
    question = f"Is {plan.ee} likely to {plan.target}?"
    return Trajectory(
        id=name,
        turns=tuple(AnnotatedTurn(speaker=one.speaker, utterance=one.text) for one in played.shown(ROUNDS - 1)),
        states=tuple(
            AnnotatedState(
                turn=2 * number + 1,
                holder=plan.ee,
                mental_state=MentalState.DESIRE,
                topic="desire",
                content=played.desire(number),
            )
            for number in range(ROUNDS)
        ),
        topics=(AnnotatedTopic(id="desire", label=plan.target, values=("Yes", "No", "Neutral"), question=question),),
    )
