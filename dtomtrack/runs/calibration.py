"""How good a verifier is at catching known faults."""

from __future__ import annotations

from dtomtrack.records import Count, Record, Share, Text

__all__ = ["NO_SEPARATION", "Calibration", "FaultScore", "Separation"]

NO_SEPARATION = 0.6
"""An AUROC below this is as good as none: 0.5 is chance."""


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


class Separation(Record):
    """How far the grades of one criterion tell intact questions from broken ones.

    Attributes:
        intact: how many grades of intact questions there are; ``broken``, of such with a fault that it is about.
        auroc: the probability that an intact one gets the higher grade; None where there are none of one kind.
        threshold: the grade, from 0 to 1, that tells them apart best; None where all are the same.
    """

    criterion: Text
    intact: Count
    broken: Count
    auroc: Share | None
    threshold: Share | None

    @property
    def separates(self) -> bool:
        """Whether the grades tell anything."""
        return self.auroc is not None and self.auroc >= NO_SEPARATION


class Calibration(Record):
    """How well a model verifies, measured on kept items with known faults put in."""

    model: Text
    dialogues: Count
    questions: Count
    scores: tuple[FaultScore, ...]
    separations: tuple[Separation, ...] = ()
