"""Verifying kept dialogues again as work for an engine: a slot is a dialogue with its questions."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import cast

from pydantic import TypeAdapter

from dtomtrack.llm.options import AnyModel
from dtomtrack.llm.settings import ClientSettings
from dtomtrack.runs.job import SlotFiller
from dtomtrack.runs.lines import to_lines
from dtomtrack.runs.manifest import Counts
from dtomtrack.runs.slot_lines import SlotLines
from dtomtrack.runs.workplace import Workplace
from dtomtrack.suites.dtom.verdict_line import VERDICTS, VerdictLine
from dtomtrack.verifiers.judging.calibration import FaultTrial, Judged, KeptDialogue, fault_trials, judged_again
from dtomtrack.verifiers.judging.injections import InjectionTrial, told_to_accept
from dtomtrack.verifiers.judging.judge import Judge
from dtomtrack.verifiers.judging.thresholds import Thresholds

__all__ = ["CalibratingWork", "VerifyingWork", "trials_in"]

_FAULTS, _INJECTIONS = "faults", "injections"
_TRIALS, _TOLD = TypeAdapter(list[FaultTrial]), TypeAdapter(list[InjectionTrial])


@dataclass(frozen=True)
class VerifyingWork:
    """Has a model verify dialogues, which are the materials of the slots; see `dtomtrack.runs.job.Work`.

    The sums of a slot are the outcome of its dialogue, and the outcomes of its questions by type.

    Attributes:
        seed: of the dataset.
        thresholds: grades that a question has to get.
        client: how the model is asked.
    """

    model: AnyModel
    seed: int
    thresholds: Thresholds
    client: ClientSettings

    def max_concurrency(self, workers: int) -> int:
        """Dialogues that are judged at once in each of so many processes.

        So many that the calls that may be made are, or one a slot of the server.
        """
        return -(-(self.client.slots or 2 * self.client.concurrency) // workers)

    @asynccontextmanager
    async def judge(self, place: Workplace) -> AsyncIterator[Judge]:
        """The model as a judge in this process.

        Raises:
            ModelSpecError: it can't be used as it is named.
        """
        async with place.clients(self.client) as clients:
            yield Judge(await clients.open(self.model), seed=self.seed, **self.thresholds.model_dump())

    @asynccontextmanager
    async def open(self, place: Workplace) -> AsyncIterator[SlotFiller]:
        """Get ready to verify in this process.

        Raises:
            ModelSpecError: the model can't be used as it is named.
        """
        async with self.judge(place) as judge:

            async def verify(index: int) -> SlotLines:
                kept = cast("KeptDialogue", place.materials.pop(index))
                judged = await judged_again(judge, kept)
                return SlotLines(index, {VERDICTS: to_lines(_verdicts(judged))}, _counts(judged))

            yield verify


@dataclass(frozen=True)
class CalibratingWork(VerifyingWork):
    """Puts a model to the test on dialogues with known faults, and with instructions in them."""

    @asynccontextmanager
    async def open(self, place: Workplace) -> AsyncIterator[SlotFiller]:
        """Get ready to try in this process.

        Raises:
            ModelSpecError: the model can't be used as it is named.
        """
        async with self.judge(place) as judge:

            async def attempt(index: int) -> SlotLines:
                kept = cast("KeptDialogue", place.materials.pop(index))
                trials = await fault_trials(judge, kept)
                told = await told_to_accept(judge, index, kept)
                lines = {_FAULTS: _TRIALS.dump_json(trials), _INJECTIONS: _TOLD.dump_json(told)}
                return SlotLines(index, lines, Counts(questions=len(kept.questions)))

            yield attempt


def trials_in(lines: SlotLines) -> tuple[list[FaultTrial], list[InjectionTrial]]:
    """The trials of a slot: of faults, and of instructions."""
    return _TRIALS.validate_json(lines.data[_FAULTS]), _TOLD.validate_json(lines.data[_INJECTIONS])


def _counts(judged: Judged) -> Counts:
    by_type: dict[str, Counter[str]] = {}
    for question, verdict in judged.questions:
        by_type.setdefault(question.type.value, Counter())[verdict.outcome] += 1
    return Counts(totals={judged.verdict.outcome: 1}, groups={name: dict(one) for name, one in by_type.items()})


def _verdicts(judged: Judged) -> Iterator[VerdictLine]:
    verdict = judged.verdict
    yield VerdictLine(id=judged.dialogue.id, kind="dialogue", outcome=verdict.outcome, reason=verdict.reason)
    for question, found in judged.questions:
        yield VerdictLine(
            id=question.id,
            kind="question",
            outcome=found.outcome,
            criterion=found.criterion,
            reason=found.reason,
            grade=found.grade,
        )
