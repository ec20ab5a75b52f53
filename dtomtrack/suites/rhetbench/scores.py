"""The published score: how far a persuader got between doing nothing and the best that could be done.

RhetBench, "How I Built It" (baselines) and "Challenges" (collapse of the denominator). The published ceiling is the
better of two scripted baselines, which in four scenarios did no better than nothing; ours is the oracle, which answers
the character's question. It is no bound: an episode ends where it is won, and who wins later may end further up.
"""

from __future__ import annotations

from functools import lru_cache

from dtomtrack.suites.rhetbench.episode import Episode, MindRecord
from dtomtrack.suites.rhetbench.policies import PolicyName
from dtomtrack.suites.rhetbench.rules import load_rules
from dtomtrack.suites.rhetbench.simulation import simulate

__all__ = ["persuasion_score"]

_LEAST_SPREAD = 0.10
_LOWEST, _HIGHEST = -1.0, 3.0


def persuasion_score(episode: Episode) -> float:
    """(sum of deltas - floor) / (ceiling - floor), within -1 and 3; won or not where the two are hardly apart."""
    config = episode.config
    floor, ceiling = _bounds(config.rules, config.turns, config.mind.model_dump_json())
    if ceiling - floor < _LEAST_SPREAD:
        return float(episode.won)
    reached = sum(turn.delta for turn in episode.turns)
    return min(_HIGHEST, max(_LOWEST, (reached - floor) / (ceiling - floor)))


@lru_cache(maxsize=1024)
def _bounds(rules: str, turns: int, mind: str) -> tuple[float, float]:
    hidden = MindRecord.model_validate_json(mind).mind()
    constants = load_rules(rules)

    def moved(policy: PolicyName, *, answers: bool) -> float:
        played = simulate(constants, hidden, policy, "bounds", turns=turns, answers=answers)
        return sum(turn.outcome.delta for turn in played.turns)

    return moved("do-nothing", answers=False), moved("oracle", answers=True)
