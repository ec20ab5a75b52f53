"""Who takes whose state to be what: the worked example of the semantics, and notes, untruths and presumptions."""

from __future__ import annotations

import pytest

from dtomtrack.beliefs.dialogue import Expression, InnerSpeech, Turn
from dtomtrack.beliefs.hearing import NOWHERE
from dtomtrack.beliefs.inner_speech import thought
from dtomtrack.beliefs.scenario import MentalState
from dtomtrack.beliefs.tracker import BeliefTracker, StateKey

PLAN = MentalState.INTENTION


def plans(content: str) -> InnerSpeech:
    return thought(PLAN, content, "bill")


def turn(index: int, speaker: str, *hearers: str, own: str = "", **more: object) -> Turn:
    """A turn of ``speaker`` to ``hearers``, or to everybody; ``own`` is the plan that it is about."""
    thoughts = (plans(own),) if own else ()
    audience = (speaker, *hearers) if hearers else ()
    line = Turn(index=index, speaker=speaker, inner_speech=thoughts, utterance="...", audience=audience)
    return line.model_copy(update=more)


def tells(content: str, about: str = "C", *, presumed: bool = False) -> tuple[Expression, ...]:
    return (Expression(topic="bill", content=content, about=about, presumed=presumed),)


def takes(tracker: BeliefTracker, chain: str, at: int, about: str = "C") -> str | None:
    """What a chain such as "AB" takes the plan of C to be at a turn."""
    picture = tracker.picture(tuple(chain), about, "bill", at)
    return None if picture is None else picture.content


COMMON = (turn(2, "C", "A", "B", own="cash"), turn(4, "C", "B", own="card"))
TOLD = turn(8, "B", "A", said=tells("card"))


@pytest.fixture
def worked_example() -> BeliefTracker:
    """2: C to all, cash. 4, A being away: C to B, card. 6, B being away: C to A, transfer. 8: B to A, card."""
    return BeliefTracker.of([*COMMON, turn(6, "C", "A", own="transfer"), TOLD])


@pytest.mark.parametrize(
    ("chain", "value"),
    [("A", "transfer"), ("B", "card"), ("AB", "card"), ("BA", "card"), ("CA", "transfer"), ("CB", "card")],
)
def test_the_worked_example(worked_example: BeliefTracker, chain: str, value: str) -> None:
    own = worked_example.at(StateKey("C", "bill"), 8)
    assert own is not None
    assert own.content == "transfer"
    assert takes(worked_example, chain, 8) == value


def test_before_b_tells_anything_both_know_of_each_other_what_all_had_heard(worked_example: BeliefTracker) -> None:
    assert [takes(worked_example, chain, 7) for chain in ("A", "B", "AB", "BA")] == ["transfer", "card", "cash", "cash"]


def test_hearsay_counts_for_who_heard_nothing_newer() -> None:
    tracker = BeliefTracker.of([*COMMON, turn(6, "C", "D", own="transfer"), TOLD])
    assert takes(tracker, "A", 7) == "cash"
    assert takes(tracker, "A", 8) == "card"
    picture = tracker.picture(("A",), "C", "bill", 8)
    assert picture is not None
    assert (picture.source_turn, picture.since, picture.saying.speaker) == (4, 8, "B")


def test_nobody_knows_what_nobody_said() -> None:
    tracker = BeliefTracker.of(COMMON)
    assert takes(tracker, "A", 1) is None
    assert takes(tracker, "A", 9, about="B") is None


def test_a_false_belief_is_a_picture_that_is_not_so(worked_example: BeliefTracker) -> None:
    (false,) = worked_example.false_beliefs(8)
    assert (false.held.holder, false.held.about, false.held.content, false.truth) == ("B", "C", "card", "transfer")
    assert false.stale


def test_a_note_reaches_who_reads_it_when_they_do() -> None:
    note = turn(3, "C", "A", "B", own="card", read_at={"A": 5, "B": None})
    tracker = BeliefTracker.of([turn(1, "C", own="cash"), note, *(turn(at, "D", "A") for at in (4, 5, 6))])
    assert [takes(tracker, "A", at) for at in (3, 4, 5)] == ["cash", "cash", "card"]
    assert takes(tracker, "B", 6) == "cash"
    assert takes(tracker, "AB", 6) == "cash"
    assert takes(tracker, "CA", 6) == "cash", "C was not there when A read it, and can't tell"


def test_a_note_reaches_two_together_only_if_both_are_there_when_it_is_read() -> None:
    note = turn(3, "C", "A", "B", own="card", read_at={"A": 5, "B": 5})
    beside = [turn(1, "C", own="cash"), note]
    together = BeliefTracker.of([*beside, turn(5, "D", "A", "B", "C")])
    apart = BeliefTracker.of([*beside, turn(5, "D", "A")])
    assert [takes(together, chain, 5) for chain in ("A", "B", "AB", "BA", "CA", "CAB")] == ["card"] * 6
    assert [takes(apart, chain, 5) for chain in ("A", "B", "AB", "BA", "CA")] == [
        "card",
        "card",
        "cash",
        "cash",
        "cash",
    ]


def test_a_note_that_two_read_at_once_reaches_them_together() -> None:
    note = turn(3, "C", "A", "B", "D", own="card", read_at={"A": 3, "B": 3, "D": None})
    tracker = BeliefTracker.of([turn(1, "C", own="cash"), note])
    assert [takes(tracker, chain, 3) for chain in ("A", "B", "AB", "BA", "CA", "CAB")] == ["card"] * 6
    assert [takes(tracker, chain, 3) for chain in ("D", "AD")] == ["cash"] * 2


def test_who_says_that_they_have_read_a_note_says_so_to_who_has_read_it_before() -> None:
    note = turn(3, "C", "A", "B", own="card", read_at={"A": 3, "B": 5})
    beside = [turn(1, "C", own="cash"), note]
    heard = BeliefTracker.of([*beside, turn(5, "B", "A", "D")])
    missed = BeliefTracker.of([*beside, turn(5, "B", "D")])
    assert [takes(heard, chain, 5) for chain in ("AB", "BA")] == ["card"] * 2
    assert [takes(heard, chain, 4) for chain in ("AB", "BA")] == ["cash"] * 2
    assert [takes(missed, chain, 5) for chain in ("AB", "BA")] == ["cash"] * 2
    assert takes(heard, "DA", 5) == "cash", "D does not know what is in it"


def test_a_note_that_is_read_late_does_not_undo_what_was_said_since() -> None:
    note = turn(1, "C", "A", own="cash", read_at={"A": 6})
    tracker = BeliefTracker.of([note, turn(4, "C", own="card"), turn(6, "B")])
    assert takes(tracker, "A", 6) == "card"


def test_an_untruth_is_what_others_have_and_the_thought_is_what_is_held() -> None:
    said = (Expression(topic="bill", content="cash"),)
    tracker = BeliefTracker.of([turn(1, "C", "B", own="card"), turn(3, "C", "A", own="card", said=said)])
    assert (takes(tracker, "A", 3), takes(tracker, "B", 3), takes(tracker, "CA", 3)) == ("cash", "card", "cash")
    (own,) = tracker.history(StateKey("C", "bill"))
    assert own.content == "card"
    assert [one.held.holder for one in tracker.false_beliefs(3)] == ["A"]


def test_a_wrong_telling_does_not_change_the_tellers_own_picture() -> None:
    tracker = BeliefTracker.of([turn(1, "C", "B", own="card"), turn(3, "B", "A", said=tells("cash"))])
    assert (takes(tracker, "B", 3), takes(tracker, "A", 3), takes(tracker, "AB", 3)) == ("card", "cash", "cash")


def test_what_is_taken_for_granted_is_ones_own_picture_until_the_holder_says_more() -> None:
    presumed = turn(3, "B", said=tells("cash", presumed=True))
    tracker = BeliefTracker.of([turn(1, "C", own="card"), presumed, turn(4, "C", own="card")])
    assert (takes(tracker, "B", 3), takes(tracker, "AB", 3), takes(tracker, "CB", 3)) == ("cash",) * 3
    assert takes(tracker, "A", 3) == "card", "A heard C say so"
    assert [takes(tracker, chain, 4) for chain in ("B", "AB", "CB", "A")] == ["card"] * 4


def test_who_reads_in_a_note_what_was_told_otherwise_no_longer_takes_that_for_granted() -> None:
    note = turn(2, "C", "B", "A", own="card", read_at={"B": 6, "A": 2})
    told = turn(3, "A", "B", said=tells("cash"))
    presumed = turn(4, "B", said=tells("cash", presumed=True))
    tracker = BeliefTracker.of([note, told, presumed, turn(6, "B")])
    assert [takes(tracker, "B", at) for at in (3, 4, 6)] == ["cash", "cash", "card"]


def test_what_is_presumed_out_of_nowhere_is_older_than_any_word() -> None:
    presumed = turn(1, "B", "A", said=tells("cash", presumed=True))
    tracker = BeliefTracker.of([presumed, turn(3, "C", "A", own="card")])
    picture = tracker.picture(("B",), "C", "bill", 3)
    assert picture is not None
    assert (picture.content, picture.source_turn) == ("cash", NOWHERE)
    assert takes(tracker, "A", 1) == "cash"
    assert takes(tracker, "A", 3) == "card"


def test_who_takes_part_without_a_word_has_pictures_too() -> None:
    tracker = BeliefTracker.of([turn(1, "C", own="cash")], names=("C", "Z"))
    (of_other,) = [one for one in tracker.records() if one.order == 2]
    assert (of_other.holder, of_other.about, of_other.content, of_other.source_turn) == ("Z", "C", "cash", 1)
