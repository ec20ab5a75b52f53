"""The belief tracker, method by method, on conversations of a few turns."""

from __future__ import annotations

import pytest

from dtomtrack.beliefs.dialogue import InnerSpeech, Turn
from dtomtrack.beliefs.inner_speech import second_order, thought
from dtomtrack.beliefs.scenario import MentalState
from dtomtrack.beliefs.tracker import BeliefTracker, FalseBelief, StateKey

BELIEF, DESIRE = MentalState.BELIEF, MentalState.DESIRE
SEATING = StateKey("Maya", "seating")
BENS_IDEA_OF_SEATING = StateKey("Ben", "seating", about="Maya")


def turn(index: int, speaker: str, *thoughts: InnerSpeech) -> Turn:
    return Turn(index=index, speaker=speaker, inner_speech=thoughts, utterance="...")


def wants(content: str) -> InnerSpeech:
    return thought(DESIRE, content, "seating")


def thinks_maya_wants(content: str) -> InnerSpeech:
    return second_order("Maya", DESIRE, content, "seating")


@pytest.fixture
def tracker() -> BeliefTracker:
    """Maya wants the booth at 0, the terrace at 4, the booth again at 8; Ben reads of the terrace at 5, of no other."""
    note = {"audience": ("Maya", "Ben"), "read_at": {"Ben": 5}}
    return BeliefTracker.of(
        [
            turn(0, "Maya", wants("the booth")),
            turn(1, "Ben", thinks_maya_wants("the booth")),
            turn(4, "Maya", wants("the terrace")).model_copy(update=note),
            turn(5, "Ben", thinks_maya_wants("the terrace")),
            turn(8, "Maya", wants("the booth")).model_copy(update={"audience": ("Maya", "Cleo")}),
        ]
    )


def test_a_new_tracker_has_nothing_on_record() -> None:
    tracker = BeliefTracker()
    assert tracker.last_turn == -1
    assert not any((tracker.states(), tracker.records(), tracker.updates(), tracker.false_beliefs(0)))
    assert tracker.at(SEATING, 0) is None


def test_a_record_has_the_thought_its_holder_and_its_turn() -> None:
    (record,) = BeliefTracker.of([turn(3, "Maya", wants("the booth"))]).records()
    assert (record.holder, record.about, record.order) == ("Maya", None, 1)
    assert (record.mental_state, record.topic, record.content) == (DESIRE, "seating", "the booth")
    assert record.source_turn == 3
    assert (record.superseded, record.superseded_at, record.prior_content) == (False, None, None)


def test_a_thought_about_the_other_is_a_second_order_record() -> None:
    (record,) = BeliefTracker.of([turn(1, "Ben", thinks_maya_wants("the booth"))]).records()
    assert (record.holder, record.about, record.order, record.content) == ("Ben", "Maya", 2, "the booth")


def test_a_state_is_superseded_by_the_next_one(tracker: BeliefTracker) -> None:
    told = [
        (one.content, one.source_turn, one.superseded, one.superseded_at, one.prior_content)
        for one in tracker.history(SEATING)
    ]
    assert told == [
        ("the booth", 0, True, 4, None),
        ("the terrace", 4, True, 8, "the booth"),
        ("the booth", 8, False, None, "the terrace"),
    ]


def test_the_same_content_voiced_again_is_not_recorded_twice() -> None:
    tracker = BeliefTracker.of([turn(0, "Maya", wants("the booth")), turn(2, "Maya", wants("the booth"))])
    assert [one.source_turn for one in tracker.records()] == [0]
    assert tracker.last_turn == 2


def test_two_thoughts_of_one_turn_follow_each_other() -> None:
    tracker = BeliefTracker.of([turn(2, "Maya", wants("the booth"), wants("the terrace"))])
    first, second = tracker.history(SEATING)
    assert (first.source_turn, first.superseded_at, second.source_turn) == (2, 2, 2)
    assert tracker.at(SEATING, 2) == second


def test_a_thought_without_a_topic_is_passed_over() -> None:
    tracker = BeliefTracker.of([turn(0, "Maya", thought(DESIRE, "a good evening"))])
    assert tracker.records() == []
    assert tracker.last_turn == 0


def test_states_of_other_holders_topics_and_orders_do_not_supersede_each_other() -> None:
    tracker = BeliefTracker.of(
        [
            turn(0, "Maya", wants("the booth"), thought(DESIRE, "jazz", "music")),
            turn(1, "Ben", wants("the terrace"), thinks_maya_wants("the bar")),
        ]
    )
    own = [SEATING, StateKey("Maya", "music"), StateKey("Ben", "seating")]
    assert [key for key in tracker.states() if key.about is None] == own
    assert not any(one.superseded for key in own for one in tracker.history(key))


@pytest.mark.parametrize("index", [3, 2, 0])
def test_turns_out_of_order_are_refused(index: int) -> None:
    tracker = BeliefTracker.of([turn(3, "Maya", wants("the booth"))])
    with pytest.raises(ValueError, match=f"turn {index} comes after turn 3"):
        tracker.add(turn(index, "Ben", wants("the terrace")))
    assert tracker.states() == [SEATING]


def test_turns_may_be_left_out(tracker: BeliefTracker) -> None:
    assert tracker.last_turn == 8


def test_states_stand_in_the_order_in_which_they_were_first_expressed(tracker: BeliefTracker) -> None:
    assert tracker.states() == [SEATING, BENS_IDEA_OF_SEATING, StateKey("Cleo", "seating", about="Maya")]


def test_records_of_all_states_stand_by_source_turn(tracker: BeliefTracker) -> None:
    told = [(one.source_turn, one.holder) for one in tracker.records()]
    assert told == [(0, "Maya"), (0, "Ben"), (0, "Cleo"), (4, "Maya"), (5, "Ben"), (8, "Maya")]


def test_the_history_of_a_state_never_expressed_is_empty(tracker: BeliefTracker) -> None:
    assert tracker.history(StateKey("Ben", "seating")) == []


def test_lists_given_out_are_copies(tracker: BeliefTracker) -> None:
    tracker.history(SEATING).clear()
    tracker.states().clear()
    tracker.records().clear()
    assert len(tracker.history(SEATING)) == 3
    assert len(tracker.states()) == 3
    assert len(tracker.records()) == 6


@pytest.mark.parametrize(
    ("at", "held"), [(0, "the booth"), (3, "the booth"), (4, "the terrace"), (7, "the terrace"), (8, "the booth")]
)
def test_at_tells_what_is_held_at_the_end_of_a_turn(tracker: BeliefTracker, at: int, held: str) -> None:
    record = tracker.at(SEATING, at)
    assert record is not None
    assert record.content == held


def test_nothing_is_held_before_it_is_expressed(tracker: BeliefTracker) -> None:
    assert tracker.at(BENS_IDEA_OF_SEATING, -1) is None
    assert tracker.before(SEATING, 0) is None


def test_before_and_after_a_change_are_the_old_state_and_the_next(tracker: BeliefTracker) -> None:
    booth, terrace, booth_again = tracker.history(SEATING)
    assert tracker.before(SEATING, 4) == booth
    assert tracker.before(SEATING, 5) == terrace
    assert tracker.after(SEATING, 3) == terrace
    assert tracker.after(SEATING, 4) == booth_again
    assert tracker.after(SEATING, 8) is None


def test_updates_are_pairs_of_a_record_and_its_successor_by_turn(tracker: BeliefTracker) -> None:
    booth, terrace, booth_again = tracker.history(SEATING)
    assert tracker.updates() == [(booth, terrace), (terrace, booth_again)]


def test_updates_of_second_order_are_asked_for_by_order(tracker: BeliefTracker) -> None:
    booth, terrace = tracker.history(BENS_IDEA_OF_SEATING)
    assert tracker.updates(order=2) == [(booth, terrace)]
    assert tracker.updates(order=3) == []


def test_updates_of_several_states_stand_by_the_turn_of_the_change() -> None:
    tracker = BeliefTracker.of(
        [
            turn(0, "Maya", wants("the booth")),
            turn(1, "Ben", thought(DESIRE, "jazz", "music")),
            turn(3, "Ben", thought(DESIRE, "silence", "music")),
            turn(4, "Maya", wants("the terrace")),
        ]
    )
    assert [new.content for _, new in tracker.updates()] == ["silence", "the terrace"]


def test_a_thought_that_was_true_and_was_overtaken_is_a_stale_false_belief(tracker: BeliefTracker) -> None:
    (held,) = [one for one in tracker.history(BENS_IDEA_OF_SEATING) if one.content == "the booth"]
    assert tracker.false_beliefs(3) == []
    of_ben, of_cleo = tracker.false_beliefs(4)
    assert of_ben == FalseBelief(turn=4, held=held, actual=tracker.at(SEATING, 4), truth="the terrace", stale=True)
    assert (of_cleo.held.holder, of_cleo.stale) == ("Cleo", True)
    assert [one.held.holder for one in tracker.false_beliefs(5)] == ["Cleo"]


def test_a_thought_that_was_never_true_is_false_but_not_stale() -> None:
    tracker = BeliefTracker.of([turn(0, "Maya", wants("the booth")), turn(1, "Ben", thinks_maya_wants("the bar"))])
    (false,) = tracker.false_beliefs(1)
    assert (false.held.content, false.truth, false.stale) == ("the bar", "the booth", False)


def test_a_thought_formed_before_the_other_spoke_is_false_but_not_stale() -> None:
    unheard = turn(1, "Maya", wants("the booth")).model_copy(update={"audience": ("Maya", "Cleo")})
    tracker = BeliefTracker.of([turn(0, "Ben", thinks_maya_wants("the bar")), unheard])
    assert tracker.false_beliefs(0) == []
    assert [one.stale for one in tracker.false_beliefs(1)] == [False]


def test_a_presumption_ends_with_the_others_word() -> None:
    tracker = BeliefTracker.of([turn(0, "Ben", thinks_maya_wants("the bar")), turn(1, "Maya", wants("the booth"))])
    assert [one.content for one in tracker.history(BENS_IDEA_OF_SEATING)] == ["the bar", "the booth"]
    assert tracker.false_beliefs(1) == []


def test_a_belief_against_the_facts_is_false_until_it_is_given_up() -> None:
    turns = [
        turn(0, "Maya", thought(BELIEF, "it closes at ten", "closing")),
        turn(2, "Maya", thought(BELIEF, "it closes at nine", "closing")),
    ]
    tracker = BeliefTracker.of(turns, facts={"closing": "it closes at nine"})
    (false,) = tracker.false_beliefs(1)
    assert (false.held.content, false.actual, false.truth, false.stale) == (
        "it closes at ten",
        None,
        "it closes at nine",
        False,
    )
    assert tracker.false_beliefs(2) == []
    assert BeliefTracker.of(turns).false_beliefs(1) == []


@pytest.mark.parametrize("state", list(MentalState))
def test_facts_count_against_beliefs_and_knowledge_only(state: MentalState) -> None:
    turns = [turn(0, "Maya", thought(state, "x", "topic"))]
    false = BeliefTracker.of(turns, facts={"topic": "y", "elsewhere": "z"}).false_beliefs(0)
    assert bool(false) == (state in {MentalState.BELIEF, MentalState.KNOWLEDGE})


def test_facts_do_not_count_against_thoughts_about_the_other() -> None:
    turns = [turn(0, "Ben", second_order("Maya", BELIEF, "it closes at ten", "closing"))]
    assert BeliefTracker.of(turns, facts={"closing": "it closes at nine"}).false_beliefs(0) == []


def test_facts_changed_by_the_caller_later_do_not_reach_the_tracker() -> None:
    facts = {"closing": "it closes at ten"}
    tracker = BeliefTracker.of([turn(0, "Maya", thought(BELIEF, "it closes at ten", "closing"))], facts)
    facts["closing"] = "it closes at nine"
    assert tracker.false_beliefs(0) == []
