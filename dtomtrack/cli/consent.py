"""Asking whoever sits at a terminal before a run begins that takes many calls or much money."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import typer

from dtomtrack.cli.stopping import complain

if TYPE_CHECKING:
    from dtomtrack.suites.generation.estimate import Estimate

__all__ = ["ask_before", "is_somebody_there"]

_MANY_CALLS = 2_500
_MUCH_MONEY = 5.0
"""US dollars."""


def is_somebody_there() -> bool:
    """Whether somebody can read a question and answer it."""
    return sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty()


def ask_before(estimated: Estimate) -> None:
    """Ask whether to begin, where the estimate has many calls or much money.

    Raises:
        typer.Exit: 1, if the answer is no.
    """
    calls = sum(one.calls for one in estimated.stages)
    cost = sum(one.cost or 0.0 for one in estimated.stages)
    if calls <= _MANY_CALLS and cost <= _MUCH_MONEY:
        return
    unknown = any(one.cost is None for one in estimated.stages)
    money = f"and ${cost:.2f}" if not unknown else "at a price that nobody knows here"
    question = f"About {calls:,} calls for {estimated.slots} dialogues, {money} (--dry-run has more). Begin?"
    if not typer.confirm(question, err=True):
        complain("nothing was begun; --n sets how many dialogues, --max-cost what they may cost, --yes asks nothing")
        raise typer.Exit(1)
