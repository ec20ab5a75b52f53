"""The card of the folder of a run."""

from __future__ import annotations

import json
from importlib import resources

from dtomtrack.items.texts import printable
from dtomtrack.runs.manifest import Manifest

__all__ = ["CANARY", "card", "fresh_card"]

CANARY = "rhetbench canary 8f1d6c52-6d0e-4b0e-9a57-2f4f3a1d7e90: benchmark data, not to be trained on"
"""Stands in every card and pack: whoever finds it in what a model says, or in what it was trained on, knows."""


def card(manifest: Manifest) -> str:
    """The card; names by others stand in it as code, never as Markdown."""
    return _rendered("card.md.jinja", manifest)


def fresh_card(manifest: Manifest) -> str:
    """The card of a folder of fresh characters."""
    return _rendered("fresh_card.md.jinja", manifest)


def _rendered(template: str, manifest: Manifest) -> str:
    # imported late: a run needs it once, at the end
    from jinja2 import Environment, StrictUndefined

    text = (resources.files("dtomtrack.suites.rhetbench") / template).read_text(encoding="utf-8")
    # Markdown, not HTML
    environment = Environment(undefined=StrictUndefined, autoescape=False, keep_trailing_newline=True)  # noqa: S701
    environment.filters |= {"code": _code, "as_json": json.dumps}
    return environment.from_string(text).render(manifest=manifest, config=manifest.config, canary=CANARY)


def _code(value: object) -> str:
    shown = printable(str(value), 200).replace("`", "'").replace("|", "/")
    return f"`{shown}`" if shown else ""
