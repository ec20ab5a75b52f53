"""Laws of the belief tracker where everybody is always there, against a naive replay of the thoughts."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from hypothesis import given
from hypothesis import strategies as st

from dtomtrack.beliefs.dialogue import BeliefRecord, InnerSpeech, Turn
from dtomtrack.beliefs.inner_speech import second_order, thought
from dtomtrack.beliefs.scenario import MentalState
from dtomtrack.beliefs.tracker import BeliefTracker, StateKey

AGENTS = ("Maya", "Ben")
TOPICS = {"seating": MentalState.BELIEF, "music": MentalState.DESIRE}
CONTENTS = ("x", "y", "z")


@st.composite
def _thoughts(draw: st.DrawFn, speaker: str) -> InnerSpeech:
    content = draw(_CONTENT)
    topic = draw(_TOPIC)
    state = MentalState.EMOTION if topic is None else TOPICS[topic]
    other = next(name for name in AGENTS if name != speaker)
    return second_order(other, state, content, topic) if draw(_EITHER) else thought(state, content, topic)


# made once: making a strategy takes as long as drawing from it
_CONTENT, _TOPIC, _EITHER = st.sampled_from(CONTENTS), st.sampled_from((*TOPICS, None)), st.booleans()
_SPEAKER = st.sampled_from(AGENTS)
_INNER_SPEECH = {name: st.lists(_thoughts(name), max_size=3).map(tuple) for name in AGENTS}
_NUMBERS = st.sets(st.integers(0, 14), max_size=10).map(sorted)


@st.composite
def _turns(draw: st.DrawFn) -> list[Turn]:
    """Turns in order, some left out, by either speaker."""
    turns = []
    for index in draw(_NUMBERS):
        speaker = draw(_SPEAKER)
        turns.append(Turn(index=index, speaker=speaker, inner_speech=draw(_INNER_SPEECH[speaker]), utterance="..."))
    return turns


conversations = _turns()
facts_of_the_world = st.dictionaries(st.sampled_from(tuple(TOPICS)), st.sampled_from(CONTENTS))


@dataclass(frozen=True)
class Held:
    """What the naive replay knows of a state."""

    content: str
    since: int
    mental_state: MentalState


def seen(record: BeliefRecord | None) -> Held | None:
    return None if record is None else Held(record.content, record.source_turn, record.mental_state)


def tracked(turns: Iterable[Turn], facts: dict[str, str] | None = None) -> BeliefTracker:
    """A tracker that knows who is there from the start."""
    return BeliefTracker.of(turns, facts, AGENTS)


def pictures_after(turn: Turn) -> dict[StateKey, Held]:
    """What a turn leaves of what is thought of others: the last thought of them, and what is heard of the speaker."""
    (other,) = (name for name in AGENTS if name != turn.speaker)
    left: dict[StateKey, Held] = {}
    for one in turn.inner_speech:
        if one.topic is not None:
            thinker, about = (other, turn.speaker) if one.order == 1 else (turn.speaker, one.about)
            left[StateKey(thinker, one.topic, about)] = Held(one.content, turn.index, one.mental_state)
    return left


def replay(turns: Sequence[Turn], until: int) -> dict[StateKey, Held]:
    """What is held at the end of turn ``until``."""
    held: dict[StateKey, Held] = {}
    for turn in turns:
        if turn.index > until:
            break
        own = [one for one in turn.inner_speech if one.topic is not None and one.order == 1]
        states = [(StateKey(turn.speaker, one.topic or ""), one) for one in own]
        named = [(key, Held(one.content, turn.index, one.mental_state)) for key, one in states]
        for key, state in (*named, *pictures_after(turn).items()):
            if key not in held or held[key].content != state.content:
                held[key] = state
    return held


def next_after(turns: Sequence[Turn], key: StateKey, after: int) -> Held | None:
    """The first that is held later, and since later."""
    held = replay(turns, after).get(key)
    for turn in turns:
        thoughts = [
            one for one in turn.inner_speech if (turn.speaker, one.topic, one.about) == (key.holder, key.topic, None)
        ]
        own = [Held(one.content, turn.index, one.mental_state) for one in thoughts]
        picture = pictures_after(turn).get(key)
        for state in own if key.about is None else filter(None, [picture]):
            if turn.index > after and (held is None or state.content != held.content):
                return state
    return None


def every_key() -> Iterator[StateKey]:
    for holder, other in (AGENTS, AGENTS[::-1]):
        for topic in TOPICS:
            yield StateKey(holder, topic)
            yield StateKey(holder, topic, other)


@given(conversations)
def test_records_of_a_state_partition_its_time(turns: list[Turn]) -> None:
    tracker = tracked(turns)
    for key in tracker.states():
        history = tracker.history(key)
        for turn in range(tracker.last_turn + 1):
            ends = [tracker.last_turn + 1 if one.superseded_at is None else one.superseded_at for one in history]
            holding = [one for one, end in zip(history, ends, strict=True) if one.source_turn <= turn < end]
            assert len(holding) == (turn >= history[0].source_turn)
            assert holding == [one for one in [tracker.at(key, turn)] if one is not None]


@given(conversations)
def test_a_record_is_superseded_exactly_if_it_has_a_successor(turns: list[Turn]) -> None:
    tracker = tracked(turns)
    for key in tracker.states():
        *given_up, last = tracker.history(key)
        assert all(one.superseded for one in given_up)
        assert (last.superseded, last.superseded_at) == (False, None)


@given(conversations)
def test_each_record_names_the_one_before_and_the_turn_of_the_next(turns: list[Turn]) -> None:
    tracker = tracked(turns)
    for key in tracker.states():
        history = tracker.history(key)
        assert history[0].prior_content is None
        for old, new in itertools.pairwise(history):
            assert new.prior_content == old.content != new.content
            assert old.superseded_at == new.source_turn


@given(conversations)
def test_every_record_stands_in_the_history_of_its_own_state(turns: list[Turn]) -> None:
    tracker = tracked(turns)
    records = tracker.records()
    assert [one.source_turn for one in records] == sorted(one.source_turn for one in records)
    assert len(records) == sum(len(tracker.history(key)) for key in tracker.states())
    for record in records:
        assert record in tracker.history(StateKey(record.holder, record.topic, record.about))
        assert record.order == (1 if record.about is None else 2)


@given(conversations)
def test_at_and_before_agree_with_a_naive_replay(turns: list[Turn]) -> None:
    tracker = tracked(turns)
    for turn in range(-1, tracker.last_turn + 2):
        now, earlier = replay(turns, turn), replay(turns, turn - 1)
        for key in every_key():
            assert seen(tracker.at(key, turn)) == now.get(key)
            assert seen(tracker.before(key, turn)) == earlier.get(key)


@given(conversations)
def test_after_agrees_with_a_naive_replay(turns: list[Turn]) -> None:
    tracker = tracked(turns)
    for turn in range(tracker.last_turn + 2):
        for key in replay(turns, turn):
            assert seen(tracker.after(key, turn)) == next_after(turns, key, turn)


@given(conversations)
def test_updates_are_the_changes_between_neighbouring_records(turns: list[Turn]) -> None:
    tracker = tracked(turns)
    for order in (1, 2):
        updates = tracker.updates(order)
        keys = [key for key in tracker.states() if (key.about is None) == (order == 1)]
        assert len(updates) == sum(len(tracker.history(key)) - 1 for key in keys)
        assert [new.source_turn for _, new in updates] == sorted(new.source_turn for _, new in updates)
        for old, new in updates:
            assert old.order == new.order == order
            assert (old.superseded_at, new.prior_content) == (new.source_turn, old.content)


@given(conversations, facts_of_the_world)
def test_turns_added_one_by_one_give_what_reading_them_at_once_gives(turns: list[Turn], facts: dict[str, str]) -> None:
    one_by_one = BeliefTracker(facts, AGENTS)
    for number, turn in enumerate(turns, 1):
        one_by_one.add(turn)
        at_once = tracked(iter(turns[:number]), facts)
        assert one_by_one.last_turn == at_once.last_turn == turn.index
        assert one_by_one.states() == at_once.states()
        assert one_by_one.records() == at_once.records()
        assert one_by_one.false_beliefs(turn.index) == at_once.false_beliefs(turn.index)


@given(conversations)
def test_later_turns_do_not_change_what_was_held_earlier(turns: list[Turn]) -> None:
    whole = tracked(turns)
    for number, turn in enumerate(turns, 1):
        so_far = tracked(turns[:number])
        for key in so_far.states():
            assert seen(whole.at(key, turn.index)) == seen(so_far.at(key, turn.index))


@given(conversations)
def test_voicing_what_one_holds_already_changes_no_own_state(turns: list[Turn]) -> None:
    tracker = tracked(turns)
    before = [one for one in tracker.records() if one.order == 1]
    for number, speaker in enumerate(AGENTS):
        index = tracker.last_turn + 1 + number
        held = replay(turns, tracker.last_turn)
        again = [
            thought(state.mental_state, state.content, key.topic)
            for key, state in held.items()
            if key.holder == speaker and key.about is None
        ]
        tracker.add(Turn(index=index, speaker=speaker, inner_speech=tuple(again), utterance="..."))
    assert [one for one in tracker.records() if one.order == 1] == before
    assert not any(one.held.order == 2 for one in tracker.false_beliefs(tracker.last_turn))


@given(conversations)
def test_voicing_every_thought_twice_adds_nothing(turns: list[Turn]) -> None:
    stammered = [
        turn.model_copy(update={"inner_speech": tuple(one for one in turn.inner_speech for _ in range(2))})
        for turn in turns
    ]
    assert tracked(stammered).records() == tracked(turns).records()


def naive_false_beliefs(
    turns: Sequence[Turn], facts: dict[str, str], turn: int
) -> set[tuple[StateKey, str, str, bool, str | None]]:
    """(whose state, what is held, what is so, whether it was so once, what the other holds)."""
    held = replay(turns, turn)
    false: set[tuple[StateKey, str, str, bool, str | None]] = set()
    for key, state in held.items():
        if key.about is None:
            truth = facts.get(key.topic)
            measured = state.mental_state in (MentalState.BELIEF, MentalState.KNOWLEDGE)
            if measured and truth is not None and truth != state.content:
                false.add((key, state.content, truth, False, None))
            continue
        own = StateKey(key.about, key.topic)
        if own in held and held[own].content != state.content:
            then = replay(turns, state.since).get(own)
            stale = then is not None and then.content == state.content
            false.add((key, state.content, held[own].content, stale, held[own].content))
    return false


@given(conversations, facts_of_the_world)
def test_false_beliefs_are_those_of_the_naive_definition(turns: list[Turn], facts: dict[str, str]) -> None:
    tracker = tracked(turns, facts)
    for turn in range(-1, tracker.last_turn + 2):
        found = tracker.false_beliefs(turn)
        told = [
            (
                StateKey(one.held.holder, one.held.topic, one.held.about),
                one.held.content,
                one.truth,
                one.stale,
                one.actual.content if one.actual else None,
            )
            for one in found
        ]
        assert len(told) == len(set(told))
        assert set(told) == naive_false_beliefs(turns, facts, turn)
        assert all(one.turn == turn for one in found)


@given(conversations)
def test_a_stale_false_belief_was_true_when_it_was_formed(turns: list[Turn]) -> None:
    tracker = tracked(turns)
    for turn in range(tracker.last_turn + 1):
        for one in tracker.false_beliefs(turn):
            formed_true = one.held not in [other.held for other in tracker.false_beliefs(one.held.source_turn)]
            spoken = tracker.at(StateKey(one.held.about or "", one.held.topic), one.held.source_turn) is not None
            assert one.stale == (formed_true and spoken)
