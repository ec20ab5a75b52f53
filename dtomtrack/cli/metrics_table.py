"""The figures of evaluations, printed: the metrics of a subject, what it will take, what the data can tell."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from dtomtrack.cli.output import counted, echo

if TYPE_CHECKING:
    from rich.table import Table

    from dtomtrack.evaluation.estimate import SubjectEstimate
    from dtomtrack.evaluation.power import Detectable
    from dtomtrack.evaluation.records import Debiased, Group, Interval, Measure, Metrics

__all__ = ["columns", "p_text", "percent", "points", "show_detectable", "show_estimate", "show_metrics"]

_SMALL_P = 0.001
_LONG_NAME = 17
"""Characters that a name may have beside all columns on 80."""


def show_metrics(found: Metrics) -> None:
    """Print the metrics that a subject's answers add up to on standard output."""
    from dtomtrack.cli.console import Console

    config = found.config
    asked = f"{config.prompt}, {config.context}, {config.mode}"
    echo(config.subject if config.subject.startswith("baseline/") else f"{config.subject} ({asked})")
    Console().print(_table(found))
    echo("\n".join(_lines(found)))
    if found.debiased is not None:
        Console().print(_debiased_table(found, found.debiased))
        echo("\n".join(_debiased_lines(found, found.debiased)))


def _table(found: Metrics) -> Table:
    # where one option is right, balanced letters leave a constant answer what chance leaves it
    sets = found.measure("jaccard") is not None
    constant = ["constant"] if sets else []
    headings = ("", "answers", "accuracy", "95 %", "chance", *constant, "unparsed", "errors")
    table = columns(*headings, gap=1 if sets else 2)
    types = found.groups.get("type", ())
    for group in (*types, found.micro):
        table.add_row(*_row(group, constant=sets))
    if types:
        chance = percent(found.macro_chance)
        table.add_row("mean of the types", "", percent(found.macro.value), _in_percent(found.macro), chance)
    return table


def _debiased_table(found: Metrics, other: Debiased) -> Table:
    table = columns("bias for letters taken out", "answers", "as answered", "without it", "95 %")
    before = {group.name: group.accuracy.value for group in (*found.groups.get("type", ()), found.micro)}
    for group in (*other.types, other.micro):
        figures = (percent(before.get(group.name)), percent(group.accuracy.value), _in_percent(group.accuracy))
        table.add_row(group.name, str(group.items), *figures)
    if other.types:
        figures = (percent(found.macro.value), percent(other.macro.value), _in_percent(other.macro))
        table.add_row("mean of the types", "", *figures)
    return table


def _debiased_lines(found: Metrics, other: Debiased) -> Iterator[str]:
    """The differences that the subject's suite tells, as answered and without the bias."""
    for one in other.further:
        before = found.measure(one.name)
        if one.unit == "difference" and one.items and before is not None:
            yield f"{one.label}: {points(before.estimate)} as answered, {points(one.estimate)} without the bias"


def columns(*headings: str, gap: int = 2) -> Table:
    """A table without lines, figures to the right; where it is too wide, names are broken and figures never cut."""
    from rich.table import Table

    table = Table(box=None, padding=(0, gap, 0, 0), pad_edge=False)
    for heading in headings:
        if heading:
            table.add_column(heading, justify="right", no_wrap=True)
        else:
            table.add_column(heading, overflow="fold")
    return table


def _row(group: Group, *, constant: bool) -> tuple[str, ...]:
    from rich.markup import escape

    return (
        escape(_broken(group.name) if constant else group.name),
        str(group.items),
        percent(group.accuracy.value),
        _in_percent(group.accuracy),
        percent(group.chance),
        *([percent(group.best_constant)] if constant else []),
        percent(group.unparsed),
        str(group.errors),
    )


def _broken(name: str) -> str:
    """A long name on two lines, broken behind an underscore if it has one."""
    end = name.rfind("_", 0, _LONG_NAME) + 1 if len(name) > _LONG_NAME else 0
    return f"{name[:end]}\n{name[end:]}" if end else name


def _lines(found: Metrics) -> Iterator[str]:
    from dtomtrack.evaluation.debias import most_favoured

    yield from (_line(one) for one in found.further if one.items)
    letter = None if found.config.subject.startswith("baseline/") else most_favoured(found.letters)
    if letter is not None:
        chosen, right = found.letters[letter]
        hint = "" if found.debiased else "; --debias takes it out (with --mode logprobs, or --permutations 4)"
        answers = sum(count for count, _ in found.letters.values())
        yield f"Bias for a letter: {letter} chosen {chosen} of {answers} times where {right} are gold{hint}"
    if found.calibration is not None:
        own = found.calibration
        yield f"Calibration: ECE {own.ece:.3f}, Brier {own.brier:.3f}, on {own.items} answers with probabilities"
    if found.calls:
        yield f"{counted(found.calls, 'call')}, {found.tokens} tokens, ${found.cost:.4f}"


def _line(one: Measure) -> str:
    """A further figure with all that belongs to it."""
    over = f" of {one.items} {one.over}" if one.over else f" of {one.items}"
    reference = "" if one.reference is None else f"; {one.reference_label} {_estimated(one.reference)}"
    parts = ", ".join(f"{name} {percent(value)}" for name, value in one.parts.items() if value is not None)
    figure = points(one.estimate) if one.unit == "difference" else _estimated(one.estimate)
    return f"{one.label}: {figure}{over}{reference}{_tested(one.p_value)}{f' ({parts})' if parts else ''}"


def percent(share: float | None) -> str:
    """A share in per cent."""
    return "-" if share is None else f"{share:.1%}"


def _bounds(interval: Interval) -> str:
    """The bounds of an interval."""
    if interval.low is None or interval.high is None:
        return "-"
    return f"[{interval.low:.1%}, {interval.high:.1%}]"


def _in_percent(interval: Interval) -> str:
    """The bounds of an interval in a column of them."""
    if interval.low is None or interval.high is None:
        return "-"
    return f"[{100 * interval.low:.1f}, {100 * interval.high:.1f}]"


def _estimated(interval: Interval) -> str:
    """A share with its interval, where there is one."""
    bounds = "" if interval.low is None else f" {_bounds(interval)}"
    return f"{percent(interval.value)}{bounds}"


def points(interval: Interval) -> str:
    """A difference of shares, in percentage points."""
    if interval.value is None:
        return "-"
    if interval.low is None or interval.high is None:
        return f"{100 * interval.value:+.1f} points"
    return f"{100 * interval.value:+.1f} points [{100 * interval.low:+.1f}, {100 * interval.high:+.1f}]"


def _tested(p_value: float | None) -> str:
    """A p value behind a figure, where there is one."""
    return "" if p_value is None else f", {p_text(p_value)}"


def p_text(p_value: float) -> str:
    """A p value as it is printed."""
    return f"p < {_SMALL_P}" if p_value < _SMALL_P else f"p = {p_value:.3f}"


def show_estimate(estimates: Sequence[SubjectEstimate]) -> None:
    """Print the estimate for each subject on standard output."""
    from rich.markup import escape

    from dtomtrack.cli.console import Console

    table = columns("", "calls", "prompt tokens", "reply tokens", "US dollars")
    for one in estimates:
        cost = "unknown" if one.cost is None else f"{one.cost:.2f}"
        table.add_row(
            escape(one.subject), f"{one.calls:,}", f"{one.prompt_tokens:,}", f"{one.completion_tokens:,}", cost
        )
    console = Console()
    console.print(table)
    console.print(
        "Prompts are counted (tokens estimated from characters), replies taken to be of usual length, and nothing that "
        "is answered already is taken off."
    )


def show_detectable(found: Detectable | None) -> None:
    """Print on standard output which differences the items of an evaluation can tell."""
    if found is None:
        return
    difference = "no difference" if found.difference is None else f"a difference of {_points(found.difference)}"
    accuracy = "no accuracy" if found.above_chance is None else f"an accuracy {_points(found.above_chance)}"
    echo(
        f"{counted(found.items, 'item')} of {counted(found.clusters, 'dialogue')}: with a probability of "
        f"{found.power:.0%}, {difference} between two subjects is found (p < {found.level}), and {accuracy} above "
        f"chance ({percent(found.chance)}).\n"
        f"Taken for granted: {found.assumptions}."
    )


def _points(share: float) -> str:
    return f"{100 * share:.1f} points"
