"""``dtomtrack generate``."""

from __future__ import annotations

import asyncio
import os
import shlex
import sys
from pathlib import Path
from typing import Annotated

import typer

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
    from dtomtrack.api import order
    from dtomtrack.cli.summary import show_progress, summarize
    from dtomtrack.dataset.run import run
    from dtomtrack.errors import InputError
    from dtomtrack.scenarios.pack_files import builtin_domains

    if workers < 0:
        raise InputError(f"workers is {workers}; it has to be 0 (one a core) or more")
    names = builtin_domains() if domain == "all" else [name.strip() for name in domain.split(",") if name.strip()]
    made = order(
        names,
        n=n,
        out=out or Path("out") / f"{'-'.join(Path(name).stem for name in names)}-{seed}",
        seed=seed,
        turns=turns,
        max_attempts=max_attempts,
        workers=workers or (1 if n <= _FEW else os.cpu_count() or 1),
        concurrency=concurrency,
        command=shlex.join(["dtomtrack", *sys.argv[1:]]),
    )
    try:
        with show_progress(made.n, quiet=quiet) as report:
            manifest = asyncio.run(run(made, report))
    except KeyboardInterrupt:
        sys.stderr.write(f"dtomtrack: interrupted; what is done is safe in {made.out}. Go on with:\n  {made.command}\n")
        raise typer.Exit(130) from None
    if not quiet:
        summarize(manifest, made.out)
    if manifest.status != "complete":
        sys.stderr.write(
            f"dtomtrack: {manifest.counts.unfilled} of {manifest.n} slots stayed empty after {max_attempts} attempts; "
            f"{made.out / 'rejected.jsonl'} says why. More attempts need another --out\n"
        )
        raise typer.Exit(1)
