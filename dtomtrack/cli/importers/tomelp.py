"""``dtomtrack import tomelp``: PersuasiveToM's dialogues and strategies, to be played by two routes."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dtomtrack.cli.options import LimitFlags, ServerFlags, given_options, with_groups
from dtomtrack.cli.stopping import complain, resumable, run_stoppable

__all__ = ["EXAMPLES", "SHORT_HELP", "command"]

SHORT_HELP = "PersuasiveToM's dialogues as scenes of ToMELP."
EXAMPLES = "dtomtrack import tomelp PersuasiveToM --out DIR -m openai/gpt-4o-mini"


@with_groups
def command(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="A clone of PersuasiveToM, or its folder of data.")],
    out: Annotated[Path, typer.Option(help="The folder of the dataset.")],
    server: ServerFlags,
    limits: LimitFlags,
    model: Annotated[
        str | None,
        typer.Option(
            "--model",
            "-m",
            metavar="SPEC",
            help="Who writes facts, counterpoints and cues for each scene; without, it can't be played.",
        ),
    ] = None,
    limit: Annotated[int | None, typer.Option(help="Take the first so many scenes only.")] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Show no progress and no summary.")] = False,
) -> None:
    """Make scenes of PersuasiveToM's dialogues (behavior_qa.json), with resources for both routes by a language model.

    The published files are read and stay as they are. With --model, one call a scene; replies are journaled, and the
    same command goes on where it stopped. What a model writes is unchecked, and the card says so.
    """
    with resumable() as command_line:
        from typing import cast

        from dtomtrack.cli.summary import show_progress, summarize
        from dtomtrack.llm.options import ClientOptions, client_settings
        from dtomtrack.llm.spec import parse_spec
        from dtomtrack.options import check_range
        from dtomtrack.runs.engines import open_engine
        from dtomtrack.runs.run import run
        from dtomtrack.suites.tomelp.import_job import ImportJob

        if limit is not None:
            check_range("limit", limit, 1)
        options = {**given_options(limits), "concurrency": server.concurrency}
        spec = None if model is None else parse_spec(model, server.base_url)
        job = ImportJob(folder, spec, settings=client_settings(cast("ClientOptions", options)))
        n = min(len(job.scenes), limit or len(job.scenes))
        with show_progress(quiet=quiet) as report:
            manifest = run_stoppable(run(job, open_engine("local"), n=n, out=out, command=command_line, report=report))
        if not quiet:
            summarize(manifest, out)
        if manifest.status != "complete":
            complain(f"{manifest.counts.unfilled} scenes were left out: their resources can't be used")
            raise typer.Exit(1)
