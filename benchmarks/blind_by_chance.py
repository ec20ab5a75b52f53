"""How far above chance the best of all rules without the dialogue comes by chance alone, in a dataset of this size.

    python benchmarks/blind_by_chance.py out/family-apart-85 --times 20

The bar of `minds_bars.py` is on the most that any of some seventy pairs of rule and type gets. Here the right
options are drawn at random, so that nothing tells them, and the same is measured: printed is the dataset's own figure,
those of the draws in their order, and how many of them are as high as its own.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from minds_bars import SMALLEST_TYPE
from minds_questions import Asked, blind_excess, excess_by_chance


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("folder", type=Path)
    arguments.add_argument("--times", type=int, default=20)
    given = arguments.parse_args()
    items = Asked.of(given.folder).items
    name, own, _ = blind_excess(given.folder, SMALLEST_TYPE)
    print(f"{given.folder}: {100 * own:+.1f} points, {name}", flush=True)
    drawn = sorted(excess_by_chance(items, SMALLEST_TYPE, seed)[1] for seed in range(given.times))
    print("by chance:", ", ".join(f"{100 * one:+.1f}" for one in drawn))
    print(f"as high as its own: {sum(one >= own for one in drawn)} of {given.times}")


if __name__ == "__main__":
    main()
