"""``dtomtrack import``: benchmarks by others as dataset folders; a command for each suite that can be imported.

A suite adds its own by a file under ``dtomtrack/cli/importers``, named like the command, that offers ``command``,
``SHORT_HELP`` and ``EXAMPLES``.
"""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

import typer

from dtomtrack.cli import importers
from dtomtrack.cli.help import GroupedCommand

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
    _importer = import_module(f"{importers.__name__}.{_module.name}")
    app.command(_module.name, cls=GroupedCommand, short_help=_importer.SHORT_HELP, epilog=_importer.EXAMPLES)(
        _importer.command
    )
