"""``dtomtrack export``: a dataset in the form that another tool reads."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated, cast

import typer

from dtomtrack.cli.options import Strict
from dtomtrack.cli.output import echo
from dtomtrack.cli.stopping import resumable

__all__ = ["EXAMPLES", "command"]

EXAMPLES = """
dtomtrack export DIR --to inspect
dtomtrack export DIR --to huggingface --out my-dataset-card
"""


def command(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A finished dataset folder.")],
    to: Annotated[str, typer.Option(metavar="FORMAT", help="The form: inspect, lm-eval, huggingface or parquet.")],
    out: Annotated[Path | None, typer.Option(help="A new folder.  [default: DIR/export/FORMAT]")] = None,
    strict: Strict = False,
) -> None:
    """Write a dataset as an Inspect AI task, an lm-evaluation-harness task, a Hugging Face dataset, or Parquet.

    What a model is shown there is the zero-shot prompt of `dtomtrack evaluate`, under the suite's usual condition.
    """
    with resumable():
        from dtomtrack.export.exporting import ExportFormat
        from dtomtrack.library import export_dataset

        exported = export_dataset(folder, cast("ExportFormat", to), out)
    echo(str(exported.path))
    if exported.use:
        echo(f"use it with: {shlex.join(exported.use)}")
