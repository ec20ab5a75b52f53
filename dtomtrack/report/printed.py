"""Figures as they are printed: percents with one decimal."""

from __future__ import annotations

from dtomtrack.evaluation.records import Interval

__all__ = ["NOTHING", "p_value_text", "percent", "percent_range"]

_DASH = "\N{EN DASH}"
NOTHING = _DASH
"""Stands where there is no figure."""
_SMALLEST_P = 0.001


def percent(share: float | None, *, sign: bool = False) -> str:
    """A share, or a difference of shares with its sign."""
    if share is None:
        return NOTHING
    return _minus(f"{100 * share:+.1f}" if sign else f"{100 * share:.1f}")


def percent_range(interval: Interval) -> str:
    """The ends of an interval; empty if there is none."""
    if interval.low is None or interval.high is None:
        return ""
    between = " to " if interval.low < 0 else _DASH
    return f"{percent(interval.low)}{between}{percent(interval.high)}"


def p_value_text(p_value: float) -> str:
    """A p value with its sign: "= 0.012", or "< 0.001" where it is smaller."""
    return f"< {_SMALLEST_P}" if p_value < _SMALLEST_P else f"= {p_value:.3f}"


def _minus(text: str) -> str:
    return text.replace("-", "\N{MINUS SIGN}")
