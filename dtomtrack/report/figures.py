"""The figures of a report: the kin of the paper's Figures 3a to 3c, and three more.

Each is drawn for a white page; its ink is one colour and its grid another, so that the page can put them in its own.
Every accuracy has its interval and stands beside the chance line. The colours are those of Okabe and Ito, told apart
by colour-blind eyes; series differ in their markers, too.
"""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dtomtrack.beliefs.question import OptionRole
from dtomtrack.beliefs.scenario import MentalState
from dtomtrack.errors import InputError
from dtomtrack.evaluation.records import Group, Interval
from dtomtrack.report.evaluations import STANDARD, TEMPORAL, TYPE_NAMES, Evaluation, compared

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["GRID", "INK", "Drawing", "draw_figures"]

INK = "#26241f"
GRID = "#dad6cd"
_PAPER = "#ffffff"
_BLUE, _ORANGE, _GREEN, _PINK = "#0072b2", "#d55e00", "#009e73", "#cc79a7"
_SKY, _AMBER, _SLATE, _OCHRE = "#56b4e9", "#e69f00", "#7a7f87", "#9c7c38"
_SERIES = (_BLUE, _ORANGE, _GREEN, _PINK, _SKY, _AMBER, _SLATE, _OCHRE)
_MARKERS = "osD^vPX*"
_ROLES = {
    OptionRole.GOLD: (_GREEN, "right"),
    OptionRole.POST_VALUE: (_ORANGE, "held later"),
    OptionRole.PRE_VALUE: (_BLUE, "held earlier"),
    OptionRole.PARTNER_VALUE: (_PINK, "named by the partner"),
    OptionRole.OTHER_TOPIC: (_SKY, "about another topic"),
    OptionRole.NEVER_SAID: (_SLATE, "never said"),
    OptionRole.OTHER_TURN: (_AMBER, "another turn"),
    OptionRole.NO_CHANGE: (_OCHRE, "no change"),
}
_WIDTH = 5.2
_WHOLE_WIDTH = 11.0
_RESOLUTION = 200
_SETTINGS = {
    "font.size": 9.0,
    "font.family": "sans-serif",
    "text.parse_math": False,
    "text.color": INK,
    "axes.edgecolor": GRID,
    "axes.labelcolor": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.spines.left": False,
    "axes.axisbelow": True,
    "axes.grid": True,
    "grid.color": GRID,
    "grid.linewidth": 0.7,
    "xtick.color": INK,
    "ytick.color": INK,
    "xtick.major.size": 0.0,
    "ytick.major.size": 0.0,
    "legend.frameon": False,
    "legend.fontsize": 8.0,
    "svg.fonttype": "none",
    "figure.facecolor": _PAPER,
    "axes.facecolor": "none",
}
_INTERVALS = "Lines are 95\u00a0% intervals clustered by dialogue; the dashed line is chance."


@dataclass(frozen=True)
class Drawing:
    """A figure: its name as a file, its title and what it shows, and its two forms.

    ``wide`` asks for the whole width of a page.
    """

    name: str
    title: str
    caption: str
    svg: str
    png: bytes
    wide: bool = False


def draw_figures(evaluations: Sequence[Evaluation]) -> list[Drawing]:
    """The figures that there is anything to draw for; none without an evaluation.

    Raises:
        InputError: matplotlib is missing.
    """
    if not evaluations:
        return []
    try:
        # imported late: it takes half a second
        import matplotlib.figure  # noqa: F401
    except ImportError as error:
        raise InputError("figures need matplotlib; install it with: pip install 'dtomtrack[report]'") from error
    drawn = (
        _difficulty(evaluations),
        _before_and_after(evaluations),
        _temporal_and_standard(evaluations),
        _by_state(evaluations),
        _by_lag(evaluations),
        _roles(evaluations),
    )
    return [drawing for drawing in drawn if drawing is not None]


# -- the figures ------------------------------------------------------------------------------------------------------


def _difficulty(evaluations: Sequence[Evaluation]) -> Drawing | None:
    shown = compared(evaluations)
    by_type = {kind: _groups(shown, "type", kind) for kind in TYPE_NAMES}
    means = {kind: _mean([group.accuracy for group in groups]) for kind, groups in by_type.items() if groups}
    kinds = sorted(means, key=lambda kind: means[kind].value or 0.0)
    if not kinds:
        return None
    with _figure("difficulty", 0.55 + 0.36 * len(kinds)) as (figure, save):
        axes = figure.subplots()
        for row, kind in enumerate(kinds):
            colour = _BLUE if kind in TEMPORAL else _ORANGE
            axes.barh(row, means[kind].value or 0.0, height=0.62, color=colour, alpha=0.8, linewidth=0)
            _whisker(axes, means[kind], row, INK)
            if len(shown) > 1:
                dots = [group.accuracy.value or 0.0 for group in by_type[kind]]
                axes.plot(dots, [row - 0.2] * len(dots), "o", color=INK, markersize=2.4, alpha=0.7)
        axes.set_yticks(range(len(kinds)), [TYPE_NAMES[kind] for kind in kinds])
        _share_axis(axes, [group.chance for groups in by_type.values() for group in groups])
        _key(axes, [("about change", _BLUE, "s"), ("standard", _ORANGE, "s")])
    noun = "models" if shown[0].is_model else "baselines"
    what = f"mean of {len(shown)} {noun} (dots: each of them)" if len(shown) > 1 else shown[0].label
    return save("Difficulty by question type", f"Accuracy by question type, {what}. {_INTERVALS}")


def _before_and_after(evaluations: Sequence[Evaluation]) -> Drawing | None:
    rows = [
        (one, before, after)
        for one in reversed(evaluations)
        if (before := one.group("type", "pre_update")) and (after := one.group("type", "post_update"))
    ]
    if not rows:
        return None
    with _figure("before-and-after", 0.75 + 0.36 * len(rows)) as (figure, save):
        axes = figure.subplots()
        for row, (_, before, after) in enumerate(rows):
            ends = [before.accuracy.value or 0.0, after.accuracy.value or 0.0]
            axes.plot(ends, [row, row], color=GRID, linewidth=3.5, solid_capstyle="round", zorder=1)
            _point(axes, before.accuracy, row + 0.11, _ORANGE, "o")
            _point(axes, after.accuracy, row - 0.11, _BLUE, "D")
        axes.set_yticks(range(len(rows)), [one.short for one, _, _ in rows])
        _share_axis(axes, [group.chance for row in rows for group in row[1:]])
        _key(axes, [("before the update", _ORANGE, "o"), ("after it", _BLUE, "D")])
    return save("Before and after an update", f"What was held before a change of mind, and after it. {_INTERVALS}")


def _temporal_and_standard(evaluations: Sequence[Evaluation]) -> Drawing | None:
    rows = [
        (one, temporal, standard)
        for one in reversed(evaluations)
        if (temporal := _of_types(one, TEMPORAL)) and (standard := _of_types(one, STANDARD))
    ]
    if not rows:
        return None
    with _figure("temporal-and-standard", 0.75 + 0.42 * len(rows)) as (figure, save):
        axes = figure.subplots()
        for row, (_, temporal, standard) in enumerate(rows):
            for place, groups, colour in ((0.18, temporal, _BLUE), (-0.18, standard, _ORANGE)):
                mean = _mean([group.accuracy for group in groups])
                axes.barh(row + place, mean.value or 0.0, height=0.32, color=colour, alpha=0.8, linewidth=0)
                _whisker(axes, mean, row + place, INK)
        axes.set_yticks(range(len(rows)), [one.short for one, _, _ in rows])
        _share_axis(axes, [group.chance for row in rows for groups in row[1:] for group in groups])
        _key(axes, [("about change", _BLUE, "s"), ("standard", _ORANGE, "s")])
    caption = (
        "Mean of the three types about change (before, after, when) and of the three standard ones. Lines are "
        "95\u00a0% intervals, at most a little too long: the mean of the types' own; the dashed line is chance."
    )
    return save("Change against standard questions", caption)


def _by_state(evaluations: Sequence[Evaluation]) -> Drawing | None:
    shown = _series(evaluations)
    states = [state.value for state in MentalState if _groups(shown, "mental_state", state.value)]
    if not states:
        return None
    with _figure("mental-states", 0.8 + len(states) * (0.24 + 0.11 * len(shown))) as (figure, save):
        axes = figure.subplots()
        for row, state in enumerate(reversed(states)):
            for place, one in enumerate(shown):
                group = one.group("mental_state", state)
                if group is not None:
                    shift = ((len(shown) - 1) / 2 - place) * 0.7 / len(shown)
                    _point(axes, group.accuracy, row + shift, *_look(place))
        axes.set_yticks(range(len(states)), [state.capitalize() for state in reversed(states)])
        _share_axis(axes, [group.chance for state in states for group in _groups(shown, "mental_state", state)])
        _key(axes, [(one.short, *_look(place)) for place, one in enumerate(shown)])
    return save("Accuracy by mental state", f"{_INTERVALS}{_left_out(evaluations, shown)}")


def _by_lag(evaluations: Sequence[Evaluation]) -> Drawing | None:
    shown = _series(evaluations)
    lags: dict[str, None] = {}
    for one in shown:
        lags.update((group.name, None) for group in one.metrics.groups.get("lag", ()) if group.items)
    names = sorted((name for name in lags if name[:1].isdecimal()), key=_first_number)
    if len(names) < 2:
        return None
    with _figure("lag", 3.2, width=_WHOLE_WIDTH) as (figure, save):
        axes = figure.subplots()
        for place, one in enumerate(shown):
            known = [(x, group) for x, name in enumerate(names) if (group := one.group("lag", name))]
            colour, marker = _look(place)
            shift = (place - (len(shown) - 1) / 2) * 0.5 / len(shown)
            axes.plot([x + shift for x, _ in known], [group.accuracy.value or 0.0 for _, group in known], color=colour)
            for x, group in known:
                _point(axes, group.accuracy, x + shift, colour, marker, upright=True)
        axes.set_xticks(range(len(names)), [name.replace("-", "\N{EN DASH}") for name in names])
        axes.set_xlabel("turns from the first expression to the end of the dialogue")
        _share_axis(axes, [group.chance for name in names for group in _groups(shown, "lag", name)], upright=True)
        _key(axes, [(one.short, *_look(place)) for place, one in enumerate(shown)])
    return save("Accuracy against lag", f"{_INTERVALS}{_left_out(evaluations, shown)}", wide=True)


def _roles(evaluations: Sequence[Evaluation]) -> Drawing | None:
    kinds = [kind for kind in TYPE_NAMES if any(sum(one.metrics.roles.get(kind, {}).values()) for one in evaluations)]
    if not kinds:
        return None
    lines = -(-len(kinds) // 3)
    height = 0.7 + lines * (0.45 + 0.22 * len(evaluations))
    with _figure("option-roles", height, width=_WHOLE_WIDTH) as (figure, save):
        grid = figure.subplots(lines, min(3, len(kinds)), sharex=True, sharey=True, squeeze=False)
        used: set[OptionRole] = set()
        for axes, kind in zip(grid.flat, kinds, strict=False):
            axes.set_title(TYPE_NAMES[kind], loc="left", fontsize=9.5, fontweight="bold")
            used |= _stack(axes, evaluations, kind)
            _share_axis(axes, [group.chance for group in _groups(evaluations, "type", kind)])
            axes.set_xticks([0.0, 0.5, 1.0], ["0%", "50%", "100%"])
            axes.set_yticks(range(len(evaluations)), [one.short for one in reversed(evaluations)])
        for axes in list(grid.flat)[len(kinds) :]:
            axes.set_visible(False)
        handles = [_patch(*_ROLES[role]) for role in OptionRole if role in used]
        figure.legend(handles=handles, loc="outside lower center", ncols=min(len(handles), 8), handlelength=0.9)
    caption = (
        "Of the answers that could be read, the share that chose each kind of option. The dashed line is where right "
        "answers would end by chance."
    )
    return save("Options chosen, by how they were made", caption, wide=True)


def _stack(axes: Axes, evaluations: Sequence[Evaluation], kind: str) -> set[OptionRole]:
    """One bar a subject; gives the roles that occur."""
    used: set[OptionRole] = set()
    for row, one in enumerate(reversed(evaluations)):
        counts = one.metrics.roles.get(kind, {})
        total, left = sum(counts.values()), 0.0
        for role in OptionRole:
            share = counts.get(role.value, 0) / total if total else 0.0
            if share:
                axes.barh(row, share, left=left, height=0.68, color=_ROLES[role][0], edgecolor=_PAPER, linewidth=0.6)
                used.add(role)
                left += share
    return used


# -- what they have in common -----------------------------------------------------------------------------------------


class _Saver:
    """Gives both forms of a figure once it is drawn."""

    def __init__(self, name: str) -> None:
        self._name = name
        self.svg = ""
        self.png = b""

    def __call__(self, title: str, caption: str, *, wide: bool = False) -> Drawing:
        return Drawing(self._name, title, caption, self.svg, self.png, wide)


@contextmanager
def _figure(name: str, height: float, width: float = _WIDTH) -> Iterator[tuple[Figure, _Saver]]:
    """A figure to draw in; its bytes depend on nothing else: no date, no random identifiers."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    saver = _Saver(name)
    settings: Any = {**_SETTINGS, "svg.hashsalt": name}  # the type that its keys have differs between versions
    with rc_context(settings), warnings.catch_warnings():
        # a name of a script that the font lacks: the browser has it
        warnings.filterwarnings("ignore", message=r"Glyph \d+ .* missing from")
        figure = Figure(figsize=(width, height), layout="constrained")
        yield figure, saver
        text, picture = io.StringIO(), io.BytesIO()
        figure.savefig(text, format="svg", metadata={"Date": None, "Creator": None})
        figure.savefig(picture, format="png", dpi=_RESOLUTION, metadata={"Software": None})
    saver.svg = text.getvalue()
    saver.png = picture.getvalue()


def _share_axis(axes: Axes, chances: Sequence[float], *, upright: bool = False) -> None:
    """An axis from 0 to 100 % with the chance line."""
    ticks = [0.0, 0.25, 0.5, 0.75, 1.0]
    labels = [f"{tick:.0%}" for tick in ticks]
    chance = sum(chances) / len(chances) if chances else None
    if upright:
        axes.set_ylim(0, 1.02)
        axes.set_yticks(ticks, labels)
        axes.grid(visible=False, axis="x")
    else:
        axes.set_xlim(0, 1.02)
        axes.set_xticks(ticks, labels)
        axes.grid(visible=False, axis="y")
    if chance is not None:
        draw = axes.axhline if upright else axes.axvline
        draw(chance, color=INK, linewidth=1.0, linestyle=(0, (4, 3)), zorder=3)


def _point(axes: Axes, interval: Interval, place: float, colour: str, marker: str, *, upright: bool = False) -> None:
    value = interval.value or 0.0
    x, y = (place, value) if upright else (value, place)
    _whisker(axes, interval, place, colour, upright=upright)
    axes.plot([x], [y], marker, color=colour, markersize=5.5, markeredgecolor=_PAPER, markeredgewidth=0.6, zorder=5)


def _whisker(axes: Axes, interval: Interval, place: float, colour: str, *, upright: bool = False) -> None:
    if interval.low is None or interval.high is None:
        return
    ends, places = [interval.low, interval.high], [place, place]
    axes.plot(*((places, ends) if upright else (ends, places)), color=colour, linewidth=1.3, zorder=4)


def _key(axes: Axes, entries: Sequence[tuple[str, str, str]]) -> None:
    """A legend above the figure: label, colour, marker."""
    from matplotlib.lines import Line2D

    handles = [
        Line2D([], [], linestyle="none", marker=marker, color=colour, markersize=6, label=label)
        for label, colour, marker in entries
    ]
    longest = max(len(label) for label, _, _ in entries)
    columns = min(len(entries), 4 if longest < 14 else 3 if longest < 20 else 2)
    figure = axes.figure
    figure.legend(handles=handles, loc="outside upper left", ncols=columns, handletextpad=0.2, columnspacing=1.2)


def _patch(colour: str, label: str) -> object:
    from matplotlib.patches import Patch

    return Patch(color=colour, label=label)


def _look(place: int) -> tuple[str, str]:
    return _SERIES[place % len(_SERIES)], _MARKERS[place % len(_MARKERS)]


def _series(evaluations: Sequence[Evaluation]) -> list[Evaluation]:
    """As many as can be told apart."""
    return compared(evaluations)[: len(_SERIES)]


def _left_out(evaluations: Sequence[Evaluation], shown: Sequence[Evaluation]) -> str:
    left = len(compared(evaluations)) - len(shown)
    return f" {left} more, with lower accuracy, are in the table." if left else ""


def _groups(evaluations: Sequence[Evaluation], factor: str, name: str) -> list[Group]:
    return [group for one in evaluations if (group := one.group(factor, name))]


def _of_types(one: Evaluation, kinds: Sequence[str]) -> list[Group]:
    """The groups of these types, if all are there."""
    groups = [group for kind in kinds if (group := one.group("type", kind))]
    return groups if len(groups) == len(kinds) else []


def _mean(intervals: Sequence[Interval]) -> Interval:
    """The mean of estimates; its interval is the mean of theirs: no mean has a larger error, however they correlate."""
    return Interval(
        value=_average([one.value for one in intervals]),
        low=_average([one.low for one in intervals]),
        high=_average([one.high for one in intervals]),
    )


def _average(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known and len(known) == len(values) else None


def _first_number(name: str) -> tuple[float, str]:
    """Where a group such as "3", "4-6" or "7+" stands among its kin."""
    digits = ""
    for character in name:
        if not character.isdecimal():
            if digits:
                break
            continue
        digits += character
    return (float(digits) if digits else float("inf"), name)
