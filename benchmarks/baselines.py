"""What the baselines reach on datasets, against what they have to: exit status 1 where a bar is missed.

    dtomtrack generate --domain restaurant --n 500 --out out/restaurant-0
    python benchmarks/baselines.py out/restaurant-0 out/travel-0 out/medical-0

The oracle answers everything right; the interval of random covers 25 %; no rule that never sees the dialogue gets more
than 32 % on any type of question; rules that don't know the order of what was said (overlap) or see nothing of it show
intrusions near chance. The evaluations go to ``eval`` in the datasets.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from dtomtrack.evaluation.records import Interval, Metrics
from dtomtrack.evaluation.rules import PREFIX
from dtomtrack.evaluation.subject import rules_of
from dtomtrack.library import evaluate
from dtomtrack.suites.dtom.suite import SUITE

BLIND = ("random", "first-letter", "longest", "frequent-gold")
MOST = 0.32
CHANCE = 0.25
UNORDERED = (*BLIND, "overlap")
UNLIKELY = 0.001


def missed(found: Metrics) -> Iterator[str]:
    """The bars that a baseline misses."""
    name = found.config.subject.removeprefix(PREFIX)
    micro = found.micro.accuracy
    if name == "oracle" and micro.value != 1.0:
        yield f"oracle: {micro.value:.2%}, not 100 %"
    if name == "random" and not (micro.low or 0.0) <= CHANCE <= (micro.high or 0.0):
        yield f"random: the interval {micro.low:.3f} to {micro.high:.3f} does not cover {CHANCE}"
    intrusion = found.measure("intrusion")
    if name in UNORDERED and intrusion is not None and (intrusion.p_value or 1.0) < UNLIKELY:
        yield f"{name}: intrusion {_share(intrusion.estimate)}, chance {_share(intrusion.reference)}"
    if name in BLIND:
        for group in found.groups["type"]:
            if (group.accuracy.value or 0.0) > MOST:
                yield f"{name}: {group.accuracy.value:.1%} of {group.name}, more than {MOST:.0%}"


def _share(interval: Interval | None) -> str:
    return "-" if interval is None or interval.value is None else f"{interval.value:.1%}"


def intrusions(found: Metrics) -> str:
    """Intrusion and perseveration of a baseline, each beside its chance."""
    both = [found.measure(name) for name in ("intrusion", "perseveration")]
    return "; ".join(
        f"{one.label} {_share(one.estimate)} of {one.items}, chance {_share(one.reference)}, p {one.p_value}"
        for one in both
        if one is not None and one.items
    )


def main() -> None:
    """Print a table for each dataset, and the bars that are missed."""
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("folders", type=Path, nargs="+")
    wrong: list[str] = []
    for folder in arguments.parse_args().folders:
        results = evaluate(folder, [f"{PREFIX}{name}" for name in rules_of(SUITE)])
        print(folder)
        print(f"{'':14}", *(f"{group.name[:10]:>10}" for group in results[0].groups["type"]), f"{'all':>10}")
        for found in results:
            groups = (*found.groups["type"], found.micro)
            shares = (f"{group.accuracy.value or 0.0:10.1%}" for group in groups)
            print(f"{found.config.subject.removeprefix(PREFIX):14}", *shares)
            print(f"{'':14}  {intrusions(found)}")
            wrong += [f"{folder}: {one}" for one in missed(found)]
    print("\n".join(wrong) or "every bar is met")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
