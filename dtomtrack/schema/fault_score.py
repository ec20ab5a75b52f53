"""How good a verifier is at catching a known fault."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from dtomtrack.schema.base import Record

__all__ = ["FAULTS", "Fault", "FaultScore"]

Fault = Literal["remove_update", "move_update", "swap_gold", "two_right_options", "never_voiced"]
FAULTS: tuple[Fault, ...] = ("remove_update", "move_update", "swap_gold", "two_right_options", "never_voiced")

Count = Annotated[int, Field(ge=0)]
Share = Annotated[float, Field(ge=0.0, le=1.0)]


class FaultScore(Record):
    """What a verifier makes of items with a fault, and of the same items intact.

    Attributes:
        items: pairs of an intact and a broken item.
        caught: broken ones that were rejected.
        false_alarms: intact ones that were rejected.
        errors: pairs of which the verifier could not judge one; they count neither as caught nor as false alarms.
        precision: caught / (caught + false alarms), or None if nothing was rejected.
        recall: caught / (items - errors), or None if nothing was judged.
    """

    fault: Fault
    items: Count
    caught: Count
    false_alarms: Count
    errors: Count
    precision: Share | None
    recall: Share | None
