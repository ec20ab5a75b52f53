"""Presets, dials over them, and what is said of dials that can't be met together."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from commands import run

from dtomtrack import dialogues, generate
from dtomtrack.beliefs.divergence import Way
from dtomtrack.beliefs.scenario import Scenario
from dtomtrack.errors import InputError, PlanError
from dtomtrack.runs.slots import Slot, slot_at
from dtomtrack.scenarios.dials import check_difficulty, difficulty_of
from dtomtrack.scenarios.difficulty import PRESETS, Difficulty, preset
from dtomtrack.scenarios.domain import Domain
from dtomtrack.scenarios.pack import DomainPack
from dtomtrack.scenarios.planning.plan import plan_scenario
from dtomtrack.scenarios.sampler import sample_scenario
from dtomtrack.scenarios.script import Move


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
        ("paper", {"preset": "hard"}, "preset is no dial; choose one with --difficulty"),
        ("hard", {"signals.": ".3"}, "no dial 'signals.'; leave the dot out, or name a part of signals behind it"),
        ("HARD", {}, "no difficulty 'HARD'; did you mean hard?"),
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
            "difficulty: apart: there is no 'absent'; each has to be 'absence', 'aside', ",
        ),
        ("hard", {"apart.note": "inf"}, "difficulty: apart.note: has to be 1000000.0 or less"),
        ("hard", {"apart": "note,absence,note"}, "apart names note twice; name each once"),
        ("hard", {"signals.explict": ".3"}, "no dial 'signals.explict'; did you mean explicit?"),
        ("paper", {"topics_by_turns": "6,2"}, "topics_by_turns has '6'; it has to be pairs TURNS:TOPICS with commas"),
        ("paper", {"topics_by_turns": "6:2,10:a"}, "has '10:a'; it has to be pairs TURNS:TOPICS with commas"),
        ("paper", {"topics_by_turns": "6:2:10"}, "between them: 6:2,10:4"),
        ("hard", {"topics.first": "2"}, "no dial 'topics.first'; topics has no parts"),
    ],
)
def test_a_dial_that_cannot_be_set_is_told_in_a_sentence(preset: str, dials: dict[str, str], said: str) -> None:
    with pytest.raises(InputError) as caught:
        difficulty_of(preset, dials)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("update", "said"),
    [
        ({"order": 9}, "order: has to be 3 or less"),
        ({"resistance_share": 5}, "resistance_share: has to be less than 1"),
        ({"participants": 4}, "participants: has to be a list"),
        ({"signals": {"none": 1}}, "signals: the shares .* have to add up to 1"),
        ({"apart": {"nope": 1}}, "apart: there is no 'nope'"),
        ({"question_types": "temporal"}, "question_types: has to be a list"),
        ({"smalltalk_share": 0.0}, "no field 'smalltalk_share'; did you mean 'small_talk_share'"),
    ],
)
def test_a_dial_set_by_a_copy_is_checked_as_well(update: dict[str, object], said: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=said):
        generate("restaurant", n=2, out=tmp_path / "out", difficulty=preset("hard").model_copy(update=update))
    assert not (tmp_path / "out").exists()


def test_a_preset_that_there_is_not_is_told() -> None:
    with pytest.raises(InputError, match="no difficulty 'hrd'; did you mean hard"):
        preset("hrd")


@pytest.mark.parametrize("topics", ["16-20", "20", "24"])
def test_no_more_turns_are_advised_than_there_can_be(topics: str, domains: dict[str, Domain]) -> None:
    difficulty, pack = difficulty_of("hard", {"topics": topics}), domains["restaurant"].pack
    with pytest.raises(InputError, match=r"or for turns=400, in which"):
        check_difficulty(difficulty, 60, [pack])
    check_difficulty(difficulty, 400, [pack])


def test_a_part_goes_over_its_whole_in_whatever_order_they_come() -> None:
    parts = {"apart.untruth": "2", "apart": "absence"}
    assert difficulty_of("group", parts).apart == {Way.ABSENCE: 1, Way.UNTRUTH: 2}


@pytest.mark.parametrize(
    ("dials", "said"),
    [
        ({"topics": "50"}, "topics is 50, .*: leave it out, which gives 4 topics in 10 turns, or set it over --diffic"),
        ({"event_share": "1"}, "event_share is 1.0, which moves nothing where everybody hears everything"),
        ({"participants": "3-4"}, "participants is 3-4, which moves nothing where everybody hears everything"),
        ({"signals.none": ".5", "signals.explicit": "0", "signals.implicit": ".5"}, "signals is explicit=0 implicit"),
    ],
)
def test_a_dial_that_moves_nothing_in_the_dialogues_of_the_paper_is_refused(
    dials: dict[str, str], said: str, restaurant: Domain
) -> None:
    with pytest.raises(InputError, match=said):
        check_difficulty(difficulty_of("paper", dials), 10, [restaurant.pack])


@pytest.mark.parametrize(("dial", "value"), [("update_weights", "1,2"), ("learning_share", ".5")])
def test_a_dial_that_moves_nothing_where_minds_come_apart_is_refused(dial: str, value: str, restaurant: Domain) -> None:
    check_difficulty(difficulty_of("paper", {dial: value}), 10, [restaurant.pack])
    with pytest.raises(InputError, match=f"{dial} moves nothing where minds come apart: leave it out, or set it over"):
        check_difficulty(difficulty_of("group", {dial: value}), 24, [restaurant.pack])


OF_DIRECTED = {
    "weighty_moves_a_turn": "1",
    "light_move_weight": "1",
    "contest_share": "0",
    "contestable": "",
    "question_share": "0",
    "early_reason_share": "1",
    "aside_share": "0",
    "script_draws": "3",
    "script_tries": "1",
}
OF_TWO = {"name_share": "0", "interjection_share": "1"}


@pytest.mark.parametrize("preset", ["apart", "group", "hard", "extreme"])
@pytest.mark.parametrize(("dial", "value"), OF_DIRECTED.items())
def test_a_dial_of_how_scenarios_are_laid_out_is_refused_where_none_is_handed_back(
    preset: str, dial: str, value: str, restaurant: Domain
) -> None:
    asked, packs = difficulty_of(preset, {dial: value}), [restaurant.pack]
    said = f"^{dial} moves nothing where minds come apart, but in scenarios that are handed back: leave it out, or"
    with pytest.raises(InputError, match=said):
        check_difficulty(asked, asked.turns, packs)
    check_difficulty(asked, asked.turns, packs, own_scenarios=True)
    check_difficulty(difficulty_of("paper", {dial: value}), 10, packs)
    check_difficulty(difficulty_of(preset, {dial: shown(getattr(PRESETS[preset], dial))}), asked.turns, packs)


def shown(value: object) -> str:
    """The value of a dial as text."""
    return ",".join(value) if isinstance(value, tuple) else str(value)


@pytest.mark.parametrize(("dial", "value"), OF_TWO.items())
def test_a_dial_of_how_two_sound_is_refused_where_more_may_be_there(dial: str, value: str, restaurant: Domain) -> None:
    with pytest.raises(InputError, match=f"^{dial} moves nothing where more than two may be there: leave it out, or"):
        check_difficulty(difficulty_of("apart", {dial: value}), 10, [restaurant.pack], own_scenarios=True)
    alone = {"apart": "presumption", "participants": "2", "passers_by": "0"}
    check_difficulty(difficulty_of("apart", {dial: value, **alone}), 10, [restaurant.pack])


@pytest.mark.parametrize(("dial", "value"), OF_DIRECTED.items())
def test_a_dial_that_is_refused_plans_the_same(dial: str, value: str, domains: dict[str, Domain]) -> None:
    usual, set_over = PRESETS["group"], difficulty_of("group", {dial: value})
    pack, slots = domains["team"].pack, [slot_at(3, index, ["team"]) for index in range(4)]
    plans = [[sample_scenario(pack, slot, 0, 24, one).script for slot in slots] for one in (usual, set_over)]
    assert plans[0] == plans[1]


def test_a_dial_of_how_scenarios_are_laid_out_moves_those_that_are_handed_back(tmp_path: Path) -> None:
    (first,) = dialogues("team", n=1, difficulty="group")
    for name, dials in (("usual", {}), ("set", {"question_share": "0"})):
        own, asked = [first.dialogue.scenario], difficulty_of("group", dials)
        generate("team", n=1, out=tmp_path / name, difficulty=asked, scenarios=own)
    usual, set_over = ((tmp_path / name / "dialogues.jsonl").read_bytes() for name in ("usual", "set"))
    assert usual != set_over


@pytest.mark.parametrize("ways", ["", "none"])
@pytest.mark.parametrize(("preset", "turns"), [("apart", 10), ("group", 24)])
def test_a_preset_in_which_minds_come_apart_is_refused_where_no_way_is_left(
    restaurant: Domain, preset: str, turns: int, ways: str
) -> None:
    with pytest.raises(InputError, match=f"apart names no way, and in {preset} minds come apart: name some of absence"):
        check_difficulty(difficulty_of(preset, {"apart": ways}), turns, [restaurant.pack])


def test_more_topics_than_a_pack_has_are_told_with_the_nearest_that_can(restaurant: Domain) -> None:
    there = len([one for one in restaurant.pack.topics if one.scope != "two"])
    asked = difficulty_of("extreme", {"topics": "2-50", "revisions": "0", "holders": "1"})
    with pytest.raises(InputError, match=f"topics is 2-50, and the pack 'restaurant' has {there}: .*topics=2-{there}"):
        check_difficulty(asked, 300, [restaurant.pack])
    check_difficulty(asked.model_copy(update={"topics": (2, there)}), 300, [restaurant.pack])


def test_more_topics_than_there_is_room_for_are_told_with_turns_that_have_them(domains: dict[str, Domain]) -> None:
    asked, pack = difficulty_of("apart", {"topics": "5"}), domains["team"].pack
    with pytest.raises(InputError, match=r"turns=10 have no room for topics=5 of holders=1 .*: ask for turns=") as told:
        check_difficulty(asked, 10, [pack])
    fewest, turns = (int(one) for one in re.findall(r"turns=(\d+)", str(told.value).partition(": ask for ")[2]))
    check_difficulty(asked, fewest, [pack])
    with pytest.raises(InputError, match=f"turns={fewest - 1} have no room"):
        check_difficulty(asked, fewest - 1, [pack])
    drawn = [sample_scenario(pack, slot_at(3, at, ["team"]), 0, turns, asked).scenario for at in range(10)]
    assert sum(len(one.topics) == 5 for one in drawn) > 5


def test_who_knows_alone_is_not_asked_where_everybody_hears_everything(restaurant: Domain) -> None:
    asked = difficulty_of("paper", {"question_types": "information_access"})
    with pytest.raises(InputError, match=r"question_types is information_access, and .* name another type, too"):
        check_difficulty(asked, 10, [restaurant.pack])
    check_difficulty(difficulty_of("paper", {"question_types": "information_access,temporal"}), 10, [restaurant.pack])


def test_a_pack_whose_topics_are_for_two_is_refused_for_three(restaurant: Domain) -> None:
    topics = tuple(topic.model_copy(update={"scope": "two"}) for topic in restaurant.pack.topics)
    pack = restaurant.pack.model_copy(update={"topics": topics})
    with pytest.raises(InputError, match="the pack 'restaurant' has no topic for more than two people"):
        check_difficulty(PRESETS["group"], 24, [pack])
    check_difficulty(PRESETS["paper"], 10, [pack])


@pytest.mark.parametrize(
    ("dial", "text", "value"),
    [
        ("weighty_moves_a_turn", "1", 1),
        ("update_weights", "1,1", (1, 1)),
        ("topics_by_turns", "6:2, 10:4", ((6, 2), (10, 4))),
        ("contestable", "", ()),
    ],
)
def test_every_dial_can_be_set_as_text(dial: str, text: str, value: object) -> None:
    assert getattr(difficulty_of("paper", {dial: text}), dial) == value


def test_what_is_told_of_an_absence_is_not_garbled_where_there_is_no_hearsay(domains: dict[str, Domain]) -> None:
    difficulty = difficulty_of("hard", {"apart": "absence,note", "garbled_share": "1", "told_share": "1"})
    told = 0
    for at in range(8):
        directed = sample_scenario(domains["team"].pack, slot_at(3, at, ["team"]), 0, 60, difficulty)
        for here in directed.script:
            tellings = [one for one in here if one.move is Move.TELL]
            assert all(one.value == one.old for one in tellings)
            told += len(tellings)
    assert told


def test_hearsay_in_too_few_turns_is_told_with_all_that_it_takes(restaurant: Domain) -> None:
    said = "ask for participants=3 and apart=absence,hearsay and turns=24"
    with pytest.raises(InputError, match=said):
        check_difficulty(difficulty_of("apart", {"apart": "hearsay"}), 6, [restaurant.pack])
    better = difficulty_of("apart", {"apart": "absence,hearsay", "participants": "3"})
    check_difficulty(better, 24, [restaurant.pack])


def test_chains_of_one_mind_are_no_depth_to_ask_for(restaurant: Domain) -> None:
    with pytest.raises(InputError, match="order is 1; what one takes another to hold is always asked: give order=2"):
        check_difficulty(difficulty_of("group", {"order": "1"}), 24, [restaurant.pack])


def test_more_participants_than_a_pack_has_roles_is_told(restaurant: Domain) -> None:
    pack = restaurant.pack.model_copy(update={"people": restaurant.pack.people[:1]})
    with pytest.raises(InputError, match=r"participants is 3-4, and the pack 'restaurant' has roles for 3: .*=3"):
        check_difficulty(PRESETS["hard"], 60, [pack])


def test_more_passers_by_than_a_pack_has_people_are_told_with_how_many_it_has(restaurant: Domain) -> None:
    people = len(restaurant.pack.people) + 2
    with pytest.raises(
        InputError, match=rf"passers_by is 40 beside 2 participants, .* ask for passers_by={people - 2},"
    ):
        check_difficulty(difficulty_of("apart", {"passers_by": "40"}), 10, [restaurant.pack])


def test_a_pack_for_two_is_refused_where_minds_are_to_come_apart_among_three(restaurant: Domain) -> None:
    pack = restaurant.pack.model_copy(update={"people": ()})
    for dials in ({}, {"apart": "note,presumption", "passers_by": "40"}):
        with pytest.raises(InputError, match=r"note.*, which take three people, and the pack .* two: add") as told:
            check_difficulty(difficulty_of("apart", dials), 10, [pack])
        assert str(told.value).endswith("add people to the pack, or ask for apart=presumption")
    for name in ("group", "hard", "extreme"):
        with pytest.raises(InputError, match="roles for two: add people to the pack"):
            check_difficulty(PRESETS[name], PRESETS[name].turns, [pack])
    check_difficulty(difficulty_of("apart", {"apart": "presumption"}), 10, [pack])
    check_difficulty(difficulty_of("group", {"apart": "presumption", "participants": "2"}), 24, [pack])


@pytest.mark.parametrize(("preset", "people"), [("group", 4), ("apart", 3)])
def test_fewer_names_than_there_may_be_people_are_told(restaurant: Domain, preset: str, people: int) -> None:
    few = restaurant.pack.model_copy(update={"names": restaurant.pack.names[:2]})
    with pytest.raises(InputError, match=f"up to {people} people are there, and the pack 'restaurant' has 2 names"):
        check_difficulty(PRESETS[preset], PRESETS[preset].turns, [few])
    enough = restaurant.pack.model_copy(update={"names": restaurant.pack.names[:people]})
    check_difficulty(PRESETS[preset], PRESETS[preset].turns, [enough])


@pytest.mark.parametrize(
    ("preset", "dials", "said"),
    [
        (
            "paper",
            {"apart": "absence,note"},
            "absence, note, each of which takes three people, and there are two: ask for passers_by=1, or for apart=",
        ),
        (
            "paper",
            {"apart": "note"},
            "apart has note, which takes three people, and there are two: ask for passers_by=1,",
        ),
        (
            "apart",
            {"participants": "2", "passers_by": "0"},
            "apart has absence, aside, note, untruth, each of which takes three people, and there are two: ask for pa",
        ),
        (
            "group",
            {"participants": "2"},
            "takes three people, and there are two: ask for participants=3, or for apart=presumption",
        ),
        (
            "group",
            {"apart": "misattribution", "holders": "1"},
            "takes two who hold something on one topic: ask for holders=1-2, or",
        ),
        (
            "apart",
            {"apart": "misattribution"},
            "takes three people who may hold something: ask for participants=3 and holders=1-2 and turns=14, or",
        ),
        (
            "paper",
            {"apart": "misattribution,note"},
            "ask for participants=3 and holders=1-2 and turns=14, or for apart=pres",
        ),
        (
            "group",
            {"apart": "hearsay"},
            "takes somebody who was away and missed it: ask for apart=absence,hearsay, or for apart=presumption",
        ),
        ("hard", {"apart": "hearsay,note"}, "ask for apart=absence,hearsay,note, or for apart=note"),
        (
            "apart",
            {"apart": "hearsay,absence"},
            "takes three people who may hold something: ask for participants=3 and turns=24, or for apart=absence",
        ),
        (
            "apart",
            {"apart": "late_joiner"},
            "takes a late_share above 0: ask for late_share=0.38 and apart=absence,late_joiner, or",
        ),
        (
            "group",
            {"apart": "late_joiner"},
            "in which somebody is wrong, not only ignorant: ask for apart=absence,late_joiner, or",
        ),
        (
            "apart",
            {"revisions": "0"},
            "each of which takes a change of mind: ask for revisions=0-1, or for apart=presumption",
        ),
    ],
)
def test_a_way_that_cannot_be_had_is_told_with_the_dials_that_it_takes(
    preset: str, dials: dict[str, str], said: str, restaurant: Domain
) -> None:
    asked = difficulty_of(preset, dials)
    with pytest.raises(InputError) as caught:
        check_difficulty(asked, asked.turns, [restaurant.pack])
    assert said in str(caught.value)
    for advice in advised(str(caught.value)):
        better = difficulty_of(preset, dials | advice)
        check_difficulty(better, better.turns, [restaurant.pack])


def advised(said: str) -> list[dict[str, str]]:
    """The dials that a sentence says to ask for, each of its alternatives."""
    alternatives = said.rpartition(": ask for ")[2].split(", or for ")
    return [dict(dial.split("=", 1) for dial in one.split(" and ")) for one in alternatives]


def test_of_the_ways_of_a_preset_some_may_be_out_of_reach(restaurant: Domain) -> None:
    for dials in ({"holders": "1"}, {"late_share": "0"}, {"participants": "2", "passers_by": "1"}):
        check_difficulty(difficulty_of("group", dials), 24, [restaurant.pack])


SINGLE = [*map(str, Way)]
SEVERAL = ["absence,hearsay", "note,late_joiner", "untruth,misattribution", "late_joiner,presumption"]
SEVERAL += ["misattribution,presumption", "hearsay,note", "absence,late_joiner,misattribution", "aside,hearsay"]


@pytest.mark.parametrize("name", ["restaurant", "team"])
@pytest.mark.parametrize("preset", ["paper", "apart", "group"])
def test_each_way_that_is_asked_for_occurs_or_is_refused_with_what_does(
    preset: str, name: str, domains: dict[str, Domain]
) -> None:
    pack = domains[name].pack
    for ways in (*SINGLE, *SEVERAL):
        for dials in met(preset, {"apart": ways}, pack):
            asked = difficulty_of(preset, dials)
            missing = {*asked.ways}
            for index in range(40):
                if missing:
                    missing -= {one.way for one in planned(pack, slot_at(0, index, [name]), asked).divergences}
            assert not missing, (preset, dials)


def planned(pack: DomainPack, slot: Slot, asked: Difficulty) -> Scenario:
    """The plan for a slot at the first attempt that comes out, as in a run."""
    for attempt in range(5):
        with suppress(PlanError):
            return plan_scenario(pack, slot, attempt, asked.turns, asked).scenario
    raise AssertionError(f"{slot} stays empty with {asked}")


def met(preset: str, dials: dict[str, str], pack: DomainPack) -> list[dict[str, str]]:
    """These dials over a preset, or the nearest that can be met, where they can't."""
    asked = difficulty_of(preset, dials)
    try:
        check_difficulty(asked, asked.turns, [pack])
    except InputError as error:
        return [dials | advice for advice in advised(str(error))][:1]
    return [dials]


def test_dials_that_cannot_be_met_write_nothing(tmp_path: Path) -> None:
    told = run("generate", "--difficulty", "group", "--dial", "apart=hearsay", "--out", tmp_path / "out", "--n", "2")
    assert (told.returncode, told.stderr.count("\n")) == (2, 1)
    assert told.stderr.startswith("dtomtrack: apart has hearsay, which takes ")
    assert not list(tmp_path.iterdir())


def test_a_dialogue_too_short_for_its_revisions_is_told_with_the_nearest_that_can(restaurant: Domain) -> None:
    difficulty = difficulty_of("hard", {"revisions": "6"})
    said = (
        "turns=12 have no room for topics=1 of holders=1 each with revisions=6: ask for turns=36, or for turns=48, in "
        "which more dialogues have all of that, or revisions=1-2"
    )
    with pytest.raises(InputError, match=said):
        check_difficulty(difficulty, 12, [restaurant.pack])


@pytest.mark.parametrize(
    ("preset", "dials"),
    [
        ("hard", {}),
        ("extreme", {}),
        ("hard", {"topics": "8"}),
        ("group", {"topics": "3", "holders": "2"}),
        ("extreme", {"apart": "misattribution"}),
        ("extreme", {"apart": "note", "participants": "2", "holders": "1"}),
        ("hard", {"apart": "absence,hearsay", "topics": "5"}),
    ],
)
def test_the_fewest_turns_that_are_advised_are_the_fewest_that_do(
    preset: str, dials: dict[str, str], restaurant: Domain
) -> None:
    with pytest.raises(InputError) as caught:
        check_difficulty(difficulty_of(preset, dials), 6, [restaurant.pack])
    advice = advised(str(caught.value).partition(", or for ")[0])[0]
    fewest, better = int(advice.pop("turns")), difficulty_of(preset, dials | advice)
    check_difficulty(better, fewest, [restaurant.pack])
    with pytest.raises(InputError):
        check_difficulty(better, fewest - 1, [restaurant.pack])


@pytest.mark.parametrize(
    ("turns", "revisions", "said", "most"),
    [
        (6, "6", r"revisions=6: ask for turns=36, or for turns=48, in which .*, or revisions=0-1$", 1),
        (6, "0-6", r"in 6 turns no mind changes more often than 1: ask for revisions=0-1, or for turns=48$", 1),
        (12, "1-6", r"in 12 turns no mind changes more often than 3: ask for revisions=1-2, or for turns=48$", 2),
        (24, "1-6", r"in 24 turns no mind changes more often than 5: ask for revisions=1-3, or for turns=48$", 3),
        (29, "6", r"in 29 turns no mind changes more often than 5: ask for revisions=4, or for turns=48$", 4),
    ],
)
def test_revisions_that_are_never_reached_are_told_with_those_that_are(
    restaurant: Domain, turns: int, revisions: str, said: str, most: int
) -> None:
    with pytest.raises(InputError, match=said):
        check_difficulty(difficulty_of("group", {"revisions": revisions}), turns, [restaurant.pack])
    asked = difficulty_of("group", {"revisions": f"0-{most}"})
    check_difficulty(asked, turns, [restaurant.pack])
    assert most in set(most_changes(restaurant.pack, turns, asked, 40))


def most_changes(pack: DomainPack, turns: int, asked: Difficulty, n: int) -> Iterator[int]:
    """Of each of so many dialogues, how often the mind changes that does so most."""
    for index in range(n):
        plan = planned(pack, slot_at(0, index, [pack.name]), asked.model_copy(update={"turns": turns}))
        yield max(Counter((one.agent, one.topic) for one in plan.updates).values(), default=0)


@pytest.mark.parametrize("turns", [5, 401])
def test_turns_are_from_six_to_four_hundred(turns: int, restaurant: Domain) -> None:
    with pytest.raises(InputError, match=f"turns is {turns}; it has to be from 6 to 400"):
        check_difficulty(PRESETS["paper"], turns, [restaurant.pack])


def test_where_everybody_hears_everything_chains_of_minds_can_be_asked_about_in_depth(restaurant: Domain) -> None:
    check_difficulty(difficulty_of("paper", {"order": "3"}), 10, [restaurant.pack])
    with pytest.raises(InputError, match="give order=2"):
        check_difficulty(difficulty_of("paper", {"order": "1"}), 10, [restaurant.pack])
