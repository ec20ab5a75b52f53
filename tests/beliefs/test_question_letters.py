"""Gold letters balance over the slots of a block, and the other options stand in an order of their own."""

from __future__ import annotations

from collections import Counter, defaultdict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dtomtrack.beliefs.question import LETTERS, Factors, Letter, OptionRole, QuestionType
from dtomtrack.beliefs.questions.draft import Draft, Option
from dtomtrack.beliefs.questions.letters import arrange, gold_letter
from dtomtrack.beliefs.scenario import MentalState
from dtomtrack.runs.slots import BLOCK, slot_at
from dtomtrack.suites.dtom.slot_result import SlotResult

GOLD = Option("A quiet corner", OptionRole.GOLD)
WRONG = (
    Option("The terrace", OptionRole.POST_VALUE),
    Option("Two stools", OptionRole.PARTNER_VALUE),
    Option("The long bench", OptionRole.NEVER_SAID),
)


def draft(question: str = "What did Maya want?", wrong: tuple[Option, Option, Option] = WRONG) -> Draft:
    return Draft(
        type=QuestionType.PRE_UPDATE,
        mental_state=MentalState.DESIRE,
        order=1,
        agent="Maya",
        about=None,
        topic="seating",
        turn=4,
        question=question,
        gold=GOLD,
        distractors=wrong,
        evidence=(0,),
        factors=Factors(asks="state", updates=1, changes=1),
    )


@given(
    seed=st.integers(0, 10**6),
    block=st.integers(0, 10**4),
    domains=st.lists(st.sampled_from(["restaurant", "travel", "medical"]), min_size=1, max_size=3, unique=True),
    question_type=st.sampled_from(QuestionType),
    number=st.integers(0, 20),
)
def test_over_the_slots_of_a_block_each_letter_is_gold_once(
    seed: int, block: int, domains: list[str], question_type: QuestionType, number: int
) -> None:
    for own in range(len(domains)):
        slots = [slot_at(seed, (block * BLOCK + place) * len(domains) + own, domains) for place in range(BLOCK)]
        assert sorted(gold_letter(slot, question_type, number) for slot in slots) == list(LETTERS)


def test_the_order_of_letters_differs_between_blocks_types_and_numbers() -> None:
    orders = {
        tuple(gold_letter(slot_at(0, 4 * block + place, ["travel"]), kind, number) for place in range(BLOCK))
        for block in range(6)
        for kind in QuestionType
        for number in range(3)
    }
    assert len(orders) > 15


def test_the_questions_of_a_dataset_have_each_letter_once_in_a_block(slots: dict[str, list[SlotResult]]) -> None:
    blocks = 0
    for own in slots.values():
        for start in range(0, len(own), BLOCK):
            block = own[start : start + BLOCK]
            if any(slot.rejections for slot in block):
                continue
            blocks += 1
            letters: dict[tuple[QuestionType, int], list[Letter]] = defaultdict(list)
            for slot in block:
                numbers: Counter[QuestionType] = Counter()
                for question in slot.questions:
                    letters[question.type, numbers[question.type]].append(question.answer)
                    numbers[question.type] += 1
            whole = [sorted(four) for four in letters.values() if len(four) == BLOCK]
            assert len(whole) >= 6
            assert all(four == list(LETTERS) for four in whole)
            assert all(len(set(some)) == len(some) for some in letters.values())
    assert blocks >= 20


@pytest.mark.parametrize("letter", LETTERS)
def test_the_gold_option_stands_at_its_letter(letter: Letter) -> None:
    options = arrange(draft(), letter)
    assert tuple(options) == LETTERS
    assert options[letter] is GOLD
    assert {option.text for option in options.values()} == {option.text for option in (GOLD, *WRONG)}


def test_the_order_of_the_wrong_options_is_that_of_the_question_alone() -> None:
    again = arrange(draft(wrong=(WRONG[2], WRONG[0], WRONG[1])), "B")
    assert arrange(draft(), "B") == again


def test_the_order_of_the_wrong_options_says_nothing_of_their_roles() -> None:
    places = Counter(
        next(letter for letter, option in arrange(draft(f"Question {number}?"), "A").items() if option is WRONG[0])
        for number in range(300)
    )
    assert set(places) == {"B", "C", "D"}
    assert min(places.values()) > 60
