"""What an audit finds, and whether that keeps to a threshold."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field

from dtomtrack.evaluation.records import Interval
from dtomtrack.records import Record

if TYPE_CHECKING:
    import pandas

__all__ = ["ALL", "MARGIN", "MIN_ITEMS", "Audit", "AuditRow", "Problem", "ProblemKind"]

ALL = "all"
"""The group of all items."""
MARGIN = 0.07
"""By how much a rule may exceed chance: 32 % with four options."""
MIN_ITEMS = 100
_LUCK = 0.05

Count = Annotated[int, Field(ge=0)]
Share = Annotated[float, Field(ge=0.0, le=1.0)]
ProblemKind = Literal[
    "one question, different golds",
    "duplicate items",
    "options that are the same",
    "gold that is no option",
    "empty options",
    "fewer than two options",
]


class AuditRow(Record):
    """How often a rule is right on a group of items.

    Attributes:
        reads_context: whether the rule looks at what the question is about. Only rules that don't are shortcuts.
        accuracy: where a rule leaves several options, what choosing among them at random gives; with its 95 % interval,
            clustered.
        chance: mean of 1 / number of options.
        luck: how likely a rule that knows nothing gets at least this accuracy.
        learnt: what a rule that learns found on all items of the group, in words.
    """

    rule: str
    group: str = ALL
    reads_context: bool = False
    accuracy: Interval
    chance: Share
    luck: Share
    items: Count
    clusters: Count
    learnt: str | None = None


class Problem(Record):
    """Something wrong with golds or options; ``examples`` are ids, of items that are wrong together joined by "=".

    ``count`` counts items, of duplicates all but the first, of different golds those in the minority.
    """

    kind: ProblemKind
    count: Annotated[int, Field(ge=1)]
    examples: tuple[str, ...]


class Audit(Record):
    """What can be had without reading, and what is wrong with the golds.

    Attributes:
        gold_form: how the golds are written, as found out.
        rows: worst first: by how much they exceed chance.
        notes: what could not be looked at, and what was taken for granted.
    """

    source: str
    items: Count
    clusters: Count
    gold_form: str
    rows: tuple[AuditRow, ...]
    problems: tuple[Problem, ...]
    notes: tuple[str, ...] = ()

    def failures(self, threshold: float | None = None, min_items: int = MIN_ITEMS) -> tuple[str, ...]:
        """What keeps the benchmark from passing the gate, a sentence each.

        A rule fails if it never reads the context, is right more often than the threshold on all items or on a group of
        at least ``min_items``, and not by luck: with many rules on many groups some do well by luck, so its probability
        has to be below 5 % divided by the number of rows looked at (Bonferroni).

        Args:
            threshold: the accuracy that no rule may exceed; chance + 0.07 if not given.
        """
        blind = [row for row in self.rows if not row.reads_context]
        looked_at = [row for row in blind if row.items >= min_items or row.group == ALL]
        failed = []
        for row in looked_at:
            limit = row.chance + MARGIN if threshold is None else threshold
            value = row.accuracy.value
            if value is not None and value > limit and row.luck * len(looked_at) < _LUCK:
                failed.append(
                    f"{row.rule}: {value:.1%} on {row.group} ({row.items} items), at most {limit:.1%} allowed"
                )
        wrong = [f"{one.kind}: {one.count} (such as {', '.join(one.examples[:3])})" for one in self.problems]
        return (*wrong, *failed)

    def to_frame(self) -> pandas.DataFrame:
        """The rows as a pandas table.

        Raises:
            InputError: pandas is missing.
        """
        try:
            import pandas
        except ImportError:
            from dtomtrack.errors import InputError

            raise InputError("tables need an extra: pip install 'dtomtrack[evaluate]'") from None
        return pandas.DataFrame(
            [
                {
                    **row.model_dump(exclude={"accuracy"}),
                    "accuracy": row.accuracy.value,
                    "low": row.accuracy.low,
                    "high": row.accuracy.high,
                }
                for row in self.rows
            ]
        )
