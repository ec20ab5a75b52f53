"""The card of a dataset of imported items."""

from __future__ import annotations

import json
from importlib import resources

from dtomtrack.items.texts import printable
from dtomtrack.runs.manifest import Manifest

__all__ = ["card", "rendered"]

_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))
_MOST_GROUPS = 30


def card(manifest: Manifest) -> str:
    """The card; names by others stand in it as JSON texts or as code, never as Markdown."""
    return rendered("dtomtrack.suites.items", manifest)


def rendered(package: str, manifest: Manifest, **further: object) -> str:
    """The card from the template ``card.md.jinja`` of a suite's package; ``further`` is what else that needs."""
    # imported late: an import needs it once, at the end
    from jinja2 import Environment, StrictUndefined

    text = (resources.files(package) / "card.md.jinja").read_text(encoding="utf-8")
    # Markdown, not HTML
    environment = Environment(undefined=StrictUndefined, autoescape=False, keep_trailing_newline=True)  # noqa: S701
    environment.filters |= {"as_json": _as_json, "code": _code}
    return environment.from_string(text).render(
        manifest=manifest,
        config=manifest.config,
        size=next((name for limit, name in _SIZES if manifest.counts.questions < limit), "n>1M"),
        most=_MOST_GROUPS,
        **further,
    )


def _as_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _code(value: object) -> str:
    """A text by others on one line between backticks, which it can't end."""
    shown = printable(str(value), 200).replace("`", "'").replace("|", "/")
    return f"`{shown}`" if shown else ""
