"""How often 95 % intervals of means and paired differences of 0-2 scores hold: python benchmarks/tomelp_intervals.py

Scenes are drawn with 1 to 7 states each; what a scene has in common shifts all its scores. Then equivalence, where the
difference is exactly the margin (said to be none in 5 % of the samples at most) and where it is nought (how often that
is found). Exit status 1 where coverage leaves 93 to 97 %, or equivalence is said too often, by more than chance (three
standard errors of so many times).
"""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from statistics import NormalDist

from dtomtrack.evaluation.bounded import Range, mean_score
from dtomtrack.evaluation.equivalence import MARGIN, equivalence

TIMES = 2000
SCENES = (10, 20, 40, 60)
LENGTHS = (4, 3, 5, 2, 6, 4, 7, 1)


@dataclass(frozen=True)
class World:
    """Scores: thresholds of a shared and an own draw; the second score of a pair is shifted."""

    name: str
    centre: float
    shift: float
    together: float = 0.3


WORLDS = (World("low", -0.9, 0.15), World("middle", 0.0, 0.3), World("high", 0.8, 0.0), World("rare", -1.4, 0.2))


def score(value: float) -> int:
    """0, 1 or 2."""
    return (value > -0.5) + (value > 0.7)


def sample(world: World, scenes: int, rng: Random) -> list[tuple[int, int, int]]:
    """Scene, and two scores of a state in it."""
    found = []
    for scene in range(scenes):
        common = rng.gauss(0, math.sqrt(world.together))
        for _ in range(rng.choice(LENGTHS)):
            one, other = (common + rng.gauss(0, math.sqrt(1 - world.together)) for _ in range(2))
            found.append((scene, score(world.centre + one), score(world.centre + world.shift + other)))
    return found


def truths(world: World, rng: Random) -> tuple[float, float]:
    """The mean of the first score, and of the difference."""
    states = sample(world, 40_000, rng)
    return sum(one for _, one, _ in states) / len(states), sum(two - one for _, one, two in states) / len(states)


def held(scores: Sequence[tuple[int, float]], within: Range, truth: float) -> bool:
    """Whether the interval holds the truth."""
    interval = mean_score(scores, within).interval
    return interval.low is not None and interval.high is not None and interval.low <= truth <= interval.high


@dataclass(frozen=True)
class Pairs:
    """Paired scores that hardly ever differ, or often: shares of pairs that go up and down by each step."""

    name: str
    up: float
    down: float
    together: float = 0.3
    most: float = 1.0

    def sample(self, scenes: int, shift: float, rng: Random) -> list[tuple[int, float]]:
        """Scene and difference of each pair; ``shift`` of the pairs go up that else would not differ."""
        normal, found = NormalDist(), list[tuple[int, float]]()
        high = normal.inv_cdf(1 - self.up - shift) if self.up + shift else math.inf
        low = normal.inv_cdf(self.down) if self.down else -math.inf
        for scene in range(scenes):
            common = rng.gauss(0, math.sqrt(self.together))
            for _ in range(rng.choice(LENGTHS)):
                one = common + rng.gauss(0, math.sqrt(1 - self.together))
                found.append((scene, self.most * ((one > high) - (one < low))))
        return found


PAIRS = (
    Pairs("none goes down", 0.0, 0.0),
    Pairs("none goes down, whole scenes", 0.0, 0.0, together=0.95),
    Pairs("few", 0.03, 0.03),
    Pairs("some", 0.10, 0.10),
    Pairs("many", 0.25, 0.25),
    Pairs("many, whole scenes", 0.25, 0.25, together=0.95),
    Pairs("few, 0 to 2", 0.03, 0.03, most=2.0),
)


def told(pairs: Pairs, scenes: int, shift: float, times: int, rng: Random) -> tuple[float, float]:
    """How often a change of this share is said to be none, and how often the 90 % interval holds it."""
    equal = holds = 0
    for _ in range(times):
        found = equivalence(pairs.sample(scenes, shift, rng), Range(0, pairs.most))
        if found is not None and found.interval.low is not None and found.interval.high is not None:
            equal += found.verdict == "equivalent"
            holds += found.interval.low <= pairs.most * shift <= found.interval.high
    return equal / times, holds / times


def equivalences(times: int, rng: Random) -> bool:
    """Print how equivalence does."""
    most, least = 0.0, 1.0
    for pairs in PAIRS:
        for scenes in SCENES:
            wrong, covered = told(pairs, scenes, MARGIN, times, rng)
            right, _ = told(pairs, scenes, 0.0, times, rng)
            most, least = max(most, wrong), min(least, covered)
            print(
                f"{pairs.name:<29}{scenes:>3} scenes  equal, wrongly {wrong:.1%}, rightly {right:.1%}; "
                f"90 %: {covered:.1%}"
            )
    chance = 3 * math.sqrt(0.05 * 0.95 / times)
    print(
        f"equivalence is said wrongly in {most:.1%} at most (allowed {0.05 + chance:.1%}); 90 % intervals hold in "
        f"{least:.1%} at least"
    )
    return most <= 0.05 + chance


def main(times: int) -> int:
    """Print coverage."""
    rng, worst = Random(0), 0.0
    for world in WORLDS:
        mean, difference = truths(world, rng)
        for scenes in SCENES:
            hits = [0, 0]
            for _ in range(times):
                states = sample(world, scenes, rng)
                hits[0] += held([(scene, float(one)) for scene, one, _ in states], Range(0, 2), mean)
                hits[1] += held([(scene, float(two - one)) for scene, one, two in states], Range(-2, 2), difference)
            shares = [hit / times for hit in hits]
            worst = max([worst, *(abs(share - 0.95) for share in shares)])
            print(
                f"{world.name:<7} {scenes:>3} scenes  mean {mean:.2f}: {shares[0]:.1%}  "
                f"difference {difference:+.2f}: {shares[1]:.1%}"
            )
    allowed = 0.02 + 3 * math.sqrt(0.95 * 0.05 / times)
    print(f"farthest from 95 %: {worst:.1%} (allowed {allowed:.1%})")
    sized = equivalences(times, rng)
    return 0 if worst <= allowed and sized else 1


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else TIMES))
