"""``dtomtrack generate``."""

from __future__ import annotations

import asyncio
import os
import shlex
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from dtomtrack.dataset.run import RunRequest

__all__ = ["command"]

_FEW = 24
"""So many dialogues are made faster in one process than it takes to start others."""


def command(
    domain: Annotated[
        str,
        typer.Option(
            "--domain", "-d", help="A built-in domain, several (restaurant,travel), all, or the path of a pack."
        ),
    ] = "restaurant",
    n: Annotated[int, typer.Option("--n", "-n", help="How many dialogues to keep.")] = 500,
    seed: Annotated[int, typer.Option(help="The same seed gives the same bytes.")] = 0,
    out: Annotated[Path | None, typer.Option(help="The dataset folder.  [default: out/DOMAIN-SEED]")] = None,
    turns: Annotated[int, typer.Option(help="Turns of each dialogue, 6 to 60.")] = 10,
    max_attempts: Annotated[int, typer.Option(help="Scenarios that a slot may try.")] = 5,
    workers: Annotated[int, typer.Option(help="Processes.  [default: one a core; 0 asks for that]")] = 0,
    concurrency: Annotated[int, typer.Option(help="Dialogues under way at once in each process.")] = 8,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress and no summary.")] = False,
) -> None:
    """Make a benchmark: verified dialogues with questions, in a dataset folder.

    Scenarios are drawn from a domain pack and played by scripted actors; no language model, key or network is needed.
    A run that was stopped or killed goes on where it was when the same command is given again.
    """
    command_line = shlex.join(["dtomtrack", *sys.argv[1:]])
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        from dtomtrack.api import request_run
        from dtomtrack.errors import InputError
        from dtomtrack.scenarios.pack_files import builtin_domains

        if workers < 0:
            raise InputError(f"workers is {workers}; it has to be 0 (one a core) or more")
        names = builtin_domains() if domain == "all" else [name.strip() for name in domain.split(",") if name.strip()]
        request = request_run(
            names,
            n=n,
            out=out or Path("out") / f"{'-'.join(Path(name).stem for name in names)}-{seed}",
            seed=seed,
            turns=turns,
            max_attempts=max_attempts,
            workers=workers or (1 if n <= _FEW else os.cpu_count() or 1),
            concurrency=concurrency,
            command=command_line,
        )
        _run(request, quiet=quiet)
    except KeyboardInterrupt:
        _complain(f"interrupted; what is done is safe. Go on with:\n  {command_line}")
        raise typer.Exit(130) from None


def _run(request: RunRequest, *, quiet: bool) -> None:
    from dtomtrack.cli.summary import show_progress, summarize
    from dtomtrack.dataset.run import run

    with show_progress(request.n, quiet=quiet) as report:
        manifest = asyncio.run(run(request, report))
    if not quiet:
        try:
            summarize(manifest, request.out)
        except OSError as error:
            _complain(f"{manifest.status}: {request.out}; the summary can't be printed ({error.strerror})")
    if manifest.status != "complete":
        _complain(
            f"{manifest.counts.unfilled} of {manifest.n} slots stayed empty after {manifest.config.max_attempts} "
            f"attempts; {request.out / 'rejected.jsonl'} says why. More attempts need another --out"
        )
        raise typer.Exit(1)


def _complain(what: str) -> None:
    sys.stderr.write(f"dtomtrack: {what}\n")
