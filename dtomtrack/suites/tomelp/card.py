"""The cards of datasets of scenes and of plays."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import resources

from pydantic import JsonValue

from dtomtrack.runs.manifest import Manifest

__all__ = ["CANARY", "scene_card"]

CANARY = "tomelp canary 3b9e7a14-52c8-4f06-8d1f-6c0a94e2b7d5: benchmark data, not to be trained on"
"""Stands in every card, so that whoever trains on what is public can leave it out, and others can see if they did."""
_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"))


def scene_card(manifest: Manifest) -> str:
    """The card of a dataset of scenes."""
    # imported late: a run needs it once, at the end
    from jinja2 import Environment, StrictUndefined

    text = (resources.files("dtomtrack.suites.tomelp") / "card.md.jinja").read_text(encoding="utf-8")
    # Markdown, not HTML
    environment = Environment(undefined=StrictUndefined, autoescape=False, keep_trailing_newline=True)  # noqa: S701
    return environment.from_string(text).render(
        manifest=manifest,
        canary=CANARY,
        source=str(manifest.config.get("source", "")),
        generator=manifest.config.get("generator"),
        resources=str(manifest.config.get("resources_note", "")),
        minds=_minds(manifest),
        size=next((name for limit, name in _SIZES if manifest.counts.questions < limit), "n>100K"),
    )


def _minds(manifest: Manifest) -> str:
    """The gold mental states that were read, by role and field, and the files that were not there."""
    config = manifest.config
    return " ".join(filter(None, (_read(config), _missing(config), _contradicting(config))))


def _read(config: Mapping[str, JsonValue]) -> str:
    told = _counts(config, "gold")
    if not told:
        return "No state has a gold mental state, so that `--tom gold` can't be played."
    return f"States of the files with a gold mental state (the right option of a published question): {told}."


def _missing(config: Mapping[str, JsonValue]) -> str:
    names = config.get("missing")
    return f"Files that were not there: {', '.join(map(str, names))}." if isinstance(names, list) and names else ""


def _contradicting(config: Mapping[str, JsonValue]) -> str:
    told = _counts(config, "contradicting")
    return f"Asked twice with two answers, so not taken: {told}." if told else ""


def _counts(config: Mapping[str, JsonValue], name: str) -> str:
    counts = config.get(name)
    return ", ".join(f"{who} {count}" for who, count in counts.items()) if isinstance(counts, dict) else ""
