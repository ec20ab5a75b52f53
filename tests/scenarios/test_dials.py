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


@pytest.mark.parametrize(("none", "explicit", "implicit"), [("0.4", 0.216, 0.384), ("1", 0, 0), ("0", 0.36, 0.64)])
def test_signals_that_are_not_given_share_the_rest_as_in_the_preset(
    none: str, explicit: float, implicit: float
) -> None:
    chosen = difficulty_of("apart", {"signals.none": none}).signals
    assert (chosen.explicit, chosen.implicit) == pytest.approx((explicit, implicit), abs=1e-9)


def test_ways_of_coming_apart_can_be_chosen() -> None:
    assert set(difficulty_of("group", {"apart": "absence, note"}).apart) == {Way.ABSENCE, Way.NOTE}


@pytest.mark.parametrize(
    ("preset", "dials", "said"),
    [
        ("hrd", {}, "no difficulty 'hrd'; did you mean hard?"),
        ("easy", {}, "no difficulty 'easy'; there are paper, apart, group, hard, extreme"),
        ("hard", {"colour": "3"}, "no dial 'colour'; there are "),
        (
            "hard",
            {"revisions": "many"},
            "revisions is 'many'; it has to be a whole number not below 0, or two such as 2-4",
        ),
        ("hard", {"participants": "4-3"}, "participants is from 4 to 3; the least has to come first"),
        ("hard", {"participants": "9"}, "participants is 9; it has to be from 2 to 5"),
        ("hard", {"signals.none": "0.9", "signals.explicit": "0.2"}, "have to add up to 1"),
        ("hard", {"signals.none": "1.2"}, "signals.none"),
        ("hard", {"signals.none": "few"}, "signals.none"),
        ("hard", {"question_types": ""}, "question_types names nothing; leave it out, or name what it is to have"),
        ("paper", {"question_types": "pre_updat,post_update"}, "'pre_updat' is none of pre_update, post_update, "),
        ("hard", {"resistance_share": "2"}, "resistance_share"),
        ("hard", {"resistance_share": "1"}, "resistance_share: has to be less than 1"),
        ("hard", {"decoy_share": "1"}, "decoy_share: has to be less than 1"),
        (
            "paper",
            {"apart": "absent"},
            "difficulty: apart: 'absent' is none of it: each has to be 'absence', 'aside', ",
        ),
        ("hard", {"apart.note": "inf"}, "difficulty: apart.note: has to be 1000000.0 or less"),
        ("hard", {"apart": "note,absence,note"}, "apart names note twice; name each once"),
        ("hard", {"signals.explict": ".3"}, "no dial 'signals.explict'; did you mean explicit?"),
        ("hard", {"topics.first": "2"}, "no dial 'topics.first'; topics has no parts"),
    ],
)
def test_a_dial_that_cannot_be_set_is_told_in_a_sentence(preset: str, dials: dict[str, str], said: str) -> None:
    with pytest.raises(InputError) as caught:
        difficulty_of(preset, dials)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_part_goes_over_its_whole_in_whatever_order_they_come() -> None:
    parts = {"apart.untruth": "2", "apart": "absence"}
    assert difficulty_of("group", parts).apart == {Way.ABSENCE: 1, Way.UNTRUTH: 2}


@pytest.mark.parametrize(
    ("dials", "said"),
    [
        ({"topics": "50"}, "topics is 50, .*: leave it out, which gives 4 topics in 10 turns, or set it over --diffic"),
        ({"event_share": "1"}, "event_share is 1.0, which moves nothing where everybody hears everything"),
        ({"participants": "3-4"}, "participants is 3-4, which moves nothing where everybody hears everything"),
        ({"signals.none": ".5", "signals.explicit": "0", "signals.implicit": ".5"}, "signals is explicit=0.0 implicit"),
    ],
)
def test_a_dial_that_moves_nothing_in_the_dialogues_of_the_paper_is_refused(
    dials: dict[str, str], said: str, restaurant: Domain
) -> None:
    with pytest.raises(InputError, match=said):
        check_difficulty(difficulty_of("paper", dials), 10, [restaurant.pack])


@pytest.mark.parametrize(("preset", "turns"), [("apart", 10), ("group", 24)])
def test_a_preset_in_which_minds_come_apart_is_refused_where_no_way_is_left(
    restaurant: Domain, preset: str, turns: int
) -> None:
    with pytest.raises(InputError, match=f"apart names no way, and in {preset} minds come apart: name some of absence"):
        check_difficulty(difficulty_of(preset, {"apart": ""}), turns, [restaurant.pack])


def test_more_topics_than_a_pack_has_are_told_with_the_nearest_that_can(restaurant: Domain) -> None:
    there = len([one for one in restaurant.pack.topics if one.scope != "two"])
    asked = difficulty_of("extreme", {"topics": "2-50", "revisions": "0", "holders": "1"})
    with pytest.raises(InputError, match=f"topics is 2-50, and the pack 'restaurant' has {there}: .*topics=2-{there}"):
        check_difficulty(asked, 300, [restaurant.pack])
    check_difficulty(asked.model_copy(update={"topics": (2, there)}), 300, [restaurant.pack])


def test_chains_of_one_mind_are_no_depth_to_ask_for(restaurant: Domain) -> None:
    with pytest.raises(InputError, match="order is 1; what one takes another to hold is always asked: give order=2"):
        check_difficulty(difficulty_of("group", {"order": "1"}), 24, [restaurant.pack])


def test_more_participants_than_a_pack_has_roles_is_told(restaurant: Domain) -> None:
    pack = restaurant.pack.model_copy(update={"people": ()})
    with pytest.raises(InputError, match=r"participants is 3-4, and the pack 'restaurant' has roles for 2: .*=2"):
        check_difficulty(PRESETS["hard"], 60, [pack])


def test_more_passers_by_than_a_pack_has_people_are_told_with_how_many_it_has(restaurant: Domain) -> None:
    people = len(restaurant.pack.people) + 2
    with pytest.raises(
        InputError, match=rf"passers_by is 40 beside 2 participants, .* ask for passers_by={people - 2},"
    ):
        check_difficulty(difficulty_of("apart", {"passers_by": "40"}), 10, [restaurant.pack])


@pytest.mark.parametrize(("preset", "people"), [("group", 4), ("apart", 3)])
def test_fewer_names_than_there_may_be_people_are_told(restaurant: Domain, preset: str, people: int) -> None:
    few = restaurant.pack.model_copy(update={"names": restaurant.pack.names[:2]})
    with pytest.raises(InputError, match=f"up to {people} people are there, and the pack 'restaurant' has 2 names"):
        check_difficulty(PRESETS[preset], PRESETS[preset].turns, [few])
    enough = restaurant.pack.model_copy(update={"names": restaurant.pack.names[:people]})
    check_difficulty(PRESETS[preset], PRESETS[preset].turns, [enough])


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


def test_where_everybody_hears_everything_chains_of_minds_can_be_asked_about_in_depth(restaurant: Domain) -> None:
    check_difficulty(difficulty_of("paper", {"order": "3"}), 10, [restaurant.pack])
    with pytest.raises(InputError, match="give order=2"):
        check_difficulty(difficulty_of("paper", {"order": "1"}), 10, [restaurant.pack])
