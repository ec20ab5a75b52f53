"""``dtomtrack``: the commands, and what their exit status says.

0 done, 1 incomplete or failed, 2 bad input or usage, 130 interrupted. Errors a user can cause are one clear sentence.
"""

from __future__ import annotations

import errno
import sys
import warnings
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Annotated, ClassVar

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
from dtomtrack.cli.command_line import wrong_folder
from dtomtrack.cli.help import GroupedCommand, GroupedCommands
from dtomtrack.cli.output import echo
from dtomtrack.cli.stopping import close_output, end_interrupted
from dtomtrack.errors import DtomtrackError, InputError, WriteError
from dtomtrack.runs.edited import UnknownDatasetWarning
from dtomtrack.runs.garbage import rare_collections
from dtomtrack.terminal import without_controls

if TYPE_CHECKING:
    from typer._click import Context

__all__ = ["app", "main"]

_NO_ROOM = {errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EFBIG}
"""Reasons why nothing can be printed; of files that can't be written the commands themselves tell."""
_NOT_ALLOWED = {errno.EACCES, errno.EPERM, errno.EROFS}
"""Reasons why somebody may not read or write a file."""


class _Commands(GroupedCommands):
    sections: ClassVar[Mapping[str, Sequence[str]]] = {
        "Make a dataset": ("generate", "import", "trajectories", "play"),
        "Ask, and say what the answers mean": ("evaluate", "rescore", "compare", "report"),
        "Check a dataset or a benchmark": ("audit", "verify"),
        "Hand it on": ("export", "schema"),
        "List what there is": ("domains", "suites"),
    }

    def invoke(self, ctx: Context) -> object:
        """Run the command that is named.

        Raises:
            typer.Exit: 130 where it was interrupted, and does not go on by itself when it is given again.
        """
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            end_interrupted("interrupted before it was done; give the same command again")


app = typer.Typer(
    name="dtomtrack",
    cls=_Commands,
    help="Benchmarks of dynamic Theory of Mind: what somebody believed before and after they changed their mind.\n\n"
    "`dtomtrack COMMAND --help` has the options of a command, with examples.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.add_typer(imports.app, short_help="Read a benchmark by others as a dataset.")
app.add_typer(plays.app, short_help="Have subjects take part in an interactive suite.")
app.add_typer(domains.app, short_help="List the built-in domains, or check one of your own.")


def _add(name: str, command: Callable[..., None], short_help: str, examples: str) -> None:
    app.command(name, cls=GroupedCommand, short_help=short_help, epilog=examples)(command)


_add("generate", generate.command, "Make dialogues with questions.", generate.EXAMPLES)
_add("trajectories", trajectories.command, "Ask about annotated conversations of your own.", trajectories.EXAMPLES)
_add("verify", verify.command, "Have a language model judge a dataset.", verify.EXAMPLES)
_add("evaluate", evaluate.command, "Ask models or baselines the questions.", evaluate.EXAMPLES)
_add("rescore", evaluate.rescore_command, "Read the stored replies again, without a call.", evaluate.RESCORE_EXAMPLES)
_add("compare", compare.command, "Compare subjects on the same questions.", compare.EXAMPLES)
_add("audit", audit.command, "See what can be answered without reading.", audit.EXAMPLES)
_add("report", report.command, "Write figures and one page to look at.", report.EXAMPLES)
_add("export", export.command, "Write it for Inspect, lm-eval or Hugging Face.", export.EXAMPLES)
_add("suites", suites.command, "List the suites.", suites.EXAMPLES)
_add("schema", schema.command, "Write the JSON Schema of each file.", schema.EXAMPLES)


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
    # with --strict it is an error; a copy without its manifest is used as it is, else
    warnings.filterwarnings("ignore", category=UnknownDatasetWarning)
    if any("\ud800" <= character <= "\udfff" for one in sys.argv for character in one):
        sys.exit(_complain(InputError("an argument holds bytes that are no UTF-8 text; name files in UTF-8"), 2))
    if wrong := _wrong_folder(sys.argv):
        sys.exit(_complain(InputError(wrong), 2))
    try:
        with rare_collections():
            app()
    except OSError as error:
        told = _told(error)
        if told is None:
            raise
        sys.exit(_complain(told, 2 if isinstance(told, InputError) else 1))
    except UserWarning as error:
        # --strict makes an error of it
        sys.exit(_complain(error, 2))
    except InputError as error:
        sys.exit(_complain(error, 2))
    except DtomtrackError as error:
        sys.exit(_complain(error, 1))


def _wrong_folder(words: list[str]) -> str | None:
    """A sentence about an ``--out`` that no folder is to be made of; None where there is none."""
    folders = [value for one, value in pairwise(words) if one == "--out"]
    folders += [one.removeprefix("--out=") for one in words if one.startswith("--out=")]
    return next(filter(None, map(wrong_folder, folders)), None)


def _told(error: OSError) -> InputError | WriteError | None:
    """What the system has against a file, as a sentence; None where only a traceback tells."""
    if error.errno == errno.ENAMETOOLONG:
        return InputError(f"{str(error.filename)[:80]}...: is too long a name for a file")
    if error.errno in _NOT_ALLOWED and error.filename is not None:
        return InputError(f"{error.filename}: is out of reach ({error.strerror}); see who may read and write there")
    if error.errno in _NO_ROOM:
        close_output()
        return WriteError(f"standard output can't be written ({error.strerror})")
    if error.errno in {errno.EMFILE, errno.ENFILE}:
        return WriteError("too many files are open; raise the limit (ulimit -n), or lower --concurrency")
    return None


def _show_once(shown: set[str]) -> Callable[..., None]:
    def show(message: Warning | str, *where: object) -> None:
        if str(message) not in shown:
            shown.add(str(message))
            sys.stderr.write(f"dtomtrack: warning: {without_controls(str(message))}\n")

    return show


def _complain(error: Exception, status: int) -> int:
    sys.stderr.write(f"dtomtrack: {error}\n")
    return status
