"""What the 23 characters demand and give away: python benchmarks/rhetbench_packs.py [SEEDS]

The figures of `dtomtrack domains check core`.
"""

from __future__ import annotations

import sys

from dtomtrack.cli.characters import show_figures
from dtomtrack.scenarios.persuasion_npc.pack_files import builtin_packs

if __name__ == "__main__":
    sys.exit(0 if show_figures(builtin_packs(), int(sys.argv[1]) if len(sys.argv) > 1 else 200) else 1)
