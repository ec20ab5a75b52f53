"""``dtomtrack import items``: any benchmark of questions with options."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dtomtrack.cli.mapping_options import GoldFormOption, MapOption, SelectOption, mapping_options
from dtomtrack.cli.output import counted, echo

if TYPE_CHECKING:
    from dtomtrack.runs.manifest import Manifest

__all__ = ["EXAMPLES", "SHORT_HELP", "command", "show_import"]

SHORT_HELP = "Any benchmark of questions with options."
EXAMPLES = "dtomtrack import items my.jsonl --map question=q,options=o,gold=a --out DIR"


def command(
    source: Annotated[
        Path,
        typer.Argument(metavar="PATH", help="A .json, .jsonl, .csv, .tsv or .parquet file, or a folder of such files."),
    ],
    out: Annotated[Path, typer.Option(help="The dataset folder, which must be new.")],
    mapping: MapOption = None,
    gold_form: GoldFormOption = "auto",
    select: SelectOption = "auto",
) -> None:
    """Make a dataset folder of any benchmark of questions with 2 to 26 options, one or several of them right.

    Items stay as they are: faults are counted and named, none is repaired. Records that can't be items are in
    rejected.jsonl, each with its place and the reason. Of contexts that begin alike in a cluster, the longest is stored
    once; lines such as "Ada: Hello." or "Ada says: Hello." get Ada for a speaker.
    """
    from dtomtrack.suites.items.importing import import_items

    how = mapping_options(mapping, gold_form, select)
    manifest = import_items(source, out, how, shlex.join(["dtomtrack", *sys.argv[1:]]))
    show_import(manifest, out)


def show_import(manifest: Manifest, out: Path) -> None:
    """Print what was imported, and what is to be known of it."""
    from dtomtrack.items.texts import printable

    counts, config = manifest.counts, manifest.config
    items, clusters = counted(counts.questions, "item"), counted(counts.totals["clusters"], "cluster")
    echo(f"{items} in {clusters} over {counted(counts.dialogues, 'context')}: {out}")
    if "gold_form" in config:
        echo(f"golds are written as: {config['gold_form']}; to be selected: {config['select']}")
    for reason, count in counts.rejected_questions.items():
        echo(f"no item: {reason}: {count} (see {out / 'rejected.jsonl'})")
    problems, notes = config.get("problems"), config.get("notes")
    for one in problems if isinstance(problems, list) else ():
        if isinstance(one, dict) and one["kind"] not in counts.rejected_questions:
            examples = one["examples"]
            shown = ", ".join(map(str, examples)) if isinstance(examples, list) else ""
            echo(f"problem: {one['kind']}: {one['count']} ({printable(shown, 300)})")
    for note in notes if isinstance(notes, list) else ():
        echo(f"note: {note}")
