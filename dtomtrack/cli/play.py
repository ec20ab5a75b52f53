"""``dtomtrack play rhetbench``: subjects take part in episodes of persuasion."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

import typer

from dtomtrack.cli.options import LimitFlags, RunFlags, ServerFlags, WorkerFlags, given_options, with_groups
from dtomtrack.cli.output import counted, echo
from dtomtrack.cli.stopping import logging_to, printing, resumable, run_stoppable
from dtomtrack.cli.subject_progress import show_subjects
from dtomtrack.errors import InputError

if TYPE_CHECKING:
    from dtomtrack.scenarios.persuasion_npc.pack import PersuasionPack
    from dtomtrack.suites.rhetbench.play_run import PlayRequest
    from dtomtrack.suites.subjects import SubjectReport

__all__ = ["EXAMPLES", "command"]

EXAMPLES = """
dtomtrack play rhetbench -m policy/first-positive -m policy/cycle
dtomtrack play rhetbench -m openai/gpt-4o-mini --dry-run
dtomtrack play rhetbench -m openai/gpt-4o-mini --pilot 23
dtomtrack play rhetbench -m human --scenarios core
"""


@dataclass(frozen=True, kw_only=True)
class EpisodeFlags:
    """Flags that say what is played."""

    HEADING: ClassVar[str] = "What is played"

    scenarios: Annotated[
        str,
        typer.Option(
            help="The characters, with commas between: core (23), all (with the control), fresh:COUNT:SEED, ids, files "
            "or folders."
        ),
    ] = "core"
    samples: Annotated[int, typer.Option(help="How many episodes each character plays.")] = 3
    seed: Annotated[int, typer.Option(help="Seed of the order, of what is drawn, and of sampling.")] = 0
    rules: Annotated[
        str,
        typer.Option(
            help="The rules: dtomtrack, or published, as the original has them; with -no-rapport, -no-fatigue, ... "
            "behind it, less that."
        ),
    ] = "dtomtrack"
    cue: Annotated[
        Literal["congruent", "neutral", "incongruent"],
        typer.Option(help="Whether the context gives away what works, nothing, or what does not."),
    ] = "neutral"
    legibility: Annotated[
        Literal["clear", "subtle", "delayed"], typer.Option(help="How well the tone of a reply can be heard.")
    ] = "clear"
    drift: Annotated[Literal["none", "once"], typer.Option(help="Whether what works changes at a hidden turn.")] = (
        "none"
    )
    turns: Annotated[int, typer.Option(help="How many messages an episode has at most.")] = 25


@dataclass(frozen=True, kw_only=True)
class TalkFlags:
    """How a language model is asked."""

    HEADING: ClassVar[str] = "How models are asked"

    taxonomy: Annotated[
        Literal["told", "untold"], typer.Option(help="Whether a model is told of the six kinds of argument.")
    ] = "told"
    temperature: Annotated[float, typer.Option(help="Temperature of the sampling.")] = 0.0
    max_tokens: Annotated[int, typer.Option(help="Tokens that a message may have.")] = 1024
    declare: Annotated[
        bool,
        typer.Option("--declare", help="Have a model say of each message which kind it is, unheard by the character."),
    ] = False
    classifier: Annotated[
        str,
        typer.Option(metavar="SPEC", help="Who tells kinds of messages apart: rules, or a model, as PROVIDER/NAME."),
    ] = "rules"
    verbalizer: Annotated[
        str,
        typer.Option(
            metavar="SPEC",
            help="Who words the character's replies: rules (pools of lines), or a model, as PROVIDER/NAME.",
        ),
    ] = "rules"
    verbalizer_base_url: Annotated[
        str | None, typer.Option(help="Address of the verbalizer's server.  [default: --base-url]")
    ] = None
    classifier_base_url: Annotated[
        str | None, typer.Option(help="Address of the classifier's server.  [default: --base-url]")
    ] = None


@dataclass(frozen=True, kw_only=True)
class KindFlags:
    """What becomes of it: episodes, a sweep, or old ones heard again."""

    HEADING: ClassVar[str] = "What comes out"

    out: Annotated[Path | None, typer.Option(help="The folder of the run.  [default: out/rhetbench-play-SEED]")] = None
    questions: Annotated[
        bool,
        typer.Option(
            help="Whether the episodes are asked about, too: OUT is then a dataset, which evaluate, audit and export "
            "take."
        ),
    ] = True
    sweep: Annotated[
        bool, typer.Option("--sweep", help="Play under the rules and under each without one of its parts.")
    ] = False
    web: Annotated[
        bool, typer.Option("--web", help="Play nothing: write a page into OUT on which people play these episodes.")
    ] = False
    pilot: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="Have models play the first N episodes, which are kept, and say what the others will take; the same "
            "command without it goes on from there.",
        ),
    ] = None
    replay: Annotated[
        Path | None, typer.Option(help="Play nothing: hear the messages of this episodes.jsonl again, and show them.")
    ] = None


@with_groups
def command(
    episodes: EpisodeFlags,
    talk: TalkFlags,
    server: ServerFlags,
    limits: LimitFlags,
    engine: WorkerFlags,
    kind: KindFlags,
    running: RunFlags,
    model: Annotated[
        list[str] | None,
        typer.Option(
            "--model",
            "-m",
            metavar="SPEC",
            help="Who persuades: policy/NAME, exploit/NAME, PROVIDER/NAME or human; may be given several times.  "
            "[default: policy/first-positive and policy/cycle]",
        ),
    ] = None,
) -> None:
    """Let subjects argue with characters whose minds they can't see, and say how well they found out what works.

    Policies need no model: first-positive keeps to what draws a positive tone, cycle and random don't listen, oracle
    sees the hidden mind; a wrong name lists all. Episodes and metrics go to OUT/SUBJECT. Replies of models are
    journaled: the same command goes on where it stopped, and pays for no reply twice.
    """
    with resumable() as command_line:
        from dtomtrack.runs.engines import choose_engine
        from dtomtrack.scenarios.persuasion_npc.pack_files import find_packs

        _check_kind(kind, running, model)
        packs = find_packs([one.strip() for one in episodes.scenarios.split(",") if one.strip()])
        if kind.replay is not None:
            _replay(kind.replay, packs)
            return
        folder = kind.out or Path("out") / f"rhetbench-play-{episodes.seed}"
        request = _request(packs, model, folder, episodes, talk, server, limits)
        if kind.web:
            _web(request)
            return
        workers = choose_engine(engine.engine, engine.workers, engine.ray_address)
        request = replace(request, command=command_line, engine=workers, questions=kind.questions)
        if running.dry_run:
            _dry_run(request, kind)
            return
        asks = any(request.job(subject).client is not None for subject in request.subjects)
        with logging_to(running.log, running.trace, asks=asks):
            if kind.pilot is not None:
                _pilot(request, kind.pilot, sweeps=kind.sweep, quiet=running.quiet)
            else:
                (_sweep if kind.sweep else _run)(request, quiet=running.quiet)


def _check_kind(kind: KindFlags, running: RunFlags, model: list[str] | None) -> None:
    """What plays nothing takes nothing that is for playing."""
    given = {
        "--replay": kind.replay is not None,
        "--web": kind.web,
        "--dry-run": running.dry_run,
        "--pilot": kind.pilot is not None,
        "--sweep": kind.sweep,
        "--model": bool(model),
    }
    names = [name for name, is_given in given.items() if is_given]
    if names[1:] and names[0] in {"--replay", "--web"}:
        raise InputError(f"{names[0]} plays nothing; leave {names[1]} out")


def _web(request: PlayRequest) -> None:
    from dtomtrack.suites.rhetbench.web import write_page

    path = write_page(request.out, request.packs, request.play)
    echo(f"{counted(len(request.packs), 'character')} to talk with: {path}")


def _dry_run(request: PlayRequest, kind: KindFlags) -> None:
    from dtomtrack.suites.rhetbench.rules import ABLATIONS

    if kind.pilot is not None:
        raise InputError("--pilot plays, and --dry-run calls nobody; give one of them")
    _estimate(request)
    if kind.sweep:
        echo(f"A sweep plays all of it under {1 + len(ABLATIONS)} sets of rules, so it takes about so many times that.")


def _estimate(request: PlayRequest) -> None:
    from dtomtrack.cli.play_estimate import show_play_estimate
    from dtomtrack.suites.rhetbench.estimate import estimate_play

    found = estimate_play(request)
    with printing("the estimate", needed=True):
        show_play_estimate(found, len(request.packs))


def _pilot(request: PlayRequest, episodes: int, *, sweeps: bool, quiet: bool) -> None:
    from dtomtrack.suites.rhetbench.play_run import run_pilot

    if sweeps:
        raise InputError("--pilot with --sweep: a pilot is of one run; leave --sweep out, and play that first")
    with _progress(request, quiet=quiet) as report:
        run_stoppable(run_pilot(request, episodes, report))
    _estimate(request)


def _request(
    packs: Sequence[PersuasionPack],
    model: list[str] | None,
    out: Path,
    episodes: EpisodeFlags,
    talk: TalkFlags,
    server: ServerFlags,
    limits: LimitFlags,
) -> PlayRequest:
    from typing import cast

    from dtomtrack.cli.persuading import HumanPersuader
    from dtomtrack.llm.options import ClientOptions, client_settings
    from dtomtrack.suites.rhetbench.planning import PlayConfig
    from dtomtrack.suites.rhetbench.play_run import HUMAN, PlayRequest
    from dtomtrack.suites.rhetbench.talking import Talking

    subjects = tuple(model or ("policy/first-positive", "policy/cycle"))
    asked = given_options(server, limits)
    base_url = asked.pop("base_url", None)
    return PlayRequest(
        out=out,
        subjects=subjects,
        packs=packs,
        play=PlayConfig(
            seed=episodes.seed,
            samples=episodes.samples,
            rules=episodes.rules,
            cue=episodes.cue,
            legibility=episodes.legibility,
            turns=episodes.turns,
            drift=episodes.drift,
            classifier=talk.classifier,
            verbalizer=talk.verbalizer,
        ),
        talking=Talking(
            taxonomy=talk.taxonomy, temperature=talk.temperature, max_tokens=talk.max_tokens, declare=talk.declare
        ),
        classifier_base_url=talk.classifier_base_url,
        verbalizer_base_url=talk.verbalizer_base_url,
        client=client_settings(cast("ClientOptions", asked)),
        base_url=cast("str | None", base_url),
        human=HumanPersuader(episodes.turns) if HUMAN in subjects else None,
    )


def _run(request: PlayRequest, *, quiet: bool) -> None:
    from dtomtrack.cli.persuading import show_play
    from dtomtrack.suites.rhetbench.play_run import run_play
    from dtomtrack.suites.subjects import subject_folder

    with _progress(request, quiet=quiet) as report:
        found = run_stoppable(run_play(request, report))
    if quiet:
        return
    with printing(f"{request.out} has all episodes and metrics; the table"):
        show_play(found)
        for one in found:
            echo(f"episodes: {subject_folder(request.out, one.subject)}")


def _sweep(request: PlayRequest, *, quiet: bool) -> None:
    from dtomtrack.cli.persuading import show_sweep
    from dtomtrack.suites.rhetbench.play_run import sweep

    with _progress(request, quiet=quiet) as report:
        found = run_stoppable(sweep(request, report))
    if not quiet:
        with printing(f"{request.out} has all episodes and metrics; the table"):
            show_sweep(found)


def _replay(path: Path, packs: Sequence[PersuasionPack]) -> None:
    from dtomtrack.cli.persuading import show_episode
    from dtomtrack.suites.rhetbench.replay import replayed_file

    with printing("the episodes", needed=True):
        for episode in replayed_file(path, packs):
            show_episode(episode)


def _progress(request: PlayRequest, *, quiet: bool) -> AbstractContextManager[SubjectReport | None]:
    """How far subjects are; in silence where a person types, whose line would be drawn over."""
    return show_subjects(quiet=quiet or request.human is not None)
