"""What episodes will take, in a terminal."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.table import Table

    from dtomtrack.evaluation.estimate import SubjectEstimate
    from dtomtrack.suites.rhetbench.estimate import PlayEstimate

__all__ = ["show_play_estimate"]


def show_play_estimate(estimates: Sequence[PlayEstimate], characters: int) -> None:
    """Print estimates on standard output, each figure with its range, and where the ranges come from.

    Args:
        characters: how many there are to meet.
    """
    from dtomtrack.cli.console import Console
    from dtomtrack.cli.metrics_table import columns

    console = Console()
    table = columns("", "expected", "at least", "at most")
    for one in estimates:
        _add(table, one)
    console.print(table)
    asked = [one for one in estimates if one.most.calls]
    for played in sorted({one.played for one in asked if one.played}):
        console.print(
            f"Foretold, with a 95 % interval, from the {played} episodes that are played and kept, which are not in "
            "it. The run goes on from there."
        )
    blind = [one for one in asked if not one.played]
    if blind:
        console.print(_of_unknown(blind[0].left, characters))


def _add(table: Table, one: PlayEstimate) -> None:
    """The rows of an estimate."""
    from rich.markup import escape

    ends = (one.expected, one.least, one.most)
    table.add_row(f"[bold]{escape(one.expected.subject)}[/], {one.left:,} episodes", "", "", "")
    # where no model takes part, that says it all
    for name, figure in _FIGURES.items() if one.most.calls else [("calls", _calls)]:
        table.add_row(f"  {name}", *map(figure, ends))


def _of_unknown(episodes: int, characters: int) -> str:
    """The words on a range that holds for whoever plays."""
    pilot = characters if characters < episodes else max(2, episodes // 2)
    share = ", one with each character" if pilot == characters else ""
    advice = f" --pilot {pilot} plays {pilot} of them{share}, keeps them, and foretells the others from those."
    return (
        "Nobody knows yet how long they will be: figures are those of a player who does as chance does, in messages of "
        "280 characters, and ranges go from the quickest end that the characters allow, in short messages, to talk "
        "until the last turn in messages that take all of --max-tokens (lower it, and the range gets narrower). Tokens "
        f"are estimated from characters.{advice if pilot < episodes else ''}"
    )


def _calls(one: SubjectEstimate) -> str:
    return f"{one.calls:,}"


def _dollars(one: SubjectEstimate) -> str:
    return "unknown" if one.cost is None else f"{one.cost:.2f}"


_FIGURES: Mapping[str, Callable[[SubjectEstimate], str]] = {
    "calls": _calls,
    "prompt tokens": lambda one: f"{one.prompt_tokens:,}",
    "reply tokens": lambda one: f"{one.completion_tokens:,}",
    "US dollars": _dollars,
}
