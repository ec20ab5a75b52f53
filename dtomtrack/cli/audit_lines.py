"""The rules of an audit as lines for a terminal: one a rule, under the group of items that it is about.

Rules that did the very same on a group (as many do that choose nothing) share a line.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dtomtrack.audit import AuditRow

__all__ = ["Alike", "alike", "by_group", "by_rule"]

_INDENT = 2


@dataclass(frozen=True)
class Alike:
    """Rules with the same figures on one group; the first of them stands for all."""

    rows: tuple[AuditRow, ...]

    @property
    def first(self) -> AuditRow:
        """The row whose figures are shown."""
        return self.rows[0]

    def named(self, width: int) -> str:
        """The names of the rules, as many as there is room for."""
        names = [row.rule for row in self.rows]
        for count in range(len(names), 1, -1):
            rest = len(names) - count
            text = ", ".join(names[:count]) + (f" and {rest} alike" if rest else "")
            if len(text) <= width:
                return text
        return names[0] if len(names) == 1 else f"{names[0]} and {len(names) - 1} alike"


def alike(rows: Sequence[AuditRow]) -> list[Alike]:
    """Rows in their order, those of one group with the same figures put together."""
    found: dict[tuple[object, ...], list[AuditRow]] = {}
    for row in rows:
        key = (row.group, row.items, row.accuracy.value, row.accuracy.low, row.accuracy.high, row.jaccard)
        found.setdefault(key, []).append(row)
    return [Alike(tuple(same)) for same in found.values()]


def by_group(found: Sequence[Alike], width: int, most: int | None = None) -> Iterator[str]:
    """Lines under a heading for each group, the group with the worst rule first; of all, the first so many.

    A line about fewer items than the group has (classifiers look at a sample of many) says so itself.
    """
    groups: dict[str, list[Alike]] = {}
    for one in found[:most]:
        groups.setdefault(one.first.group, []).append(one)
    figures = _Figures(sets=any(one.first.jaccard is not None for own in groups.values() for one in own))
    yield f"{figures.heading}  rule"
    for group, own in groups.items():
        whole = max((one.first for one in found if one.first.group == group), key=lambda row: row.items)
        yield f"{group} ({_held_against(whole)})"
        for one in own:
            sample = f" (of {_held_against(one.first)})" if one.first.items < whole.items else ""
            names = one.named(width - figures.width - 2 - len(sample))
            yield from _line(figures.of(one.first), names + sample, one.first.learnt, width)


def by_rule(rows: Sequence[AuditRow], width: int) -> Iterator[str]:
    """Lines of one rule on several groups, under its name."""
    for rule in dict.fromkeys(row.rule for row in rows):
        own = [row for row in rows if row.rule == rule]
        figures = _Figures(sets=any(row.jaccard is not None for row in own))
        yield f"{figures.heading}  {rule}"
        for row in own:
            yield f"{figures.of(row)}  {row.group} ({_held_against(row)})"


@dataclass(frozen=True)
class _Figures:
    """The columns of figures; how far sets agree is one of them where sets are asked for."""

    sets: bool

    @property
    def heading(self) -> str:
        """Over the columns."""
        return _columns("right", "95 %", *(["agree"] if self.sets else []))

    @property
    def width(self) -> int:
        """The characters that they take."""
        return len(self.heading)

    def of(self, row: AuditRow) -> str:
        """The figures of a row."""
        interval = f"{_percent(row.accuracy.low)} to {_percent(row.accuracy.high)}"
        return _columns(_percent(row.accuracy.value), interval, *([_percent(row.jaccard)] if self.sets else []))


def _columns(share: str, interval: str, *agreement: str) -> str:
    return "  ".join((f"{'':{_INDENT}}{share:>5}", f"{interval:>14}", *(f"{one:>5}" for one in agreement)))


def _held_against(row: AuditRow) -> str:
    """How many items a row is about, and what it is to be held against."""
    held_against = "chance" if row.expected == row.chance else "expected"
    return f"{row.items} items, {held_against} {_percent(row.expected)}"


def _line(figures: str, names: str, learnt: str | None, width: int) -> Iterator[str]:
    """The figures, then names; what was learnt follows, on lines of its own where there is no room."""
    line = f"{figures}  {names}"
    if learnt is None:
        yield line
    elif len(line) + len(learnt) + 2 <= width:
        yield f"{line}: {learnt}"
    else:
        yield line
        indent = " " * (len(figures) + 4)
        yield from textwrap.wrap(learnt, width, initial_indent=indent, subsequent_indent=indent)


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{100 * share:.1f}"
