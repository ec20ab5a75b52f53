"""The card of the folder of a run."""

from __future__ import annotations

import json
from importlib import resources

from dtomtrack.items.texts import printable
from dtomtrack.runs.manifest import Manifest

__all__ = ["card"]


def card(manifest: Manifest) -> str:
    """The card; names by others stand in it as code, never as Markdown."""
    # imported late: a run needs it once, at the end
    from jinja2 import Environment, StrictUndefined

    text = (resources.files("dtomtrack.suites.rhetbench") / "card.md.jinja").read_text(encoding="utf-8")
    # Markdown, not HTML
    environment = Environment(undefined=StrictUndefined, autoescape=False, keep_trailing_newline=True)  # noqa: S701
    environment.filters |= {"code": _code, "as_json": json.dumps}
    return environment.from_string(text).render(manifest=manifest, config=manifest.config)


def _code(value: object) -> str:
    shown = printable(str(value), 200).replace("`", "'").replace("|", "/")
    return f"`{shown}`" if shown else ""
