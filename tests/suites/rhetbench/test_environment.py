"""The Gymnasium environments keep Gymnasium's rules, and are the engine that episodes are played with."""

from __future__ import annotations

import re
from pathlib import Path

import gymnasium
import numpy as np
import pytest
from commands import script
from gymnasium.utils.env_checker import check_env

from dtomtrack.errors import InputError
from dtomtrack.scenarios.persuasion_npc.arguments import APPEALS, ArgumentClass
from dtomtrack.scenarios.persuasion_npc.pack_files import builtin_pack
from dtomtrack.suites.rhetbench.environment import RhetBenchText, RhetBenchTypes
from dtomtrack.suites.rhetbench.npc import opening_state, step
from dtomtrack.suites.rhetbench.planning import PlayConfig
from dtomtrack.suites.rhetbench.random_minds import mind_of
from dtomtrack.suites.rhetbench.rules import load_rules

MODULE = "dtomtrack.suites.rhetbench.environment"


@pytest.mark.parametrize("name", ["RhetBenchTypes-v1", "RhetBenchText-v1"])
def test_gymnasium_finds_nothing_wrong(name: str) -> None:
    # warnings are errors in these tests
    check_env(gymnasium.make(f"{MODULE}:{name}").unwrapped)


def test_texts_are_refused_in_shared_memory_and_go_without() -> None:
    name, mode = f"{MODULE}:RhetBenchText-v1", "async"
    with pytest.raises(ValueError, match="shared_memory=False"):
        gymnasium.make_vec(name, num_envs=1, vectorization_mode=mode)
    envs = gymnasium.make_vec(name, 1, mode, vector_kwargs={"shared_memory": False, "context": "spawn"})
    try:
        seen, _ = envs.reset(seed=0)
    finally:
        envs.close()
    alone, _ = gymnasium.make(name).reset(seed=0)
    assert seen["briefing"] == (alone["briefing"],)


def test_the_same_seed_meets_the_same_characters() -> None:
    env = RhetBenchTypes()
    first = [env.reset(seed=3)[1]["scenario"], *(env.reset()[1]["scenario"] for _ in range(5))]
    again = [env.reset(seed=3)[1]["scenario"], *(env.reset()[1]["scenario"] for _ in range(5))]
    assert first == again
    assert len(set(first)) > 1


def test_rewards_are_what_the_engine_moves() -> None:
    env, mind, rules = RhetBenchTypes(), mind_of(builtin_pack("needle_finder").mind), load_rules()
    env.reset(options={"scenario": "needle_finder"})
    state = opening_state(mind)
    for action in (0, 4, 4, 4, 4, 4):
        outcome = step(rules, mind, state, APPEALS[action])
        state = outcome.state
        seen, reward, over, truncated, info = env.step(np.int64(action))
        assert (reward, over, truncated, info["won"]) == (outcome.delta, outcome.over, False, outcome.won)
        if over:
            break
    assert info["won"]
    assert np.asarray(seen["heard"]).tolist() == [2, 0, 0, 0, 3, 0]


def test_an_episode_is_cut_off_after_its_turns() -> None:
    env = RhetBenchText(play=PlayConfig(turns=2))
    env.reset(seed=0)
    assert env.step("Nothing further to add, I am afraid.")[2:4] == (False, False)
    seen, _, over, truncated, _ = env.step("Nothing further to add, I am afraid.")
    assert (over, truncated, int(seen["turns_left"])) == (False, True, 0)


def test_a_message_is_heard_as_in_an_episode_and_nothing_hidden_is_shown() -> None:
    env = RhetBenchText("needle_finder")
    first, info = env.reset(seed=1)
    assert info == {"scenario": "needle_finder"}
    seen, reward, _, _, info = env.step("A friend of mine told me how she did it, one rainy morning.")
    assert info == {"won": False, "walked_out": False, "heard_as": ArgumentClass.ANECDOTE}
    assert reward == pytest.approx(builtin_pack("needle_finder").mind.profile[ArgumentClass.ANECDOTE])
    assert "agreement" not in str((first, seen, info))


def test_what_can_not_be_done_is_told() -> None:
    for turns in (0, -3):
        with pytest.raises(InputError, match="from 1 to 200"):
            RhetBenchTypes(turns=turns)
    types, text = RhetBenchTypes(), RhetBenchText()
    with pytest.raises(InputError, match="call reset first"):
        types.step(np.int64(0))
    with pytest.raises(InputError, match="call reset first"):
        text.step("Hello")
    types.reset(seed=0)
    text.reset(seed=0)
    with pytest.raises(InputError, match="outside of the action space, 0 to 5"):
        types.step(np.int64(6))
    with pytest.raises(InputError, match="no text of at most 100,000 characters"):
        text.step("x" * 1_000_000)
    with pytest.raises(InputError, match="no scenario 'nobody' in this environment"):
        types.reset(options={"scenario": "nobody"})


def test_the_example_learns_to_find_out_what_works(tmp_path: Path) -> None:
    done = script(Path(__file__).parents[3] / "examples" / "learn_to_persuade.py", tmp_path)
    assert (done.returncode, done.stderr, list(tmp_path.iterdir())) == (0, "", [])
    (share,) = re.findall(r"\((\d\.\d\d)\)", done.stdout)
    assert float(share) >= 0.95
