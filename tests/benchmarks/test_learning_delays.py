"""The weights of wrong turns are those by which right ones lie behind a change."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from learning_delays import fitted, learnt

from dtomtrack import generate
from dtomtrack.beliefs.questions.about_learning import part_of

TURNS = 300


def test_weights_are_found_again() -> None:
    rng, weights = Random(3), [0.5, 1.0, 3.0, 2.0, 1.0, 0.5, 0.5, 0.2, 0.1, 0.1, 0.1, 0.05]
    rows = []
    for _ in range(4000):
        change = rng.randrange(20, 200)
        behind = list(range(change + 1, TURNS - 2))
        turn = rng.choices(behind, [weights[part_of(one - change, TURNS)] for one in behind])[0]
        rows.append((change, turn, TURNS))
    found = fitted(rows)
    scale = sum(weights) / sum(found)
    assert [one * scale for one in found][1:6] == pytest.approx(weights[1:6], rel=0.15)


def test_answers_are_read_from_a_dataset(tmp_path: Path) -> None:
    generate("team", n=12, out=tmp_path / "out", difficulty="group")
    rows = list(learnt(tmp_path / "out"))
    assert rows
    assert all(change < turn < turns == 24 for change, turn, turns in rows)
