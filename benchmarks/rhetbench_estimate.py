"""What `play rhetbench --dry-run` says against what is taken: python benchmarks/rhetbench_estimate.py [PILOT [SAMPLES]]

Players who go about it in different ways (`rhetbench_players`: one repeats itself until the character leaves, one does
as chance does, one adapts, one wins as quickly as can be, one rambles) stand behind a server on loopback. Of each is
printed what is said before it has played, with the range; what a pilot foretells of the others; and what those took.
Tokens are weighed by the prices of gpt-4o-mini. Exit status 1 where anything taken lies outside the blind range, or
what the pilot foretold is more than 20 % off.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from loopback import Loopback
from rhetbench_players import PLAYERS, answer_of

from dtomtrack.evaluation.estimate import SubjectEstimate
from dtomtrack.llm.settings import ClientSettings
from dtomtrack.runs.folder import read_manifest
from dtomtrack.runs.names import folder_name
from dtomtrack.scenarios.persuasion_npc.pack_files import builtin_packs
from dtomtrack.suites.rhetbench.estimate import PlayEstimate, estimate_play
from dtomtrack.suites.rhetbench.planning import PlayConfig
from dtomtrack.suites.rhetbench.play_run import PlayRequest, run_pilot, run_play
from dtomtrack.suites.rhetbench.talking import Talking

MODEL = "vllm/player"
PRICES = f"{MODEL}: {{input: 0.15, output: 0.60}}\n"
WITHIN = 0.20
MOST_TOKENS = 300


@dataclass(frozen=True)
class Taken:
    """What all episodes took so far."""

    calls: float
    tokens: float
    dollars: float


FIGURES: Mapping[str, tuple[Callable[[SubjectEstimate], float], Callable[[Taken], float]]] = {
    "calls": (lambda one: one.calls, lambda one: one.calls),
    "tokens": (lambda one: one.prompt_tokens + one.completion_tokens, lambda one: one.tokens),
    "dollars": (lambda one: one.cost or 0.0, lambda one: one.dollars),
}


def taken(out: Path) -> Taken:
    """What the model took in all sessions."""
    manifest = read_manifest(out / folder_name(MODEL))
    if manifest is None:
        raise FileNotFoundError(out)
    return Taken(manifest.calls, manifest.tokens, manifest.cost or 0.0)


def foretold(request: PlayRequest) -> PlayEstimate:
    """What is said of the model."""
    return estimate_play(request)[0]


def main(pilot: int, samples: int) -> int:
    """Print a block a player."""
    with tempfile.TemporaryDirectory() as folder:
        prices = Path(folder) / "prices.yaml"
        prices.write_text(PRICES, encoding="utf-8")
        held = [_player(name, Path(folder) / folder_name(name), prices, pilot, samples) for name in PLAYERS]
    return 0 if all(held) else 1


def _player(name: str, out: Path, prices: Path, pilot: int, samples: int) -> bool:
    with Loopback(answer_of(PLAYERS[name]), keep=False) as server:
        request = PlayRequest(
            out,
            (MODEL,),
            builtin_packs(),
            PlayConfig(samples=samples),
            talking=Talking(max_tokens=MOST_TOKENS),
            client=ClientSettings(prices=prices),
            base_url=server.base_url,
        )
        blind = foretold(request)
        asyncio.run(run_pilot(request, pilot))
        first, rest = taken(out), foretold(request)
        asyncio.run(run_play(replace(request, questions=False)))
    print(f"{name}: {blind.left} episodes, {rest.left} after a pilot of {rest.played}")
    held = [_row(figure, blind, rest, first, taken(out)) for figure in FIGURES]
    return all(held)


def _row(figure: str, blind: PlayEstimate, rest: PlayEstimate, first: Taken, last: Taken) -> bool:
    """Print a figure; whether it was foretold."""
    of, took = FIGURES[figure]
    whole, others = took(last), took(last) - took(first)
    within = of(blind.least) <= whole <= of(blind.most)
    off = of(rest.expected) / others - 1
    print(
        f"  {figure:<8} took {whole:>13,.5g}; blind {of(blind.expected):>13,.5g} "
        f"({of(blind.least):,.5g} to {of(blind.most):,.5g}){'' if within else ' OUTSIDE'}\n"
        f"  {'':<8} rest {others:>13,.5g}; pilot {of(rest.expected):>13,.5g} "
        f"({of(rest.least):,.5g} to {of(rest.most):,.5g}), {off:+.1%}{'' if abs(off) <= WITHIN else ' OFF'}"
    )
    return within and abs(off) <= WITHIN


if __name__ == "__main__":
    given = [int(one) for one in sys.argv[1:]]
    sys.exit(main(*given, *(23, 3)[len(given) :]))
