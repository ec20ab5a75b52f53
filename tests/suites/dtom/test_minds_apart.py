"""Questions about minds that come apart: what they are grouped by, and what answers to them add up to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random

import pytest
from made_questions import ASKED, a_question, an_answer, measured, sum_of

from dtomtrack.beliefs.dialogue import Dialogue, InnerSpeech, Turn
from dtomtrack.beliefs.divergence import Way
from dtomtrack.beliefs.question import Factors, OptionRole, Question, QuestionType
from dtomtrack.beliefs.scenario import MentalState
from dtomtrack.beliefs.tracker import BeliefTracker
from dtomtrack.evaluation.metrics import metrics
from dtomtrack.evaluation.records import Answer, Metrics
from dtomtrack.evaluation.subject import rules_of
from dtomtrack.items.item import ContextLine
from dtomtrack.items.presented import PresentedItem
from dtomtrack.suites.dtom.items import DialogueContext, item_of
from dtomtrack.suites.dtom.slot_result import SlotResult
from dtomtrack.suites.dtom.suite import SUITE

APART = Factors(
    asks="state",
    updates=3,
    changes=1,
    lag=33,
    differs="apart",
    apart=Way.NOTE,
    revisions=3,
    interference=5,
    since=12,
    turns=60,
    asked_by="event",
)
WRONG = (OptionRole.ACTUAL_VALUE, OptionRole.HEARSAY, OptionRole.NEVER_SAID)


def a_picture(dialogue: int = 0, number: int = 0, factors: Factors = APART, **fields: object) -> Question:
    """A question about what one thinks of another; what is so is B, hearsay is C."""
    question = a_question(QuestionType.SECOND_ORDER, dialogue, number, order=2, wrong=WRONG, factors=factors)
    return Question.model_validate(question.model_dump() | fields)


# -- groups ----------------------------------------------------------------------------------------------------------


def test_everything_a_question_was_made_from_is_in_its_groups() -> None:
    groups = item_of(a_picture()).groups
    wanted = {
        "differs": "apart",
        "apart": "note",
        "lag": "30-39",
        "since": "10-19",
        "revisions": "3",
        "interference": "4-5",
        "order": "2",
        "turns": "60",
        "asked_by": "event",
        "asks": "state",
    }
    assert {name: groups[name] for name in wanted} == wanted


def test_groups_that_do_not_apply_are_left_out() -> None:
    plain = item_of(a_question()).groups
    assert not {"differs", "apart", "revisions", "interference", "since", "asked_by", "signal"} & plain.keys()


@pytest.mark.parametrize(
    ("turns", "lag", "group"),
    [(6, 5, "5"), (10, 0, "0-1"), (10, 9, "8-9"), (24, 23, "20-23"), (60, 9, "0-9"), (300, 299, "250-299")],
)
def test_lags_fall_into_six_groups_of_equal_width(turns: int, lag: int, group: str) -> None:
    factors = APART.model_copy(update={"turns": turns, "lag": lag})
    assert item_of(a_picture(factors=factors)).groups["lag"] == group


def test_the_length_is_that_of_the_dialogue_where_it_is_known(slots: dict[str, list[SlotResult]]) -> None:
    slot = slots["restaurant"][0]
    assert slot.dialogue is not None
    item = item_of(slot.questions[0], DialogueContext(slot.dialogue, slot.questions[0], {}))
    assert item.groups["turns"] == str(len(slot.dialogue.turns))


# -- egocentric intrusions -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Spoken:
    """What was said."""

    lines: Sequence[ContextLine]

    def text(self, condition: str) -> str:
        return condition


def answered(said: Sequence[str], aloud: str = "ABC") -> Metrics:
    """Metrics of answers about pictures, where the dialogue says these options."""
    questions = [a_picture(number) for number in range(len(said))]
    context = Spoken([ContextLine("Maya", f"Option {letter}") for letter in aloud])
    items = [replace(item_of(one), context=context) for one in questions]
    return metrics(SUITE, ASKED, items, [an_answer(*one) for one in zip(questions, said, strict=True)])


def test_what_is_so_in_the_place_of_what_is_thought_is_an_egocentric_intrusion() -> None:
    egocentric = measured(answered(["B", "B", "B", "C"] * 10 + ["A", "D", "error", "unparsed"]), "egocentric")
    assert (egocentric.items, egocentric.count, egocentric.estimate.value) == (40, 30, 0.75)
    assert egocentric.reference is not None
    assert (egocentric.reference.value, egocentric.reference_label) == (0.5, "chance")
    assert egocentric.p_value is not None
    assert egocentric.p_value < 0.05
    assert egocentric.estimate.low is not None


def test_whoever_guesses_among_what_was_said_is_not_egocentric() -> None:
    rng = Random(3)
    egocentric = measured(answered([rng.choice("ABC") for _ in range(600)]), "egocentric")
    assert egocentric.p_value is not None
    assert egocentric.p_value > 0.05


def test_where_nothing_else_was_said_a_wrong_answer_tells_nothing() -> None:
    assert measured(answered(["B"] * 20, aloud="AB"), "egocentric").items == 0


def test_without_questions_about_pictures_that_differ_there_is_no_such_figure() -> None:
    questions = [a_question(dialogue=number) for number in range(3)]
    assert sum_of(questions, [an_answer(one, "B") for one in questions]).measure("egocentric") is None


# -- divergences -----------------------------------------------------------------------------------------------------


def about_a_divergence(dialogue: int) -> list[Question]:
    """What is so, what is ascribed, and who knows."""
    kinds = ("actual", "assumed", "who_knows")
    return [
        a_picture(dialogue, number, APART.model_copy(update={"asks": asks}), divergence="d0")
        for number, asks in enumerate(kinds)
    ]


def test_all_about_a_divergence_stand_beside_independence() -> None:
    """Half of the dialogues are understood, half are not: whole groups are far more than errors would leave."""
    questions = [about_a_divergence(number) for number in range(40)]
    answers = [an_answer(one, "A" if place % 2 else "B") for place, own in enumerate(questions) for one in own]
    whole = measured(sum_of([one for own in questions for one in own], answers), "divergence")
    assert (whole.items, whole.count, whole.estimate.value) == (40, 20, 0.5)
    assert whole.parts == {"actual": 0.5, "assumed": 0.5, "who_knows": 0.5}
    assert whole.reference is not None
    assert whole.reference.value == 0.125
    assert None not in {whole.estimate.low, whole.reference.low}


def test_a_divergence_with_one_question_is_no_group() -> None:
    questions = [about_a_divergence(number)[0] for number in range(5)]
    assert sum_of(questions, [an_answer(one, "A") for one in questions]).measure("divergence") is None


def test_divergences_of_two_dialogues_are_two() -> None:
    questions = [one for number in range(2) for one in about_a_divergence(number)[:2]]
    assert measured(sum_of(questions, [an_answer(one, "A") for one in questions]), "divergence").items == 2


# -- who knows -------------------------------------------------------------------------------------------------------

PEOPLE = {"A": "Maya", "B": "Omar", "C": "Ines"}


def who_knows(dialogue: int = 0, answer: str = "AC", number: int = 0) -> Question:
    """Who knows it? Any number of three people."""
    roles = {letter: OptionRole.GOLD if letter in answer else OptionRole.NOT_REACHED for letter in PEOPLE}
    return Question.model_validate(
        a_question(QuestionType.INFORMATION_ACCESS, dialogue, number).model_dump()
        | {"options": PEOPLE, "option_roles": roles, "answer": answer, "select": "any"}
        | {"factors": APART.model_copy(update={"asks": "who_knows"})}
    )


def answer_to(question: Question, letters: str) -> Answer:
    fields = {"question_id": question.id, "dialogue_id": question.dialogue_id, "answer": letters, "shown": letters}
    return Answer.model_validate(fields | {"outcome": "correct" if letters == question.answer else "wrong"})


def test_who_knows_is_right_as_a_set_and_its_agreement_stands_beside() -> None:
    questions = [who_knows(number) for number in range(4)] + [a_question(dialogue=9)]
    answers = [answer_to(*one) for one in zip(questions, ("AC", "A", "ABC", "B", "A"), strict=True)]
    result = sum_of(questions, answers)
    access = next(one for one in result.groups["type"] if one.name == "information_access")
    assert access.accuracy.value == 0.25
    assert access.chance == pytest.approx(1 / 7, abs=1e-6)
    jaccard = measured(result, "jaccard")
    assert jaccard.items == 4
    assert jaccard.estimate.value == pytest.approx((1 + 1 / 2 + 2 / 3 + 0) / 4, abs=1e-6)


def test_rules_say_who_knows(slots: dict[str, list[SlotResult]]) -> None:
    slot = slots["restaurant"][0]
    assert slot.dialogue is not None
    first, second = slot.dialogue.scenario.names
    options = {"A": first, "B": second, "C": "Somebody who never comes"}
    question = who_knows().model_copy(update={"options": options})
    shown = PresentedItem(item_of(question, DialogueContext(slot.dialogue, question, {})), 1)
    chosen = {name: rules_of(SUITE)[name](lambda: [shown.item])(shown) for name in ("everyone", "present", "actual")}
    assert chosen == {"everyone": {0, 1, 2}, "present": {0, 1}, "actual": {0, 1, 2}}


# -- what is on record -----------------------------------------------------------------------------------------------


def a_turn(index: int, speaker: str, content: str = "", audience: tuple[str, ...] = ()) -> Turn:
    """A turn in which somebody says what they hold, or nothing of interest."""
    speech = tuple(
        InnerSpeech(mental_state=MentalState.BELIEF, topic="party_size", content=one, text=one)
        for one in [content]
        if one
    )
    return Turn(index=index, speaker=speaker, inner_speech=speech, utterance=content or "Well.", audience=audience)


def chosen(name: str, dialogue: Dialogue, question: Question) -> frozenset[int]:
    shown = PresentedItem(item_of(question, DialogueContext(dialogue, question, {})), 1)
    return rules_of(SUITE)[name](lambda: [shown.item])(shown)


@pytest.fixture
def learning(slots: dict[str, list[SlotResult]]) -> Dialogue:
    """The second changes to milk at turn 4, unheard by the first, who learns it at turn 7."""
    found = slots["restaurant"][0].dialogue
    assert found is not None
    first, second = found.scenario.names
    said = {0: ("tea", ()), 4: ("milk", (second,)), 7: ("milk", ())}
    turns = tuple(
        a_turn(index, second, *said[index]) if index in said else a_turn(index, first if index % 2 else second)
        for index in range(9)
    )
    return found.model_copy(update={"turns": turns, "beliefs": tuple(BeliefTracker.of(turns).records())})


@pytest.mark.parametrize(("turn", "knows"), [(3, True), (5, False), (8, True)])
def test_the_oracle_knows_who_is_right(learning: Dialogue, turn: int, *, knows: bool) -> None:
    first, second = learning.scenario.names
    options = {"A": second, "B": first}
    question = who_knows(answer="A").model_copy(update={"options": options, "agent": second, "turn": turn})
    if knows:
        assert chosen("oracle", learning, question) == {1}
    assert chosen("actual", learning, question) == {0, 1}


@pytest.mark.parametrize(("turn", "learnt"), [(4, {3}), (0, {0})])
def test_the_oracle_knows_when_somebody_learnt_it(learning: Dialogue, turn: int, learnt: set[int]) -> None:
    first, second = learning.scenario.names
    options = dict(zip("ABCD", ("At turn 0", "At no turn", "At turn 5", "At turn 7"), strict=True))
    factors = APART.model_copy(update={"asks": "learnt"})
    question = a_picture(factors=factors).model_copy(
        update={
            "options": options,
            "agent": first,
            "about": second,
            "turn": turn,
            "type": QuestionType.INFORMATION_ACCESS,
        }
    )
    assert chosen("oracle", learning, question) == learnt
    assert chosen("actual", learning, question) == {0}
