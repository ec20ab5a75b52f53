"""``dtomtrack play rhetbench``: subjects take part in episodes of persuasion."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from dtomtrack.cli.options import LimitFlags, ServerFlags, given_options, with_groups
from dtomtrack.cli.output import echo
from dtomtrack.cli.stopping import logging_to, printing, resumable, run_stoppable

if TYPE_CHECKING:
    from dtomtrack.runs.run import Progress as RunProgress
    from dtomtrack.scenarios.persuasion_npc.pack import PersuasionPack
    from dtomtrack.suites.rhetbench.play_run import PlayRequest

__all__ = ["command"]


@dataclass(frozen=True, kw_only=True)
class EpisodeFlags:
    """Flags that say what is played."""

    scenarios: Annotated[
        str,
        typer.Option(help="core (23), all (with the control), fresh:COUNT:SEED, ids, files or folders, with commas."),
    ] = "core"
    samples: Annotated[int, typer.Option(help="Episodes of each scenario.")] = 3
    seed: Annotated[int, typer.Option(help="Of the order, of what is drawn, and of sampling.")] = 0
    rules: Annotated[str, typer.Option(help="dtomtrack, or published, as the original has them.")] = "dtomtrack"
    cue: Annotated[
        Literal["congruent", "neutral", "incongruent"],
        typer.Option(help="Whether the context gives away what works, nothing, or what doesn't."),
    ] = "neutral"
    legibility: Annotated[
        Literal["clear", "subtle", "delayed"], typer.Option(help="How well the tone of a reply can be heard.")
    ] = "clear"
    drift: Annotated[Literal["none", "once"], typer.Option(help="Whether what works changes at a hidden turn.")] = (
        "none"
    )
    turns: Annotated[int, typer.Option(help="Messages of an episode, at most.")] = 25


@dataclass(frozen=True, kw_only=True)
class TalkFlags:
    """How a language model is asked."""

    taxonomy: Annotated[
        Literal["told", "untold"], typer.Option(help="Whether it is told of the six kinds of argument.")
    ] = "told"
    temperature: Annotated[float, typer.Option(help="Of sampling.")] = 0.0
    max_tokens: Annotated[int, typer.Option(help="Of a message.")] = 1024


@dataclass(frozen=True, kw_only=True)
class EngineFlags:
    """Who works on episodes."""

    engine: Annotated[str, typer.Option(help="Who works on episodes: local or processes.")] = "local"
    workers: Annotated[int | None, typer.Option(help="Processes that work, where the engine has any.")] = None


@with_groups
def command(
    episodes: EpisodeFlags,
    talk: TalkFlags,
    server: ServerFlags,
    limits: LimitFlags,
    running: EngineFlags,
    model: Annotated[
        list[str] | None,
        typer.Option(
            "--model",
            "-m",
            help="Who persuades: policy/NAME, exploit/NAME, PROVIDER/NAME or human; may be given several times.  "
            "[default: policy/first-positive and policy/cycle]",
        ),
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Folder of the run.  [default: out/rhetbench-SEED]")] = None,
    replay: Annotated[
        Path | None, typer.Option(help="Play nothing: hear the messages of this episodes.jsonl again, and show them.")
    ] = None,
    log: Annotated[Path | None, typer.Option(help="Append a line a call to this file, without what is said.")] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress and no tables.")] = False,
) -> None:
    """Let subjects argue with characters whose minds they can't see, and say how well they found out what works.

    Policies need no model: first-positive keeps to what draws a positive tone, cycle and random don't listen, oracle
    sees the hidden mind; a wrong name lists all. Episodes and metrics go to OUT/SUBJECT. Replies of models are
    journaled: the same command goes on where it stopped, and pays for no reply twice.
    """
    with resumable() as command_line:
        from dtomtrack.runs.engines import open_engine
        from dtomtrack.scenarios.persuasion_npc.pack_files import find_packs

        packs = find_packs([one.strip() for one in episodes.scenarios.split(",") if one.strip()])
        if replay is not None:
            _replay(replay, packs)
            return
        folder = out or Path("out") / f"rhetbench-{episodes.seed}"
        request = _request(packs, model, folder, episodes, talk, server, limits)
        request = replace(request, command=command_line, engine=open_engine(running.engine, running.workers))
        with logging_to(log):
            _run(request, quiet=quiet)


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
        ),
        talking=Talking(taxonomy=talk.taxonomy, temperature=talk.temperature, max_tokens=talk.max_tokens),
        client=client_settings(cast("ClientOptions", asked)),
        base_url=cast("str | None", base_url),
        human=HumanPersuader(episodes.turns) if HUMAN in subjects else None,
    )


def _run(request: PlayRequest, *, quiet: bool) -> None:
    from dtomtrack.cli.persuading import show_play
    from dtomtrack.runs.names import folder_name
    from dtomtrack.suites.rhetbench.play_run import run_play

    with _show_progress(quiet=quiet) as report:
        found = run_stoppable(run_play(request, report))
    if quiet:
        return
    with printing(f"{request.out} has all episodes and metrics; the table"):
        show_play(found)
        for one in found:
            echo(f"episodes: {request.out / folder_name(one.subject)}")


def _replay(path: Path, packs: Sequence[PersuasionPack]) -> None:
    from dtomtrack.cli.persuading import show_episode
    from dtomtrack.suites.rhetbench.replay import replayed_file

    with printing("the episodes", needed=True):
        for episode in replayed_file(path, packs):
            show_episode(episode)


@contextmanager
def _show_progress(*, quiet: bool) -> Iterator[Callable[[str, RunProgress], None] | None]:
    """A progress bar on standard error, where that is a terminal; a line a subject."""
    from rich.markup import escape
    from rich.progress import Progress

    from dtomtrack.cli.console import Console

    console = Console(stderr=True)
    if quiet or not console.is_terminal:
        yield None
        return
    with Progress(console=console, transient=True) as bar:
        tasks = {}

        def update(subject: str, progress: RunProgress) -> None:
            if subject not in tasks:
                tasks[subject] = bar.add_task(escape(subject), total=progress.wanted)
            bar.update(tasks[subject], completed=progress.done)

        yield update
