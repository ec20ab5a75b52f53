"""``dtomtrack schema``: the JSON Schema of each file of a dataset."""

from __future__ import annotations

import json
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
    try:
        out.mkdir(parents=True, exist_ok=True)
        for name, schema in schemas.items():
            (out / name).write_text(json.dumps(schema, indent=2) + "\n", encoding="utf-8", newline="\n")
            echo(str(out / name))
    except OSError as error:
        raise WriteError(f"{out}: can't be written ({error.strerror}); choose another --out") from error
