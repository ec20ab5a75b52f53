"""The findings of an audit, and whether they keep to a threshold."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dtomtrack.evaluation.records import Interval
from dtomtrack.items.problems import Problem
from dtomtrack.records import Count, Record, Share

if TYPE_CHECKING:
    import pandas

__all__ = ["ALL", "MARGIN", "MIN_ITEMS", "MOST_CONSTANT", "Audit", "AuditRow", "Problem"]

ALL = "all"
"""The group of all items."""
MARGIN = 0.07
"""By how much a rule may exceed what is expected: 32 % with four options, one of them right."""
MOST_CONSTANT = 0.5
"""The largest share of a constant set that is taken for what is expected."""
MIN_ITEMS = 100
_LUCK = 0.05


class AuditRow(Record):
    """How often a rule is right on a group of items.

    Attributes:
        reads_context: whether the rule looks at what the question is about. Only rules that don't are shortcuts.
        accuracy: the share of items on which it chooses the very options that are right; where it leaves several of
            which one is to be selected, what choosing among them at random gives; with its 95 % interval, clustered.
        jaccard: agreement with the right sets, over the items where any set may be right; None where there are none.
        chance: the mean of what guessing gets: 1 / n, and 1 / (2^n - 1) where any set may be right.
        best_constant: the share of the most frequent right set, over the items where any set may be right.
        expected: what a rule gets that tells no items of one group apart: chance, and for sets the best constant set
            of their group (groups of fewer than 100 such items count as one), but at most one half.
        p_value: how likely such a rule gets at least this accuracy by chance alone.
        learnt: what a rule that learns found on all items of the group, in words.
    """

    rule: str
    group: str = ALL
    reads_context: bool = False
    accuracy: Interval
    jaccard: Share | None = None
    chance: Share
    best_constant: Share | None = None
    expected: Share
    p_value: Share
    items: Count
    clusters: Count
    learnt: str | None = None


class Audit(Record):
    """The findings of an audit: what can be had without reading, and what is wrong with the golds.

    Attributes:
        gold_form: how the golds are written, as found out or as said.
        selects: for which items any set of options may be right, in words.
        rows: worst first: by how much they exceed chance.
        notes: what could not be looked at, and what was taken for granted.
    """

    source: str
    items: Count = 0
    clusters: Count = 0
    gold_form: str
    selects: str = "one"
    rows: tuple[AuditRow, ...] = ()
    problems: tuple[Problem, ...] = ()
    notes: tuple[str, ...] = ()

    def failures(self, threshold: float | None = None, min_items: int = MIN_ITEMS) -> tuple[str, ...]:
        """The reasons that keep the benchmark from passing the gate, a sentence each.

        A rule fails that never reads the context, on all items or on a group of at least ``min_items``, if two things
        hold. It surely does better than is allowed: the lower end of its 95 % interval, the one that is printed,
        exceeds the limit. And it does better than expected by more than chance over many rules on many groups: its p
        value is below 5 % divided by the number of rows looked at (Bonferroni).

        The limit is what is expected plus 0.07. Where one option is to be selected, guessing is expected. Where any
        set may be right it is not: 1 / (2^n - 1) supposes that all sets are equally frequent, which no natural labels
        are, and that one set is frequent is nothing that an item gives away. There the best constant set is expected,
        which every subject has to beat anyway, but no more than one half: a benchmark most of whose items have the
        same right set is a benchmark of that set. Of all items together, the best constant set of each group is: of
        which group an item is stands in its question and its options.

        Args:
            threshold: the accuracy that no rule may surely exceed, in place of this limit; a rule that is no better
                than expected doesn't fail, however low it is.
        """
        blind = [row for row in self.rows if not row.reads_context]
        looked_at = [row for row in blind if row.items >= min_items or row.group == ALL]
        failed = []
        for row in looked_at:
            limit = row.expected + MARGIN if threshold is None else threshold
            accuracy = row.accuracy
            # without an interval, of a single cluster, nothing is sure
            if accuracy.low is not None and accuracy.low > limit and row.p_value * len(looked_at) < _LUCK:
                failed.append(
                    f"{row.rule}: {accuracy.value or 0.0:.1%} on {row.group} ({row.items} items), surely more than "
                    f"{accuracy.low:.1%}, at most {limit:.1%} allowed"
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
