"""Our engine against published figures.

    python benchmarks/rhetbench_parity.py EPISODES.json PARAMETERS.json [SEEDS]
    python benchmarks/rhetbench_parity.py CLONE RUN.json [RUN.json ...]

EPISODES holds recorded episodes (class, agreement, rapport, won, closed by turn), PARAMETERS the published hidden
parameters. Beside the win rates stand those that were measured on the published code. CLONE is a clone of the published
project, RUN an export of a run in it (showcase/data). Scenarios were changed between runs, so the clone has to be as it
was at the run's time: for the runs ee0e1b66 and 99de3378, commit a707058. Exit status 1 if a recorded turn disagrees.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random

from dtomtrack.errors import InputError
from dtomtrack.scenarios.persuasion_npc.arguments import APPEALS, ArgumentClass, Tone
from dtomtrack.suites.rhetbench.npc import TURN_LIMIT, Mind, opening_state, step
from dtomtrack.suites.rhetbench.published import (
    PublishedEpisode,
    compare,
    read_clone_minds,
    read_episodes,
    read_minds,
    read_run,
)
from dtomtrack.suites.rhetbench.rules import load_rules
from dtomtrack.suites.rhetbench.simulation import AS_MEANT, Played, simulate, win_rate

_RULES = load_rules("published")
_TURNS = (8, 10, 25)
# by turns 8, 10 and 25, and the mean of turns 1 to 25; classes heard as they were meant
_MEASURED = {
    "oracle": (0.92, 1.00, 1.00, 0.855),
    "first-positive": (0.75, 0.88, 1.00, 0.763),
    "cycle": (0.25, 0.42, 0.71, 0.472),
    "random": (0.28, 0.41, 0.58, 0.399),
}
_MISHEARD = {ArgumentClass.CONCESSION: ArgumentClass.GENERIC}
"""The published classifier strips the published baseline's own concession as politeness."""
_MEASURED_MISHEARD = {"do-nothing": 0.0, "random": 0.396, "cycle": 0.500, "adaptive": 0.400}
_CUED = {None: 0.375, Tone.POSITIVE: 0.506, Tone.NEUTRAL: 0.384, Tone.RESISTANT: 0.074}
"""How often the published adaptive baseline takes a reply of a tone (None: the opening) for a positive one: its ten cue
words, counted over 480 of its episodes against the published environment."""
_USES = 2
_MEASURED_ONLY = dict(zip(APPEALS, (9, 5, 1, 2, 8, 7), strict=True))


def clone(path: Path, runs: Sequence[Path]) -> int:
    """Print for each run how many of its turns agree."""
    minds, wrong = read_clone_minds(path), 0
    for run in runs:
        print(run.name, end=": ")
        wrong += _parity(read_run(run, minds))
    return 1 if wrong else 0


def main(episodes: Path, parameters: Path, seeds: int) -> int:
    """Print both, and whether every recorded turn agrees."""
    wrong = _parity(read_episodes(episodes))
    minds = read_minds(parameters)
    print(f"\nwon by turn 8 / 10 / 25 and mean of 1 to 25, {len(minds)} parameter sets, {seeds} seeds (measured)")
    for policy, measured in _MEASURED.items():
        played = _play(minds, policy, seeds, AS_MEANT)
        curve = [win_rate(played, turn) for turn in range(1, 26)]
        ours = (*(win_rate(played, turn) for turn in _TURNS), sum(curve) / len(curve))
        print(f"  {policy:<16}" + "".join(f"{one:8.3f} ({two:.3f})" for one, two in zip(ours, measured, strict=True)))
    print("won by turn 25, concessions heard as nothing, as the published classifier does:")
    for policy, rate in _MEASURED_MISHEARD.items():
        print(f"  {policy:<24}{win_rate(_play(minds, policy, seeds, _MISHEARD), 25):.3f} ({rate:.3f})")
    print(f"  adaptive, by cue words  {_by_cue_words(minds, seeds):.3f} ({_MEASURED_MISHEARD['adaptive']:.3f})")
    print("won by one class for ever, of 24:")
    for one, wins in _MEASURED_ONLY.items():
        print(f"  {one:<16}{win_rate(_play(minds, f'only-{one.lower()}', 1, AS_MEANT), 25) * len(minds):8.0f} ({wins})")
    return 1 if wrong else 0


def _by_cue_words(minds: Mapping[str, Mind], seeds: int) -> float:
    """The win rate of the adaptive baseline with the published one's reading of tones."""
    wins = [_cued(mind, Random(f"{name}/{seed}")) for name, mind in minds.items() for seed in range(seeds)]
    return sum(wins) / len(wins)


def _cued(mind: Mind, rng: Random) -> bool:
    state, said, tone, uses = opening_state(mind), 0, None, [0] * len(APPEALS)
    for _ in range(TURN_LIMIT):
        if rng.random() >= _CUED[tone] or uses[said] >= _USES:
            said = (said + 1) % len(APPEALS)
        uses[said] += 1
        outcome = step(_RULES, mind, state, _MISHEARD.get(APPEALS[said], APPEALS[said]))
        state, tone = outcome.state, outcome.tone
        if outcome.over:
            return outcome.won
    return False


def _parity(episodes: Sequence[PublishedEpisode]) -> int:
    turns = wrong = 0
    for episode in episodes:
        turns += len(episode.turns)
        disagreements = list(compare(_RULES, episode))
        wrong += len({one.turn for one in disagreements})
        for one in disagreements[:1]:
            print(f"{episode.run} {episode.scenario}: turn {one.turn}: {one.field} {one.recorded}, here {one.computed}")
    print(f"{turns - wrong} of {turns} recorded turns agree")
    return wrong


def _play(
    minds: Mapping[str, Mind], policy: str, seeds: int, heard_as: Mapping[ArgumentClass, ArgumentClass]
) -> list[Played]:
    return [
        simulate(_RULES, mind, policy, f"{name}/{seed}", heard_as=heard_as)
        for name, mind in minds.items()
        for seed in range(seeds)
    ]


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    first, *others = map(Path, sys.argv[1:])
    try:
        if first.is_dir():
            sys.exit(clone(first, others))
        sys.exit(main(first, others[0], int(sys.argv[3]) if len(sys.argv) > 3 else 20))
    except InputError as error:
        print(error, file=sys.stderr)
        sys.exit(2)
