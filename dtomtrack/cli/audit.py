"""``dtomtrack audit``: whether the questions of a benchmark can be answered without what they are about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, ClassVar

import typer

from dtomtrack.cli.mapping_options import GoldFormOption, MapOption, SelectOption, mapping_options
from dtomtrack.cli.options import Strict, with_groups
from dtomtrack.cli.output import counted, echo
from dtomtrack.cli.stopping import complain

if TYPE_CHECKING:
    from dtomtrack.audit import Audit

__all__ = ["EXAMPLES", "command"]

_BEGINNING = '{\n  "source": '
"""What an audit that was written begins with."""

EXAMPLES = """
dtomtrack audit DIR
dtomtrack audit mine.jsonl --map question=q,options=choices,gold=label --gate
"""


@dataclass(frozen=True, kw_only=True)
class GateFlags:
    """What an audit has to find for the command to fail."""

    HEADING: ClassVar[str] = "The gate"

    gate: Annotated[
        bool,
        typer.Option("--gate", help="Exit with 1 if a rule surely exceeds the threshold, or golds are wrong."),
    ] = False
    threshold: Annotated[
        float | None,
        typer.Option(
            help="Accuracy that no rule may surely exceed: the lower end of its 95 % interval, of rules better than "
            "chance by more than luck.  [default: chance + 0.07, 0.32 with four options; where several may be right, "
            "the best constant set of the type, at most 0.5, + 0.07]"
        ),
    ] = None
    min_items: Annotated[int, typer.Option(help="The gate looks at groups of at least so many items.")] = 100

    def check(self) -> None:
        """See that a gate can be like that.

        Raises:
            InputError: it can't.
        """
        from dtomtrack.options import check_range

        if self.threshold is not None:
            check_range("threshold", self.threshold, 0, 1)
        check_range("min-items", self.min_items, 1)


@dataclass(frozen=True, kw_only=True)
class LearningFlags:
    """How rules that learn are cross-validated."""

    HEADING: ClassVar[str] = "Rules that learn"

    seed: Annotated[int, typer.Option(help="Seed of the cross-validation.")] = 0
    classified: Annotated[
        int, typer.Option(help="Items that the classifiers look at, at most: more take longer, and say it more surely.")
    ] = 10_000


@with_groups
def command(
    benchmark: Annotated[
        Path,
        typer.Argument(
            metavar="PATH",
            help="A dataset folder, or a .json, .jsonl, .csv, .tsv or .parquet file, or a folder of such.",
        ),
    ],
    mapping: MapOption = None,
    gold_form: GoldFormOption = "auto",
    select: SelectOption = "auto",
    *,
    gates: GateFlags,
    by_group: Annotated[
        bool,
        typer.Option("--by-group/--overall", help="Whether each group is audited by itself, too, or all items only."),
    ] = True,
    strict: Strict = False,
    grouping: Annotated[
        str | None, typer.Option("--group", help="What the items are grouped by.  [default: type]")
    ] = None,
    rows: Annotated[int, typer.Option(help="How many lines are printed, the worst; 0 for all.")] = 20,
    learning: LearningFlags,
    json_file: Annotated[Path | None, typer.Option("--json", help="Write everything to this file, as JSON.")] = None,
) -> None:
    """Find out whether questions can be answered without what they are about, and which golds are wrong.

    Rules that never read the context (place, length, punctuation, keywords, most frequent golds, turn numbers,
    classifiers of options; what learns is cross-validated) should be right as often as chance. Overlap with the context
    is reported apart, and no matter for the gate. Where several options may be right, the very set counts as right,
    the best constant set (at most 50 %) is expected instead of chance, and how far sets agree (Jaccard) stands beside.
    """
    from dtomtrack.auditing import audit_benchmark
    from dtomtrack.cli.waiting import waiting
    from dtomtrack.options import check_range

    gates.check()
    check_range("rows", rows, 0)
    _check_target(json_file)
    how = mapping_options(mapping, gold_form, select)
    with waiting() as shown:
        tell = shown.step if shown is not None else (lambda _: None)
        found = audit_benchmark(benchmark, how, by_group=by_group, grouping=grouping, **asdict(learning), tell=tell)
    if json_file is not None:
        _write(found, json_file)
    _show(found, rows)
    if gates.gate:
        _pass(found.failures(gates.threshold, gates.min_items))


def _check_target(path: Path | None) -> None:
    from dtomtrack.errors import InputError
    from dtomtrack.files import is_something_else

    if path is not None and is_something_else(path, _BEGINNING):
        raise InputError(f"--json {path}: is there already, and is no audit; name another file")


def _pass(failures: Sequence[str]) -> None:
    for failure in failures:
        complain(f"gate: {failure}")
    if failures:
        raise typer.Exit(1)


def _write(found: Audit, path: Path) -> None:
    from dtomtrack.errors import WriteError

    try:
        path.write_text(found.model_dump_json(indent=2) + "\n", encoding="utf-8", newline="\n")
    except OSError as error:
        raise WriteError(f"{path}: can't be written ({error.strerror}); choose another --json") from error


def _show(found: Audit, most: int) -> None:
    from dtomtrack.cli.audit_lines import alike, by_group, by_rule
    from dtomtrack.cli.console import Console

    console = Console(markup=False, highlight=False)
    console.print(
        f"{counted(found.items, 'item')} in {counted(found.clusters, 'cluster')}; "
        f"golds are written as: {found.gold_form}; to be selected: {found.selects}"
    )
    blind = alike([row for row in found.rows if not row.reads_context])
    echo("\nRules that never read the context, in percent, the worst first:\n")
    for line in by_group(blind, console.width, most or None):
        echo(line)
    if most and most < len(blind):
        echo(f"and {len(blind) - most} lines that exceed chance by less (--rows 0 shows all)")
    if reading := [row for row in found.rows if row.reads_context]:
        echo("\nWords compared with the context, to be beaten by what understands it:\n")
        for line in by_rule(reading[: most or None], console.width):
            echo(line)
    for problem in found.problems:
        console.print(f"gold error: {problem.kind}: {problem.count} ({', '.join(problem.examples)})")
    for note in found.notes:
        console.print(f"note: {note}")
