"""How good a verifier is at catching known faults."""

from __future__ import annotations

from dtomtrack.records import Count, Record, Share, Text

__all__ = ["Calibration", "FaultScore"]


class FaultScore(Record):
    """The verdicts of a verifier on items with a fault, and of the same items intact.

    Attributes:
        fault: the kind of fault, by name.
        items: pairs of an intact and a broken item.
        caught: broken ones that were rejected.
        false_alarms: intact ones that were rejected.
        errors: pairs of which the verifier could not judge one; they count neither as caught nor as false alarms.
        precision: caught / (caught + false alarms), or None if nothing was rejected.
        recall: caught / (items - errors), or None if nothing was judged.
    """

    fault: Text
    items: Count
    caught: Count
    false_alarms: Count
    errors: Count
    precision: Share | None
    recall: Share | None


class Calibration(Record):
    """How well a model verifies, measured on kept items with known faults put in."""

    model: Text
    dialogues: Count
    questions: Count
    scores: tuple[FaultScore, ...]
