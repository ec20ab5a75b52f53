"""Baselines of PersuasiveToM beside the common ones."""

from __future__ import annotations

from collections.abc import Mapping

from dtomtrack.evaluation.benchmark import RuleMaker
from dtomtrack.evaluation.rules import plain
from dtomtrack.items.presented import PresentedItem
from dtomtrack.suites.items.by_groups import most_frequent_by

__all__ = ["RULES"]


def _no_then_yes(shown: PresentedItem) -> str:
    """No in the first round and Yes in all others; the first option where there is no such one."""
    wanted = "no" if shown.item.turn == 0 else "yes"
    texts = {letter: text.strip().lower() for letter, text in shown.shown.items()}
    return next((letter for letter, text in texts.items() if text == wanted), min(texts))


RULES: Mapping[str, RuleMaker] = {"by-round": most_frequent_by("type", "round"), "no-then-yes": plain(_no_then_yes)}
"""The makers of the suite's own baselines, by name."""
