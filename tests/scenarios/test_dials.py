"""Presets, dials over them, and what is said of dials that can't be met together."""

from __future__ import annotations

import pytest

from dtomtrack.beliefs.divergence import Way
from dtomtrack.errors import InputError
from dtomtrack.scenarios.dials import check_difficulty, difficulty_of
from dtomtrack.scenarios.difficulty import PRESETS
from dtomtrack.scenarios.domain import Domain


@pytest.mark.parametrize("name", ["paper", "apart", "group", "hard", "extreme"])
def test_a_preset_is_known_by_its_name(name: str) -> None:
    assert difficulty_of(name) == PRESETS[name]
    assert PRESETS[name].preset == name


def test_dials_are_set_over_a_preset() -> None:
    dials = {"revisions": "2-3", "participants": "3", "resistance_share": ".5", "signals.none": "0", "apart.note": "2"}
    chosen = difficulty_of("hard", {**dials, "signals.implicit": ".73"})
    assert (chosen.revisions, chosen.participants, chosen.resistance_share) == ((2, 3), (3, 3), 0.5)
    assert (chosen.signals.none, chosen.apart[Way.NOTE], chosen.turns) == (0, 2, 60)


def test_ways_of_coming_apart_can_be_chosen() -> None:
    assert set(difficulty_of("group", {"apart": "absence, note"}).apart) == {Way.ABSENCE, Way.NOTE}


@pytest.mark.parametrize(
    ("preset", "dials", "said"),
    [
        ("hrd", {}, "no difficulty 'hrd'; there are paper, apart, group, hard, extreme"),
        ("hard", {"colour": "3"}, "no dial 'colour'; there are "),
        ("hard", {"revisions": "many"}, "revisions is 'many'; it has to be a number, or two such as 2-4"),
        ("hard", {"participants": "4-3"}, "participants is from 4 to 3; the least has to come first"),
        ("hard", {"participants": "9"}, "participants is 9-9; it has to be from 2 to 5"),
        ("hard", {"signals.none": "0.9"}, "have to add up to 1"),
        ("paper", {"question_types": "pre_updat,post_update"}, "'pre_updat' is none of pre_update, post_update, "),
        ("hard", {"resistance_share": "2"}, "resistance_share"),
    ],
)
def test_a_dial_that_cannot_be_set_is_told_in_a_sentence(preset: str, dials: dict[str, str], said: str) -> None:
    with pytest.raises(InputError) as caught:
        difficulty_of(preset, dials)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_more_participants_than_a_pack_has_roles_is_told(restaurant: Domain) -> None:
    pack = restaurant.pack.model_copy(update={"people": ()})
    with pytest.raises(InputError, match=r"participants is 3-4, and the pack 'restaurant' has roles for 2: .*=2"):
        check_difficulty(PRESETS["hard"], 60, [pack])


def test_two_people_alone_are_told_by_what_they_can_come_apart(restaurant: Domain) -> None:
    absence = difficulty_of("paper", {"apart": "absence,aside"})
    with pytest.raises(InputError, match="apart is absence, aside, which takes three people, and there are two"):
        check_difficulty(absence, 10, [restaurant.pack])
    for dials in ({"apart": "note"}, {"apart": "absence", "passers_by": "1"}):
        check_difficulty(difficulty_of("paper", dials), 10, [restaurant.pack])


def test_a_dialogue_too_short_for_its_revisions_is_told_with_the_nearest_that_can(restaurant: Domain) -> None:
    difficulty = difficulty_of("hard", {"revisions": "6"})
    with pytest.raises(
        InputError, match=r"turns=12 have no room for .*revisions=6: ask for turns=\d+, or revisions=1-6"
    ):
        check_difficulty(difficulty, 12, [restaurant.pack])


@pytest.mark.parametrize("turns", [5, 401])
def test_turns_are_from_six_to_four_hundred(turns: int, restaurant: Domain) -> None:
    with pytest.raises(InputError, match=f"turns is {turns}; it has to be from 6 to 400"):
        check_difficulty(PRESETS["paper"], turns, [restaurant.pack])
