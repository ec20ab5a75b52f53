"""``dtomtrack schema``: the JSON Schema of each file of a dataset."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

__all__ = ["command"]


def command(
    out: Annotated[Path, typer.Option(help="Where to write DIALOGUES.schema.json and the others.")] = Path("schemas"),
) -> None:
    """Write the JSON Schema of each file of a dataset."""
    from dtomtrack.errors import WriteError
    from dtomtrack.suites.dtom.json_schema import json_schemas

    try:
        out.mkdir(parents=True, exist_ok=True)
        for name, schema in json_schemas().items():
            (out / name).write_text(json.dumps(schema, indent=2) + "\n", encoding="utf-8")
            typer.echo(str(out / name))
    except OSError as error:
        raise WriteError(f"{out}: can't be written ({error.strerror}); choose another --out") from error
