"""PersuasiveToM on the page: what its groups are called, and what stands at the head."""

from __future__ import annotations

from collections.abc import Mapping

from dtomtrack.report.presentation import Head
from dtomtrack.runs.manifest import Manifest
from dtomtrack.suites.persuasivetom.items import ABSENT
from dtomtrack.suites.persuasivetom.kinds import KINDS

__all__ = ["LABELS", "LEGEND", "head"]

_INAPPLICABLE = "Does not apply"

LABELS: Mapping[str, Mapping[str, str]] = {
    "type": {name: kind.label for name, kind in KINDS.items()},
    "holder": {"persuader": "Persuader", "persuadee": "Persuadee", ABSENT: _INAPPLICABLE},
    "before": {ABSENT: "No round before"},
    "after": {ABSENT: "No round after"},
}
LEGEND: Mapping[str, str] = {
    "lag_desire_ee": "Wrong answers that give what was right a round ago, where something else is right now.",
    "anticipation_desire_ee": "Wrong answers that give what is right a round later, where something else is right now.",
    "negation": "Whether the answer turns from yes to no where the question is turned around.",
    "holder": "Whose state is asked about.",
    "round": "The exchange after which it is asked.",
    "stage": "The part of the conversation in which that exchange is.",
    "label": "The right answer.",
    "change": "Whether the right answer is another one than a round ago.",
    "before": "The right answer a round ago.",
    "after": "The right answer a round later.",
    "wording": "Whether it is asked if the strategy works or if it does not.",
}


def head(manifest: Manifest) -> Head:
    """Where the items are from, in which variant, and how many there are."""
    config, counts = manifest.config, manifest.counts
    made = config.get("generator")
    about = {"Made by": str(made)} if made else {"Variant": str(config.get("variant")), "Official": _official(config)}
    return Head(
        title="PersuasiveToM",
        lead=f"{counts.questions:,} questions about {counts.dialogues:,} persuasive conversations.",
        facts=about,
    )


def _official(config: Mapping[str, object]) -> str:
    return "yes" if config.get("official") else "no"
