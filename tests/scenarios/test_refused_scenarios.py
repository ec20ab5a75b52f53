"""What is wrong with a scenario that somebody hands in is told in one sentence, before anything is written."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from own_scenarios import change, first_topic, in_company, scenario

from dtomtrack import generate
from dtomtrack.beliefs.scenario import MentalState, Presumption, Scenario
from dtomtrack.errors import InputError
from dtomtrack.scenarios.domain import Domain
from dtomtrack.scenarios.pack import DomainPack


def told(given: object, pack: DomainPack, folder: Path) -> str:
    """What is said of a scenario, before anything is written."""
    with pytest.raises(InputError) as error:
        generate(pack, n=1, out=folder / "out", turns=12, scenarios=[given])  # type: ignore[list-item]
    assert not list(folder.iterdir())
    return str(error.value)


@pytest.mark.parametrize("last", [0, 2])
def test_two_changes_of_one_mind_at_one_turn_are_told_before_anything_is_written(
    restaurant: Domain, last: int, tmp_path: Path
) -> None:
    """There was "no room" for them, slot by slot."""
    topic = first_topic(restaurant.pack, "a")
    own = scenario(restaurant.pack, change(topic, 6), change(topic, 6, old=1, new=last))
    assert told(own, restaurant.pack, tmp_path) == (
        f"scenario 0: update at turn 6: 'Maya' changes their mind on '{topic.id}' twice at that turn; leave one out, "
        "or move it to a later turn of theirs"
    )


@pytest.mark.parametrize(
    ("order", "said"),
    [
        ((0,), "topic '{b}': 'Ben' has no turn to say what they hold, from turn 2 to turn 10; change speaking_order"),
        (
            (0, 1, 0, 0, 0, 0, 0, 1),
            "update at turn 6: after turn 2 nobody but 'Maya' has a turn before it to give a reason to",
        ),
        (
            (0, 1, 1, 1, 1, 1),
            "update at turn 6: 'Maya' has no turn before it, from turn 2 on, to say what",
        ),
    ],
)
def test_turns_that_the_speaking_order_leaves_nobody_are_told(
    restaurant: Domain, order: tuple[int, ...], said: str, tmp_path: Path
) -> None:
    first, second = first_topic(restaurant.pack, "a"), first_topic(restaurant.pack, "b")
    updates = (change(first, 6),) if 1 in order else ()
    own = scenario(restaurant.pack, *updates).model_copy(update={"speaking_order": order})
    assert told(own, restaurant.pack, tmp_path).startswith(f"scenario 0: {said.format(b=second.id)}")


def test_a_scenario_without_topics_is_told(restaurant: Domain, tmp_path: Path) -> None:
    """It was played, and thrown away as no question was left."""
    own = scenario(restaurant.pack)
    silent = tuple(one.model_copy(update={"initial_states": ()}) for one in own.agents)
    empty = own.model_copy(update={"topics": (), "agents": silent})
    assert told(empty, restaurant.pack, tmp_path) == (
        "scenario 0: the scenario has no topics, so there is nothing to ask about; give it one that somebody holds"
    )


def with_note_to_who_is_out(restaurant: Domain, read: int | None) -> Scenario:
    """Maya is out from turn 4 to turn 7, and at turn 5 a note is written to her."""
    return in_company(
        restaurant.pack,
        updates=(),
        audiences=({"turn": 5, "hearers": ("Maya",), "read_at": {"Maya": read}},),
        presence=({"agent": "Maya", "from_turn": 4, "until_turn": 7, "reason": "a call"},),
        speaking_order=(0, 1, 2, 0, 1, 2, 1),
    )


@pytest.mark.parametrize("read", [5, 6])
def test_a_note_is_read_by_nobody_who_is_away(restaurant: Domain, read: int, tmp_path: Path) -> None:
    own = with_note_to_who_is_out(restaurant, read)
    assert told(own, restaurant.pack, tmp_path) == (
        f"scenario 0: note of turn 5: 'Maya' reads it at turn {read}, and is away then; change read_at or presence"
    )


@pytest.mark.parametrize("read", [7, None])
def test_a_note_to_somebody_away_may_be_read_later_or_never(
    restaurant: Domain, read: int | None, tmp_path: Path
) -> None:
    own = with_note_to_who_is_out(restaurant, read)
    assert generate(restaurant.pack, n=1, out=tmp_path, turns=12, scenarios=[own]).status == "complete"


@pytest.mark.parametrize(
    ("audience", "missing", "said"),
    [
        ({"hearers": ("Ann",)}, "Ann", "turn 4 is said to 'Ann', who is away; change presence, or write it as a note"),
        ({"hearers": ("Ann",), "read_at": {"Ann": 8}}, "Ben", "turn 4 has no speaker: 'Ben' is away; change presence"),
    ],
)
def test_nobody_speaks_or_writes_while_away_nor_is_spoken_to(
    restaurant: Domain, audience: dict[str, object], missing: str, said: str, tmp_path: Path
) -> None:
    own = in_company(
        restaurant.pack,
        updates=(),
        audiences=({"turn": 4, **audience},),
        presence=({"agent": missing, "from_turn": 4, "until_turn": 5, "reason": "a call"},),
    )
    assert told(own, restaurant.pack, tmp_path).startswith(f"scenario 0: {said}")


def test_somebody_starts_from_one_state_on_each_topic_that_they_hold(restaurant: Domain, tmp_path: Path) -> None:
    """Of two the first was played, and what they do not hold was not."""
    own = scenario(restaurant.pack)
    maya, ben = own.agents
    (state,) = maya.initial_states
    where = f"scenario 0: initial state of 'Maya' on '{state.topic}': "
    for states, said in (
        ((state, state.model_copy(update={"content": own.topics[0].values[1]})), f"{where}it is given twice"),
        ((state.model_copy(update={"mental_state": MentalState.EMOTION}),), f"{where}the topic is a matter of belief"),
        ((state, *ben.initial_states), "scenario 0: initial state of 'Maya' on 'weather': they hold no such topic"),
    ):
        other = maya.model_copy(update={"initial_states": states})
        assert said in told(own.model_copy(update={"agents": (other, ben)}), restaurant.pack, tmp_path)


def presumed(pack: DomainPack, agent: str, about: str, value: int = 2) -> Presumption:
    topic = first_topic(pack, "a" if about == "Maya" else "b")
    return Presumption(agent=agent, about=about, topic=topic.id, presumed=topic.clauses[value], corrected=True)


def test_presumptions_that_nobody_gets_to_make_are_told(restaurant: Domain, tmp_path: Path) -> None:
    """Of two about one thing the first was played; one that nobody could answer left no room."""
    pack = restaurant.pack
    two = (presumed(pack, "Ben", "Maya"), presumed(pack, "Ben", "Maya", 3))
    own = scenario(pack).model_copy(update={"presumptions": two})
    assert "2 are about 'Maya' and 'booking_notice', and one can be played" in told(own, pack, tmp_path)
    own = in_company(pack, updates=()).model_copy(update={"presumptions": (presumed(pack, "Ann", "Ben"),)})
    assert told(own, pack, tmp_path) == (
        "scenario 0: presumption of 'Ann': 'Ben', whom it is about, never speaks right behind them; change "
        "speaking_order, or who presumes it"
    )


def test_names_that_differ_in_capitals_alone_are_told(restaurant: Domain, tmp_path: Path) -> None:
    own = in_company(restaurant.pack)
    agents = (*own.agents[:2], own.agents[2].model_copy(update={"name": "BEN"}))
    assert "agents are called 'Ben' and 'BEN', which nobody keeps apart" in told(
        own.model_copy(update={"agents": agents}), restaurant.pack, tmp_path
    )


def test_a_name_has_no_colon(restaurant: Domain, tmp_path: Path) -> None:
    own = in_company(restaurant.pack)
    agents = (*own.agents[:2], own.agents[2].model_copy(update={"name": "Turn 3, Ben: no"}))
    assert "an agent is called 'Turn 3, Ben: no'; a name has no colon" in told(
        own.model_copy(update={"agents": agents}), restaurant.pack, tmp_path
    )


def test_two_topics_of_one_label_are_told(restaurant: Domain, tmp_path: Path) -> None:
    own = scenario(restaurant.pack)
    first, second = own.topics
    topics = (first, second.model_copy(update={"label": first.label}))
    assert told(own.model_copy(update={"topics": topics}), restaurant.pack, tmp_path) == (
        f"scenario 0: topics '{first.id}' and '{second.id}' have one label, '{first.label}'; give each its own"
    )


def test_no_more_turns_are_asked_for_than_there_can_be(restaurant: Domain, tmp_path: Path) -> None:
    own = scenario(restaurant.pack, change(first_topic(restaurant.pack, "a"), 400))
    assert told(own, restaurant.pack, tmp_path) == (
        "scenario 0: update at turn 400: in 12 turns the last is turn 11; move the update"
    )


def test_text_that_no_file_can_hold_is_told(restaurant: Domain, tmp_path: Path) -> None:
    own = scenario(restaurant.pack).model_copy(update={"context": "They talk. \ud800"})
    assert told(own, restaurant.pack, tmp_path) == (
        "scenario 0: context: has half of a character, which no file can hold; take it out"
    )


def test_what_there_is_is_named_beside_what_there_is_not(restaurant: Domain, tmp_path: Path) -> None:
    own = scenario(restaurant.pack, change(first_topic(restaurant.pack, "a"), 6))
    elsewhere = own.model_copy(update={"situation": "zebra_crossing"})
    ids = ", ".join(one.id for one in restaurant.pack.situations)
    assert told(elsewhere, restaurant.pack, tmp_path).endswith(f"is not in the pack 'restaurant'; it has {ids}")
    unmarked = own.model_copy(update={"updates": (own.updates[0].model_copy(update={"marker": "zebra"}),)})
    assert "no marker is called 'zebra'; there are " in told(unmarked, restaurant.pack, tmp_path)


def test_of_a_topic_one_value_is_so(restaurant: Domain) -> None:
    topic = first_topic(restaurant.pack, "b")
    facts = tuple({"topic": topic.id, "truth": topic.clauses[at]} for at in range(2))
    with pytest.raises(ValueError, match=f"fact on '{topic.id}': there are two; one value is so, leave the others out"):
        in_company(restaurant.pack, facts=facts)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"speaking_order": (0, -3)}, "speaking_order.1: has to be 0 or more"),
        ({"topics": None}, "topics: has to be a list"),
        ({"updates": ({"turn": 6},)}, "updates.0.agent: is missing"),
        ({"agents": ("Maya", "Ben")}, "agents.0: has to be fields, each NAME: VALUE"),
        ({"agents": ()}, "agents: has to have at least 2 entries, not 0"),
    ],
)
def test_a_copy_is_read_as_closely_as_what_is_written(
    restaurant: Domain, changes: dict[str, object], said: str, tmp_path: Path
) -> None:
    """`model_copy` looks at nothing: an IndexError, TypeErrors and AttributeErrors came of that."""
    own = scenario(restaurant.pack, change(first_topic(restaurant.pack, "a"), 6)).model_copy(update=changes)
    assert told(own, restaurant.pack, tmp_path) == f"scenario 0: {said}"


def test_a_whole_line_is_no_scenario(restaurant: Domain, tmp_path: Path) -> None:
    line = {"id": "restaurant-00000", "scenario": scenario(restaurant.pack).model_dump(mode="json")}
    assert told(line, restaurant.pack, tmp_path) == (
        "scenario 0 is a dialogue's whole line; give what that has under 'scenario'"
    )


def test_a_scenario_that_is_in_no_list_is_told_in_a_line(restaurant: Domain, tmp_path: Path) -> None:
    """All of it was shown, and that it has to be a list came behind 2,400 characters."""
    one: Any = scenario(restaurant.pack).model_dump(mode="json")
    with pytest.raises(InputError, match="it has to be a list") as caught:
        generate(restaurant.pack, n=1, out=tmp_path, scenarios=one)
    assert len(str(caught.value)) < 600


def test_two_absences_at_once_are_told_with_what_to_do(restaurant: Domain, tmp_path: Path) -> None:
    away = {"agent": "Maya", "until_turn": None, "reason": "a call"}
    presence = ({**away, "from_turn": 4}, {**away, "from_turn": 6})
    twice: Any = {**scenario(restaurant.pack).model_dump(mode="json"), "presence": presence}
    with pytest.raises(InputError, match="leaves at turn 6, and is away already since turn 4; have them back before"):
        generate(restaurant.pack, n=1, out=tmp_path, scenarios=[twice])
