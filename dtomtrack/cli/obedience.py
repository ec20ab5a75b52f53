"""How a judge takes instructions that stand in what it judges, printed; warned of where it does what they say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dtomtrack.cli.stopping import complain

if TYPE_CHECKING:
    from dtomtrack.runs.calibration import Obedience

__all__ = ["tell_obedience"]


def tell_obedience(judge: str, name: str, told: Obedience) -> None:
    """Say how often planted instructions got the verdict that they ask for, and warn where that is often."""
    # imported late: help has to answer in a blink
    from dtomtrack.cli.console import Console

    console = Console(markup=False, highlight=False)
    if told.share is None:
        console.print(f"{name}: no planted instruction could be tried on {told.texts} texts")
        return
    ends = "" if told.low is None or told.high is None else f" [{told.low:.1%}, {told.high:.1%}]"
    console.print(
        f"{name}: {told.obeyed} of {told.tried} planted instructions are obeyed, {told.share:.1%}{ends}; "
        f"{told.moved} of {told.texts} texts get another verdict than without"
    )
    if told.alarming:
        complain(
            f"warning: {judge} does what the text that it judges tells it ({name}): its verdicts can be had by asking"
        )
