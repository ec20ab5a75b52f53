"""Minds drawn at random under the rules of packs: what policies learn on, and what fresh packs are made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from dtomtrack.scenarios.persuasion_npc.arguments import APPEALS
from dtomtrack.scenarios.persuasion_npc.fresh import draw_mind
from dtomtrack.scenarios.persuasion_npc.pack import HiddenMind, Tier
from dtomtrack.suites.rhetbench.npc import Mind

__all__ = ["TIERS", "mind_of", "random_mind"]

_SHARES: Mapping[Tier, int] = {"easy": 3, "medium": 8, "hard": 12}
TIERS: tuple[Tier, ...] = tuple(tier for tier, share in _SHARES.items() for _ in range(share))
"""Each tier as often as the suite has it."""


def mind_of(hidden: HiddenMind) -> Mind:
    """A pack's hidden parameters for the engine."""
    return Mind(hidden.start, hidden.threshold, hidden.walk_out, hidden.repeat_penalty, dict(hidden.profile))


def random_mind(rng: Random, tiers: Sequence[Tier] = TIERS) -> Mind:
    """A mind of one of these tiers, each as often as it stands there."""
    return mind_of(draw_mind(rng, rng.choice(APPEALS), rng.choice(tiers)))
