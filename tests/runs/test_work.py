"""Work with materials: what is asked about is taken as it is needed, however long the file is."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import aclosing, asynccontextmanager
from itertools import cycle
from sys import maxsize

import pytest
from asking import until
from competent_reader import letter
from loopback import Loopback

from dtomtrack.api import dialogues
from dtomtrack.llm.budget import NOTHING, Spending
from dtomtrack.llm.settings import ClientSettings
from dtomtrack.llm.spec import parse_spec
from dtomtrack.llm.tracing import RunTrace
from dtomtrack.runs.engines import open_engine
from dtomtrack.runs.job import SlotFiller
from dtomtrack.runs.messages import Assignment, End, Granted, Held, Ready, Released, Slots
from dtomtrack.runs.slot_lines import SlotLines
from dtomtrack.runs.worker import Worker
from dtomtrack.runs.workplace import Workplace
from dtomtrack.suites.dtom.verifying_work import VerifyingWork
from dtomtrack.verifiers.judging.calibration import KeptDialogue
from dtomtrack.verifiers.judging.thresholds import Thresholds

ENGINES = [("local", 1), ("processes", 2)]


@pytest.fixture(scope="module")
def kept() -> list[KeptDialogue]:
    """Three dialogues, without their questions."""
    return [KeptDialogue(one.dialogue, ()) for one in dialogues("restaurant", n=3)]


def work(server: Loopback) -> VerifyingWork:
    """A judge that answers at once."""
    model = parse_spec("vllm/judge", server.base_url)
    return VerifyingWork(model, 0, Thresholds(), ClientSettings(concurrency=2))


@pytest.mark.parametrize(("name", "workers"), ENGINES)
async def test_materials_are_taken_as_they_are_needed(kept: list[KeptDialogue], name: str, workers: int) -> None:
    taken = 0

    def without_end() -> Iterator[object]:
        nonlocal taken
        for one in cycle(kept):
            taken += 1
            yield one

    place = Workplace()
    with Loopback(lambda request: letter("A")) as server:
        filled = open_engine(name, workers).map(work(server), range(5, maxsize), place, without_end())
        async with aclosing(filled):
            assert [(await anext(filled)).index for _ in range(4)] == [5, 6, 7, 8]
    assert 4 <= taken < 200


@pytest.mark.parametrize(("name", "workers"), ENGINES)
async def test_where_materials_end_slots_do(kept: list[KeptDialogue], name: str, workers: int) -> None:
    with Loopback(lambda request: letter("A")) as server:
        filled = open_engine(name, workers).map(work(server), range(maxsize), Workplace(), iter(kept))
        assert [one.index async for one in filled] == [0, 1, 2]
        nothing = open_engine(name, workers).map(work(server), range(maxsize), Workplace(), iter(()))
        assert [one async for one in nothing] == []


class Line:
    """The line to a run that is this test."""

    def __init__(self) -> None:
        self.sent: list[object] = []
        self.hear: Callable[[object], None] = self.sent.append

    def send(self, message: object) -> bool:
        """A message to the run."""
        self.sent.append(message)
        return True

    def listen(self, hear: Callable[[object], None]) -> None:
        """Whom to tell what the run says."""
        self.hear = hear

    async def said(self, kind: type) -> None:
        """Wait for a message of a kind."""
        await until(lambda: any(isinstance(message, kind) for message in self.sent))


class Spender:
    """Work that asks for money."""

    client = None

    def max_concurrency(self, workers: int) -> int:
        """One slot."""
        return 1

    @asynccontextmanager
    async def open(self, place: Workplace) -> AsyncIterator[SlotFiller]:
        """Fill slots with what can be had."""

        async def fill(index: int) -> SlotLines:
            assert place.reservation is not None
            await place.reservation.hold(MOST)
            raise AssertionError("it was cancelled")

        yield fill


MOST = Spending(10, 0.5)


async def test_money_that_is_granted_when_a_call_is_cancelled_is_given_back() -> None:
    line = Line()
    work = asyncio.create_task(Worker(line, Assignment(Spender(), 0, 1, None, True, RunTrace(), {})).work())
    await line.said(Ready)
    line.hear(Slots((0,)))
    await line.said(Held)
    line.hear(End())
    line.hear(Granted(0))
    await work
    assert Released(MOST, NOTHING) in line.sent
