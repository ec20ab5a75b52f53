"""The dataset card: ``README.md`` with the YAML front matter that `datasets.load_dataset` reads."""

from __future__ import annotations

import json
from importlib import resources

from pydantic import JsonValue

from dtomtrack.runs.manifest import Manifest
from dtomtrack.scenarios.difficulty import PRESETS
from dtomtrack.terminal import without_controls

__all__ = ["card"]

_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))


def card(manifest: Manifest) -> str:
    """The card of a finished dataset."""
    # imported late: a run needs it once, at the end
    from jinja2 import Environment, StrictUndefined

    text = (resources.files("dtomtrack.suites.dtom") / "card.md.jinja").read_text(encoding="utf-8")
    # Markdown, not HTML; what is filled in comes from the packs and the command line of whoever makes the dataset
    template = Environment(undefined=StrictUndefined, autoescape=False, keep_trailing_newline=True).from_string(text)  # noqa: S701
    questions = manifest.counts.questions
    domains = _on_one_line(manifest.config["domains"])
    parquet = manifest.data_format == "parquet"
    return template.render(
        manifest=manifest,
        parquet=parquet,
        dialogues="dialogues" if parquet else "dialogues.jsonl",
        domains=domains,
        turns=_on_one_line(manifest.config.get("turns")),
        # a JSON string is a YAML string, whatever is in it
        pretty_name=json.dumps(f"dtomtrack: {', '.join(domains)}", ensure_ascii=False),
        dials=_dials_over_the_preset(manifest.config.get("difficulty")),
        size=next((name for limit, name in _SIZES if questions < limit), "n>1M"),
    )


def _dials_over_the_preset(difficulty: JsonValue) -> str:
    """The dials that were set otherwise than the preset has them; of a received manifest what can be told."""
    preset = PRESETS.get(str(difficulty.get("preset"))) if isinstance(difficulty, dict) else None
    if preset is None or not isinstance(difficulty, dict):
        return ""
    usual = preset.model_dump(mode="json")
    changed = {name: value for name, value in difficulty.items() if name != "turns" and value != usual.get(name)}
    shown = (f"{name}={json.dumps(value, separators=(',', ':'))}" for name, value in changed.items())
    return without_controls(", ".join(shown))


def _on_one_line(listed: JsonValue) -> list[str]:
    """Names or numbers as a received manifest has them, which may be anything."""
    parts = listed if isinstance(listed, list) else [listed]
    return [" ".join(without_controls(str(one)).split()) for one in parts]
