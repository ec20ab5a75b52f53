"""``dtomtrack verify`` on scenes of ToMELP: a second judge over stored replies, or a judge put to the test."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from dtomtrack.cli.obedience import tell_obedience
from dtomtrack.cli.stopping import complain, printing, run_stoppable
from dtomtrack.cli.subject_progress import show_subjects
from dtomtrack.cli.waiting import waiting

if TYPE_CHECKING:
    from rich.table import Table

    from dtomtrack.evaluation.agreement import Agreement
    from dtomtrack.evaluation.bounded import Estimate
    from dtomtrack.llm.settings import ClientSettings
    from dtomtrack.llm.usage import UsageTotals
    from dtomtrack.runs.engines import Engine
    from dtomtrack.suites.tomelp.judge_calibration import JudgeCalibration
    from dtomtrack.suites.tomelp.judging_job import JudgedAgain

__all__ = ["calibrate_judge_of", "judge_again_in"]


_EDITS = {"conflict": "a line of conflict", "noise": "a line of noise", "misleading": "a misleading claim"}


def judge_again_in(
    folder: Path,
    judge: str,
    client: ClientSettings,
    base_url: str | None,
    command: str,
    engine: Engine,
    *,
    quiet: bool,
) -> None:
    """Have stored replies judged by another judge, and show how far it agrees with the first."""
    from dtomtrack.suites.tomelp.judging_job import judge_plays_again, judged_by

    with show_subjects(quiet=quiet) as report:
        found = run_stoppable(judge_plays_again(folder, judge, client, base_url, command, report, engine))
    for subject in judged_by(folder, judge):
        complain(f"{subject}: was judged by {judge} already, and is left out")
    if not quiet:
        with printing("the table"):
            for one in found:
                _show_second(one)


def calibrate_judge_of(
    folder: Path, judge: str, client: ClientSettings, base_url: str | None, limit: int | None, *, quiet: bool
) -> None:
    """Have a judge score planted replies, and show how far it finds what was planted."""
    from dtomtrack.suites.tomelp.judge_calibration import CALIBRATION, CalibrationRequest, calibrate_judge
    from dtomtrack.suites.tomelp.play_job import RULES

    request = CalibrationRequest(folder, judge, client, base_url, limit)
    with waiting(quiet=quiet) as shown:

        def tell(done: int, wanted: int, usage: UsageTotals) -> None:
            if shown is not None:
                shown.tell("states", done, wanted, usage=None if judge == RULES else usage)

        found = run_stoppable(calibrate_judge(request, tell))
    if not quiet:
        with printing("the table"):
            _show_calibration(found)
            typer.echo(f"calibration: {folder / CALIBRATION}")


def _agreements(*headings: str) -> Table:
    from rich.table import Table

    table = Table(box=None, padding=(0, 2, 0, 0))
    table.add_column("")
    for heading in headings:
        table.add_column(heading, justify="right")
    return table


def _show_second(found: JudgedAgain) -> None:
    from rich.console import Console

    table = _agreements("pairs", "missing", "same", "kappa", "alpha")
    for name, one in found.agreement.items():
        table.add_row(name, str(one.pairs), str(one.missing), *map(_share, (one.same, one.kappa, one.alpha)))
    console = Console()
    console.print(f"{found.subject}: {found.first} and {found.second}", markup=False, highlight=False)
    console.print(table)


def _show_calibration(found: JudgeCalibration) -> None:
    from rich.console import Console

    table = _agreements("planted", "missing", "kappa", "alpha", "retest kappa")
    for name, one in found.truth.items():
        again: Agreement = found.retest[name]
        table.add_row(name, str(one.pairs), str(one.missing), *map(_share, (one.kappa, one.alpha, again.kappa)))
    console = Console()
    console.print(table)
    console.print(
        f"{found.judge} on {found.replies} planted replies to {found.states} states; "
        f"{found.calls} calls, {found.tokens} tokens, ${found.cost:.4f}",
        markup=False,
        highlight=False,
    )
    moved = {"neutral padding": found.padding, **{_EDITS[name]: one for name, one in found.edits.items()}}
    for name, shift in moved.items():
        console.print(f"{name} behind a reply moves attitude by {_shift(shift)}", markup=False, highlight=False)
    for name, told in found.told.items():
        tell_obedience(found.judge, name, told)


def _shift(moved: Estimate) -> str:
    value, low, high = moved.interval.value, moved.interval.low, moved.interval.high
    ends = "" if low is None or high is None else f" [{low:+.3f}, {high:+.3f}]"
    return "-" if value is None else f"{value:+.3f}{ends}"


def _share(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"
