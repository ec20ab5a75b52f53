"""The job of PersuasiveToM: conversations from packs of goals, with questions of all eight types."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dtomtrack.beliefs.scenario import MentalState
from dtomtrack.items.item import Item
from dtomtrack.runs.job import SlotFiller
from dtomtrack.runs.lines import to_lines
from dtomtrack.runs.manifest import Counts, Manifest
from dtomtrack.runs.slot_lines import SlotLines
from dtomtrack.runs.workplace import Workplace
from dtomtrack.scenarios.persuasion.pack import GoalPack
from dtomtrack.scenarios.persuasion.pack_files import expressions
from dtomtrack.scenarios.persuasion.plan import ROUNDS, PersuasionPlan, plan_at
from dtomtrack.scenarios.persuasion.script import (
    PersuadeeDirection,
    PersuaderDirection,
    ScriptedPersuadee,
    ScriptedPersuader,
)
from dtomtrack.suites.items.card import rendered
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
from dtomtrack.suites.persuasivetom.generation.checking import disagreement
from dtomtrack.suites.persuasivetom.generation.config import GenerationConfig
from dtomtrack.suites.persuasivetom.generation.conversation import PlayedConversation, tracked
from dtomtrack.suites.persuasivetom.generation.questions import ask
from dtomtrack.suites.trajectories.records import AnnotatedState, AnnotatedTopic, AnnotatedTurn, Trajectory
from dtomtrack.verifiers.persuasion import PersuasionOverhearer

if TYPE_CHECKING:
    from dtomtrack.llm.settings import ClientSettings

__all__ = ["TRAJECTORIES", "PersuasionJob"]

TRAJECTORIES = "trajectories.jsonl"
"""The desires of the same conversations, which `dtomtrack trajectories` asks about before, after and when."""


@dataclass(frozen=True)
class PersuasionJob:
    """Makes conversations; see `dtomtrack.runs.job.Job`.

    Attributes:
        goals: by domain.
    """

    config: GenerationConfig
    goals: Mapping[str, GoalPack]
    concurrency: int = 8

    suite = "persuasivetom"
    format_version = FORMAT_VERSION
    files: Sequence[str] = (CONTEXTS, ITEMS, REJECTED, TRAJECTORIES)

    @property
    def stages(self) -> Mapping[str, str]:
        """Who does what, by stage."""
        return {"scenario": "scripted", "actors": "scripted", "verifiers": "rules"}

    @property
    def client(self) -> ClientSettings | None:
        """None: no language model takes part."""
        return None

    def max_concurrency(self, workers: int) -> int:
        """Conversations under way at once in each process."""
        return self.concurrency

    @asynccontextmanager
    async def open(self, place: Workplace) -> AsyncIterator[SlotFiller]:
        """Get ready for work in this process."""
        yield self._fill

    def card(self, manifest: Manifest) -> str:
        """The card of the finished dataset."""
        return rendered("dtomtrack.suites.persuasivetom.generation", manifest)

    async def _fill(self, index: int) -> SlotLines:
        rejected = []
        for attempt in range(self.config.max_attempts):
            plan = plan_at(self.config.seed, index, list(self.goals.values()), expressions(), attempt)
            played = tracked(plan, await _played(plan))
            reason = disagreement(played, PersuasionOverhearer(plan.goal, expressions()))
            name = f"{plan.goal.domain}-{self.config.seed}-{index:06d}"
            if reason is None:
                targets = [goal.target for goal in self.goals.values()]
                return _kept(index, name, played, list(ask(played, name, expressions(), targets)), rejected)
            rejected.append(RejectedLine(id=name, file="", place=f"attempt {attempt}", reason=reason))
        return SlotLines(index, _data([], [], rejected, []), Counts(unfilled=1, rejected_dialogues=_reasons(rejected)))


async def _played(plan: PersuasionPlan) -> list[str]:
    """The utterances of a plan."""
    # imported late: LangGraph takes half a second
    from dtomtrack.graphs.persuading import Conversation, play_conversation

    rounds = plan.rounds
    after = [*(one.strategy for one in rounds[1:]), None]
    arguing = [PersuaderDirection(one.strategy, one.tone, then) for one, then in zip(rounds, after, strict=True)]
    answering = [PersuadeeDirection(one.concerns, one.attitude, one.intention) for one in rounds]
    persuader = ScriptedPersuader(expressions(), plan.random("persuader"))
    persuadee = ScriptedPersuadee(plan.goal, plan.random("persuadee"))
    return await play_conversation(Conversation(persuader, persuadee), arguing, answering)


# -- lines -----------------------------------------------------------------------------------------------------------


def _kept(
    index: int, name: str, played: PlayedConversation, items: Sequence[Item], rejected: Sequence[RejectedLine]
) -> SlotLines:
    plan = played.plan
    whole = played.shown(ROUNDS - 1)
    background = plan.goal.context.format(er=plan.er, ee=plan.ee)
    context = ContextRecord(id=name, lines=tuple(map(stored_line, whole)), background=background)
    data = _data([context], [_line(name, item) for item in items], rejected, [_trajectory(name, played)])
    counts = Counts(
        dialogues=1,
        questions=len(items),
        totals={"clusters": 1, **Counter(_changes(played))},
        groups={"type": dict(Counter(item.groups["type"] for item in items))},
        rejected_dialogues=_reasons(rejected),
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


def _reasons(rejected: Sequence[RejectedLine]) -> dict[str, int]:
    return {"utterances": len(rejected)} if rejected else {}


def _changes(played: PlayedConversation) -> Iterator[str]:
    """The changes of desire that happen."""
    for number in range(1, ROUNDS):
        before, after = played.desire(number - 1), played.desire(number)
        if before != after:
            yield f"{before} to {after}"


def _trajectory(name: str, played: PlayedConversation) -> Trajectory:
    plan = played.plan
    question = f"Is {plan.ee} likely to {plan.goal.target}?"
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
        topics=(
            AnnotatedTopic(id="desire", label=plan.goal.target, values=("Yes", "No", "Neutral"), question=question),
        ),
    )
