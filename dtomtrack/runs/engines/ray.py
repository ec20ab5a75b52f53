"""The engine ``ray``: slots are filled by the actors of a Ray cluster, on however many machines.

The process that writes the folder is the only one that does. Each worker has its share of the calls at once and of the
rates, asks this process for each call's part of the budget, and keeps replies in a shard on its own machine, from which
they come here as soon as they are there. A worker that dies is replaced; its slots are given out again, and played from
what it had stored.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncGenerator, AsyncIterable, Callable, Iterator, Sequence
from contextlib import aclosing, suppress
from typing import TYPE_CHECKING

from dtomtrack.errors import DatasetError, InputError
from dtomtrack.llm.journal_rows import Row
from dtomtrack.runs.crew import Crew
from dtomtrack.runs.job import Work
from dtomtrack.runs.merging import Merging
from dtomtrack.runs.messages import Assignment, Lost, ShardName
from dtomtrack.runs.ray_cluster import OWN, cores_of_cluster, on_cluster
from dtomtrack.runs.ray_nodes import check_versions, discard, recovered
from dtomtrack.runs.ray_worker import RayWorker
from dtomtrack.runs.slot_lines import SlotLines
from dtomtrack.runs.workplace import Workplace

if TYPE_CHECKING:
    from ray.actor import ActorHandle

__all__ = ["RayEngine", "engine"]

_PATIENCE = 5.0
"""Seconds that a worker may take to tidy up."""


class RayEngine:
    """Works on a cluster; with language models, in no more workers than calls may be made at once.

    Args:
        workers: actors, of a core each; None for as many as the cluster has cores.
        address: of the cluster.
    """

    def __init__(self, workers: int | None, address: str) -> None:
        self._workers = workers
        self._address = address

    async def map(
        self, job: Work, slots: range, place: Workplace, materials: Iterator[object] | None = None
    ) -> AsyncGenerator[SlotLines, None]:
        """The lines of slots, in their order.

        Raises:
            InputError: nobody answers at the address, versions differ, or the job can't be sent there.
            DatasetError: a shard of an earlier session is damaged, or not to be found.
            WorkerError: workers died again and again.
        """
        with on_cluster(self._address, self._workers):
            await check_versions()
            merging = None if job.client is None else Merging(place)
            try:
                fresh = job.client is not None and job.client.fresh_journal
                if merging is not None:
                    await _recover_all(merging, place, fresh=fresh)
                most = len(slots) if job.client is None else job.client.concurrency
                workers = min(self._workers or cores_of_cluster(), most) or 1
                crew = Crew(job, slots, place, workers, _Actors(fresh=fresh), merging, materials)
                async with aclosing(crew.lines()) as filled:
                    async for lines in filled:
                        yield lines
            finally:
                if merging is not None:
                    await merging.close()


def engine(workers: int | None, address: str | None = None) -> RayEngine:
    """The engine; on the cluster that ``RAY_ADDRESS`` names, or on this machine, if nobody says where.

    Raises:
        InputError: Ray is not installed.
    """
    try:
        import ray  # noqa: F401 - found out before anything is begun
    except ImportError:
        raise InputError("--engine ray needs an extra: pip install 'dtomtrack[ray]'") from None
    own = address or os.environ.get("RAY_ADDRESS") or OWN
    return RayEngine(workers or (os.cpu_count() if own == OWN else None), own)


async def _recover_all(merging: Merging, place: Workplace, *, fresh: bool) -> None:
    """Merge what workers of an earlier session stored and did not send.

    Raises:
        DatasetError: a shard is damaged, or not to be found.
    """
    for name, machine in list(merging.shards.machines.items()):
        shard = ShardName(merging.shards.run, name)
        pieces = await recovered(shard, fresh=fresh)
        if pieces is None and not fresh:
            raise DatasetError(
                f"the replies that a worker stored at {machine} are on no machine of the cluster (shard {name}); start "
                "that machine again, or give --fresh-journal to pay for them again"
            )
        place.totals.become(place.totals + await merging.recover(shard, pieces))
        await discard(shard)


class _Actors:
    """Starts workers on the cluster, wherever a core is free.

    Args:
        fresh: whether damaged shards are put aside, and what of them can be read is taken.
    """

    spare = 24
    replaces = True

    def __init__(self, *, fresh: bool) -> None:
        self._fresh = fresh

    def start(self, assignment: Assignment, hear: Callable[[object], None]) -> _HiredActor:
        """Start one; it waits for a core if none is free."""
        import ray

        actor = ray.remote(RayWorker).options(num_cpus=1, max_restarts=0, max_task_retries=0)
        return _HiredActor(actor.remote(assignment), hear)

    async def recover(self, shard: ShardName) -> AsyncIterable[Sequence[Row]] | None:
        """The replies in the shard of a worker that died, if its machine is still there."""
        return await recovered(shard, fresh=self._fresh)

    async def discard(self, shard: ShardName) -> None:
        """Remove a shard."""
        await discard(shard)


class _HiredActor:
    """An actor, whose messages are fetched as they come."""

    def __init__(self, actor: ActorHandle[RayWorker], hear: Callable[[object], None]) -> None:
        self._actor = actor
        self._listening = asyncio.ensure_future(self._listen(hear))

    def send(self, message: object) -> bool:
        """Send a message; whether it arrives is told by what is heard."""
        self._actor.hear.remote(message)
        return True

    async def end(self, *, merged: bool) -> None:
        """Kill it, after it has removed its shard if that is not needed any more."""
        import ray
        from ray.exceptions import RayError

        self._listening.cancel()
        if merged:
            with suppress(RayError, TimeoutError):
                async with asyncio.timeout(_PATIENCE):
                    await self._actor.forget.remote()
        ray.kill(self._actor)

    async def _listen(self, hear: Callable[[object], None]) -> None:
        import ray
        from ray.exceptions import RayError

        try:
            while True:
                for message in await self._actor.say.remote():
                    hear(message)
        except RayError as error:
            # one that can't be reached, but goes on, would write a shard that is being read
            ray.kill(self._actor)
            hear(Lost(str(error).strip().split("\n")[-1]))
