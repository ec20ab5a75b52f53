"""The journal of a run whose workers are on other machines: the replies of their shards are merged into it."""

from __future__ import annotations

from collections.abc import AsyncIterable, Sequence

from dtomtrack.errors import BudgetError
from dtomtrack.llm.budget import NOTHING, Spending
from dtomtrack.llm.journal import Journal
from dtomtrack.llm.journal_rows import Row, totals_of
from dtomtrack.llm.usage import UsageTotals
from dtomtrack.runs.messages import ShardName
from dtomtrack.runs.shards import Shards
from dtomtrack.runs.workplace import Workplace

__all__ = ["Merging"]


class Merging:
    """A journal, and the shards that are merged into it.

    Args:
        place: of the run, with its journal.

    Attributes:
        shards: that are open.
    """

    def __init__(self, place: Workplace) -> None:
        """Open the journal.

        Raises:
            DatasetError: the journal, or the list of shards, is damaged.
            WriteError: it can't be written.
        """
        if place.journal is None:
            raise ValueError("a run without a journal has nothing to merge into")
        self._reservation = place.reservation
        self._journal = Journal(place.journal)
        self.shards = Shards(place.journal.parent)

    @property
    def holds_replies(self) -> bool:
        """Whether any reply was there at first, or was recovered."""
        return bool(self._journal.before.calls)

    def find(self, key: bytes) -> Row | None:
        """The reply with this key.

        Raises:
            DatasetError: it is damaged.
        """
        return self._journal.row(key)

    def store(self, rows: Sequence[Row]) -> None:
        """Store replies that a worker sent.

        Raises:
            WriteError: the disk is full or the like.
        """
        self._journal.merge(rows)

    async def recover(self, name: ShardName, pieces: AsyncIterable[Sequence[Row]] | None) -> UsageTotals:
        """Store the replies of a shard that no worker writes any more; gives the sums of those that were missing.

        What they took is taken from the budget, perhaps a second time: whether a worker that died had told of a call
        isn't known, and a budget is rather kept too well.

        Args:
            pieces: of the replies, each stored before the next is fetched; None if the shard is given up.

        Raises:
            WriteError: the disk is full or the like.
        """
        totals = UsageTotals()
        if pieces is not None:
            async for rows in pieces:
                missing = [row for row in rows if self._journal.row(row[0]) is None]
                self._journal.merge(missing)
                totals += totals_of(missing)
        self.shards.merged(name)
        self._journal.before.become(self._journal.before + totals)
        await self._spend(Spending(totals.tokens, totals.cost))
        return totals

    async def close(self) -> None:
        """Close the journal."""
        await self._journal.close()

    async def _spend(self, taken: Spending) -> None:
        if self._reservation is None or taken == NOTHING:
            return
        try:
            await self._reservation.hold(NOTHING)
        except BudgetError:
            # it is spent already: nothing more is granted anyway
            return
        self._reservation.release(NOTHING, taken)
