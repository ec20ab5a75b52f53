"""How often the interval of a win rate holds the truth: python benchmarks/rhetbench_intervals.py [TIMES]

Planted subjects win a scenario with a chance of its own; scenarios are drawn, and each is played three times.
"""

from __future__ import annotations

import sys
from random import Random

from dtomtrack.evaluation.statistics import share

_SCENARIOS, _SAMPLES = 23, 3
_PLANTED = {"middling": (1.5, 1.5), "good": (4.0, 1.0), "weak": (1.0, 3.0), "alike": (40.0, 40.0)}


def held(alpha: float, beta: float, times: int) -> float:
    """The share of intervals that hold the mean of a beta distribution of chances."""
    rng, truth, found = Random(0), alpha / (alpha + beta), 0
    for _ in range(times):
        wins = []
        for scenario in range(_SCENARIOS):
            chance = rng.betavariate(alpha, beta)
            wins += [(scenario, rng.random() < chance) for _ in range(_SAMPLES)]
        interval = share(wins)
        found += interval.low is not None and interval.high is not None and interval.low <= truth <= interval.high
    return found / times


def main(times: int) -> None:
    """Print a line a subject."""
    for name, (alpha, beta) in _PLANTED.items():
        print(f"{name:<10} win rate {alpha / (alpha + beta):.2f}: held {held(alpha, beta, times):.3f} (0.93 to 0.97)")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2000)
