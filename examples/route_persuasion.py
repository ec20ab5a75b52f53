"""Persuasion by two routes, without a model: python examples/route_persuasion.py [DIR]

Scenes are drawn, two scripted subjects play them before the judge `rules`, and what mental states are worth is printed.
Scripted subjects are plants whose scores are known; put a model's name in their place to measure one.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from pathlib import Path

from dtomtrack.runs.engines import open_engine
from dtomtrack.runs.run import run
from dtomtrack.suites.generating import GenerationRequest, generating_suite
from dtomtrack.suites.tomelp.play_run import PlayRequest, run_play


async def main(folder: Path) -> None:
    """Make scenes, play them, and say what giving the states changes."""
    job = generating_suite("tomelp").job(GenerationRequest("all", 12))
    await run(job, open_engine("local"), n=12, out=folder)
    subjects = ("policy/faithful", "policy/drift")
    for metrics in await run_play(PlayRequest(folder, subjects, given=("inferred", "shuffled"))):
        for variant, minus in (("inferred", "no_tom"), ("inferred", "shuffled")):
            contrast = next(
                one for one in metrics.contrasts if (one.score, one.variant, one.minus) == ("attitude", variant, minus)
            )
            interval = contrast.estimate.interval
            ends = f"[{interval.low:+.2f}, {interval.high:+.2f}]"
            print(f"{metrics.subject}: {variant} - {minus}: {interval.value:+.2f} {ends}")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as scratch:
        asyncio.run(main(Path(sys.argv[1] if len(sys.argv) > 1 else f"{scratch}/scenes")))
