"""The part that the import commands of published benchmarks share."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dtomtrack.cli.importers.items import show_import

if TYPE_CHECKING:
    from dtomtrack.suites.published.importing import PublishedSuite

__all__ = ["FolderArgument", "OutOption", "VariantOption", "run_published_import"]

FolderArgument = Annotated[
    Path, typer.Argument(metavar="FOLDER", help="A clone of the benchmark's repository, or its folder of data.")
]
OutOption = Annotated[Path, typer.Option(help="The dataset folder, which must be new.")]
VariantOption = Annotated[
    str | None, typer.Option(help="One of the variants named above.  [default: as-published, nothing repaired]")
]


def run_published_import(suite: str | PublishedSuite, folder: Path, out: Path, variant: str | None) -> None:
    """Import the published files of a suite, and print what was read and what is wrong with it."""
    from dtomtrack.suites.published.importing import import_published

    command = shlex.join(["dtomtrack", *sys.argv[1:]])
    show_import(import_published(suite, folder, out, variant, command), out)
