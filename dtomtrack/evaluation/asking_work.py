"""Asking a model the items of a dataset as work for an engine: a slot is an item as it is shown once."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cache
from typing import cast

from dtomtrack.evaluation.answer_folder import ANSWERS
from dtomtrack.evaluation.asking import ModelSubject
from dtomtrack.evaluation.examples import Examples
from dtomtrack.evaluation.records import AskConfig, Outcome
from dtomtrack.items.presented import PresentedItem
from dtomtrack.llm.options import AnyModel, is_on_server
from dtomtrack.llm.settings import ClientSettings
from dtomtrack.runs.engines import Engine, open_engine
from dtomtrack.runs.job import SlotFiller
from dtomtrack.runs.lines import to_lines
from dtomtrack.runs.manifest import Counts
from dtomtrack.runs.slot_lines import SlotLines
from dtomtrack.runs.workplace import Workplace

__all__ = ["AskingWork", "answered", "engine_for"]

_AHEAD = 4
"""Items under way for each call: one slow reply doesn't hold up the others."""
_ANSWERS_A_PROCESS, _CALLS_A_PROCESS = 5_000, 16
"""So many make up for the second that starting a process takes; with fewer calls at once it mostly waits."""


@dataclass(frozen=True)
class AskingWork:
    """Has a model answer items, which are the materials of the slots; see `dtomtrack.runs.job.Work`.

    Attributes:
        focus: what the suite's items want thought about, where reasoning is asked for.
        examples: which are shown before items.
        client: how the model is asked.
    """

    model: AnyModel
    config: AskConfig
    focus: str
    examples: Examples
    client: ClientSettings

    def max_concurrency(self, workers: int) -> int:
        """Items that are asked at once in each of so many processes."""
        return _AHEAD * -(-self.client.concurrency // workers)

    @asynccontextmanager
    async def open(self, place: Workplace) -> AsyncIterator[SlotFiller]:
        """Get ready to ask in this process.

        Raises:
            ModelSpecError: the model can't be used as it is named.
        """
        async with place.clients(self.client) as clients:
            subject = ModelSubject(await clients.open(self.model), self.config, self.focus, self.examples)

            async def ask(index: int) -> SlotLines:
                shown = cast("PresentedItem", place.materials.pop(index))
                answer = await subject.answer(shown)
                return SlotLines(index, {ANSWERS: to_lines([answer])}, _counted(answer.outcome))

            yield ask


def engine_for(work: AskingWork, answers: int) -> Engine:
    """Who asks for so many answers, where nobody says it: several processes where one would be busier than the server.

    A model that is computed in this process is computed once; an object of the caller's own may not be sent.
    """
    worth = min(answers // _ANSWERS_A_PROCESS, work.client.concurrency // _CALLS_A_PROCESS, os.cpu_count() or 1)
    return open_engine("processes", worth) if is_on_server(work.model) and worth > 1 else open_engine("local")


@cache
def _counted(outcome: Outcome) -> Counts:
    return Counts(totals={outcome: 1})


def answered(lines: SlotLines) -> tuple[bytes, Outcome]:
    """The line of an answer, and its outcome."""
    [outcome] = lines.counts.totals
    return lines.data[ANSWERS], cast("Outcome", outcome)
