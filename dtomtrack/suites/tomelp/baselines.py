"""A baseline for the choice of a strategy that reads the dialogue's words; the others are common to all items."""

from __future__ import annotations

from collections.abc import Mapping

from dtomtrack.evaluation.benchmark import RuleMaker
from dtomtrack.evaluation.rules import best, plain
from dtomtrack.items.presented import PresentedItem
from dtomtrack.items.words import stems

__all__ = ["RULES"]


def _unused(shown: PresentedItem) -> str:
    """The strategy that has the fewest words in common with what the persuader has said."""
    context = shown.item.context
    lines = context.lines if context is not None else ()
    persuader = lines[0].speaker if lines else ""
    said = frozenset[str]().union(*(stems(line.text) for line in lines if line.speaker == persuader))
    return best(shown, {letter: -float(len(stems(text) & said)) for letter, text in shown.shown.items()})


RULES: Mapping[str, RuleMaker] = {"unused": plain(_unused)}
