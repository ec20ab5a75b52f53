"""ToMELP as a suite: its items ask which strategy fits next; `dtomtrack play tomelp` has subjects persuade."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from dtomtrack.evaluation.benchmark import RuleMaker
from dtomtrack.records import Record
from dtomtrack.report.plays import Plays
from dtomtrack.report.presentation import Head
from dtomtrack.runs.job import Job
from dtomtrack.runs.manifest import Manifest
from dtomtrack.scenarios.route.state import SceneState
from dtomtrack.suites.generating import GenerationRequest
from dtomtrack.suites.items.records import CONTEXTS, ITEMS, ContextRecord, ItemLine
from dtomtrack.suites.items.suite import ItemsSuite
from dtomtrack.suites.tomelp.baselines import RULES
from dtomtrack.suites.tomelp.card import scene_card
from dtomtrack.suites.tomelp.schema import STATES

__all__ = ["SUITE", "TomelpSuite"]


class TomelpSuite(ItemsSuite):
    """Route-controlled persuasion under the Elaboration Likelihood Model."""

    name = "tomelp"
    title = "Route-controlled persuasion: does knowing the listener's mind change the argument?"
    records: Mapping[str, type[Record]] = {CONTEXTS: ContextRecord, ITEMS: ItemLine, STATES: SceneState}
    focus = "what the listener doubts, how the listener decides, and what was tried before"
    rules: Mapping[str, RuleMaker] = RULES
    group_order: Mapping[str, Sequence[str]] = {
        "type": ["high_cog", "low_cog", "strategy"],
        "effectiveness": ["effective", "ineffective"],
    }
    labels: Mapping[str, Mapping[str, str]] = {
        "type": {
            "high_cog": "strategy, for who weighs evidence",
            "low_cog": "strategy, for who goes by cues",
            "strategy": "strategy",
        }
    }
    role_labels: Mapping[str, str] = {
        "right": "right",
        "already_used": "tried already",
        "other_persona": "fits the other listener",
        "other_concern": "answers another doubt",
    }

    def head(self, manifest: Manifest) -> Head:
        """How many scenes and states there are."""
        counts = manifest.counts
        size = f"{counts.totals.get('states', 0):,} dialogue states of {counts.dialogues:,} scenes"
        return Head(
            title="Route-controlled persuasion",
            lead=f"{size}, {counts.questions:,} choices of a strategy.",
            facts={"Scenes made by": str(manifest.config.get("generator", ""))},
        )

    def job(self, request: GenerationRequest) -> Job:
        """The job that makes scenes from packs of topics.

        Raises:
            InputError: a topic is unknown, a pack is wrong, or a model can't be used.
        """
        # imported late: only generate needs it
        from dtomtrack.suites.tomelp.generation.making import make_job

        return make_job(request)

    def plays(self, folder: Path) -> Plays | None:
        """What subjects did in its scenes, and what judges found of it."""
        # imported late: only a report needs it
        from dtomtrack.suites.tomelp.reporting import plays_in

        return plays_in(folder)

    def card(self, manifest: Manifest) -> str:
        """The dataset card."""
        return scene_card(manifest)


SUITE = TomelpSuite()
