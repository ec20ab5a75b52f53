"""Options that several commands take, each declared once, in groups; a command takes a group as one parameter.

    @with_groups
    def command(folder: ..., limits: LimitFlags, running: RunFlags) -> None:

A group is a frozen dataclass whose fields are annotated as the parameters of a typer command are. On the command line
its fields are options among the others, in the place where the group stands; ``HEADING`` is what help has over them.
"""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, is_dataclass
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, ClassVar, get_args, get_type_hints

import typer

from dtomtrack.cli.config_file import ConfigFile

__all__ = [
    "Evaluations",
    "LimitFlags",
    "Log",
    "RunFlags",
    "ServerFlags",
    "Strict",
    "Trace",
    "WorkerFlags",
    "given_options",
    "with_groups",
]


@dataclass(frozen=True, kw_only=True)
class ServerFlags:
    """Where a model is, and how many calls it gets at once."""

    HEADING: ClassVar[str] = "Server"

    base_url: Annotated[str | None, typer.Option(help="Address of the server, if it is not the provider's own.")] = None
    concurrency: Annotated[
        int, typer.Option(help="How many calls are under way at once; of a llama.cpp server no more than it has slots.")
    ] = 16


@dataclass(frozen=True, kw_only=True)
class LimitFlags:
    """How fast models are asked, how long one may take, and what they may cost."""

    HEADING: ClassVar[str] = "Limits and budgets"

    requests_per_minute: Annotated[
        float | None, typer.Option(help="Requests to each model in a minute.  [default: no limit]")
    ] = None
    tokens_per_minute: Annotated[
        float | None, typer.Option(help="Tokens of each model in a minute.  [default: no limit]")
    ] = None
    timeout: Annotated[float | None, typer.Option(help="Seconds that one try of a call may take.  [default: 300]")] = (
        None
    )
    max_reply_mb: Annotated[
        float | None,
        typer.Option(help="Megabytes that an answer may have, decompressed; more is a fault.  [default: 16]"),
    ] = None
    max_cost: Annotated[
        float | None, typer.Option(help="Stop before more US dollars are spent; evaluate counts each model by itself.")
    ] = None
    max_tokens_total: Annotated[
        int | None, typer.Option(help="Stop before more tokens are used; evaluate counts each model by itself.")
    ] = None
    gguf_threads: Annotated[
        int | None, typer.Option(help="Threads that compute a gguf/ model.  [default: one a core]")
    ] = None
    gguf_context: Annotated[
        int | None, typer.Option(help="Tokens that one call to a gguf/ model may take.  [default: 8192]")
    ] = None
    prices: Annotated[Path | None, typer.Option(help="A YAML file of prices that go before the built-in ones.")] = None
    fresh_journal: Annotated[
        bool | None,
        typer.Option("--fresh-journal", help="Put a damaged journal aside; go on with what of it can be read."),
    ] = None


Log = Annotated[Path | None, typer.Option(help="Append a line for each call to this file, without what is said.")]

Trace = Annotated[
    str | None,
    typer.Option(
        metavar="URL",
        show_default=False,
        help="Send spans of the run, its slots or items, and its calls to this OpenTelemetry collector (OTLP/HTTP), "
        "without what is said.  [default: where OTEL_EXPORTER_OTLP_ENDPOINT says, if it does]",
    ),
]


@dataclass(frozen=True, kw_only=True)
class RunFlags:
    """Flags for a run, and for whether there is to be one."""

    HEADING: ClassVar[str] = "The run"

    config: ConfigFile = None
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say how many calls, tokens and dollars to expect; call nobody.")
    ] = False
    log: Log = None
    trace: Trace = None
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Show no progress and no tables.")] = False


def _be_strict(wanted: bool) -> bool:
    """Nothing is done with an edited dataset, nor with one of which nobody can tell: a copy is one, else."""
    from dtomtrack.runs.edited import EditedDatasetWarning

    if wanted:
        warnings.filterwarnings("error", category=EditedDatasetWarning)
    return wanted


Strict = Annotated[
    bool,
    typer.Option(
        "--strict",
        callback=_be_strict,
        help="Refuse a dataset that was edited since it was made, or has no manifest to tell.",
    ),
]
"""Refuse a dataset that was edited since it was made, which else is a warning."""


@dataclass(frozen=True, kw_only=True)
class WorkerFlags:
    """Who works."""

    HEADING: ClassVar[str] = "Who works"

    engine: Annotated[
        str | None,
        typer.Option(
            help="Who works: local, this process; processes, others beside it; ray, a Ray cluster.  [default: as "
            "the work, --workers or --ray-address ask for]"
        ),
    ] = None
    ray_address: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS",
            show_default=False,
            help="The Ray cluster of --engine ray: auto, the one started on this machine, or HOST:PORT.  [default: "
            "what RAY_ADDRESS says, or this machine alone]",
        ),
    ] = None
    workers: Annotated[
        int | None,
        typer.Option(
            help="How many processes work.  [default: 1; with another engine, and for many scripted dialogues, one a "
            "core; with models on servers and 32 calls at once, generate takes several for 200 dialogues or more, "
            "evaluate for 10,000 answers or more]"
        ),
    ] = None


Evaluations = Annotated[
    Path | None,
    typer.Option(metavar="FOLDER", help="The folder that evaluate wrote to with --out.  [default: DIR/eval]"),
]
"""Where evaluations are read."""


def given_options(*groups: object) -> dict[str, object]:
    """The fields of groups that have a value, by name."""
    values = {one.name: getattr(group, one.name) for group in groups for one in fields(group)}  # type: ignore[arg-type]
    return {name: value for name, value in values.items() if value is not None}


def with_groups(command: Callable[..., None]) -> Callable[..., None]:
    """A command whose parameters are groups of options, with the fields of the groups in their place.

    Typer reads the signature and the annotations of a function: this one shows those of the fields.
    """
    hints = get_type_hints(command, include_extras=True)
    groups = {name: hint for name, hint in hints.items() if is_dataclass(hint) and isinstance(hint, type)}
    shown = [one for name, own in inspect.signature(command).parameters.items() for one in _shown(own, hints[name])]

    @wraps(command)
    def expanded(**values: Any) -> None:
        taken = {name: _taken(group, values) for name, group in groups.items()}
        command(**values, **taken)

    expanded.__signature__ = inspect.Signature(shown)  # type: ignore[attr-defined]
    expanded.__annotations__ = {one.name: one.annotation for one in shown}
    return expanded


def _shown(own: inspect.Parameter, hint: Any) -> Iterator[inspect.Parameter]:
    """A parameter as typer sees it: itself, or the fields of a group."""
    keyword = inspect.Parameter.KEYWORD_ONLY
    if not is_dataclass(hint):
        yield own.replace(annotation=hint, kind=keyword)
        return
    hints = get_type_hints(hint, include_extras=True)
    for one in fields(hint):
        for extra in get_args(hints[one.name])[1:]:
            extra.rich_help_panel = getattr(hint, "HEADING", None)
        yield inspect.Parameter(one.name, keyword, default=one.default, annotation=hints[one.name])


def _taken(group: type, values: dict[str, Any]) -> object:
    """The group made from its fields, which are taken out of the values."""
    return group(**{one.name: values.pop(one.name) for one in fields(group)})
