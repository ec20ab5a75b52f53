"""Table 2 of the paper, from our plays: a line for each subject and variant, with intervals clustered by scene."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from dtomtrack.evaluation.bounded import Estimate
from dtomtrack.suites.tomelp.metrics import PlayMetrics, VariantFigures

__all__ = ["COLUMNS", "TOLD", "VARIANT_LABELS", "Column", "TableRow", "interval_text", "table_rows", "value_text"]

VARIANT_LABELS = {"no_tom": "no_tom", "inferred": "tom_aware", "gold": "tom gold", "shuffled": "tom shuffled"}

_Figure = Callable[[PlayMetrics, VariantFigures], Estimate]


@dataclass(frozen=True)
class Column:
    """A column: what it is called, there and where there is little room, and the figure in it."""

    label: str
    short: str
    figure: _Figure


def _score(name: str) -> _Figure:
    return lambda metrics, figures: figures.scores.get(name, Estimate())


COLUMNS = (
    Column("P-ToM (0-2)", "P-ToM", lambda metrics, figures: metrics.consistency),
    Column("Strat. acc.", "Strat.", lambda metrics, figures: metrics.strategy),
    Column("Att. shift (0-2)", "Att.", _score("attitude")),
    Column("Route fit", "Route", _score("route_fit")),
    Column("Pred. acc. (blind)", "Pred.", _score("predicted")),
    Column("Evid. score (0-2)", "Evid.", _score("evidence")),
    Column("ToM tail. (0-2)", "ToM", _score("alignment")),
    Column("Robust ret.", "Robust", lambda metrics, figures: figures.robust),
)


TOLD = Column("Pred. acc. (judge told the route)", "Told", _score("anchored"))
"""The paper's way of predicting: the judge is told the route first."""


@dataclass(frozen=True)
class TableRow:
    """A line of the table."""

    name: str
    estimates: tuple[Estimate, ...]

    @property
    def texts(self) -> list[str]:
        """The figures, each with its interval where it has one."""
        return [" ".join(filter(None, (value_text(one), interval_text(one)))) for one in self.estimates]


def table_rows(found: Sequence[PlayMetrics]) -> Iterator[TableRow]:
    """The lines of the table, subjects in their order."""
    for metrics in found:
        for figures in metrics.variants:
            name = f"{metrics.subject}, {VARIANT_LABELS[figures.variant]}"
            yield TableRow(name, tuple(column.figure(metrics, figures) for column in COLUMNS))


def value_text(one: Estimate) -> str:
    """An estimate, in two places; a dash where there is none."""
    return "-" if one.interval.value is None else f"{one.interval.value:.2f}"


def interval_text(one: Estimate) -> str:
    """Its interval, if there is one."""
    low, high = one.interval.low, one.interval.high
    return "" if low is None or high is None else f"[{low:.2f}, {high:.2f}]"
