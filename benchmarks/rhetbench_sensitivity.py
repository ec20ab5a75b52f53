"""What hangs on each constant: python benchmarks/rhetbench_sensitivity.py [SEEDS]

One constant at a time is set to nothing and to three times itself; printed are win rates by turn 10 on the hard
characters and above. Where the gap between who listens and who doesn't hangs on one constant, it is that
constant that is measured.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace

from dtomtrack.scenarios.persuasion_npc.pack_files import builtin_packs
from dtomtrack.suites.rhetbench.npc import Mind
from dtomtrack.suites.rhetbench.pack_figures import HARD_TIERS
from dtomtrack.suites.rhetbench.random_minds import mind_of
from dtomtrack.suites.rhetbench.rules import Rules, load_rules
from dtomtrack.suites.rhetbench.simulation import simulate, win_rate

_POLICIES = ("oracle", "first-positive-shuffled", "cycle", "random")


def variants(rules: Rules) -> Iterator[tuple[str, Rules, float]]:
    """A name, rules, and a factor on the penalty of repeats."""
    yield "as it is", rules, 1.0
    for factor in (0.0, 3.0):
        yield f"repeat penalty x {factor:g}", rules, factor
        yield f"amplification x {factor:g}", _with(rules, amplification=rules.amplification * factor), 1.0
        fatigue = rules.fatigue.model_copy(update={"per_turn": rules.fatigue.per_turn * factor})
        yield f"fatigue x {factor:g}", _with(rules, fatigue=fatigue), 1.0
        weakness = rules.weakness.model_copy(update={"floor": min(1.0, rules.weakness.floor * factor)})
        yield f"least weakness x {factor:g}", _with(rules, weakness=weakness), 1.0
        for name in ("gain", "loss"):
            rapport = rules.rapport.model_copy(update={name: getattr(rules.rapport, name) * factor})
            yield f"rapport {name} x {factor:g}", _with(rules, rapport=rapport), 1.0
        yield f"floor of a turn x {factor:g}", _with(rules, delta_floor=rules.delta_floor * factor), 1.0


def _with(rules: Rules, **changed: object) -> Rules:
    return rules.model_copy(update=changed)


def wins(rules: Rules, minds: list[Mind], policy: str, seeds: int) -> float:
    """The share of episodes won by turn 10."""
    played = [
        simulate(rules, mind, policy, f"{number}/{seed}") for number, mind in enumerate(minds) for seed in range(seeds)
    ]
    return win_rate(played, 10)


def main(seeds: int) -> None:
    """Print a line a variant."""
    minds = [mind_of(pack.mind) for pack in builtin_packs() if pack.tier in HARD_TIERS]
    print(f"{'':<24}" + "".join(f"{policy:>25}" for policy in _POLICIES))
    for name, rules, factor in variants(load_rules()):
        changed = [replace(mind, repeat_penalty=mind.repeat_penalty * factor) for mind in minds]
        print(f"{name:<24}" + "".join(f"{wins(rules, changed, policy, seeds):>25.3f}" for policy in _POLICIES))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100)
