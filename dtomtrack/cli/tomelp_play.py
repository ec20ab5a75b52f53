"""``dtomtrack play tomelp``: subjects persuade by two routes, and a judge scores it."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

import typer

from dtomtrack.cli.options import LimitFlags, RunFlags, ServerFlags, WorkerFlags, given_options, with_groups
from dtomtrack.cli.stopping import complain, logging_to, printing, resumable, run_stoppable
from dtomtrack.cli.subject_progress import show_subjects
from dtomtrack.cli.tomelp_loop import needs_of, play_loops

if TYPE_CHECKING:
    from dtomtrack.llm.settings import ClientSettings
    from dtomtrack.suites.tomelp.asking import Asking
    from dtomtrack.suites.tomelp.loop.run import LoopRequest
    from dtomtrack.suites.tomelp.play_run import PlayRequest

__all__ = ["EXAMPLES", "command"]

EXAMPLES = """
dtomtrack play tomelp DIR -m policy/faithful --judge rules
dtomtrack play tomelp DIR -m openai/gpt-4o-mini --judge rules --dry-run
dtomtrack play tomelp DIR --closed-loop -m policy/adaptive
"""


@dataclass(frozen=True, kw_only=True)
class DesignFlags:
    """What is played."""

    HEADING: ClassVar[str] = "What is played"

    judge: Annotated[str, typer.Option(metavar="SPEC", help="Who judges: rules, or a model, as PROVIDER/NAME.")] = (
        "rules"
    )
    judge_base_url: Annotated[str | None, typer.Option(help="Address of the judge's server.")] = None
    tom: Annotated[
        list[str] | None,
        typer.Option(
            metavar="STATES",
            help="Mental states that the writer is given, beside none at all: inferred (the paper's tom_aware), gold, "
            "shuffled (inferred in another scene), or none; may be given several times.  [default: inferred]",
        ),
    ] = None
    perturb: Annotated[
        Literal["none", "all", "with-null"],
        typer.Option(
            help="Whether there are replies under conflict, noise and misleading claims, too; with-null adds a mere "
            "redraw."
        ),
    ] = "none"
    ablate: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PART",
            help="Also play with a part of the design taken away, and say what that changes: tags-shown (to the blind "
            "judge), tags-stripped (from all judges), unwarned (prompts with --perturb), elaboration-swapped (judge "
            "rules) or no-counterpoints; may be given several times.",
        ),
    ] = None
    limit: Annotated[int | None, typer.Option(help="Play the first so many scenes only.")] = None
    seed: Annotated[int, typer.Option(help="Seed of the sampling, and of what is drawn.")] = 0
    temperature: Annotated[float, typer.Option(help="Temperature of the replies; everything else is asked at 0.")] = 0.7
    max_tokens: Annotated[int, typer.Option(help="Tokens that an output may have.")] = 1024


@dataclass(frozen=True, kw_only=True)
class LoopFlags:
    """The closed loop."""

    HEADING: ClassVar[str] = "The closed loop"

    closed_loop: Annotated[
        bool,
        typer.Option(
            "--closed-loop",
            help="Talk for some turns with a listener whose way of listening is hidden and whose attitude is observed; "
            "no judge takes part. --tom says what the persuader is given.",
        ),
    ] = False
    turns: Annotated[int, typer.Option(help="How many messages a conversation has at most.")] = 6
    need: Annotated[
        str, typer.Option(help="Need for cognition of the listeners, 0 to 1, with commas: each scene has one of each.")
    ] = "0,.25,.5,.75,1"
    topics: Annotated[
        str, typer.Option(help="Packs of the scenes' topics, where they are not built in; paths with commas.")
    ] = ""


@with_groups
def command(
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="A finished dataset of the suite, from generate or import.")
    ],
    design: DesignFlags,
    loop: LoopFlags,
    server: ServerFlags,
    limits: LimitFlags,
    engine: WorkerFlags,
    running: RunFlags,
    model: Annotated[
        list[str] | None,
        typer.Option(
            "--model",
            "-m",
            metavar="SPEC",
            help="Who persuades: PROVIDER/NAME or policy/NAME (scripted); may be given several times.  "
            "[default: policy/faithful; in the closed loop policy/adaptive]",
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            help="A folder for the folders of subjects.  [default: DIR/play or DIR/loops, where report looks]"
        ),
    ] = None,
) -> None:
    """Have subjects infer a listener's mind, choose a strategy and write one turn by a route; a judge scores it.

    Everything goes to DIR/play/SUBJECT, and `dtomtrack report DIR` shows it. The judge rules is no model: it knows the
    closed world of generated scenes. Replies of models are journaled: the same command goes on where it stopped, and
    pays for no reply twice. --dry-run prints the product of the design.
    """
    with resumable() as command_line:
        from dtomtrack.runs.engines import choose_engine

        workers = choose_engine(engine.engine, engine.workers, engine.ray_address)
        if loop.closed_loop:
            talk = _loop_request(folder, tuple(model or ("policy/adaptive",)), design, loop, server, limits)
            play_loops(replace(talk, out=out, command=command_line, engine=workers), running)
        else:
            _refuse_idle(loop)
            request = _request(folder, tuple(model or ("policy/faithful",)), design, server, limits)
            _play(replace(request, out=out, command=command_line, engine=workers), running)


def _play(request: PlayRequest, running: RunFlags) -> None:
    """Play it, or say what that would take."""
    _warn(request)
    if running.dry_run:
        _show_product(request)
        return
    with logging_to(running.log, running.trace, asks=request.asks_models):
        _run(request, quiet=running.quiet)


def _refuse_idle(loop: LoopFlags) -> None:
    """Refuse options of the closed loop outside it: they were meant otherwise."""
    from dtomtrack.errors import InputError

    usual = LoopFlags()
    for one in fields(usual):
        if getattr(loop, one.name) != getattr(usual, one.name):
            raise InputError(f"--{one.name} is of the closed loop; leave it out, or give --closed-loop, too")


def _request(
    folder: Path, subjects: tuple[str, ...], design: DesignFlags, server: ServerFlags, limits: LimitFlags
) -> PlayRequest:
    from dtomtrack.suites.tomelp.play_run import PlayRequest, given_ablations, given_states

    base_url, client = _client(server, limits)
    return PlayRequest(
        folder=folder,
        subjects=subjects,
        judge=design.judge,
        given=given_states(design.tom or ["inferred"]),
        perturb=design.perturb,
        ablations=given_ablations(design.ablate or []),
        asking=_asking(design),
        limit=design.limit,
        seed=design.seed,
        client=client,
        base_url=base_url,
        judge_base_url=design.judge_base_url,
    )


def _client(server: ServerFlags, limits: LimitFlags) -> tuple[str | None, ClientSettings]:
    """The address of the server, and how it is asked."""
    from typing import cast

    from dtomtrack.llm.options import ClientOptions, client_settings

    asked = given_options(server, limits)
    base_url = asked.pop("base_url", None)
    return cast("str | None", base_url), client_settings(cast("ClientOptions", asked))


def _asking(design: DesignFlags) -> Asking:
    from pydantic import ValidationError

    from dtomtrack.errors import InputError
    from dtomtrack.records import option_problem
    from dtomtrack.suites.tomelp.asking import Asking

    try:
        return Asking(temperature=design.temperature, max_tokens=design.max_tokens)
    except ValidationError as error:
        raise InputError(option_problem(error, Asking.model_fields)) from error


def _loop_request(
    folder: Path,
    subjects: tuple[str, ...],
    design: DesignFlags,
    loop: LoopFlags,
    server: ServerFlags,
    limits: LimitFlags,
) -> LoopRequest:
    from dtomtrack.errors import InputError
    from dtomtrack.suites.tomelp.loop.run import LoopRequest
    from dtomtrack.suites.tomelp.play_run import given_states

    if design.perturb != "none":
        raise InputError("--perturb disturbs single turns; leave it out in the closed loop")
    if design.ablate:
        raise InputError("--ablate takes away from single turns; leave it out in the closed loop")
    base_url, client = _client(server, limits)
    return LoopRequest(
        folder=folder,
        subjects=subjects,
        given=given_states(design.tom or ["inferred"]),
        needs=needs_of(loop.need),
        turns=loop.turns,
        topics=tuple(one.strip() for one in loop.topics.split(",") if one.strip()),
        asking=_asking(design),
        limit=design.limit,
        seed=design.seed,
        client=client,
        base_url=base_url,
    )


def _warn(request: PlayRequest) -> None:
    from dtomtrack.verifiers.judging.families import same_family

    for subject in request.subjects:
        family = same_family(request.judge, subject)
        if family is not None:
            complain(
                f"warning: judge and subject are of one family ({family}): judges prefer what their own kind writes"
            )


def _show_product(request: PlayRequest) -> None:
    from dtomtrack.suites.tomelp.call_product import call_product

    states = request.check()
    calls = call_product(
        states, request.variants, request.disturbances, request.ablations, placed=request.asks_about_minds
    )
    with printing("the product", needed=True):
        for name, count in (*calls.by_subject.items(), *calls.by_judge.items()):
            typer.echo(f"{name:<20}{count:>8} a state")
        typer.echo(f"{'together':<20}{calls.a_state:>8} a state, {calls.without_blind:,} for {calls.states:,} states")
        typer.echo(f"{'judge blind':<20}{calls.blind:>8} a state, at most; with them {calls.all:,}")
        models = [one for one in request.subjects if not one.startswith("policy/")]
        if not models and request.judge == "rules":
            typer.echo("No language model takes part: none of these is asked of one.")


def _run(request: PlayRequest, *, quiet: bool) -> None:
    from dtomtrack.cli.tomelp_tables import show_plays
    from dtomtrack.suites.subjects import subject_folder
    from dtomtrack.suites.tomelp.play_run import run_play

    with show_subjects(quiet=quiet) as report:
        found = run_stoppable(run_play(request, report))
    if quiet:
        return
    with printing(f"{request.place} has all replies and metrics; the table"):
        show_plays(found)
        for one in found:
            typer.echo(f"replies: {subject_folder(request.place, one.subject)}")
