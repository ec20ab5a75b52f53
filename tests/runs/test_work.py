"""Work with materials: what is asked about is taken as it is needed, however long the file is."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import aclosing
from itertools import cycle
from sys import maxsize

import pytest
from competent_reader import letter
from loopback import Loopback

from dtomtrack.llm.settings import ClientSettings
from dtomtrack.llm.spec import parse_spec
from dtomtrack.runs.engines import open_engine
from dtomtrack.runs.workplace import Workplace
from dtomtrack.suites.dtom.slot_result import SlotResult
from dtomtrack.suites.dtom.verifying_work import VerifyingWork
from dtomtrack.verifiers.judging.calibration import KeptDialogue
from dtomtrack.verifiers.judging.thresholds import Thresholds

ENGINES = [("local", 1), ("processes", 2)]


def kept(slots: dict[str, list[SlotResult]]) -> list[KeptDialogue]:
    """Three dialogues, without their questions."""
    return [KeptDialogue(slot.dialogue, ()) for slot in slots["restaurant"][:3] if slot.dialogue is not None]


def work(server: Loopback) -> VerifyingWork:
    """A judge that answers at once."""
    model = parse_spec("vllm/judge", server.base_url)
    return VerifyingWork(model, 0, Thresholds(), ClientSettings(concurrency=2))


@pytest.mark.parametrize(("name", "workers"), ENGINES)
async def test_materials_are_taken_as_they_are_needed(
    slots: dict[str, list[SlotResult]], name: str, workers: int
) -> None:
    taken = 0

    def without_end() -> Iterator[object]:
        nonlocal taken
        for one in cycle(kept(slots)):
            taken += 1
            yield one

    place = Workplace()
    with Loopback(lambda request: letter("A")) as server:
        filled = open_engine(name, workers).map(work(server), range(5, maxsize), place, without_end())
        async with aclosing(filled):
            assert [(await anext(filled)).index for _ in range(4)] == [5, 6, 7, 8]
    assert 4 <= taken < 200


@pytest.mark.parametrize(("name", "workers"), ENGINES)
async def test_where_materials_end_slots_do(slots: dict[str, list[SlotResult]], name: str, workers: int) -> None:
    with Loopback(lambda request: letter("A")) as server:
        filled = open_engine(name, workers).map(work(server), range(maxsize), Workplace(), iter(kept(slots)))
        assert [one.index async for one in filled] == [0, 1, 2]
        nothing = open_engine(name, workers).map(work(server), range(maxsize), Workplace(), iter(()))
        assert [one async for one in nothing] == []
