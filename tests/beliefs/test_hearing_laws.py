"""Laws of who takes whose state to be what, over dialogues with audiences, notes, hearsay and presumptions."""

from __future__ import annotations

from itertools import chain as joined
from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from dtomtrack.beliefs.dialogue import Expression, Turn
from dtomtrack.beliefs.hearing import Picture
from dtomtrack.beliefs.inner_speech import thought
from dtomtrack.beliefs.scenario import MentalState
from dtomtrack.beliefs.tracker import BeliefTracker, StateKey

NAMES = ("A", "B", "C", "D")
VALUES = ("x", "y", "z")
TOPIC = "bill"
CHAINS = tuple(joined.from_iterable(permutations(NAMES, length) for length in (1, 2, 3)))


def _others(name: str) -> list[str]:
    return [one for one in NAMES if one != name]


@st.composite
def _expressions(draw: st.DrawFn, speaker: str) -> Expression:
    about = draw(_ABOUT[speaker])
    presumed = about is not None and draw(_EITHER)
    return Expression(topic=TOPIC, content=draw(_VALUE), about=about, presumed=presumed)


# made once: making a strategy takes as long as drawing from it
_NAME, _VALUE, _EITHER = st.sampled_from(NAMES), st.sampled_from(VALUES), st.booleans()
_ABOUT = {name: st.sampled_from([None, None, *_others(name)]) for name in NAMES}
_SAID = {name: st.lists(_expressions(name), max_size=2) for name in NAMES}
_HEARERS = {name: st.sets(st.sampled_from(_others(name)), min_size=1) for name in NAMES}
_LATER = st.none() | st.integers(0, 4)
_ONE_IN_FOUR = st.integers(0, 3).map(lambda drawn: drawn == 0)
_LENGTH = st.integers(1, 9)


def _turn(draw: st.DrawFn, index: int, *, apart: bool) -> Turn:
    speaker = draw(_NAME)
    said = draw(_SAID[speaker])
    own = [one for one in said if one.about is None]
    turn = Turn(
        index=index,
        speaker=speaker,
        inner_speech=tuple(thought(MentalState.INTENTION, one.content, TOPIC) for one in own),
        utterance="...",
        said=tuple(said),
    )
    if not apart:
        return turn
    hearers = draw(_HEARERS[speaker])
    audience = tuple(name for name in NAMES if name == speaker or name in hearers)
    note = draw(_ONE_IN_FOUR)
    later = {name: draw(_LATER) for name in sorted(hearers)} if note else {}
    read = {name: None if turns is None else index + turns for name, turns in later.items()}
    return turn.model_copy(update={"audience": audience, "read_at": read})


@st.composite
def _dialogues(draw: st.DrawFn, *, apart: bool = True) -> list[Turn]:
    return [_turn(draw, index, apart=apart) for index in range(draw(_LENGTH))]


def told(picture: Picture | None) -> tuple[str, int] | None:
    """Value and source turn."""
    return None if picture is None else (picture.content, picture.source_turn)


def tracked(turns: list[Turn]) -> BeliefTracker:
    return BeliefTracker.of(turns, names=NAMES)


@given(_dialogues(apart=False))
def test_with_everybody_always_there_every_order_equals_the_first(turns: list[Turn]) -> None:
    spoken = [
        turn.model_copy(update={"said": tuple(one for one in turn.expressions if one.about is None)}) for turn in turns
    ]
    tracker = tracked(spoken)
    for turn in spoken:
        for holder in NAMES:
            own = tracker.at(StateKey(holder, TOPIC), turn.index)
            for chain in CHAINS:
                picture = tracker.picture(chain, holder, TOPIC, turn.index)
                assert (picture and picture.content) == (own and own.content)


@given(_dialogues(), st.sampled_from(NAMES), st.integers(0, 8))
def test_taking_a_listener_out_changes_no_chain_without_that_listener(turns: list[Turn], name: str, at: int) -> None:
    # what that listener later tells of it is as old as what they had: who says nothing of others changes nothing
    quiet = [
        turn.model_copy(update={"said": tuple(one for one in turn.expressions if one.about is None)})
        if turn.speaker == name
        else turn
        for turn in turns
    ]
    without = [
        turn.model_copy(
            update={
                "audience": tuple(one for one in turn.audience if one != name),
                "read_at": {one: read for one, read in turn.read_at.items() if one != name},
            }
        )
        if turn.index == at and turn.speaker != name and len(turn.audience) > 2
        else turn
        for turn in quiet
    ]
    before, after = tracked(quiet), tracked(without)
    for chain in CHAINS:
        if name not in chain:
            for holder in NAMES:
                for turn in turns:
                    args = chain, holder, TOPIC, turn.index
                    assert told(before.picture(*args)) == told(after.picture(*args))


def _note(read_at: dict[str, int | None]) -> Turn:
    """The first turn: A writes to these, who read it later, at once or never."""
    return Turn(
        index=0,
        speaker="A",
        inner_speech=(thought(MentalState.INTENTION, "x", TOPIC),),
        utterance="...",
        said=(Expression(topic=TOPIC, content="x"),),
        audience=("A", *read_at),
        read_at=read_at,
    )


def test_that_another_reads_a_note_tells_two_nothing_of_each_other() -> None:
    """B has read A's note while A wrote another; that D reads it before both doesn't tell A that B has."""
    note = _note({"B": 1, "D": 2})
    talk = [
        Turn(index=1, speaker="C", inner_speech=(), utterance="...", audience=("C", "B")),
        Turn(index=2, speaker="A", inner_speech=(), utterance="...", audience=("A", "B", "D")),
    ]
    tracker = tracked([note, *talk])
    assert told(tracker.picture(("B",), "A", TOPIC, 2)) == told(tracker.picture(("A", "D"), "A", TOPIC, 2)) == ("x", 0)
    assert tracker.picture(("A", "B"), "A", TOPIC, 2) is None
    assert [(one.turn, one.names) for one in tracker.together()] == [(2, ("A", "D")), (2, ("B", "D"))]


@given(st.data())
def test_a_chain_has_what_first_reached_all_of_it_together(data: st.DataObject) -> None:
    read_at = {name: data.draw(st.none() | st.integers(0, 5)) for name in "BCD"}
    note = _note(read_at)
    talk = []
    for index in range(1, 6):
        speaker = data.draw(_NAME)
        audience = tuple(sorted({speaker, *data.draw(_HEARERS[speaker])}))
        talk.append(Turn(index=index, speaker=speaker, inner_speech=(), utterance="...", audience=audience))
    tracker = tracked([note, *talk])
    together = tracker.together()
    for chain in CHAINS:
        if len(chain) > 1:
            picture = tracker.picture(chain, "A", TOPIC, 5)
            first = next((one.turn for one in together if set(chain) <= set(one.names)), None)
            assert (picture and picture.since) == first


@given(_dialogues())
def test_a_chain_over_more_minds_never_has_a_newer_source(turns: list[Turn]) -> None:
    tracker = tracked(turns)
    for chain in CHAINS:
        if len(chain) == 1:
            continue
        for holder in NAMES:
            for turn in turns:
                whole = tracker.picture(chain, holder, TOPIC, turn.index)
                for left_out in chain:
                    if whole is None:
                        continue
                    part = tracker.picture([one for one in chain if one != left_out], holder, TOPIC, turn.index)
                    told_by_the_one_left = len(chain) == 2 and part is None
                    assert told_by_the_one_left or (part is not None and whole.source_turn <= part.source_turn)


@given(_dialogues())
def test_the_order_of_names_in_a_chain_does_not_matter(turns: list[Turn]) -> None:
    tracker = tracked(turns)
    for chain in CHAINS:
        for holder in NAMES:
            for turn in turns:
                one, other = (tracker.picture(each, holder, TOPIC, turn.index) for each in (chain, sorted(chain)))
                assert told(one) == told(other)


@given(_dialogues())
def test_sources_never_grow_older(turns: list[Turn]) -> None:
    tracker = tracked(turns)
    for chain in CHAINS:
        for holder in NAMES:
            pictures = [tracker.picture(chain, holder, TOPIC, turn.index) for turn in turns]
            sources = [-2 if picture is None else picture.source_turn for picture in pictures]
            assert sources == sorted(sources)


@given(_dialogues())
def test_records_of_others_are_the_chains_of_one(turns: list[Turn]) -> None:
    tracker = tracked(turns)
    for turn in turns:
        for name, holder in permutations(NAMES, 2):
            record = tracker.at(StateKey(name, TOPIC, about=holder), turn.index)
            picture = tracker.picture((name,), holder, TOPIC, turn.index)
            known = any(one.inner_speech for one in turns)
            assert not known or (record and record.content) == (picture and picture.content)
