"""A worker of a run, as the run keeps account of it."""

from __future__ import annotations

from dataclasses import dataclass, field

from dtomtrack.errors import BudgetError
from dtomtrack.llm.budget import NOTHING, Reservation, Spending
from dtomtrack.llm.usage import UsageTotals
from dtomtrack.runs.messages import Granted, Held, Refused, Released, ShardName
from dtomtrack.runs.staff import Hired

__all__ = ["Member"]


@dataclass(eq=False)
class Member:
    """A worker.

    Attributes:
        number: its share of the limits; whoever replaces it has the same.
        slots: that it was sent and has not filled yet.
        held: what its calls under way have set aside.
        totals: of its calls, as it told.
        merged: of its replies that the run has, where it has a shard; ``unmerged``, when one could not be stored.
        ended: it has hung up, or is no more; ``dismissed``, when all it had is here.
    """

    number: int
    shard: ShardName | None
    hired: Hired = field(init=False)
    ready: bool = False
    slots: set[int] = field(default_factory=set)
    held: list[Spending] = field(default_factory=list)
    totals: UsageTotals = field(default_factory=UsageTotals)
    merged: UsageTotals = field(default_factory=UsageTotals)
    unmerged: bool = False
    ended: bool = False
    dismissed: bool = False

    async def set_aside(self, call: Held, reservation: Reservation) -> None:
        """Have what a call may take set aside, and tell the worker whether that could be done."""
        try:
            await reservation.hold(call.most)
        except BudgetError as error:
            self.hired.send(Refused(call.number, error))
            return
        if self.ended:
            reservation.release(call.most, NOTHING)
            return
        self.held.append(call.most)
        self.hired.send(Granted(call.number))

    def give_back(self, call: Released, reservation: Reservation) -> None:
        """What a call had set aside is free again, but for what it took."""
        self.held.remove(call.held)
        reservation.release(call.held, call.taken)

    def give_all_back(self, reservation: Reservation) -> None:
        """All that its calls had set aside is free again: it is no more."""
        for most in self.held:
            reservation.release(most, NOTHING)
