"""What the 23 characters demand and give away: python benchmarks/rhetbench_packs.py [SEEDS]"""

from __future__ import annotations

import sys

from dtomtrack.scenarios.persuasion_npc.briefing import CUES
from dtomtrack.scenarios.persuasion_npc.pack_files import builtin_packs
from dtomtrack.suites.rhetbench.pack_figures import HARD_TIERS, cold_reads, demands, own_tone_read, tone_read


def main(seeds: int) -> None:
    """Print the figures beside what they have to be."""
    packs = builtin_packs()
    hard = [pack for pack in packs if pack.tier in HARD_TIERS]
    print(f"won by turn 10, {len(hard)} packs, hard and above, {seeds} seeds each:")
    for one in demands(hard, seeds):
        bound = f">= {one.least:.2f}" if one.least is not None else f"<= {one.most:.2f}" if one.most is not None else ""
        print(f"  {one.policy:<24} {one.wins:.3f}  {bound:<8} {'' if one.holds else 'DOES NOT HOLD'}")
    for cue in CUES:
        cued, learnt = cold_reads(packs, cue)
        print(f"class read cold, {cue} context: by cues {cued:.2f}, by words of the others {learnt:.2f}")
    print(f"tone read, leaving the character out: clear {tone_read(packs):.3f} (>= 0.85), ", end="")
    print(f"subtle {tone_read(packs, 'subtle'):.3f}, lines of its own alone {own_tone_read(packs):.3f}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
