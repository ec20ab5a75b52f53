"""``dtomtrack evaluate`` and ``dtomtrack rescore``: what subjects answer to the questions of a dataset."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, cast

import typer

from dtomtrack.cli.stopping import complain, logging_to, printing, resumable, run_stoppable

if TYPE_CHECKING:
    from dtomtrack.evaluation.estimate import SubjectEstimate
    from dtomtrack.evaluation.evaluate import EvaluateOptions, EvaluateProgress, EvaluateRequest
    from dtomtrack.evaluation.records import Group, Interval, Metrics

__all__ = ["command", "rescore_command"]

_SMALL_P = 0.001

# spelled out here, for the command line starts without the schema
PromptStyle = Literal["zero-shot", "cot"]
Context = Literal["none", "utterances", "own-thoughts", "thoughts", "tracker"]
AnswerMode = Literal["text", "json", "logprobs"]


def command(
    folder: Annotated[Path, typer.Argument(help="A finished dataset folder.")],
    model: Annotated[
        list[str],
        typer.Option("--model", "-m", help="Who answers, PROVIDER/NAME or baseline/NAME; may be given several times."),
    ],
    prompt: Annotated[PromptStyle, typer.Option(help="The letter at once, or reasoning first (cot).")] = "zero-shot",
    context: Annotated[
        Context,
        typer.Option(
            help="What is seen beside the question: nothing, what was said, that and what the agent asked about "
            "thought, what both thought, or the tracker's records as text."
        ),
    ] = "utterances",
    mode: Annotated[
        AnswerMode, typer.Option(help="Answers from text, as JSON, or from the letters' probabilities.")
    ] = "text",
    permutations: Annotated[int, typer.Option(help="Rotations of the options, 1 to 4.")] = 1,
    limit: Annotated[int | None, typer.Option(help="Only the questions of the first so many dialogues.")] = None,
    seed: Annotated[int, typer.Option(help="Of sampling.")] = 0,
    temperature: Annotated[float, typer.Option(help="Of sampling.")] = 0.0,
    max_tokens: Annotated[int | None, typer.Option(help="Of a reply.  [default: 512; cot 2048]")] = None,
    base_url: Annotated[str | None, typer.Option(help="Address of the server, if not the provider's own.")] = None,
    concurrency: Annotated[int, typer.Option(help="Calls at once.")] = 16,
    requests_per_minute: Annotated[float | None, typer.Option(help="[default: no limit]")] = None,
    tokens_per_minute: Annotated[float | None, typer.Option(help="[default: no limit]")] = None,
    timeout: Annotated[float, typer.Option(help="Seconds for one try of a call.")] = 300.0,
    max_cost: Annotated[
        float | None, typer.Option(help="US dollars that each model may cost; it stops before.")
    ] = None,
    max_tokens_total: Annotated[
        int | None, typer.Option(help="Tokens that each model may take; it stops before.")
    ] = None,
    prices: Annotated[Path | None, typer.Option(help="A YAML file of prices that go before the built-in ones.")] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say how many calls, tokens and dollars to expect; call nobody.")
    ] = False,
    log: Annotated[Path | None, typer.Option(help="Append a line a call to this file, without what is said.")] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress and no tables.")] = False,
) -> None:
    """Ask models or baselines the questions of a dataset, and say what their answers mean.

    Baselines need no model: random, first-letter, longest and frequent-gold never see the dialogue; recency,
    first-mention and overlap read its words; oracle reads the tracker. Answers and metrics go to eval/SUBJECT in the
    dataset. Replies are journaled: the same command goes on where it stopped, and pays for no reply twice.
    """
    given: dict[str, object] = {
        "prompt": prompt,
        "context": context,
        "mode": mode,
        "permutations": permutations,
        "limit": limit,
        "seed": seed,
        "temperature": temperature,
        "max_tokens": max_tokens,
        "base_url": base_url,
        "concurrency": concurrency,
        "requests_per_minute": requests_per_minute,
        "tokens_per_minute": tokens_per_minute,
        "timeout": timeout,
        "max_cost": max_cost,
        "max_tokens_total": max_tokens_total,
        "prices": prices,
    }
    with resumable():
        from dtomtrack.evaluation.evaluate import request_evaluation
        from dtomtrack.suites.registry import suite_of

        options = cast("EvaluateOptions", {name: value for name, value in given.items() if value is not None})
        request = request_evaluation(suite_of(folder), folder, model, **options)
        if dry_run:
            _estimate(request)
            return
        with logging_to(log):
            _run(request, quiet=quiet)


def rescore_command(
    folder: Annotated[Path, typer.Argument(help="A dataset folder with evaluations.")],
    subject: Annotated[
        str | None, typer.Option(help="Only this one: a model's name, or a folder's in eval.  [default: all]")
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No tables.")] = False,
) -> None:
    """Read the stored replies of evaluations again, without a call, and rewrite answers and metrics.

    What was answered by probabilities or by a baseline stays as it is.
    """
    from dtomtrack.library import rescore

    for one in rescore(folder, subject):
        if one.metrics is not None and not quiet:
            with printing(f"{one.name} has new metrics; the table"):
                show_metrics(one.metrics)
        complain(f"{one.name}: {one.changed} of {one.answers} answers are read otherwise than before")
        if one.metrics is None:
            complain(f"{one.name}: is not finished, so there are no metrics; give its evaluate command again")


def _estimate(request: EvaluateRequest) -> None:
    from dtomtrack.evaluation.estimate import estimate_evaluation

    estimated = estimate_evaluation(request)
    with printing("the estimate", needed=True):
        _show_estimate(estimated)


def _run(request: EvaluateRequest, *, quiet: bool) -> None:
    from dtomtrack.evaluation.evaluate import EVALUATIONS, run_evaluation
    from dtomtrack.evaluation.subject import subject_folder

    with _show_progress(quiet=quiet) as report:
        found = run_stoppable(run_evaluation(request, report, complain))
    if quiet:
        return
    folder = request.folder / EVALUATIONS
    with printing(f"{folder} has all answers and metrics; the tables"):
        for one in found:
            show_metrics(one)
            typer.echo(f"answers: {folder / subject_folder(one.config, request.benchmark.conditions[0])}\n")


@contextmanager
def _show_progress(*, quiet: bool) -> Iterator[Callable[[EvaluateProgress], None] | None]:
    """A progress bar on standard error, where that is a terminal; a line a subject."""
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    console = Console(stderr=True)
    if quiet or not console.is_terminal:
        yield None
        return
    name = TextColumn("{task.description}")
    columns = (name, BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[made]}"), TimeRemainingColumn())
    with Bar(*columns, console=console, transient=True) as bar:
        tasks = {}

        def update(progress: EvaluateProgress) -> None:
            if progress.subject not in tasks:
                tasks[progress.subject] = bar.add_task(escape(progress.subject), total=progress.wanted, made="")
            bar.update(tasks[progress.subject], completed=progress.done, made=_made(progress))

        yield update


def _made(progress: EvaluateProgress) -> str:
    outcomes, ledger = progress.outcomes, progress.ledger
    made = f"{outcomes['correct']} right, {outcomes['unparsed']} unparsed, {outcomes['error']} errors"
    if ledger is None:
        return made
    return (
        f"{made}; {ledger.in_flight} calls under way, {ledger.calls} done, {ledger.retries} retries, "
        f"{ledger.tokens} tokens, ${ledger.cost:.4f}"
    )


def _show_estimate(estimates: tuple[SubjectEstimate, ...]) -> None:
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    table = Table(box=None, padding=(0, 2, 0, 0))
    for heading in ("model", "calls", "prompt tokens", "reply tokens", "US dollars"):
        table.add_column(heading, justify="left" if heading == "model" else "right")
    for one in estimates:
        cost = "unknown" if one.cost is None else f"{one.cost:.2f}"
        figures = (f"{one.calls:,}", f"{one.prompt_tokens:,}", f"{one.completion_tokens:,}", cost)
        table.add_row(escape(one.subject), *figures)
    console = Console()
    console.print(table)
    console.print(
        "Prompts are counted (tokens estimated from characters), replies taken to be of usual length, and nothing that "
        "is answered already is taken off."
    )


def show_metrics(found: Metrics) -> None:
    """What a subject's answers add up to, on standard output."""
    from rich.console import Console
    from rich.table import Table

    config = found.config
    asked = f"{config.prompt}, {config.context}, {config.mode}"
    title = config.subject if config.subject.startswith("baseline/") else f"{config.subject} ({asked})"
    table = Table(box=None, padding=(0, 2, 0, 0))
    for heading in ("", "answers", "accuracy", "95 %", "chance", "unparsed", "errors"):
        table.add_column(heading, justify="right" if heading else "left", no_wrap=True)
    for group in (*found.groups.get("type", ()), found.micro):
        table.add_row(*_row(group))
    table.add_row("mean of the types", "", _percent(found.macro.value), _interval(found.macro), "", "", "")
    typer.echo(title)
    Console().print(table)
    typer.echo("\n".join(_lines(found)))


def _row(group: Group) -> tuple[str, ...]:
    return (
        group.name,
        str(group.items),
        _percent(group.accuracy.value),
        _interval(group.accuracy),
        _percent(group.chance),
        _percent(group.unparsed),
        str(group.errors),
    )


def _lines(found: Metrics) -> Iterator[str]:
    gap, intrusion, trajectory = found.gap, found.intrusion, found.trajectory
    yield (
        f"recency: {_percent(gap.after)} after an update, {_percent(gap.before)} before; difference "
        f"{_points(gap.gap)} on {gap.pairs} pairs{_tested(gap.p_value)}"
    )
    if intrusion.wrong:
        yield (
            f"intrusion: {_estimated(intrusion.rate)} of {intrusion.wrong} wrong "
            f"answers about before an update say what came after it; chance {_percent(intrusion.chance)}"
            f"{_tested(intrusion.p_value)}"
        )
    yield (
        f"before, after and when all right: {_estimated(trajectory.rate)} of "
        f"{trajectory.updates} updates; independent errors would give {_percent(trajectory.independent)}"
    )
    if found.balanced is not None:
        yield f"right under every rotation: {_estimated(found.balanced)}"
    if found.calls:
        yield f"{found.calls} calls, {found.tokens} tokens, ${found.cost:.4f}"


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{share:.1%}"


def _interval(interval: Interval) -> str:
    if interval.low is None or interval.high is None:
        return "-"
    return f"[{interval.low:.1%}, {interval.high:.1%}]"


def _estimated(interval: Interval) -> str:
    """A share with its interval, where there is one."""
    bounds = "" if interval.low is None else f" {_interval(interval)}"
    return f"{_percent(interval.value)}{bounds}"


def _points(interval: Interval) -> str:
    """A difference of shares, in percentage points."""
    if interval.value is None:
        return "-"
    if interval.low is None or interval.high is None:
        return f"{100 * interval.value:+.1f} points"
    return f"{100 * interval.value:+.1f} points [{100 * interval.low:+.1f}, {100 * interval.high:+.1f}]"


def _tested(p_value: float | None) -> str:
    if p_value is None:
        return ""
    return ", p < 0.001" if p_value < _SMALL_P else f", p = {p_value:.3f}"
