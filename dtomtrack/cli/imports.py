"""``dtomtrack import``: benchmarks by others as dataset folders; a command for each suite that can be imported.

A suite adds its own by a file under ``dtomtrack/cli/importers``, named like the command, that offers ``command``.
"""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

import typer

from dtomtrack.cli import importers

__all__ = ["app"]

app = typer.Typer(
    name="import",
    help="Make a dataset folder of a benchmark by others, which evaluate, rescore, audit, report and export take.",
    no_args_is_help=True,
)


@app.callback()
def _common() -> None:
    """Make a dataset folder of a benchmark by others, which evaluate, rescore, audit, report and export take."""


for _module in iter_modules(importers.__path__):
    app.command(_module.name)(import_module(f"{importers.__name__}.{_module.name}").command)
