"""Wrong options: those that were held or named come first."""

from __future__ import annotations

from random import Random

import pytest

from dtomtrack.beliefs.question import OptionRole
from dtomtrack.beliefs.questions.distractors import NotEnoughOptions, turn_distractors, value_distractors
from dtomtrack.beliefs.scenario import MentalState, Topic

VALUES = ("the terrace", "the corner", "the bar", "the long table", "the window", "the garden")


def topic(*values: str) -> Topic:
    return Topic(id="seating", label="the seating", mental_state=MentalState.DESIRE, holder="Maya", values=values)


def roles_of(
    seating: Topic, roles: dict[str, OptionRole], elsewhere: list[str], seed: int = 0
) -> dict[str, OptionRole]:
    options = value_distractors(seating, seating.values[0], roles, elsewhere, Random(seed))
    return {option.text: option.role for option in options}


@pytest.mark.parametrize("seed", range(10))
def test_three_other_values_of_the_topic_are_taken(seed: int) -> None:
    chosen = roles_of(topic(*VALUES), {}, ["a waltz"], seed)
    assert len(chosen) == 3
    assert set(chosen) <= {value[0].upper() + value[1:] for value in VALUES[1:]}
    assert set(chosen.values()) == {OptionRole.NEVER_SAID}


@pytest.mark.parametrize("seed", range(10))
def test_what_the_agent_held_comes_before_what_the_partner_named(seed: int) -> None:
    roles = {
        "the garden": OptionRole.POST_VALUE,
        "the bar": OptionRole.PRE_VALUE,
        "the corner": OptionRole.PARTNER_VALUE,
        "the window": OptionRole.PARTNER_VALUE,
    }
    chosen = roles_of(topic(*VALUES), roles, [], seed)
    assert chosen["The garden"] is OptionRole.POST_VALUE
    assert chosen["The bar"] is OptionRole.PRE_VALUE
    assert list(chosen.values()).count(OptionRole.PARTNER_VALUE) == 1


@pytest.mark.parametrize("seed", range(10))
def test_what_the_partner_named_comes_before_what_nobody_said(seed: int) -> None:
    chosen = roles_of(topic(*VALUES), {"the window": OptionRole.PARTNER_VALUE}, [], seed)
    assert chosen["The window"] is OptionRole.PARTNER_VALUE
    assert list(chosen.values()).count(OptionRole.NEVER_SAID) == 2


def test_which_unsaid_values_are_taken_is_a_matter_of_chance() -> None:
    assert len({tuple(sorted(roles_of(topic(*VALUES), {}, [], seed))) for seed in range(40)}) > 3


@pytest.mark.parametrize("seed", range(10))
def test_a_topic_with_few_values_borrows_from_other_topics(seed: int) -> None:
    chosen = roles_of(topic(*VALUES[:2]), {}, ["a waltz", "a tango", "a waltz", "a polka"], seed)
    assert chosen["The corner"] is OptionRole.NEVER_SAID
    borrowed = {text for text, role in chosen.items() if role is OptionRole.OTHER_TOPIC}
    assert len(borrowed) == 2
    assert borrowed <= {"A waltz", "A tango", "A polka"}


def test_values_of_the_topic_itself_are_never_borrowed() -> None:
    chosen = roles_of(topic(*VALUES[:3]), {}, [*VALUES[:3], "a waltz"])
    assert chosen == {
        "The corner": OptionRole.NEVER_SAID,
        "The bar": OptionRole.NEVER_SAID,
        "A waltz": OptionRole.OTHER_TOPIC,
    }


def test_without_three_wrong_options_there_is_no_question() -> None:
    with pytest.raises(NotEnoughOptions, match="topic 'seating' gives 2 wrong options; 3 are needed"):
        value_distractors(topic(*VALUES[:2]), VALUES[0], {}, ["a waltz", "a waltz"], Random(0))


def turn_options(gold: int | None, preferred: list[int], others: list[int], seed: int = 0) -> dict[str, OptionRole]:
    options = turn_distractors(topic(*VALUES), gold, preferred, others, Random(seed))
    return {option.text: option.role for option in options}


@pytest.mark.parametrize("seed", range(10))
def test_a_change_may_also_not_have_happened(seed: int) -> None:
    chosen = turn_options(4, [4, 6, 8], [1, 2, 3], seed)
    assert chosen == {
        "At turn 6": OptionRole.OTHER_TURN,
        "At turn 8": OptionRole.OTHER_TURN,
        "At no turn": OptionRole.NO_CHANGE,
    }


@pytest.mark.parametrize("seed", range(10))
def test_where_nothing_changed_three_turns_are_wrong(seed: int) -> None:
    assert set(turn_options(None, [4, 6, 8], [1, 2, 3], seed)) == {"At turn 4", "At turn 6", "At turn 8"}


def test_earlier_turns_fill_up_where_own_turns_are_few() -> None:
    chosen = turn_options(4, [4], [4, 3, 1])
    assert set(chosen) == {"At turn 1", "At turn 3", "At no turn"}


def test_a_dialogue_that_is_too_short_gives_no_question_about_turns() -> None:
    with pytest.raises(NotEnoughOptions, match="gives 2 wrong options"):
        turn_distractors(topic(*VALUES), 4, [4], [3, 4], Random(0))


def test_that_nothing_changed_may_be_left_out_and_then_there_are_three_other_turns() -> None:
    options = turn_distractors(topic(*VALUES), 4, [6, 8], [1], Random(0), or_none=False)
    assert [option.text for option in options] == ["At turn 6", "At turn 8", "At turn 1"]
