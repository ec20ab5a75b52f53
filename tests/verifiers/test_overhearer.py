"""The overhearer answers from what is said, and only from that."""

from __future__ import annotations

import pytest

from dtomtrack.beliefs.question import Asks, Factors, OptionRole, Question, QuestionType
from dtomtrack.beliefs.reading import Act, Reading
from dtomtrack.beliefs.scenario import MentalState
from dtomtrack.verifiers.overheard import OverheardMinds
from dtomtrack.verifiers.overhearer import Overheard, Overhearer

AGENTS = ["Maya", "Ben"]
STATED = [
    Reading(2, "Maya", Act.STATE, "Maya", "seating", "a quiet corner"),
    Reading(4, "Maya", Act.STATE, "Maya", "seating", "the terrace"),
    Reading(8, "Maya", Act.STATE, "Maya", "seating", "a quiet corner"),
]
PRESUMED = Reading(5, "Ben", Act.PRESUME, "Maya", "seating", "two stools")


def question(
    kind: QuestionType, turn: int | None, asks: Asks = "state", agent: str = "Maya", about: str | None = None
) -> Question:
    return Question(
        id="q",
        dialogue_id="d",
        slot=0,
        generator="scripted",
        type=kind,
        mental_state=MentalState.DESIRE,
        order=1 if about is None else 2,
        agent=agent,
        about=about,
        topic="seating",
        turn=turn,
        question="Well?",
        options={"A": "1", "B": "2", "C": "3", "D": "4"},
        answer="A",
        option_roles={
            "A": OptionRole.GOLD,
            "B": OptionRole.NEVER_SAID,
            "C": OptionRole.NEVER_SAID,
            "D": OptionRole.NEVER_SAID,
        },
        evidence=(),
        factors=Factors(asks=asks, updates=0, changes=0),
    )


def answer(readings: list[Reading], asked: Question) -> Overheard | None:
    return Overhearer(OverheardMinds(readings)).answer(asked)


@pytest.mark.parametrize("kind", QuestionType)
def test_of_what_nobody_spoke_nothing_follows(kind: QuestionType) -> None:
    asked = question(kind, 4, "assumed" if kind is QuestionType.FALSE_BELIEF else "state", about="Ben")
    assert answer([], asked) is None


@pytest.mark.parametrize(
    ("kind", "turn", "expected"),
    [
        (QuestionType.PRE_UPDATE, 4, Overheard("A quiet corner", (2,))),
        (QuestionType.POST_UPDATE, 4, Overheard("The terrace", (4,))),
        (QuestionType.PRE_UPDATE, 8, Overheard("The terrace", (4,))),
        (QuestionType.POST_UPDATE, 8, Overheard("A quiet corner", (8,))),
        (QuestionType.TEMPORAL, 3, Overheard("A quiet corner", (2,))),
        (QuestionType.TEMPORAL, 7, Overheard("The terrace", (4,))),
        (QuestionType.TEMPORAL, 9, Overheard("A quiet corner", (8,))),
    ],
)
def test_what_was_held_is_what_was_last_said_until_then(kind: QuestionType, turn: int, expected: Overheard) -> None:
    assert answer(STATED, question(kind, turn)) == expected


def test_nothing_was_held_before_it_was_said() -> None:
    assert answer(STATED, question(QuestionType.TEMPORAL, 1)) is None
    assert answer(STATED, question(QuestionType.PRE_UPDATE, 2)) is None


@pytest.mark.parametrize(("asks", "expected"), [("first_change", 4), ("last_change", 8)])
def test_the_first_and_the_last_change_are_heard(asks: Asks, expected: int) -> None:
    heard = answer(STATED, question(QuestionType.UPDATE_DETECTION, None, asks))
    assert heard == Overheard(f"At turn {expected}", (2, expected))


def test_who_only_says_the_same_again_has_not_changed() -> None:
    again = [STATED[0], Reading(6, "Maya", Act.STATE, "Maya", "seating", "a quiet corner")]
    heard = answer(again, question(QuestionType.UPDATE_DETECTION, None, "first_change"))
    assert heard == Overheard("At no turn", (2,))


def test_arguments_and_questions_of_the_partner_are_no_statements() -> None:
    others = [
        Reading(turn, "Ben", act, "Maya", "seating", "two stools") for turn, act in ((3, Act.ARGUE), (5, Act.ASK))
    ]
    for kind in (QuestionType.TEMPORAL, QuestionType.SECOND_ORDER):
        asked = question(kind, 6, agent="Ben" if kind is QuestionType.SECOND_ORDER else "Maya", about="Maya")
        assert answer(others, asked) is None
        assert answer([*STATED, *others], asked) == Overheard("The terrace", (4,))


def test_one_thinks_of_the_other_what_one_heard_last() -> None:
    asked = question(QuestionType.SECOND_ORDER, 7, agent="Ben", about="Maya")
    assert answer(STATED, asked) == Overheard("The terrace", (4,))


def test_one_thinks_of_the_other_what_one_has_since_taken_for_granted() -> None:
    asked = question(QuestionType.SECOND_ORDER, 7, agent="Ben", about="Maya")
    assert answer([*STATED, PRESUMED], asked) == Overheard("Two stools", (5,))


def test_what_the_other_says_later_replaces_what_was_taken_for_granted() -> None:
    asked = question(QuestionType.SECOND_ORDER, 9, agent="Ben", about="Maya")
    assert answer([*STATED, PRESUMED], asked) == Overheard("A quiet corner", (8,))


def test_a_wrong_assumption_is_told_from_what_was_so() -> None:
    heard = [*STATED, PRESUMED]
    assumed = question(QuestionType.FALSE_BELIEF, 5, "assumed", agent="Ben", about="Maya")
    actual = question(QuestionType.FALSE_BELIEF, 5, "actual", agent="Maya")
    assert answer(heard, assumed) == Overheard("Two stools", (4, 5))
    assert answer(heard, actual) == Overheard("The terrace", (4,))


def test_an_assumption_is_found_wrong_by_an_objection_in_the_next_turn() -> None:
    heard = [PRESUMED, Reading(6, "Maya", Act.STATE, "Maya", "seating", "the terrace")]
    assumed = question(QuestionType.FALSE_BELIEF, 5, "assumed", agent="Ben", about="Maya")
    assert answer(heard, assumed) == Overheard("Two stools", (5, 6))


def test_an_assumption_that_is_right_is_not_a_false_belief() -> None:
    right = Reading(5, "Ben", Act.PRESUME, "Maya", "seating", "the terrace")
    assert answer([*STATED, right], question(QuestionType.FALSE_BELIEF, 5, "actual")) is None


def test_an_assumption_lasts_until_more_is_said_and_is_not_there_before_it_is_made() -> None:
    heard = [*STATED, PRESUMED]
    asked = {
        turn: question(QuestionType.FALSE_BELIEF, turn, "assumed", agent="Ben", about="Maya") for turn in (4, 7, 8)
    }
    assert [answer(heard, one) is None for one in asked.values()] == [True, False, True]


def test_topics_are_kept_apart() -> None:
    other = [Reading(6, "Maya", Act.STATE, "Maya", "music", "a waltz")]
    assert answer([*STATED[:1], *other], question(QuestionType.TEMPORAL, 7)) == Overheard("A quiet corner", (2,))
