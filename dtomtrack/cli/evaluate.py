"""``dtomtrack evaluate`` and ``dtomtrack rescore``: what subjects answer to the items of a dataset."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal, cast

import typer

from dtomtrack.cli.options import (
    Evaluations,
    LimitFlags,
    RunFlags,
    ServerFlags,
    Strict,
    WorkerFlags,
    given_options,
    with_groups,
)
from dtomtrack.cli.output import echo
from dtomtrack.cli.stopping import complain, logging_to, printing, resumable, run_stoppable

if TYPE_CHECKING:
    from dtomtrack.evaluation.evaluate import EvaluateProgress
    from dtomtrack.evaluation.request import EvaluateOptions, EvaluateRequest

__all__ = ["EXAMPLES", "RESCORE_EXAMPLES", "command", "rescore_command"]

EXAMPLES = """
dtomtrack evaluate DIR -m baseline/recency -m baseline/random
dtomtrack evaluate DIR -m openai/gpt-4o-mini --dry-run
dtomtrack evaluate DIR -m baseline/recency --sample 50 --table table.tex
dtomtrack evaluate DIR -m ollama/llama3.1 --mode logprobs --limit 20
"""
RESCORE_EXAMPLES = """
dtomtrack rescore DIR --parser published
dtomtrack rescore DIR --paper-defaults
"""

# spelled out here, for the command line starts without the records
PromptStyle = Literal["zero-shot", "cot"]
AnswerMode = Literal["text", "json", "logprobs", "each"]
ParserName = Literal["dtomtrack", "published"]


@dataclass(frozen=True, kw_only=True)
class AskFlags:
    """How subjects are asked."""

    HEADING: ClassVar[str] = "How subjects are asked"

    prompt: Annotated[
        PromptStyle, typer.Option(help="zero-shot asks for the letter at once, cot has a model reason first.")
    ] = "zero-shot"
    context: Annotated[
        str | None,
        typer.Option(
            help="What is seen beside the question. dtom has utterances; none; own-thoughts, also what the agent asked "
            "about thought; thoughts, also what all thought; tracker, the records as text.  [default: as the suite has "
            "it]"
        ),
    ] = None
    mode: Annotated[
        AnswerMode,
        typer.Option(
            help="Where the answer is read from: text, an object of JSON, the letters' probabilities; with each, every "
            "option is asked about alone, and taken where yes is likelier than no."
        ),
    ] = "text"
    template: Annotated[
        Path | None,
        typer.Option(
            help="A prompt of your own: a text with {context}, {question} and {options}, also {how_many} and {focus}; "
            "with --mode each {option} and {letter}.  [default: --prompt's]"
        ),
    ] = None
    debias: Annotated[
        bool,
        typer.Option(
            "--debias",
            help="Show figures with the bias for letters taken out, too: by the letters' probabilities, or by rotated "
            "options (--permutations).",
        ),
    ] = False
    permutations: Annotated[int, typer.Option(help="With how many rotations of its options an item is asked.")] = 1
    repeats: Annotated[int, typer.Option(help="How often each answer is sampled.")] = 1
    tell_size: Annotated[
        bool, typer.Option("--tell-size", help="Where several options may be right, say how many are.")
    ] = False
    shots: Annotated[
        int,
        typer.Option(
            help="How many examples with their answers, of the same type and from other dialogues, are shown first."
        ),
    ] = 0
    limit: Annotated[int | None, typer.Option(help="Ask the items of the first so many dialogues only.")] = None
    sample: Annotated[
        int | None,
        typer.Option(help="Ask the items of so many dialogues that are drawn by --seed; more later hold these, too."),
    ] = None
    types: Annotated[
        list[str] | None,
        typer.Option("--type", metavar="TYPE", help="Ask the items of this type only; may be given several times."),
    ] = None
    seed: Annotated[int, typer.Option(help="Seed of the sampling, of replies and of dialogues.")] = 0
    temperature: Annotated[float, typer.Option(help="Temperature of the sampling.")] = 0.0
    max_tokens: Annotated[
        int | None, typer.Option(help="Tokens that a reply may have.  [default: 512; with cot 2048]")
    ] = None


@dataclass(frozen=True, kw_only=True)
class EvaluateRunFlags(RunFlags):
    """Flags for an evaluation, and for where it goes."""

    table: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE",
            help="Write the table of all subjects by type to this file, as CSV (.csv) or for LaTeX (.tex); may be "
            "given several times.",
        ),
    ] = None

    out: Annotated[
        Path | None,
        typer.Option(help="The folder for answers and metrics, if not the dataset's own.  [default: DIR/eval]"),
    ] = None


@with_groups
def command(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A finished dataset folder.")],
    model: Annotated[
        list[str],
        typer.Option(
            "--model",
            "-m",
            metavar="SPEC",
            help="Who answers, as PROVIDER/NAME or baseline/NAME; may be given several times.",
        ),
    ],
    asked: AskFlags,
    server: ServerFlags,
    limits: LimitFlags,
    work: WorkerFlags,
    running: EvaluateRunFlags,
    strict: Strict = False,
) -> None:
    """Ask models or baselines the items of a dataset, and say what their answers mean.

    Baselines need no model: random, first-letter, longest and frequent-gold never see the dialogue; first-mention,
    most-mentioned and overlap read its words; a suite may have more. Those of dtom: recency, last-before, last-by-
    thinker, last-by-anyone, marker-turn, everyone and present retrieve by turn, best-rule is the best of all these
    for each type, chosen on the other half of the dialogues; oracle reads the tracker, and actual too, but forgets
    whose mind it is about. Answers and metrics go to eval/SUBJECT in the dataset. Replies are journaled: the same
    command goes on where it stopped, and pays for no reply twice.
    """
    with resumable():
        from dtomtrack.evaluation.request import request_evaluation
        from dtomtrack.suites.registry import suite_of

        options = cast("EvaluateOptions", given_options(asked, server, limits, work))
        if running.out is not None:
            options["out"] = running.out
        request = request_evaluation(suite_of(folder), folder, model, **options)
        if not given_options(work):
            request = replace(request, engine=None)
        if running.dry_run:
            _estimate(request)
            return
        tables = running.table or []
        _check_tables(tables)
        asks = any(subject.model is not None for subject in request.subjects)
        with logging_to(running.log, running.trace, asks=asks):
            _run(request, tables, quiet=running.quiet)


def rescore_command(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A dataset folder with evaluations or plays.")],
    subject: Annotated[
        str | None, typer.Option(help="Read this one only, by a model's name or its folder's.  [default: all]")
    ] = None,
    parser: Annotated[
        ParserName,
        typer.Option(help="published reads replies as the benchmark's own script does, into eval/SUBJECT.published."),
    ] = "dtomtrack",
    paper_defaults: Annotated[
        bool,
        typer.Option(
            "--paper-defaults",
            help="Add up plays of tomelp with verdicts that could not be had as 0, as its paper does, beside ours.",
        ),
    ] = False,
    evaluations: Evaluations = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Show no tables.")] = False,
    strict: Strict = False,
) -> None:
    """Read the stored replies of evaluations again, without a call, and rewrite answers and metrics.

    What was answered by probabilities or by a baseline stays as it is.
    """
    if paper_defaults:
        from dtomtrack.cli.tomelp_rescore import rescore_plays
        from dtomtrack.errors import InputError

        if parser != "dtomtrack":
            raise InputError("--paper-defaults is about plays, and --parser about evaluations; give one of the two")
        if evaluations is not None:
            raise InputError("--paper-defaults is about the plays in DIR; leave out where evaluations are")
        rescore_plays(folder, subject, quiet=quiet)
        return
    from dtomtrack.cli.metrics_table import show_metrics
    from dtomtrack.library import rescore

    for one in rescore(folder, subject, parser, evaluations=evaluations):
        if one.metrics is not None and not quiet:
            with printing(f"{one.name} has new metrics; the table"):
                show_metrics(one.metrics)
        complain(f"{one.name}: {one.changed} of {one.answers} answers are read otherwise than before")
        if one.metrics is None or one.metrics.missing:
            complain(f"{one.name}: is not finished; the same evaluate command goes on, a smaller --limit ends it here")


def _estimate(request: EvaluateRequest) -> None:
    from dtomtrack.cli.metrics_table import show_detectable, show_estimate
    from dtomtrack.evaluation.estimate import detectable_by, estimate_evaluation

    estimated, detectable = estimate_evaluation(request), detectable_by(request)
    with printing("the estimate", needed=True):
        show_estimate(estimated)
        show_detectable(detectable)


def _check_tables(paths: Sequence[Path]) -> None:
    """See before anything is asked that the tables can be written."""
    if paths:
        from dtomtrack.evaluation.accuracy_table import check_table_file

        for path in paths:
            check_table_file(path)


def _run(request: EvaluateRequest, tables: Sequence[Path], *, quiet: bool) -> None:
    from dtomtrack.cli.metrics_table import show_metrics
    from dtomtrack.cli.subjects_table import show_subjects_table
    from dtomtrack.evaluation.accuracy_table import accuracy_table, write_table
    from dtomtrack.evaluation.evaluate import run_evaluation

    with _show_progress(quiet=quiet) as report:
        found = run_stoppable(run_evaluation(request, report, complain))
    table = accuracy_table({one.config.subject: one for one in found})
    for path in tables:
        write_table(table, path)
    if quiet:
        return
    with printing(f"{request.evaluations} has all answers and metrics; the tables"):
        for one in found:
            show_metrics(one)
            echo(f"answers: {request.place_of(one.config)}\n")
        if len(found) > 1:
            show_subjects_table(table)


@contextmanager
def _show_progress(*, quiet: bool) -> Iterator[Callable[[EvaluateProgress], None] | None]:
    """How far each subject is, on standard error."""
    from dtomtrack.cli.waiting import waiting

    with waiting(quiet=quiet) as shown:
        if shown is None:
            yield None
        else:
            yield lambda one: shown.tell(one.subject, one.done, one.wanted, _made(one), one.usage)


def _made(progress: EvaluateProgress) -> str:
    outcomes = progress.outcomes
    return f"{outcomes['correct']} right, {outcomes['unparsed']} unparsed, {outcomes['error']} errors"
