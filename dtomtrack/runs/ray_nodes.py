"""What a run wants of the machines of a Ray cluster themselves: their versions, and the shards on their disks."""

from __future__ import annotations

import asyncio
import platform
import sqlite3
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from dtomtrack.errors import DatasetError, DtomtrackError, InputError, WorkerError
from dtomtrack.llm.journal_rows import Row
from dtomtrack.runs.messages import ShardName
from dtomtrack.runs.ray_cluster import Node, live_nodes
from dtomtrack.runs.shard import remove_shard, rows_of_shard
from dtomtrack.version import VERSION

if TYPE_CHECKING:
    from ray.exceptions import RayError

__all__ = ["check_versions", "discard", "recovered"]

Result = TypeVar("Result")

_MOST_ASKED, _PAUSE = 30, 2.0
"""So often a node is asked that lives and does not answer, and the seconds from one time to the next."""


@dataclass(frozen=True)
class _Versions:
    """What has to be the same everywhere, for the same bytes."""

    dtomtrack: str
    python: str

    def __str__(self) -> str:
        return f"dtomtrack {self.dtomtrack} with Python {self.python}"


@dataclass(frozen=True)
class _OnDisk:
    """What a machine has of a shard: the next rows, nothing, or something wrong with it."""

    rows: Sequence[Row] | None = None
    wrong: str = ""


async def check_versions() -> None:
    """See that each node has what this process has, but for those that have just died.

    Raises:
        InputError: one has not.
    """
    from ray.exceptions import NodeDiedError, TaskUnschedulableError

    here = _versions()
    for node, there in await _on(live_nodes(), _versions):
        if isinstance(there, TaskUnschedulableError | NodeDiedError):
            # for some seconds after its death a node is on the list
            continue
        if isinstance(there, Exception):
            raise InputError(
                f"{node.name}: dtomtrack {VERSION} can't be used there ({_last_line(there)}); install the same version "
                "on every machine of the cluster"
            ) from there
        if there != here:
            raise InputError(f"{node.name}: has {there}, this machine {here}; install the same on both")


async def recovered(shard: ShardName, *, fresh: bool) -> AsyncIterator[Sequence[Row]] | None:
    """The rows of a shard, wherever it is, piece by piece; None if it is on no machine of the cluster.

    Raises:
        DatasetError: it is damaged, of another run, or can't be read.
        WorkerError: a machine that may have it does not answer.
    """
    found = [(node, _sound(node, one)) for node, one in await _answers(live_nodes(), _on_disk, shard, fresh)]
    return next((_pieces(shard, node, rows) for node, rows in found if rows is not None), None)


async def _pieces(shard: ShardName, node: Node, rows: Sequence[Row]) -> AsyncIterator[Sequence[Row]]:
    """The rows that were found on a machine, and all that follow on them; one piece is in memory at a time."""
    while rows:
        yield rows
        found = await _answers([node], _on_disk, shard, False, rows[-1][0])
        if not found:
            raise _silent(node, "it has just died")
        rows = _sound(*found[0]) or ()


def _sound(node: Node, found: _OnDisk) -> Sequence[Row] | None:
    if found.wrong:
        raise DatasetError(f"{node.name}: {found.wrong}")
    return found.rows


async def discard(shard: ShardName) -> None:
    """Remove a shard of which the run has all, wherever it is."""
    await _on(live_nodes(), remove_shard, shard)


async def _answers(nodes: Sequence[Node], work: Callable[..., Result], *arguments: object) -> list[tuple[Node, Result]]:
    """The results from nodes but those that die meanwhile: those of one machine may have disks of their own.

    Raises:
        WorkerError: a node lives and does not answer, again and again.
    """
    found: list[tuple[Node, Result]] = []
    left, why = nodes, ""
    for _ in range(_MOST_ASKED):
        unknown = []
        for node, one in await _on(left, work, *arguments):
            if isinstance(one, Exception):
                unknown.append(node)
                why = _last_line(one)
            else:
                found.append((node, one))
        there = {node.id for node in live_nodes()}
        left = [node for node in unknown if node.id in there]
        if not left:
            return found
        # for some seconds after its death a node is on the list; others may answer the next time
        await asyncio.sleep(_PAUSE)
    raise _silent(left[0], why)


def _silent(node: Node, why: str) -> WorkerError:
    return WorkerError(f"{node.name}: does not answer ({why}); what is stored there stays; try the same again")


async def _on(
    nodes: Sequence[Node], work: Callable[..., Result], *arguments: object
) -> list[tuple[Node, Result | RayError]]:
    """The results from nodes, or why there are none."""
    from ray.exceptions import RayError

    results = await asyncio.gather(*(_at(node, work, *arguments) for node in nodes), return_exceptions=True)
    found: list[tuple[Node, Result | RayError]] = []
    for node, result in zip(nodes, results, strict=True):
        if isinstance(result, BaseException) and not isinstance(result, RayError):
            raise result
        found.append((node, result))
    return found


async def _at(node: Node, work: Callable[..., Result], *arguments: object) -> Result:
    """The result of a function on a machine."""
    import ray
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

    there = NodeAffinitySchedulingStrategy(node.id, soft=False)
    task = ray.remote(work).options(num_cpus=0, max_retries=0, scheduling_strategy=there)
    result: Result = await task.remote(*arguments)
    return result


def _versions() -> _Versions:
    return _Versions(VERSION, ".".join(platform.python_version_tuple()[:2]))


def _on_disk(shard: ShardName, fresh: bool, after: bytes = b"") -> _OnDisk:
    try:
        return _OnDisk(rows_of_shard(shard, fresh=fresh, after=after))
    except (DtomtrackError, OSError, sqlite3.Error) as error:
        return _OnDisk(wrong=str(error))


def _last_line(error: Exception) -> str:
    return str(error).strip().split("\n")[-1].strip()
