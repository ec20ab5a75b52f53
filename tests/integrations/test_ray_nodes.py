"""Shards at the nodes of a Ray cluster: one that can't be read stays, whatever goes wrong with its machine."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from journal_writer import SPEC, STORED, request_of
from ray.exceptions import RayError, WorkerCrashedError

from dtomtrack.errors import DatasetError, WorkerError, WriteError
from dtomtrack.llm.journal import key_of_request
from dtomtrack.llm.journal_rows import Row
from dtomtrack.runs import ray_nodes
from dtomtrack.runs.messages import ShardName
from dtomtrack.runs.ray_cluster import Node
from dtomtrack.runs.ray_nodes import recovered
from dtomtrack.runs.shard import Shard

NAME = ShardName("0123456789abcdef01234567", "0-01234567")


class Line:
    """The line to a run that is gone."""

    def send(self, message: object) -> bool:
        """Nobody hears it."""
        return False

    def listen(self, hear: object) -> None:
        """Nobody says anything."""


@pytest.fixture(autouse=True)
def shard(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A shard of three replies on a cluster of one node, which asks itself."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr(ray_nodes, "live_nodes", lambda: [Node("n1", "10.0.0.7")])
    monkeypatch.setattr(ray_nodes, "_PAUSE", 0.0)

    async def store() -> None:
        made = Shard(NAME, Line(), seeking=False)
        for slot in range(3):
            request = request_of(slot)
            await made.store(key_of_request(SPEC, request), SPEC, request, STORED, 0.5)
        await made.end()

    asyncio.run(store())


def failing(times: int, error: RayError) -> Callable[..., Awaitable[object]]:
    """What Ray does with a task: so often it fails."""
    left = iter(range(times))

    async def at(_: Node, work: Callable[..., object], *arguments: object) -> object:
        if next(left, None) is not None:
            raise error
        return work(*arguments)

    return at


async def all_rows() -> list[Row]:
    pieces = await recovered(NAME, fresh=False)
    assert pieces is not None
    return [row async for piece in pieces for row in piece]


def test_a_task_that_fails_for_once_is_given_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ray_nodes, "_at", failing(2, WorkerCrashedError()))
    assert len(asyncio.run(all_rows())) == 3


def test_a_large_shard_comes_in_pieces_though_tasks_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dtomtrack.runs.shard._PIECE", 1)
    asked: list[object] = []
    answer = failing(0, WorkerCrashedError())

    async def at(node: Node, work: Callable[..., object], *arguments: object) -> object:
        asked.append(arguments)
        if len(asked) == 3:
            raise WorkerCrashedError
        return await answer(node, work, *arguments)

    monkeypatch.setattr(ray_nodes, "_at", at)
    rows = asyncio.run(all_rows())
    assert len({row[0] for row in rows}) == len(rows) == 3
    # a piece a row, one that failed, and that there is no more
    assert len(asked) == 5


def test_a_node_that_never_answers_ends_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ray_nodes, "_at", failing(10**6, WorkerCrashedError()))
    with pytest.raises(WorkerError, match=r"10\.0\.0\.7: does not answer .*; what is stored there stays"):
        asyncio.run(recovered(NAME, fresh=True))


def test_a_shard_that_cannot_be_made_anew_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(path: Path) -> None:
        raise WriteError(f"{path}: can't be made anew (No space left on device); it is as it was")

    monkeypatch.setattr(ray_nodes, "_at", failing(0, WorkerCrashedError()))
    monkeypatch.setattr("dtomtrack.runs.shard.salvage", full)
    with pytest.raises(DatasetError, match=r"10\.0\.0\.7: .*No space left on device"):
        asyncio.run(recovered(NAME, fresh=True))
