"""Asking whoever sits at a terminal before a run begins that takes many calls or much money."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from dtomtrack.cli.stopping import complain

if TYPE_CHECKING:
    from dtomtrack.suites.generation.estimate import Estimate

__all__ = ["ask_before"]

_MANY_CALLS = 2_500
_MUCH_MONEY = 5.0
"""US dollars."""


def ask_before(out: Path, n: int, estimate: Callable[[int], Estimate]) -> None:
    """Ask whoever is there whether to begin, where what is left of a run takes many calls or much money.

    Args:
        out: the run's folder, which may hold some of its slots already.
        n: slots.
        estimate: the estimate of so many slots.

    Raises:
        typer.Exit: 1, if the answer is no.
    """
    from dtomtrack.runs.folder import read_manifest

    before = read_manifest(out)
    left = n - (before.counts.dialogues + before.counts.unfilled if before else 0)
    if left > 0 and _is_somebody_there():
        _ask_about(estimate(left))


def _is_somebody_there() -> bool:
    """Whether somebody can read a question and answer it."""
    return sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty()


def _ask_about(estimated: Estimate) -> None:
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
