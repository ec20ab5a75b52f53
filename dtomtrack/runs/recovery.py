"""Workers that died: how often that may be, how soon another takes a place, and that nothing is lost that they stored.

A slot at which worker after worker dies, or machines on which none gets ready, are no accident: they end the run.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from dtomtrack.errors import WriteError
from dtomtrack.runs.member import Member
from dtomtrack.runs.merging import Merging
from dtomtrack.runs.staff import Staff

__all__ = ["Recovery"]

_MOST_DEATHS, _MOST_STILLBORN = 20, 5
"""So many workers may die that had a slot, or before they are ready while none is; more are no accident."""
_PAUSE, _LONGEST_PAUSE = 0.5, 30.0
"""Seconds until a worker is replaced whose predecessors died before they were ready: for the second, and at most."""


class Recovery:
    """Counts deaths, and takes up what the dead have left.

    Args:
        shares: how many workers there are at once; they have numbers from 0.
        merging: takes up replies where workers have shards.
    """

    def __init__(self, shares: int, staff: Staff, merging: Merging | None) -> None:
        self._shares = shares
        self._staff = staff
        self._merging = merging
        self._deaths: Counter[int] = Counter()
        self._stillborn: Counter[int] = Counter()

    def got_ready(self, worker: Member) -> None:
        """A worker lives: those before it in its place died by accident."""
        del self._stillborn[worker.number]

    def count(self, worker: Member, *, was_ready: bool) -> None:
        """A worker has died."""
        self._deaths.update(worker.slots)
        self._stillborn[worker.number] += not was_ready

    def is_hopeless(self, worker: Member, workers: Iterable[Member]) -> bool:
        """Whether to replace one that died would come to nothing.

        Args:
            workers: all that there were and are.
        """
        return self._none_lives(workers) or any(self._deaths[slot] >= _MOST_DEATHS for slot in worker.slots)

    def _none_lives(self, workers: Iterable[Member]) -> bool:
        """Whether no worker is ready, and those of each share have died before they were, several times in all."""
        if any(worker.ready for worker in workers):
            return False
        stillborn = [self._stillborn[number] for number in range(self._shares)]
        return all(stillborn) and sum(stillborn) >= _MOST_STILLBORN

    def pause(self, number: int) -> float:
        """Seconds until another takes this place: none, but where they don't get ready, as on a broken machine."""
        stillborn = self._stillborn[number]
        return min(_PAUSE * 2 ** (stillborn - 2), _LONGEST_PAUSE) if stillborn > 1 else 0.0

    async def take_up(self, worker: Member) -> bool:
        """Take up what a worker stored and did not send; False where it has no shard.

        Raises:
            DatasetError: the shard is damaged.
            WriteError: the replies can't be stored here; they stay where they are.
        """
        if worker.shard is None or self._merging is None:
            return False
        pieces = await self._staff.recover(worker.shard)
        worker.merged += await self._merging.recover(worker.shard, pieces)
        await self._staff.discard(worker.shard)
        worker.totals = replace(worker.merged, retries=worker.totals.retries, replayed=worker.totals.replayed)
        return True

    def strike_off(self, worker: Member) -> bool:
        """Whether nothing of a worker is needed any more; then the list of shards doesn't name its own.

        It is struck off before it is removed: one that is listed and gone would be looked for for ever.
        """
        if worker.dismissed and worker.shard is not None and self._merging is not None:
            try:
                self._merging.shards.merged(worker.shard)
            except WriteError:
                # it stays open, and the next run finds it
                return False
        return worker.dismissed
