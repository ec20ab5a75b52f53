"""The figures of a run's page: win curves, what agreement and rapport do over the turns, which arguments were used."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from dtomtrack.evaluation.statistics import mean
from dtomtrack.report.drawing import MOST_SERIES, PAPER, WHOLE_WIDTH, Drawing, hue, look, sheet
from dtomtrack.report.evaluations import shortened
from dtomtrack.report.plotting import draw_whiskers, key, share_axis
from dtomtrack.scenarios.persuasion_npc.arguments import ArgumentClass
from dtomtrack.suites.rhetbench.episode import Episode, TurnRecord
from dtomtrack.suites.rhetbench.metrics import HEADLINE_TURN, PersuasionMetrics
from dtomtrack.suites.rhetbench.npc import TURN_LIMIT

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["strategy_use", "trajectories", "win_curves"]

_TURNS = range(1, TURN_LIMIT + 1)


def win_curves(found: Sequence[PersuasionMetrics]) -> Drawing:
    """The share of episodes that were won by each turn."""
    shown = found[:MOST_SERIES]
    with sheet("win-curves", 4.0, WHOLE_WIDTH / 2) as (figure, save):
        axes = figure.subplots()
        for number, one in enumerate(shown):
            colour, marker = look(number)
            axes.plot(_TURNS, one.win_curve, color=colour, linewidth=1.4, marker=marker, markersize=3.5, markevery=4)
            at = HEADLINE_TURN + 0.15 * (number - len(shown) / 2)
            draw_whiskers(axes, [(one.win_by_10, at)], colour, upright=True)
        share_axis(axes, upright=True, label="episodes won")
        _turn_axis(axes, "Turn")
        key(axes, [(shortened(one.subject), *look(number)) for number, one in enumerate(shown)])
    return save(
        "Won by turn",
        f"Share of episodes won by each turn. Lines at turn {HEADLINE_TURN} are 95\u00a0% intervals clustered by "
        f"scenario.{_left_out(found)}",
    )


def trajectories(episodes: Mapping[str, Sequence[Episode]]) -> Drawing:
    """The means of agreement and of rapport over the turns; who has won or was left stays where it ended."""
    shown = list(episodes.items())[:MOST_SERIES]
    parts: Mapping[str, Callable[[Episode, TurnRecord], float]] = {
        "Way to agreement": _way,
        "Rapport": lambda episode, turn: turn.rapport,
    }
    with sheet("agreement-and-rapport", 4.0, WHOLE_WIDTH) as (figure, save):
        for axes, (title, of) in zip(figure.subplots(1, 2), parts.items(), strict=True):
            axes.set_title(title, loc="left", fontsize=9.5, fontweight="bold")
            for number, (_, own) in enumerate(shown):
                colour, marker = look(number)
                values = [mean([_at(one, turn, of) for one in own]) or 0.0 for turn in (0, *_TURNS)]
                axes.plot((0, *_TURNS), values, color=colour, linewidth=1.4, marker=marker, markersize=3.5, markevery=4)
            _turn_axis(axes, "Turn")
        key(axes, [(shortened(name), *look(number)) for number, (name, _) in enumerate(shown)])
    return save(
        "Agreement and rapport",
        "Mean over all episodes. On the left 0 is where the character starts and 1 is what wins it over. An episode "
        "that has ended stays where it ended.",
        wide=True,
    )


def strategy_use(found: Sequence[PersuasionMetrics]) -> Drawing:
    """The share of messages of each kind."""
    kinds = list(ArgumentClass)
    with sheet("strategy-use", 1.1 + 0.34 * len(found), WHOLE_WIDTH / 2) as (figure, save):
        axes = figure.subplots()
        for row, one in enumerate(reversed(found)):
            total, left = sum(one.uses.values()) or 1, 0.0
            for number, kind in enumerate(kinds):
                colour, hatch = hue(number)
                width = one.uses.get(kind, 0) / total
                axes.barh(row, width, left=left, height=0.68, color=colour, hatch=hatch, edgecolor=PAPER, linewidth=0.6)
                left += width
        axes.set_yticks(range(len(found)), [shortened(one.subject) for one in reversed(found)])
        share_axis(axes, label="share of messages")
        _class_key(axes, kinds)
    return save("Kinds of argument", "Share of messages of each kind, as the classifier reads them.")


def _class_key(axes: Axes, kinds: Sequence[ArgumentClass]) -> None:
    from matplotlib.patches import Patch

    handles = []
    for number, kind in enumerate(kinds):
        colour, hatch = hue(number)
        label = kind.lower().replace("_", " ")
        handles.append(Patch(facecolor=colour, hatch=hatch, edgecolor=PAPER, linewidth=0.6, label=label))
    axes.figure.legend(handles=handles, loc="outside upper left", ncols=4, columnspacing=1.2)


def _turn_axis(axes: Axes, label: str) -> None:
    axes.set_xlabel(label)
    axes.set_xticks([1, 5, 10, 15, 20, 25])


def _way(episode: Episode, turn: TurnRecord) -> float:
    mind = episode.config.mind
    return (turn.agreement - mind.start) / (mind.threshold - mind.start)


def _at(episode: Episode, turn: int, of: Callable[[Episode, TurnRecord], float]) -> float:
    played = min(turn, len(episode.turns))
    return of(episode, episode.turns[played - 1]) if played else 0.0


def _left_out(found: Sequence[PersuasionMetrics]) -> str:
    left = len(found) - MOST_SERIES
    return f" {left} more are in the table." if left > 0 else ""
