"""``dtomtrack schema``: the JSON Schema of each file of a dataset."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

from dtomtrack.cli.output import echo

__all__ = ["EXAMPLES", "command"]

EXAMPLES = "dtomtrack schema --suite items --out schemas"


def command(
    suite: Annotated[str, typer.Option(help="The suite whose datasets are described.")] = "dtom",
    out: Annotated[Path, typer.Option(help="Where questions.schema.json and the others are written.")] = Path(
        "schemas"
    ),
) -> None:
    """Write the JSON Schema of each file of a suite's datasets and of evaluations."""
    from dtomtrack.errors import WriteError
    from dtomtrack.suites.registry import suite_named
    from dtomtrack.suites.schemas import json_schemas

    schemas = json_schemas(suite_named(suite))
    texts = {out / name: json.dumps(schema, indent=2) + "\n" for name, schema in schemas.items()}
    try:
        _refuse_other_files(out, texts)
        out.mkdir(parents=True, exist_ok=True)
        for path, text in texts.items():
            path.write_text(text, encoding="utf-8", newline="\n")
            echo(str(path))
    except OSError as error:
        raise WriteError(f"{out}: can't be written ({error.strerror}); choose another --out") from error


def _refuse_other_files(out: Path, texts: Mapping[Path, str]) -> None:
    """Keep what is there, and a dataset's folder free of what is none of its files.

    Raises:
        InputError: a file of the same name holds something else, or it is a folder of a dataset.
    """
    from dtomtrack.errors import InputError
    from dtomtrack.files import refuse_special
    from dtomtrack.runs.folder import MANIFEST

    if (out / MANIFEST).exists():
        raise InputError(f"{out}: holds a dataset, among whose files schemas would lie loose; choose another --out")
    for path, text in texts.items():
        refuse_special(path)
        if path.exists() and path.read_bytes() != text.encode():
            raise InputError(f"{path}: is there already, and is another; choose another --out, or move it away")
