"""Files of the published project, written here with numbers of our own: scenarios, and exports of runs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from pydantic import JsonValue

from dtomtrack.errors import InputError
from dtomtrack.scenarios.persuasion_npc.arguments import ArgumentClass
from dtomtrack.suites.rhetbench.npc import opening_state, step
from dtomtrack.suites.rhetbench.published import compare, read_clone_minds, read_episodes, read_run
from dtomtrack.suites.rhetbench.rules import load_rules

RECORDED = Path(__file__).parent / "recorded_episodes.json"
"""Figures of ten published episodes (github.com/evanly-gh/Sweccathon-2026, showcase/data), without their texts."""
RULES = load_rules("published")
SCENARIO: dict[str, JsonValue] = {
    "id": "planted",
    "topic": "is not read",
    "starting_agreement": -0.5,
    "threshold": 0.3,
    "repetition_penalty": 0.1,
    "resistance_profile": {"LOGICAL": 0.25, "EMOTIONAL": 0.05, "GENERIC": 0.02},
}
CLASSES = ("EMOTIONAL", "EMOTIONAL", "LOGICAL", "GENERIC", "LOGICAL")


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A clone with one scenario."""
    (tmp_path / "scenarios").mkdir()
    (tmp_path / "scenarios" / "planted.json").write_text(json.dumps(SCENARIO), encoding="utf-8")
    return tmp_path


def export(clone: Path, scenario: str = "planted") -> Path:
    """A run of an episode and of one that failed at once; numbers are texts, rounded, as in published ones."""
    mind = read_clone_minds(clone)["planted"].mind()
    state, steps = opening_state(mind), list[JsonValue]()
    for heard in CLASSES:
        outcome = step(RULES, mind, state, ArgumentClass(heard))
        state = outcome.state
        info: JsonValue = {
            "scenario_id": scenario,
            "argument_type": heard,
            "agreement": str(round(state.agreement, 4)),
            "rapport": str(round(state.rapport, 4)),
            "won": str(int(outcome.won)),
            "closed": str(int(outcome.walked_out)),
            "npc_response": "is not read",
        }
        steps.append({"step": state.turn, "info": info})
    episodes: JsonValue = [
        {"id": "one", "seed": 3, "status": "completed"},
        {"id": "two", "seed": 4, "status": "failed"},
    ]
    run: JsonValue = {"id": "r1", "config": {"agent_config": {"model": "some/model"}}}
    path = clone / "run.json"
    replay: JsonValue = {"one": [*steps, {"step": 6}], "two": [{"step": 1}]}
    path.write_text(json.dumps({"run": run, "episodes": episodes, "replay": replay}), encoding="utf-8")
    return path


def test_turns_of_an_export_agree_with_the_engine_and_failed_calls_are_no_turns(clone: Path) -> None:
    (episode,) = read_run(export(clone), read_clone_minds(clone))
    assert (episode.subject, episode.seed, len(episode.turns)) == ("some/model", 3, len(CLASSES))
    assert list(compare(RULES, episode)) == []


def test_an_edited_turn_is_found(clone: Path) -> None:
    path = export(clone)
    data = json.loads(path.read_text(encoding="utf-8"))
    data["replay"]["one"][2]["info"]["agreement"] = "0.5"
    path.write_text(json.dumps(data), encoding="utf-8")
    (episode,) = read_run(path, read_clone_minds(clone))
    assert [(one.turn, one.field) for one in compare(RULES, episode)] == [(3, "agreement")]


def test_truncated_and_foreign_exports_are_refused_in_a_sentence(clone: Path) -> None:
    minds, path = read_clone_minds(clone), export(clone)
    with pytest.raises(InputError, match="is of scenario 'other', not known here"):
        read_run(export(clone, "other"), minds)
    path.write_text(path.read_text(encoding="utf-8")[:200], encoding="utf-8")
    with pytest.raises(InputError, match=r"run\.json: is no run export of RhetBench"):
        read_run(path, minds)
    path.write_text("{}", encoding="utf-8")
    with pytest.raises(InputError, match=r"is no run export of RhetBench: run: is missing"):
        read_run(path, minds)
    data = json.loads(export(clone).read_text(encoding="utf-8"))
    path.write_text(json.dumps({**data, "replay": {"one": [], "two": []}}), encoding="utf-8")
    with pytest.raises(InputError, match="has no turns in it"):
        read_run(path, minds)
    with pytest.raises(InputError, match="is no clone of the published project"):
        read_clone_minds(clone / "scenarios")


def test_every_turn_of_the_recorded_episodes_is_what_the_engine_makes_of_its_class() -> None:
    episodes = read_episodes(RECORDED)
    assert sum(len(one.turns) for one in episodes) == 124
    assert [found for one in episodes for found in compare(RULES, one)] == []
