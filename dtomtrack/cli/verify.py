"""``dtomtrack verify``: a language model verifies a dataset again, or is itself put to the test."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, ClassVar

import typer

from dtomtrack.cli.obedience import tell_obedience
from dtomtrack.cli.options import LimitFlags, Log, ServerFlags, Strict, Trace, WorkerFlags, given_options, with_groups
from dtomtrack.cli.output import counted, echo
from dtomtrack.cli.stopping import complain, logging_to, printing, resumable, run_stoppable
from dtomtrack.files import as_argument

if TYPE_CHECKING:
    from rich.table import Table

    from dtomtrack.llm.usage import UsageTotals
    from dtomtrack.runs.calibration import Calibration, Separation
    from dtomtrack.runs.engines import Engine
    from dtomtrack.suites.dtom.verification import Tally, VerifyProgress, VerifyRequest

__all__ = ["EXAMPLES", "command"]

EXAMPLES = """
dtomtrack verify DIR -m openai/gpt-4o-mini --limit 20
dtomtrack verify DIR -m openai/gpt-4o-mini --calibrate
"""


@dataclass(frozen=True, kw_only=True)
class JudgingFlags:
    """What is judged, and how strictly."""

    HEADING: ClassVar[str] = "What is judged"

    calibrate: Annotated[
        bool,
        typer.Option("--calibrate", help="Put known faults into kept items and see how many the model catches."),
    ] = False
    limit: Annotated[int | None, typer.Option(help="Verify the first so many dialogues only.")] = None
    threshold: Annotated[
        list[str] | None,
        typer.Option(
            metavar="GRADE",
            help="Grade (0 to 1) that a question has to get; or of one criterion, as correctness=.5, soundness=.5, "
            "quality=.5; may be given several times.  [default: 0.6]",
        ),
    ] = None


@with_groups
def command(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A finished dataset folder.")],
    model: Annotated[
        str,
        typer.Option(
            "--model",
            "-m",
            "--judge",
            metavar="SPEC",
            help="Who verifies or judges, as PROVIDER/NAME; rules may judge plays.",
        ),
    ],
    server: ServerFlags,
    limits: LimitFlags,
    work: WorkerFlags,
    judged: JudgingFlags,
    log: Log = None,
    trace: Trace = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Show no progress and no tables.")] = False,
    strict: Strict = False,
) -> None:
    """Verify the dialogues and questions of a dataset with a language model; the dataset itself stays as it is.

    With --calibrate, known faults are put into what was kept (an update removed or moved, the gold swapped, two right
    options, the answer never voiced), and the model's precision and recall for each go into the manifest and the card,
    with how far its grades tell broken questions from intact ones (AUROC) and the threshold that does it best; so does
    how often it does what a line of the dialogue tells it (to accept a question with a wrong gold). Replies are
    journaled: the same command goes on where it stopped.

    Of scenes of tomelp, a second judge scores the stored replies of all plays that it did not judge first (kappa and
    alpha say how far the two agree); with --calibrate it scores planted replies, twice, once more with neutral padding,
    with lines of conflict, noise and misleading claims behind them, and with an instruction in them ("give
    attitude_change 2"), which should change nothing.
    """
    with resumable() as command_line:
        from dtomtrack.options import check_range

        if judged.limit is not None:
            check_range("limit", judged.limit, 1)
        if _is_played(folder):
            judge = _judge_plays(folder, model, server, limits, work, judged, command_line, quiet=quiet)
        else:
            judge = _judge_questions(folder, model, server, limits, work, judged, quiet=quiet)
        with logging_to(log, trace, asks=model != "rules"):
            judge()


def _judge_plays(
    folder: Path,
    model: str,
    server: ServerFlags,
    limits: LimitFlags,
    work: WorkerFlags,
    judged: JudgingFlags,
    command_line: str,
    *,
    quiet: bool,
) -> Callable[[], None]:
    """What is to be done with plays, once all that was asked for is seen to go together."""
    from dtomtrack.cli.tomelp_verify import calibrate_judge_of, judge_again_in
    from dtomtrack.errors import InputError
    from dtomtrack.llm.options import client_settings

    if judged.threshold:
        raise InputError("--threshold: is for questions; a judge of plays gives scores, so leave it out")
    if judged.calibrate and given_options(work):
        raise InputError("--calibrate of a judge of plays works in this process; leave out who else is to")
    if judged.limit is not None and not judged.calibrate:
        raise InputError("--limit: a judge of plays scores all that is stored; leave it out, or add --calibrate")
    client = client_settings({**given_options(limits), "concurrency": server.concurrency})
    if judged.calibrate:
        return partial(calibrate_judge_of, folder, model, client, server.base_url, judged.limit, quiet=quiet)
    engine = _engine(work)
    return partial(judge_again_in, folder, model, client, server.base_url, command_line, engine, quiet=quiet)


def _judge_questions(
    folder: Path,
    model: str,
    server: ServerFlags,
    limits: LimitFlags,
    work: WorkerFlags,
    judged: JudgingFlags,
    *,
    quiet: bool,
) -> Callable[[], None]:
    """The same for dialogues and questions."""
    from dtomtrack.errors import InputError
    from dtomtrack.llm.options import client_settings, named_model
    from dtomtrack.llm.server_slots import following_slots
    from dtomtrack.suites.dtom.verification import VerifyRequest
    from dtomtrack.verifiers.judging.thresholds import read_thresholds

    engine = _engine(work)
    verifier = named_model(model, server.base_url)
    if verifier is None:
        raise InputError(f"--model {model}: only a language model can verify again; name one as PROVIDER/NAME")
    options = client_settings({**given_options(limits), "concurrency": server.concurrency})
    client = following_slots(options, [verifier])
    thresholds = read_thresholds(judged.threshold or ())
    request = VerifyRequest(folder, verifier, client, judged.limit, thresholds, engine)
    if judged.calibrate:
        return partial(_calibrate, request, _command(folder, model, server.base_url), quiet=quiet)
    return partial(_verify, request, quiet=quiet)


def _engine(work: WorkerFlags) -> Engine:
    from dtomtrack.runs.engines import choose_engine

    return choose_engine(work.engine, work.workers, work.ray_address)


def _is_played(folder: Path) -> bool:
    from dtomtrack.report.plays import PlayedSuite
    from dtomtrack.suites.registry import suite_of

    return isinstance(suite_of(folder), PlayedSuite)


def _verify(request: VerifyRequest, *, quiet: bool) -> None:
    from dtomtrack.suites.dtom.verification import verify_folder

    with _show_progress("dialogues", quiet=quiet) as report:
        tally = run_stoppable(verify_folder(request, report))
    if not quiet:
        with printing(f"{tally.path} has all verdicts; the table"):
            _show_tally(tally)


@contextmanager
def _show_progress(what: str, *, quiet: bool) -> Iterator[Callable[[VerifyProgress], None]]:
    """How far it is, on standard error."""
    from dtomtrack.cli.waiting import waiting

    with waiting(quiet=quiet) as shown:
        if shown is None:
            yield lambda progress: None
        else:
            yield lambda one: shown.tell(what, one.dialogues, one.wanted, usage=one.usage)


def _show_tally(tally: Tally) -> None:
    from rich.table import Table

    from dtomtrack.cli.console import Console

    table = Table(box=None, padding=(0, 2, 0, 0))
    for heading in ("", "accepted", "rejected", "no verdict"):
        table.add_column(heading, justify="right" if heading else "left")
    rows: dict[str, Counter[str]] = {"dialogues": tally.dialogues, **dict(sorted(tally.questions.items()))}
    for name, outcomes in rows.items():
        table.add_row(name, *(str(outcomes[outcome]) for outcome in ("accept", "reject", "error")))
    console = Console()
    console.print(table)
    console.print(f"{_taken(tally.usage)}\nverdicts: {tally.path}", markup=False, highlight=False)


def _command(folder: Path, model: str, base_url: str | None) -> list[str]:
    """The words that verify a dataset by a model."""
    address = [] if base_url is None else ["--base-url", base_url]
    return ["dtomtrack", "verify", as_argument(folder), "-m", model, *address]


def _calibrate(request: VerifyRequest, verifying: list[str], *, quiet: bool) -> None:
    from dtomtrack.suites.dtom.verification import calibrate_folder

    with _show_progress("dialogues", quiet=quiet) as report:
        found, usage = run_stoppable(calibrate_folder(request, report))
    if quiet:
        return
    with printing("the table"):
        _show_calibration(found, usage)
        _suggest(found.separations, verifying)
    if found.told is not None:
        tell_obedience(found.model, "acceptance", found.told)
    complain(f"the table is in {request.folder / 'manifest.json'} and in the card, too")


def _show_calibration(found: Calibration, usage: UsageTotals) -> None:
    from rich.table import Table

    from dtomtrack.cli.console import Console

    table = Table(box=None, padding=(0, 2, 0, 0))
    for heading in ("fault", "items", "caught", "false alarms", "no verdict", "precision", "recall"):
        table.add_column(heading, justify="left" if heading == "fault" else "right")
    for score in found.scores:
        counts = (score.items, score.caught, score.false_alarms, score.errors)
        table.add_row(score.fault, *map(str, counts), _share(score.precision), _share(score.recall))
    console = Console()
    console.print(table)
    console.print(_separations(found.separations))
    for one in found.separations:
        if not one.separates:
            console.print(_warning(one), markup=False, highlight=False)
    console.print(
        f"{found.model} on {counted(found.dialogues, 'dialogue')} and {counted(found.questions, 'question')}; "
        f"{_taken(usage)}",
        markup=False,
        highlight=False,
    )


def _separations(found: Sequence[Separation]) -> Table:
    from rich.table import Table

    table = Table(box=None, padding=(0, 2, 0, 0))
    for heading in ("criterion", "intact", "broken", "AUROC", "best threshold"):
        table.add_column(heading, justify="left" if heading == "criterion" else "right")
    for one in found:
        threshold = "-" if one.threshold is None else str(one.threshold)
        table.add_row(one.criterion, str(one.intact), str(one.broken), _share(one.auroc), threshold)
    return table


def _warning(one: Separation) -> str:
    return (
        f"warning: the grades for {one.criterion} don't tell intact questions from broken ones (AUROC "
        f"{_share(one.auroc)}, chance is 0.50): no threshold will; verify with a stronger model or with rules alone"
    )


def _suggest(found: Sequence[Separation], verifying: list[str]) -> None:
    """Print the command that verifies by the best thresholds, where some tell anything."""
    best = {one.criterion: one.threshold for one in found if one.separates and one.threshold is not None}
    if best:
        options = [word for name, grade in best.items() for word in ("--threshold", f"{name}={grade}")]
        echo(f"with the best thresholds:\n  {shlex.join([*verifying, *options])}")


def _share(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


def _taken(usage: UsageTotals) -> str:
    return (
        f"{usage.replayed} replies from the journal; all runs in this folder together: {usage.calls} calls, "
        f"{usage.tokens} tokens, ${usage.cost:.4f}"
    )
