"""Learn to find out what works: tabular Q-learning through the Gymnasium environment (extra ``gym``).

    python examples/learn_to_persuade.py [EPISODES]

It learns on fresh characters and is tried on the suite's, which it has never met: what it has learnt is to find out.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from random import Random

try:
    import numpy as np

    from dtomtrack.suites.rhetbench.environment import RhetBenchTypes, TypesObservation
except ImportError:
    sys.exit("this example needs an extra: pip install 'dtomtrack[gym]', or in a clone pip install -e '.[gym]'")

from dtomtrack.scenarios.persuasion_npc.pack_files import builtin_packs

RATE, DISCOUNT, EXPLORES, WIN = 0.1, 0.95, 0.2, 1.0
ACTIONS = 6
TRAINED_ON = "fresh:400:1"


def state_of(seen: TypesObservation) -> bytes:
    """What decides: the latest tone that each class has drawn."""
    return np.asarray(seen["heard"], dtype=np.int8).tobytes()


def learn(episodes: int) -> dict[bytes, list[float]]:
    """How much is to be expected of each class in each state."""
    values: dict[bytes, list[float]] = defaultdict(lambda: [0.0] * ACTIONS)
    env, rng = RhetBenchTypes(TRAINED_ON), Random(0)  # noqa: S311
    env.reset(seed=0)
    for _ in range(episodes):
        state, over = state_of(env.reset()[0]), False
        while not over:
            best = max(range(ACTIONS), key=lambda one: values[state][one])
            action = rng.randrange(ACTIONS) if rng.random() < EXPLORES else best
            seen, reward, terminated, truncated, info = env.step(np.int64(action))
            after, over = state_of(seen), terminated or truncated
            future = WIN if info["won"] else 0.0 if over else max(values[after])
            values[state][action] += RATE * (reward + DISCOUNT * future - values[state][action])
            state = after
    return values


def turns_to_win(values: dict[bytes, list[float]], scenario: str) -> int | None:
    """The turn at which a character is won over; None if it isn't."""
    env = RhetBenchTypes()
    state, turn = state_of(env.reset(seed=0, options={"scenario": scenario})[0]), 0
    while True:
        turn += 1
        action = max(range(ACTIONS), key=lambda one: values[state][one])
        seen, _, terminated, truncated, info = env.step(np.int64(action))
        if terminated or truncated:
            return turn if info["won"] else None
        state = state_of(seen)


def main(episodes: int) -> None:
    """Print how many of the suite's characters are won over, and when."""
    values = learn(episodes)
    turns = [turns_to_win(values, pack.id) for pack in builtin_packs()]
    won = [one for one in turns if one is not None and one <= 12]
    share = len(won) / len(turns)
    print(f"{len(values)} states; {len(won)} of {len(turns)} unseen characters won by turn 12 ({share:.2f})")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 30_000)
