"""The output of ``generate``: progress while it runs, a table when it is done."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from rich.markup import escape
from rich.table import Table

from dtomtrack.cli.console import Console
from dtomtrack.cli.waiting import waiting
from dtomtrack.runs.manifest import Counts, Manifest
from dtomtrack.runs.run import Progress

if TYPE_CHECKING:
    from dtomtrack.suites.generation.estimate import Estimate

__all__ = ["show_estimate", "show_progress", "summarize"]

_TOTALS = {"updates": "changes of mind, all realized", "states": "dialogue states", "clusters": "scenes"}
_DIALOGUES = "dialogues"


@contextmanager
def show_progress(*, quiet: bool) -> Iterator[Callable[[Progress], None] | None]:
    """How far a run is, on standard error."""
    with waiting(quiet=quiet) as shown:
        if shown is None:
            yield None
        else:
            yield lambda one: shown.tell("dialogues", one.done, one.wanted, _made(one), one.usage)


def _made(progress: Progress) -> str:
    """The results so far."""
    counts = progress.counts
    rejected = sum(counts.rejected_dialogues.values())
    tried = counts.dialogues + rejected
    share = f" ({counts.dialogues / tried:.0%} kept)" if tried and progress.usage is not None else ""
    return f"{counts.questions} questions, {rejected} rejected{share}"


def show_estimate(estimated: Estimate, *, planned: bool = False) -> None:
    """The calls, tokens and dollars of a run, on standard output.

    Args:
        planned: whether models take part where minds come apart, so that none of them writes scenarios.
    """
    console = Console()
    if not estimated.stages:
        console.print("No language model takes part: no calls, no tokens, no cost.")
        return
    table = Table(box=None, padding=(0, 2, 0, 0))
    for heading in ("stage", "model", "calls", "prompt tokens", "reply tokens", "US dollars"):
        table.add_column(heading, justify="left" if heading in {"stage", "model"} else "right")
    for one in estimated.stages:
        cost = "unknown" if one.cost is None else f"{one.cost:.2f}"
        figures = (f"{one.calls:,}", f"{one.prompt_tokens:,}", f"{one.completion_tokens:,}", cost)
        table.add_row(one.stage, escape(one.model), *figures)
    console.print(table)
    console.print(
        f"About so much for {estimated.slots} dialogues, found from {estimated.rehearsed} rehearsed ones (tokens "
        "estimated from characters), if nothing has to be asked for again; slots that reject a dialogue start over."
    )
    if planned:
        console.print(
            "Where minds come apart the plan is the program's and models write the words: none is asked for scenarios, "
            "and --scenario-style moves nothing."
        )


def summarize(manifest: Manifest, out: Path) -> None:
    """The closing table on standard output."""
    counts, made = manifest.counts, _kind_made(manifest)
    table = Table(show_header=False, box=None, padding=(0, 2, 0, 0))
    table.add_row(f"{made} kept", f"{counts.dialogues} of {manifest.n}")
    for name, total in counts.totals.items():
        if name != made:
            table.add_row(_TOTALS.get(name, name), str(total))
    if made == _DIALOGUES:
        _add_questions(table, counts)
    made_by = str(manifest.config["generator"])
    scripted = "scripted actors" if made == _DIALOGUES else "rules"
    table.add_row("made by", scripted if made_by == "scripted" else escape(made_by))
    if manifest.calls:
        table.add_row("calls", f"{manifest.calls}, {manifest.tokens} tokens, ${manifest.cost:.4f}")
    table.add_row("time", f"{manifest.seconds:.1f} s" + _sessions(manifest.sessions))
    console = Console()
    with console.capture() as drawn:
        console.print(table)
    # cells are filled up with blanks, also where nothing comes behind them
    console.out(*(line.rstrip() for line in drawn.get().split("\n")), sep="\n", end="", highlight=False)
    console.print(f"{manifest.status}: {out}", markup=False, highlight=False, soft_wrap=True)


def _kind_made(manifest: Manifest) -> str:
    """What a slot is filled with: a dialogue, or what the only data file is named after."""
    names = [Path(name).stem for name in manifest.files]
    return names[0] if len(names) == 1 and not manifest.counts.questions else _DIALOGUES


def _add_questions(table: Table, counts: Counts) -> None:
    """Rows for what was asked, rejected, or left without a verdict."""
    table.add_row("questions kept", str(counts.questions))
    for grouping, groups in counts.groups.items():
        if grouping != "type":
            table.add_row(f"by {grouping.replace('_', ' ')}", "")
        for name in sorted(groups, key=_by_number):
            table.add_row(f"  {name}", _share(groups[name], counts.questions))
    table.add_row("dialogues rejected", str(sum(counts.rejected_dialogues.values())))
    for reason, count in counts.rejected_dialogues.items():
        table.add_row(f"  {reason}", str(count))
    table.add_row("questions rejected", str(sum(counts.rejected_questions.values())))
    for reason, count in counts.rejected_questions.items():
        table.add_row(f"  {reason}", str(count))
    for name, count in counts.errors.items():
        table.add_row(f"without a verdict, {name}", str(count))
    for name, count in counts.invalid.items():
        table.add_row(f"no readable answer to, {name}", str(count))


def _by_number(name: str) -> tuple[int, str]:
    """Numbers come in their order, all else by the alphabet."""
    return (int(name) if name.isdecimal() else -1, name)


def _share(count: int, total: int) -> str:
    return f"{count} ({count / total:.1%})"


def _sessions(sessions: int) -> str:
    return f" in {sessions} sessions" if sessions > 1 else ""
