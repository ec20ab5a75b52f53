"""Minds drawn at random under the rules of hard packs: what policies learn on, and what fresh packs are made of."""

from __future__ import annotations

from random import Random

from dtomtrack.scenarios.persuasion_npc.arguments import APPEALS
from dtomtrack.scenarios.persuasion_npc.fresh import draw_mind
from dtomtrack.scenarios.persuasion_npc.pack import HiddenMind
from dtomtrack.suites.rhetbench.npc import Mind

__all__ = ["mind_of", "random_mind"]


def mind_of(hidden: HiddenMind) -> Mind:
    """A pack's hidden parameters for the engine."""
    return Mind(hidden.start, hidden.threshold, hidden.walk_out, hidden.repeat_penalty, dict(hidden.profile))


def random_mind(rng: Random) -> Mind:
    """A mind with one dominant class."""
    return mind_of(draw_mind(rng, rng.choice(APPEALS)))
