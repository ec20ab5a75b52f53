"""The job of RecToM: recommendation dialogues from packs, with questions of all ten types."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

from dtomtrack.errors import ReplyError
from dtomtrack.runs.job import SlotFiller
from dtomtrack.runs.lines import to_lines
from dtomtrack.runs.manifest import Counts, Manifest
from dtomtrack.runs.slot_lines import SlotLines
from dtomtrack.runs.slots import slot_at
from dtomtrack.runs.workplace import Workplace
from dtomtrack.scenarios.recommendation.clauses import ClauseReader
from dtomtrack.scenarios.recommendation.pack import RecommendationPack, forms
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
from dtomtrack.suites.rectom.generation.config import GenerationConfig
from dtomtrack.suites.rectom.generation.playing import (
    PlayedSession,
    ScriptedPerformer,
    promising_plan,
    read_session,
)
from dtomtrack.suites.rectom.generation.questions import Questions
from dtomtrack.suites.rectom.generation.states import STATES, StateRecord, state_record

if TYPE_CHECKING:
    from dtomtrack.llm.settings import ClientSettings

__all__ = ["RecommendationJob"]


@dataclass(frozen=True)
class RecommendationJob:
    """Makes dialogues; see `dtomtrack.runs.job.Job`.

    Attributes:
        packs: by domain.
    """

    config: GenerationConfig
    packs: Mapping[str, RecommendationPack]
    concurrency: int = 8

    suite = "rectom"
    format_version = FORMAT_VERSION
    files: Sequence[str] = (CONTEXTS, ITEMS, REJECTED, STATES)

    @property
    def stages(self) -> Mapping[str, str]:
        """Who does what, by stage."""
        return {"scenario": "scripted", "actors": "scripted", "verifiers": "rules"}

    @property
    def client(self) -> ClientSettings | None:
        """None: no language model takes part."""
        return None

    def max_concurrency(self, workers: int) -> int:
        """Dialogues under way at once in each process."""
        return self.concurrency

    @asynccontextmanager
    async def open(self, place: Workplace) -> AsyncIterator[SlotFiller]:
        """Get ready for work in this process."""
        readers = {name: ClauseReader(pack, forms()) for name, pack in self.packs.items()}

        async def fill(index: int) -> SlotLines:
            return await self._fill(index, readers)

        yield fill

    def card(self, manifest: Manifest) -> str:
        """The card of the finished dataset."""
        return rendered("dtomtrack.suites.rectom.generation", manifest)

    async def _fill(self, index: int, readers: Mapping[str, ClauseReader]) -> SlotLines:
        """Try a slot until a dialogue is kept or its attempts are used up."""
        slot = slot_at(self.config.seed, index, self.config.domains)
        rejected = []
        for attempt in range(self.config.max_attempts):
            try:
                played = await self._play(slot.domain, readers[slot.domain], slot.dialogue_id, attempt)
            except ReplyError as error:
                rejected.append(
                    RejectedLine(id=slot.dialogue_id, file="", place=f"attempt {attempt}", reason=str(error))
                )
            else:
                return _lines(index, played, slot.dialogue_id, rejected)
        return _lines(index, None, slot.dialogue_id, rejected)

    async def _play(self, domain: str, reader: ClauseReader, name: str, attempt: int) -> PlayedSession:
        # imported late: LangGraph takes half a second
        from dtomtrack.graphs.recommending import Session, play_session

        pack, seed = self.packs[domain], f"{name}/{attempt}"
        plan = promising_plan(pack, self.config.length, Random(f"{seed}/plan"))  # noqa: S311
        if plan is None:
            raise ReplyError("no plan gives questions of all types")
        voices = [ScriptedPerformer(pack, forms(), Random(f"{seed}/{role}")) for role in ("seeker", "recommender")]  # noqa: S311
        session = read_session(reader, plan, await play_session(Session(*voices), plan.lines))
        items = tuple(Questions(pack, session, name, Random(f"{seed}/questions")).items())  # noqa: S311
        return PlayedSession(plan, session, items)


# -- lines -----------------------------------------------------------------------------------------------------------


def _lines(index: int, played: PlayedSession | None, name: str, rejected: Sequence[RejectedLine]) -> SlotLines:
    """The lines of a slot, with a kept dialogue or without one."""
    contexts, items, states = _records(name, played) if played else ([], [], [])
    types = Counter(item.groups["type"] for item in items)
    counts = Counts(
        dialogues=len(contexts),
        questions=len(items),
        unfilled=int(played is None),
        totals={"clusters": len(contexts), "false beliefs": sum(bool(one.false_beliefs) for one in states)},
        groups={"type": dict(sorted(types.items()))},
        rejected_dialogues=dict(Counter(one.reason.partition(": ")[2] or one.reason for one in rejected)),
    )
    data = {
        CONTEXTS: to_lines(contexts),
        ITEMS: to_lines(items),
        REJECTED: to_lines(rejected),
        STATES: to_lines(states),
    }
    return SlotLines(index, data, counts)


def _records(name: str, played: PlayedSession) -> tuple[list[ContextRecord], list[ItemLine], list[StateRecord]]:
    session = played.session
    whole = session.shown(len(session.lines))
    context = ContextRecord(id=name, lines=tuple(map(stored_line, whole)))
    items = [ItemLine.of_item(item, SeenContext(id=name, lines=item.turn or 1)) for item in played.items]
    return [context], items, [state_record(name, played.plan, session)]
