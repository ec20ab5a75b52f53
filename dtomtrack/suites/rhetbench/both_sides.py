"""One language model on both sides: how it persuades, beside how well it follows, as a spectator, who persuades."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from dtomtrack.evaluation.answer_folder import read_config
from dtomtrack.evaluation.benchmark import Benchmark
from dtomtrack.evaluation.records import Group
from dtomtrack.report.evaluations import Evaluation, read_evaluations
from dtomtrack.report.printed import NOTHING, percent, percent_range
from dtomtrack.report.sections import SectionCell, SectionTable, SuiteSection
from dtomtrack.suites.rhetbench.leaderboard import number_cell, share_cell
from dtomtrack.suites.rhetbench.metrics import HEADLINE_TURN, PersuasionMetrics

__all__ = ["both_sides", "evaluations_of_players"]

_COLUMNS = (
    f"Player: won by turn {HEADLINE_TURN}, %",
    "Player: on the best class once found, %",
    "Player: distance from the observer",
    "Spectator: right, %",
    "Spectator: right on its own episodes, %",
    "Spectator: what the persuader could know, %",
    "Guessing, %",
)


def evaluations_of_players(suite: Benchmark, folder: Path, players: Collection[str]) -> Sequence[Evaluation]:
    """The finished evaluations of those who have also played, read only where there are any.

    Raises:
        InputError: as `dtomtrack.report.evaluations.read_evaluations`.
    """
    configs = [read_config(one) for one in sorted((folder / "eval").glob("*")) if one.is_dir()]
    if not any(one is not None and one.subject in players for one in configs):
        return ()
    evaluations, _ = read_evaluations(suite, folder)
    return [one for one in evaluations if one.metrics.config.subject in players]


def both_sides(found: Sequence[PersuasionMetrics], evaluations: Sequence[Evaluation]) -> Sequence[SuiteSection]:
    """A section with a row for each evaluation of somebody who also played; none where there is none."""
    played = {one.subject: one for one in found}
    if not evaluations:
        return ()
    rows = tuple((one.label, _cells(played, one)) for one in evaluations)
    return (
        SuiteSection(
            "both-sides",
            "Player and spectator",
            "The same model where it uses Theory of Mind, arguing, and where it is asked about it, reading what was "
            "argued. The observer knows what can be known from the tones alone. 95\u00a0% intervals are clustered by "
            "scenario.",
            (SectionTable("Model", _COLUMNS, rows),),
        ),
    )


def _cells(played: Mapping[str, PersuasionMetrics], one: Evaluation) -> tuple[SectionCell, ...]:
    subject = one.metrics.config.subject
    player, whole = played[subject], one.metrics.micro
    return (
        share_cell(player.win_by_10),
        share_cell(player.adaptation.best_after_discovery),
        number_cell(player.adaptation.doubt),
        _right(whole),
        _right(one.group("persuader", subject)),
        _right(one.group("type", "second_order")),
        SectionCell(percent(whole.chance)),
    )


def _right(group: Group | None) -> SectionCell:
    if group is None:
        return SectionCell(NOTHING)
    small = ", ".join(filter(None, (percent_range(group.accuracy), f"{group.items:,} questions")))
    return SectionCell(percent(group.accuracy.value), small)
