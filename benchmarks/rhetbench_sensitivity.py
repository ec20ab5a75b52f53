"""What hangs on each constant: python benchmarks/rhetbench_sensitivity.py [SEEDS [TRAJECTORIES]]

Twelve constants are varied from half to twice themselves on the hard characters and above, and two gaps in win rates by
turn 10 are watched: oracle over random, and first-positive over the fixed cycle. Morris's screening (Morris 1991) says
which constants count at all, Sobol's total indices of the first four (Saltelli et al. 2010) in how much of the variance
each has a part. Needs SALib: pip install 'dtomtrack[sensitivity]'. What the rules are without a whole part of them is
`dtomtrack play rhetbench --sweep`.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence

import numpy as np
from SALib.analyze import morris as morris_analysis
from SALib.analyze import sobol as sobol_analysis
from SALib.sample import morris as morris_sample
from SALib.sample import sobol as sobol_sample

from dtomtrack.records import Record
from dtomtrack.scenarios.persuasion_npc.pack_files import builtin_packs
from dtomtrack.suites.rhetbench.npc import Mind
from dtomtrack.suites.rhetbench.pack_figures import HARD_TIERS
from dtomtrack.suites.rhetbench.random_minds import mind_of
from dtomtrack.suites.rhetbench.rules import Rules, load_rules
from dtomtrack.suites.rhetbench.simulation import simulate, win_rate

GAPS = {"oracle - random": ("oracle", "random"), "first-positive - cycle": ("first-positive-shuffled", "cycle")}
CONSTANTS = (
    "repeats",
    "amplification",
    "delta_floor",
    "positive_above",
    "fatigue.free_turns",
    "fatigue.per_turn",
    "weakness.floor",
    "rapport.gain",
    "rapport.gain_streak",
    "rapport.loss",
    "rapport.loss_streak",
    "rapport.distrust",
)
_BOUNDS = (0.5, 2.0)
_MOST = 4


def scaled(rules: Rules, factors: Mapping[str, float]) -> Rules:
    """The rules with some constants multiplied."""
    for name, factor in factors.items():
        part, _, field = name.rpartition(".")
        owner: Record = getattr(rules, part) if part else rules
        value = getattr(owner, field) * factor
        changed = {field: round(value) if field == "free_turns" else value}
        rules = rules.model_copy(update={part: owner.model_copy(update=changed)} if part else changed)
    return rules


def gap(rules: Rules, minds: Sequence[Mind], policies: tuple[str, str], seeds: int) -> float:
    """How much oftener the first policy wins by turn 10 than the second."""
    first, second = (
        win_rate(
            [
                simulate(rules, mind, one, f"{number}/{seed}")
                for number, mind in enumerate(minds)
                for seed in range(seeds)
            ],
            10,
        )
        for one in policies
    )
    return first - second


def outcomes(samples: np.ndarray, names: Sequence[str], minds: Sequence[Mind], seeds: int) -> dict[str, np.ndarray]:
    """By gap, its size under each sample of factors."""
    rules = load_rules()
    made = [scaled(rules, dict(zip(names, map(float, sample), strict=True))) for sample in samples]
    return {name: np.array([gap(one, minds, pair, seeds) for one in made]) for name, pair in GAPS.items()}


def main(seeds: int, trajectories: int) -> None:
    """Print both analyses."""
    minds = [mind_of(pack.mind) for pack in builtin_packs() if pack.tier in HARD_TIERS]
    problem = {"num_vars": len(CONSTANTS), "names": list(CONSTANTS), "bounds": [list(_BOUNDS)] * len(CONSTANTS)}
    samples = morris_sample.sample(problem, trajectories, seed=0)
    found = {
        name: morris_analysis.analyze(problem, samples, values, seed=0)
        for name, values in outcomes(samples, CONSTANTS, minds, seeds).items()
    }
    print(
        f"Morris, {trajectories} trajectories, factors {_BOUNDS}: mean absolute effect on the gap (standard deviation)"
    )
    ranked = sorted(range(len(CONSTANTS)), key=lambda one: -max(each["mu_star"][one] for each in found.values()))
    for one in ranked:
        effects = (f"{name} {each['mu_star'][one]:.3f} ({each['sigma'][one]:.3f})" for name, each in found.items())
        print(f"  {CONSTANTS[one]:<22}" + "   ".join(effects))
    sobol([CONSTANTS[one] for one in ranked[:_MOST]], minds, seeds, trajectories)


def sobol(names: Sequence[str], minds: Sequence[Mind], seeds: int, trajectories: int) -> None:
    """Print total indices of some constants, the others as they are."""
    problem = {"num_vars": len(names), "names": list(names), "bounds": [list(_BOUNDS)] * len(names)}
    number = 1 << max(3, trajectories.bit_length())
    samples = sobol_sample.sample(problem, number, calc_second_order=False, seed=0)
    print(f"Sobol, {len(samples)} samples: total index (95 % half width)")
    for name, values in outcomes(samples, names, minds, seeds).items():
        if float(np.ptp(values)) == 0.0:
            print(f"  {name}: the same everywhere, {values[0]:.3f}")
            continue
        found = sobol_analysis.analyze(problem, values, calc_second_order=False, seed=0)
        totals = zip(names, found["ST"], found["ST_conf"], strict=True)
        print(f"  {name}: " + ", ".join(f"{one} {total:.2f} ({half:.2f})" for one, total, half in totals))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10, int(sys.argv[2]) if len(sys.argv) > 2 else 32)
