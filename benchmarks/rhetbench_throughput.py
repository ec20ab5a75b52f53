"""How fast characters listen: python benchmarks/rhetbench_throughput.py

Turns a second of the engine alone, of the classifier, and scripted episodes through the workflow: 23 characters, 20
samples each.
"""

from __future__ import annotations

import asyncio
import time
from random import Random

from dtomtrack.scenarios.persuasion_npc.arguments import APPEALS
from dtomtrack.scenarios.persuasion_npc.pack_files import builtin_packs
from dtomtrack.scenarios.placeholders import fill
from dtomtrack.suites.rhetbench.classifier import classify
from dtomtrack.suites.rhetbench.npc import TURN_LIMIT, opening_state, step
from dtomtrack.suites.rhetbench.persuaders import ScriptedPersuader, scripted_lines
from dtomtrack.suites.rhetbench.planning import PlayConfig, episode_config
from dtomtrack.suites.rhetbench.playing import play_episode
from dtomtrack.suites.rhetbench.random_minds import mind_of
from dtomtrack.suites.rhetbench.rules import load_rules

_EPISODES = 4_000
_SAMPLES = 20


def engine() -> float:
    """Turns a second without words."""
    rules, rng = load_rules(), Random(0)
    minds = [mind_of(pack.mind) for pack in builtin_packs()]
    heard = [[rng.choice(APPEALS) for _ in range(TURN_LIMIT)] for _ in range(_EPISODES)]
    start = time.perf_counter()
    for number, classes in enumerate(heard):
        mind = minds[number % len(minds)]
        state = opening_state(mind)
        for one in classes:
            state = step(rules, mind, state, one).state
    return _EPISODES * TURN_LIMIT / (time.perf_counter() - start)


def classifier() -> float:
    """Different messages a second."""
    messages = [
        fill(line, pack.placeholders)
        for pack in builtin_packs()
        for lines in scripted_lines().values()
        for line in lines
    ]
    classify.cache_clear()
    start = time.perf_counter()
    for message in messages:
        classify(message)
    return len(messages) / (time.perf_counter() - start)


async def workflow(policy: str) -> tuple[int, float]:
    """Turns and seconds of computing of 460 episodes: other work on the machine doesn't count."""
    packs, play = builtin_packs(), PlayConfig(samples=_SAMPLES)
    start, turns = time.process_time(), 0
    for index in range(len(packs) * _SAMPLES):
        pack, config = episode_config(play, packs, index)
        episode = await play_episode(ScriptedPersuader(policy, pack, config), f"policy/{policy}", pack, config, index)
        turns += len(episode.turns)
    return turns, time.process_time() - start


def main() -> None:
    """Print all three."""
    print(f"engine: {engine():,.0f} turns a second on one core (>= 20,000)")
    print(f"classifier: {classifier():,.0f} messages a second")
    for policy in ("first-positive", "cycle", "random"):
        turns, seconds = asyncio.run(workflow(policy))
        print(f"workflow, {policy}: 23 x {_SAMPLES} episodes, {turns} turns in {seconds:.1f} s of one core (<= 15)")


if __name__ == "__main__":
    main()
