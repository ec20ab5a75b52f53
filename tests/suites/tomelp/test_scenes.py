"""Scenes: gold states and strategies hold by construction, and packs that can't give them are refused."""

from __future__ import annotations

from collections import Counter
from importlib import resources
from pathlib import Path

import pytest
from route_plays import scenes

from dtomtrack.auditing import audit_benchmark
from dtomtrack.errors import DatasetError, InputError, PackError
from dtomtrack.items.words import stems
from dtomtrack.runs.lines import read_lines
from dtomtrack.runs.slots import slot_at
from dtomtrack.scenarios.route.pack_files import builtin_topics, find_topics, read_topic
from dtomtrack.scenarios.route.sampler import scene_states
from dtomtrack.scenarios.route.state import SceneState
from dtomtrack.scenarios.route.terms import CUE_TYPES, PERSONAS
from dtomtrack.suites.generating import GenerationRequest, generating_suite

PACK = (resources.files("dtomtrack.scenarios.route") / "packs" / "solar_roof.yaml").read_text(encoding="utf-8")


def drawn(n: int, seed: int = 0) -> list[tuple[SceneState, ...]]:
    topics = builtin_topics()
    slots = [slot_at(seed, index, list(topics)) for index in range(n)]
    return [scene_states(topics[slot.domain], slot, slot.index % len(topics)) for slot in slots]


def test_there_are_eight_topics_and_each_is_sound() -> None:
    assert len(builtin_topics()) >= 8


@pytest.mark.parametrize("seed", [0, 7])
def test_every_state_is_whole(seed: int) -> None:
    for scene in drawn(60, seed):
        assert 1 <= len(scene) <= 7
        for number, state in enumerate(scene):
            assert len(state.history) == 2 * number + 2
            assert (state.history[0].role, state.history[-1].role) == ("persuader", "persuadee")
            assert state.resources is not None
            assert len(state.resources.facts) == 6
            assert len(state.resources.counterpoints) == 3
            assert set(state.resources.cues) == set(CUE_TYPES)
            assert {state.concern} & {name for one in state.resources.counterpoints for name in one.concerns}


def test_scenes_have_1_to_7_states_like_those_of_persuasivetom() -> None:
    lengths = Counter(len(scene) for scene in drawn(96))
    assert set(lengths) == {1, 2, 3, 4, 5, 6, 7}
    assert 3.5 <= sum(length * count for length, count in lengths.items()) / 96 <= 4.5


def test_no_line_is_said_twice_in_a_scene() -> None:
    for scene in drawn(96):
        lines = [line.text for line in scene[-1].history]
        assert len(set(lines)) == len(lines)


def test_the_right_strategy_answers_the_doubt_and_was_not_tried() -> None:
    topics = builtin_topics()
    for scene in drawn(48):
        for state in scene:
            pack = topics[state.topic]
            for persona in PERSONAS:
                choice = state.choices[persona]
                by_role = dict(zip(choice.roles, choice.options, strict=True))
                answers = {one.name: getattr(one, persona) for one in pack.strategies}
                lines = {one.name: one.lines for one in pack.strategies}
                said = " ".join(line.text for line in state.history if line.role == "persuader")
                assert answers[choice.answer] == state.concern == answers[by_role["already_used"]]
                assert not any(line in said for line in lines[choice.answer])
                assert any(line in said for line in lines[by_role["already_used"]])
                assert answers[by_role["other_persona"]] != state.concern
                assert answers[by_role["other_concern"]] != state.concern


def test_letters_are_balanced() -> None:
    golds = Counter(choice.gold for scene in drawn(60) for state in scene for choice in state.choices.values())
    assert all(0.23 <= count / golds.total() <= 0.27 for count in golds.values())


def test_no_rule_finds_strategies_without_the_dialogue(tmp_path: Path) -> None:
    found = audit_benchmark(scenes(tmp_path / "scenes", 60), by_group=False)
    worst = max((row for row in found.rows if not row.reads_context), key=lambda row: row.accuracy.value or 0.0)
    assert worst.accuracy.value is not None
    assert worst.accuracy.value <= 0.30, worst


def test_noise_shares_no_content_word_with_the_scene() -> None:
    for scene in drawn(48):
        told = frozenset[str]().union(*(stems(line.text) for line in scene[-1].history), stems(scene[0].background))
        assert not stems(scene[0].noise) & told


def test_the_same_seed_gives_the_same_bytes(tmp_path: Path) -> None:
    one, other = scenes(tmp_path / "one", 6), scenes(tmp_path / "other", 6)
    for name in ("states.jsonl", "questions.jsonl", "dialogues.jsonl"):
        assert (one / name).read_bytes() == (other / name).read_bytes()
    assert [state.id for state in read_lines(one / "states.jsonl", SceneState)][:2] == ["0-0", "0-2"]


def test_topics_in_another_order_are_another_run(tmp_path: Path) -> None:
    scenes(tmp_path, 1, topics="bike_commute,car_sharing")
    with pytest.raises(DatasetError, match="domains bike_commute,car_sharing there, car_sharing,bike_commute here"):
        scenes(tmp_path, 2, topics="car_sharing,bike_commute")


def broken(old: str, new: str) -> str:
    assert old in PACK
    return PACK.replace(old, new, 1)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (broken("answers: weather", "answers: cost"), "no counterpoint answers 'weather'"),
        (broken("bears_on: [hassle]", "bears_on: []"), "has to bear on a concern"),
        (broken("bears_on: [hassle]", "bears_on: [rain]"), "there is no concern 'rain'"),
        (
            PACK.replace(
                "  scarcity:\n    - There are only three places left on the list for spring.\n"
                "    - The offer ends this Friday, after that it's gone.\n",
                "  scarcity: []\n",
            ),
            "cues.scarcity: has fewer than 2 phrases",
        ),
        (broken("high_cog: hassle\n    low_cog: weather", "high_cog: hassle\n    low_cog: cost"), "none answers"),
    ],
)
def test_what_is_wrong_with_a_pack_is_told_by_line(text: str, said: str) -> None:
    with pytest.raises(PackError) as raised:
        read_topic("own.yaml", text)
    assert said in str(raised.value)
    assert str(raised.value).startswith("own.yaml:")


def test_two_facts_that_are_alike_are_refused() -> None:
    first = PACK.index('  - {text: "The Harrow')
    second = PACK.index('  - {text: "A county grant')
    third = PACK.index('  - {text: "In the cloudy')
    with pytest.raises(PackError, match="is the same as number 1"):
        read_topic("own.yaml", PACK[:second] + PACK[first:second] + PACK[third:])


def test_unknown_topics_and_suites_are_told() -> None:
    with pytest.raises(InputError, match="no topic 'opera'"):
        find_topics(["opera"])
    with pytest.raises(InputError, match="n is 0; it has to be from 1 to 1,000,000,000"):
        generating_suite("tomelp").job(GenerationRequest("all", 0))


def test_all_strategies_of_a_set_are_right_equally_often() -> None:
    """Where a course has as many odd states as even ones: then no text of an option can give it away."""
    rights: dict[tuple[str, str, frozenset[str]], Counter[str]] = {}
    packs = list(builtin_topics().values())
    for index in range(6 * len(packs)):
        slot = slot_at(0, index, [pack.id for pack in packs])
        states = scene_states(next(one for one in packs if one.id == slot.domain), slot, index % len(packs))
        for state in states if len(states) % 2 == 0 else ():
            for persona, choice in state.choices.items():
                key = state.topic, persona, frozenset(choice.options)
                rights.setdefault(key, Counter()).update([choice.answer])
    assert rights
    assert all(set(found) == options for (_, _, options), found in rights.items())
    assert all(len(set(found.values())) == 1 for found in rights.values())
