"""The job of RecToM: recommendation dialogues from packs, with questions of all ten types."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from random import Random

from dtomtrack.errors import ReplyError
from dtomtrack.runs.job import SlotFiller
from dtomtrack.runs.lines import to_lines
from dtomtrack.runs.manifest import Counts, Manifest
from dtomtrack.runs.slot_lines import SlotLines
from dtomtrack.runs.slots import Slot, slot_at
from dtomtrack.scenarios.recommendation.director import SessionPlan
from dtomtrack.scenarios.recommendation.pack import RecommendationPack
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
from dtomtrack.suites.rectom.card import card
from dtomtrack.suites.rectom.generation.company import ModelCompany, ScriptedCompany
from dtomtrack.suites.rectom.generation.config import GenerationConfig
from dtomtrack.suites.rectom.generation.playing import PlayedSession, promising_plan
from dtomtrack.suites.rectom.generation.questions import Questions
from dtomtrack.suites.rectom.generation.rehearsing import script_of
from dtomtrack.suites.rectom.generation.states import STATES, StateRecord, state_record

__all__ = ["RecommendationJob"]


@dataclass(frozen=True)
class RecommendationJob(PackJob[GenerationConfig]):
    """Makes dialogues; see `dtomtrack.runs.job.Job`.

    Attributes:
        packs: by domain.
    """

    packs: Mapping[str, RecommendationPack]

    suite = "rectom"
    format_version = FORMAT_VERSION
    files: Sequence[str] = (CONTEXTS, ITEMS, REJECTED, STATES)

    def filler(self, models: OpenModels) -> SlotFiller:
        """The function that fills slots with these models."""
        how = self.config.models
        if how is None or models.actor is None or models.verifier is None:
            return partial(self._fill, ScriptedCompany())
        return partial(self._fill, ModelCompany(models.actor, models.verifier, how, self.config.seed))

    async def script(self, index: int) -> Script:
        """Replies with which the first attempt at a slot is kept; none where it finds no plan."""
        slot = slot_at(self.config.seed, index, self.config.domains)
        plan = self._plan(slot, 0)
        return {} if plan is None else script_of(self.packs[slot.domain], plan, slot.index)

    def card(self, manifest: Manifest) -> str:
        """The card of the finished dataset."""
        return card(manifest)

    async def _fill(self, company: ScriptedCompany | ModelCompany, index: int) -> SlotLines:
        """Try a slot until a dialogue is kept or its attempts are used up."""
        slot = slot_at(self.config.seed, index, self.config.domains)
        rejected = []
        for attempt in range(self.config.max_attempts):
            try:
                played = await self._play(company, slot, attempt)
            except ReplyError as error:
                rejected.append(
                    RejectedLine(id=slot.dialogue_id, file="", place=f"attempt {attempt}", reason=str(error))
                )
            else:
                return _lines(index, played, slot.dialogue_id, rejected)
        return _lines(index, None, slot.dialogue_id, rejected)

    async def _play(self, company: ScriptedCompany | ModelCompany, slot: Slot, attempt: int) -> PlayedSession:
        pack, name = self.packs[slot.domain], slot.dialogue_id
        plan = self._plan(slot, attempt)
        if plan is None:
            raise ReplyError("no plan gives questions of all types")
        session = await company.play(pack, plan, name, slot.index, attempt)
        items = tuple(Questions(pack, session, name, Random(f"{name}/{attempt}/questions")).items())  # noqa: S311
        return PlayedSession(plan, session, items)

    def _plan(self, slot: Slot, attempt: int) -> SessionPlan | None:
        random = Random(f"{slot.dialogue_id}/{attempt}/plan")  # noqa: S311 - reproducible, no secret
        return promising_plan(self.packs[slot.domain], self.config.length, random)


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
