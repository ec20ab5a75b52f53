"""A model's thought that knows too much is asked for again, and counted from the turn to the manifest."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from loopback import Answer, Loopback, Request, completion
from performer import perform, perform_text

from dtomtrack import generate
from dtomtrack.beliefs.dialogue import Dialogue
from dtomtrack.beliefs.inner_speech import second_order
from dtomtrack.beliefs.scenario import Scenario
from dtomtrack.llm.chat import CallKey
from dtomtrack.runs.lines import read_lines
from dtomtrack.runs.slots import attempt_unit, slot_at
from dtomtrack.scenarios.difficulty import Difficulty
from dtomtrack.scenarios.domain import Domain
from dtomtrack.scenarios.sampler import sample_scenario

N, TURN = 3, 2
FIRST_TRIES = {CallKey(attempt_unit(slot, 0), f"turn {TURN}", 0).seed(0): slot for slot in range(N)}
"""By the seed that a request carries, the slot whose turn it asks for."""


@pytest.fixture(scope="module")
def known_to_nobody(restaurant: Domain) -> list[str]:
    """By slot, a thought of who speaks at a turn about what the other has not said by then."""
    slots = [slot_at(0, index, ["restaurant"]) for index in range(N)]
    return [_thought(sample_scenario(restaurant.pack, slot, 0, 10, Difficulty()).scenario) for slot in slots]


def _thought(scenario: Scenario) -> str:
    other = scenario.others(scenario.speaker(TURN))[0]
    topic = next(one for one in scenario.topics if one.holder == other)
    return second_order(other, topic.mental_state, topic.values[-1], topic.id).text


def test_a_thought_that_knows_too_much_is_asked_for_again_and_counted(
    known_to_nobody: list[str], tmp_path: Path
) -> None:
    def overreaching(request: Request) -> Answer:
        slot = FIRST_TRIES.get(request["seed"])
        if slot is None:
            return perform(request)
        turn = json.loads(perform_text(request))
        turn["thought"] += f" {known_to_nobody[slot]}"
        return completion(json.dumps(turn))

    with Loopback(overreaching) as server:
        manifest = generate(
            "restaurant", n=N, out=tmp_path / "out", actor_model="vllm/stand-in", base_url=server.base_url
        )
    kept = list(read_lines(tmp_path / "out" / "dialogues.jsonl", Dialogue))
    assert [one.provenance.attempt for one in kept] == [0] * N
    assert [one.provenance.overreaching for one in kept] == [1] * N
    assert manifest.counts.totals["overreaching"] == N
    # asked once more each
    assert server.count == N * len(kept[0].turns) + N
    for slot, one in enumerate(kept):
        assert known_to_nobody[slot] not in {thought.text for thought in one.turns[TURN].inner_speech}
