"""``dtomtrack``: the commands, and what their exit status says.

0 done, 1 incomplete or failed, 2 bad input or usage, 130 interrupted. Errors a user can cause are one clear sentence.
"""

from __future__ import annotations

import errno
import sys
import warnings
from collections.abc import Callable
from typing import Annotated

import typer

from dtomtrack.cli import (
    audit,
    compare,
    domains,
    evaluate,
    export,
    generate,
    imports,
    plays,
    report,
    schema,
    suites,
    trajectories,
    verify,
)
from dtomtrack.cli.output import echo
from dtomtrack.errors import DtomtrackError, InputError, WriteError
from dtomtrack.terminal import without_controls

__all__ = ["app", "main"]

app = typer.Typer(
    name="dtomtrack",
    help="Benchmarks of dynamic Theory of Mind: what somebody believed before and after they changed their mind.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("generate")(generate.command)
app.add_typer(imports.app)
app.add_typer(plays.app)
app.command("trajectories")(trajectories.command)
app.command("verify")(verify.command)
app.command("evaluate")(evaluate.command)
app.command("rescore")(evaluate.rescore_command)
app.command("compare")(compare.command)
app.command("audit")(audit.command)
app.command("report")(report.command)
app.command("export")(export.command)
app.add_typer(domains.app)
app.command("suites")(suites.command)
app.command("schema")(schema.command)


def _print_version(wanted: bool) -> None:
    if wanted:
        from dtomtrack.version import VERSION

        echo(VERSION)
        raise typer.Exit


@app.callback()
def _common(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Options of all commands."""


def main() -> None:
    """Entry point of the command line."""
    warnings.showwarning = _show_once(set())
    if any("\ud800" <= character <= "\udfff" for one in sys.argv for character in one):
        sys.exit(_complain(InputError("an argument holds bytes that are no UTF-8 text; name files in UTF-8"), 2))
    try:
        app()
    except OSError as error:
        if error.errno == errno.ENAMETOOLONG:
            sys.exit(_complain(InputError(f"{str(error.filename)[:80]}...: is too long a name for a file"), 2))
        if error.errno not in {errno.EMFILE, errno.ENFILE}:
            raise
        sys.exit(
            _complain(WriteError("too many files are open; raise the limit (ulimit -n), or lower --concurrency"), 1)
        )
    except UserWarning as error:
        # --strict makes an error of it
        sys.exit(_complain(error, 2))
    except InputError as error:
        sys.exit(_complain(error, 2))
    except DtomtrackError as error:
        sys.exit(_complain(error, 1))


def _show_once(shown: set[str]) -> Callable[..., None]:
    def show(message: Warning | str, *where: object) -> None:
        if str(message) not in shown:
            shown.add(str(message))
            sys.stderr.write(f"dtomtrack: warning: {without_controls(str(message))}\n")

    return show


def _complain(error: Exception, status: int) -> int:
    sys.stderr.write(f"dtomtrack: {error}\n")
    return status
