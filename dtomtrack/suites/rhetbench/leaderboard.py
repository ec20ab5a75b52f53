"""The tables of a run's page: who persuades how well, who is better than whom, and who adapts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations

from dtomtrack.evaluation.records import Interval
from dtomtrack.evaluation.statistics import Difference, holm
from dtomtrack.report.printed import NOTHING, p_value_text, percent, percent_range
from dtomtrack.report.sections import SectionCell, SectionTable
from dtomtrack.suites.rhetbench.classifying import Concord
from dtomtrack.suites.rhetbench.episode import Episode
from dtomtrack.suites.rhetbench.metrics import HEADLINE_TURN, PersuasionMetrics, paired_wins

__all__ = [
    "adaptation_table",
    "classifier_table",
    "difference_table",
    "drift_table",
    "number_cell",
    "share_cell",
    "win_table",
]

_LEVEL = 0.05
_Column = Callable[[PersuasionMetrics], SectionCell]


def win_table(found: Sequence[PersuasionMetrics]) -> SectionTable:
    """The leaderboard: win rate by turn 10, then what else is published of a run."""
    return _table(
        "Persuader",
        found,
        {
            f"Won by turn {HEADLINE_TURN}, %": lambda one: share_cell(one.win_by_10, strong=True),
            "Won, %": lambda one: share_cell(one.win_rate),
            "Mean of won by 1 to 25, %": lambda one: share_cell(one.mean_win_curve),
            "Turns to win": lambda one: number_cell(one.turns_to_win, f"{one.wins} wins"),
            "Walked out on, %": lambda one: share_cell(one.walked_out),
            "Strategy optimality, %": lambda one: share_cell(one.strategy_optimality),
            "Score of the paper": lambda one: _plain(one.persuasion_score),
            "Episodes": lambda one: SectionCell(f"{one.episodes:,}", f"{one.scenarios} scenarios"),
        },
    )


def adaptation_table(found: Sequence[PersuasionMetrics]) -> SectionTable:
    """Whether tones were listened to."""
    return _table(
        "Adaptation",
        found,
        {
            "Stays after a positive tone, %": lambda one: share_cell(one.adaptation.stays_after_positive),
            "Shifts after a resistant one, %": lambda one: share_cell(one.adaptation.shifts_after_resistant),
            "First turn on the best class": lambda one: number_cell(one.adaptation.discovery_turn),
            "Came to it, %": lambda one: share_cell(one.adaptation.found),
            "On it afterwards, %": lambda one: share_cell(one.adaptation.best_after_discovery),
            "Relapses an episode": lambda one: number_cell(one.adaptation.relapses),
            "Regret a turn": lambda one: number_cell(one.adaptation.regret, digits=3),
            "Distance from the observer": lambda one: number_cell(one.adaptation.doubt),
            "Questions answered, %": lambda one: share_cell(one.adaptation.pivot_answers),
        },
    )


def drift_table(found: Sequence[PersuasionMetrics]) -> SectionTable | None:
    """How it went on after what works had changed; None where nothing changed."""
    changed = [one for one in found if one.drift is not None]
    if not changed:
        return None
    columns: Mapping[str, _Column] = {
        "Episodes that went on": lambda one: SectionCell(str(one.drift.episodes) if one.drift else NOTHING),
        "Found what works now, %": lambda one: share_cell(one.drift.readapted) if one.drift else SectionCell(NOTHING),
        "After so many turns": lambda one: number_cell(one.drift.lag) if one.drift else SectionCell(NOTHING),
        "Relapses an episode": lambda one: number_cell(one.drift.relapses) if one.drift else SectionCell(NOTHING),
        "Perseverations an episode": lambda one: (
            number_cell(one.drift.perseverations) if one.drift else SectionCell(NOTHING)
        ),
    }
    return _table("After the change", changed, columns)


def classifier_table(found: Sequence[PersuasionMetrics]) -> SectionTable | None:
    """How far readings of messages agree; None where there is but one."""
    told = [one for one in found if one.declared is not None or one.classifiers is not None]
    if not told:
        return None
    columns: Mapping[str, _Column] = {
        "Heard as it was meant, %": lambda one: _concord(one.declared),
        "Classifying model as the rules, %": lambda one: _concord(one.classifiers),
    }
    return _table("Kinds of messages", told, columns)


def _concord(one: Concord | None) -> SectionCell:
    if one is None:
        return SectionCell(NOTHING)
    kappa = "" if one.kappa is None else f"κ {one.kappa:.2f}, "
    return SectionCell(percent(one.same), f"{kappa}{one.messages:,} messages")


def difference_table(episodes: Mapping[str, Sequence[Episode]]) -> SectionTable | None:
    """A row and a column for each subject: how much oftener the row wins by turn 10; None for one subject alone."""
    if len(episodes) < 2:
        return None
    # the row minus the column: how much oftener the second of the call wins
    pairs = {(a, b): paired_wins(episodes[b], episodes[a]) for a, b in combinations(episodes, 2)}
    tested = [pair for pair, one in pairs.items() if one.p_value is not None]
    adjusted = dict(zip(tested, holm([pairs[pair].p_value or 0.0 for pair in tested]), strict=True))
    rows = tuple(
        (first, tuple(_difference(pairs, adjusted, first, second) for second in episodes)) for first in episodes
    )
    return SectionTable("minus", tuple(episodes), rows)


def _difference(
    pairs: Mapping[tuple[str, str], Difference], adjusted: Mapping[tuple[str, str], float], first: str, second: str
) -> SectionCell:
    pair, sign = ((first, second), 1) if (first, second) in pairs else ((second, first), -1)
    if first == second or pairs[pair].difference.value is None:
        return SectionCell(NOTHING)
    given = pairs[pair].difference
    ends = (given.low, given.high) if sign > 0 else (given.high, given.low)
    value, low, high = (None if one is None else sign * one + 0.0 for one in (given.value, *ends))
    p = adjusted.get(pair)
    small = [percent_range(Interval(value=value, low=low, high=high)), "" if p is None else f"p {p_value_text(p)}"]
    return SectionCell(percent(value, sign=True), ", ".join(filter(None, small)), p is not None and p < _LEVEL)


def _table(corner: str, found: Sequence[PersuasionMetrics], columns: Mapping[str, _Column]) -> SectionTable:
    rows = tuple((one.subject, tuple(cell(one) for cell in columns.values())) for one in found)
    return SectionTable(corner, tuple(columns), rows)


def share_cell(interval: Interval, *, strong: bool = False) -> SectionCell:
    """A share in percent with its interval."""
    return SectionCell(percent(interval.value), percent_range(interval), strong)


def number_cell(interval: Interval, note: str = "", digits: int = 2) -> SectionCell:
    """A number with its interval, and a note behind it."""
    if interval.value is None:
        return SectionCell(NOTHING, note)
    ends = (
        ""
        if interval.low is None or interval.high is None
        else f"{interval.low:.{digits}f}\N{EN DASH}{interval.high:.{digits}f}"
    )
    return SectionCell(f"{interval.value:.{digits}f}", ", ".join(filter(None, (ends, note))))


def _plain(value: float | None) -> SectionCell:
    return SectionCell(NOTHING if value is None else f"{value:.2f}")
