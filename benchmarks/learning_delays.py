"""How long after a change those who missed it come to know of it: weights for the turns that are wrong.

    python benchmarks/learning_delays.py FOLDER...      datasets of one preset, from `dtomtrack generate`

A weight is that of each turn of a part of the dialogue (`dtomtrack.beliefs.questions.about_learning`), so that of the
turns behind a change each is as likely the right one as its weight says: a conditional logit, fitted by
minorization-maximization (Hunter, 2004).
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from dtomtrack.beliefs.dialogue import Dialogue
from dtomtrack.beliefs.question import Question
from dtomtrack.beliefs.questions.about_learning import FAREWELLS, SELDOM, part_of
from dtomtrack.runs.lines import read_lines

PARTS, ROUNDS, TOGETHER = 12, 60, 10.5
"""Weights of a length, rounds of fitting, and what the weights come to."""
Learnt = tuple[int, int, int]
"""The turn of a change, that at which somebody came to know of it, and how many turns there are."""


def learnt(folder: Path) -> Iterator[Learnt]:
    """What the questions on learning of a dataset have for their answers, where it is a turn."""
    turns = {one.id: len(one.turns) for one in read_lines(folder / "dialogues.jsonl", Dialogue)}
    for one in read_lines(folder / "questions.jsonl", Question):
        turn = one.gold.removeprefix("At turn ")
        if one.factors.asks == "learnt" and one.turn is not None and turn.isdigit():
            yield one.turn, int(turn), turns[one.dialogue_id]


def fitted(rows: Sequence[Learnt]) -> list[float]:
    """The weights."""
    right = Counter(part_of(turn - change, turns) for change, turn, turns in rows)
    there = [_turns_there(change, turns) for change, _, turns in rows]
    weights = [1.0] * PARTS
    for _ in range(ROUNDS):
        expected = [0.0] * PARTS
        for parts in there:
            total = sum(weight * number for weight, number in zip(weights, parts, strict=True))
            for at, number in enumerate(parts):
                expected[at] += number / total
        weights = [right[at] / one if one else 0.0 for at, one in enumerate(expected)]
        scale = TOGETHER / sum(weights)
        weights = [weight * scale for weight in weights]
    return weights


def _turns_there(change: int, turns: int) -> list[float]:
    """How many turns of each part there are behind a change; those of the farewells count little."""
    parts = [0.0] * PARTS
    for turn in range(change + 1, turns):
        parts[part_of(turn - change, turns)] += SELDOM if turn >= turns - FAREWELLS else 1.0
    return parts


def main() -> int:
    arguments = argparse.ArgumentParser(description="Weights for wrong turns of questions on learning.")
    arguments.add_argument("folders", nargs="+", type=Path)
    rows = [row for folder in arguments.parse_args().folders for row in learnt(folder)]
    print(f"{len(rows):,} answers: {', '.join(f'{weight:.2f}' for weight in fitted(rows))}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
