"""Difficulty: each dial does what it says, and the same dials give the same dialogues."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from dtomtrack import Difficulty, InputError, generate
from dtomtrack.runs.slots import slot_at
from dtomtrack.scenarios.difficulty import PRESETS
from dtomtrack.scenarios.domain import Domain
from dtomtrack.scenarios.sampler import sample_scenario
from dtomtrack.scenarios.script import DirectedScenario, Move
from dtomtrack.scenarios.structure import Structure, structure_of
from dtomtrack.suites.dtom.config import RunConfig
from dtomtrack.suites.generation.model_config import ModelConfig

PAPER = Difficulty()


def drawn(domain: Domain, difficulty: Difficulty, turns: int = 12, count: int = 40) -> list[DirectedScenario]:
    slots = [slot_at(4, index, [domain.pack.name]) for index in range(count)]
    return [sample_scenario(domain.pack, slot, 0, turns, difficulty) for slot in slots]


def structures(difficulty: Difficulty, turns: int) -> list[Structure]:
    return [structure_of(slot_at(4, index, ["x"]), turns, difficulty) for index in range(0, 400, 4)]


def moves(scenarios: list[DirectedScenario], move: Move) -> int:
    return sum(one.move is move for directed in scenarios for here in directed.script for one in here)


def with_dials(**dials: Any) -> Difficulty:
    return Difficulty.model_validate(dials)


SHARES: dict[str, tuple[dict[str, Any], Move]] = {
    "question_share": ({"question_share": 0.0}, Move.WONDER),
    "quiz_share": ({"quiz_share": 0.0}, Move.ASK),
    "evasive_question_share": ({"evasive_question_share": 0.0}, Move.NEITHER),
    "early_reason_share": ({"early_reason_share": 0.0, "correction_share": 1.0}, Move.PONDER),
    "contest_share": ({"contest_share": 0.0}, Move.STAY),
    "contestable": ({"contestable": ()}, Move.STAY),
    "acceptance_share": ({"acceptance_share": 0.0}, Move.ACCEPT),
    "acknowledgement_share": ({"acknowledgement_share": 0.0}, Move.ACKNOWLEDGE),
    "small_talk_share": ({"small_talk_share": 0.0}, Move.SMALL_TALK),
    "correction_share": ({"correction_share": 0.0}, Move.CORRECT),
}


@pytest.mark.parametrize("dial", SHARES)
def test_a_share_of_nothing_leaves_less_or_nothing(dial: str, restaurant: Domain) -> None:
    dials, move = SHARES[dial]
    usual, without = (moves(drawn(restaurant, one), move) for one in (PAPER, with_dials(**dials)))
    assert without == 0 < usual


def test_updates_are_as_many_as_their_weights_allow() -> None:
    assert {one.updates for one in structures(PAPER, 10)} == {1, 2, 3}
    assert {one.updates for one in structures(with_dials(update_weights=[0, 0, 0, 0, 1]), 30)} == {5}
    assert {one.updates for one in structures(with_dials(update_weights=[0, 0, 1]), 6)} == {1}


def test_topics_are_as_many_as_the_turns_have() -> None:
    assert [PAPER.topics_in(turns) for turns in (6, 7, 8, 9, 10, 13, 14, 30, 41, 42, 60)] == [
        2, 2, 3, 3, 4, 4, 5, 9, 11, 12, 12,
    ]  # fmt: skip
    many = with_dials(topics_by_turns=[[0, 1], [10, 8]])
    assert [many.topics_in(turns) for turns in (6, 9, 10, 60)] == [1, 1, 8, 8]


def test_minds_change_back_as_often_as_they_may() -> None:
    assert not any(one.changes_back for one in structures(with_dials(change_back_share=0), 10))
    always = structures(with_dials(change_back_share=1), 10)
    assert all(one.changes_back == (one.updates > 1) for one in always)
    assert not any(one.changes_back for one in structures(with_dials(change_back_share=1), 7))


def test_only_states_that_may_change_back_do(domains: dict[str, Domain]) -> None:
    emotional = with_dials(change_back_share=1, can_change_back=["emotion"])
    returns = [
        update
        for directed in drawn(domains["medical"], emotional)
        for update in directed.scenario.updates
        if sum(one.topic == update.topic for one in directed.scenario.updates) > 1
    ]
    assert returns
    assert {update.mental_state.value for update in returns} == {"emotion"}


def test_how_it_sounds_is_a_dial(tmp_path: Path) -> None:
    plain = Difficulty(manner_share=0, lead_in_share=0, against_share=0)
    usual, curt = (
        generate("restaurant", n=8, out=tmp_path / name, difficulty=difficulty)
        for name, difficulty in (("usual", PAPER), ("curt", plain))
    )
    assert usual.counts.dialogues == curt.counts.dialogues == 8
    sizes = [len((tmp_path / name / "dialogues.jsonl").read_bytes()) for name in ("usual", "curt")]
    assert sizes[1] < sizes[0]


def test_the_difficulty_stands_in_the_configuration_and_decides_the_bytes(tmp_path: Path) -> None:
    dials = PRESETS["paper"].model_copy(update={"aside_share": 0.0})
    manifest = generate("restaurant", n=8, out=tmp_path / "first", difficulty=dials)
    assert RunConfig.model_validate(manifest.config).difficulty == dials
    generate("restaurant", n=8, out=tmp_path / "second", difficulty=dials)
    generate("restaurant", n=8, out=tmp_path / "usual")
    first, second, usual = ((tmp_path / name / "dialogues.jsonl").read_bytes() for name in ("first", "second", "usual"))
    assert first == second != usual
    with pytest.raises(InputError, match=r"holds another run \(aside share 0.0 there, 0.9 here\)"):
        generate("restaurant", n=9, out=tmp_path / "first")


@pytest.mark.parametrize(
    ("dials", "why"),
    [
        ({"topics_by_turns": [[8, 3], [6, 2]]}, "topics_by_turns has to go up in turns"),
        ({"topics_by_turns": []}, "topics_by_turns"),
        ({"update_weights": [0, 0]}, "update_weights are all 0"),
        ({"update_weights": []}, "update_weights"),
        ({"aside_share": 1.5}, "aside_share"),
        ({"weighty_moves_a_turn": 3}, "weighty_moves_a_turn"),
        ({"loudness": 0.5}, "loudness"),
    ],
)
def test_a_dial_out_of_range_is_refused(dials: dict[str, Any], why: str) -> None:
    with pytest.raises(ValidationError, match=why):
        Difficulty.model_validate(dials)


def test_actors_that_do_one_thing_at_a_time_get_one_thing_a_turn() -> None:
    def config(**models: Any) -> RunConfig:
        return RunConfig(domains=("restaurant",), packs={}, models=ModelConfig(**models))

    assert config(actor="vllm/x", actor_style="two-call").played_difficulty.one_thing_a_turn
    assert config(actor="vllm/x").played_difficulty == PAPER
    assert config(verifier="vllm/x", actor_style="two-call").played_difficulty == PAPER
    assert RunConfig(domains=("restaurant",), packs={}).played_difficulty == PAPER
