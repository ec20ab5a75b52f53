"""Baselines: rules that answer without a model, and what each of them may and may not look at."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import pairwise

import pytest

from dtomtrack.beliefs.dialogue import Dialogue, Turn
from dtomtrack.beliefs.question import PAPER_TYPES, OptionRole, Question, QuestionType
from dtomtrack.errors import InputError
from dtomtrack.evaluation.benchmark import Rule
from dtomtrack.evaluation.rules import reads_records
from dtomtrack.evaluation.subject import named_subject, rules_of
from dtomtrack.items.presented import PresentedItem
from dtomtrack.suites.dtom.items import DialogueContext, item_of
from dtomtrack.suites.dtom.slot_result import SlotResult
from dtomtrack.suites.dtom.suite import SUITE

LETTERS = tuple("ABCD")

Slots = dict[str, list[SlotResult]]
DOMAINS = ("medical", "restaurant", "travel")
BLIND = ("random", "first-letter", "longest", "frequent-gold")
RETRIEVAL = ("last-before", "last-by-thinker", "last-by-anyone", "marker-turn", "everyone", "present")
READERS = ("recency", "first-mention", "most-mentioned", "overlap", *RETRIEVAL)
LEARNERS = ("frequent-gold", "best-rule")


RULES = rules_of(SUITE)


@dataclass(frozen=True)
class Asked:
    """A question, its dialogue, and how its options are rotated."""

    dialogue: Dialogue
    question: Question
    rotation: int

    @property
    def shown(self) -> PresentedItem:
        """The question as a rule sees it."""
        context = DialogueContext(self.dialogue, self.question, {})
        return PresentedItem(item_of(self.question, context), self.rotation)


Letters = Callable[[Asked], str]
"""A rule: the letter, as shown, of the option that it chooses."""


def items(slots: Iterable[SlotResult], rotation: int = 0) -> list[Asked]:
    return [
        Asked(slot.dialogue, question, rotation)
        for slot in slots
        if slot.dialogue is not None
        for question in slot.questions
    ]


def opened(name: str, asked: Iterable[Asked]) -> Letters:
    rule: Rule = RULES[name](lambda: [one.shown.item for one in asked])

    def choose(one: Asked) -> str:
        (letter,) = one.shown.seen(rule(one.shown))
        return letter

    return choose


def accuracy(baseline: Letters, asked: Iterable[Asked]) -> float:
    right = [one.shown.meant(baseline(one)) == one.shown.item.gold for one in asked]
    return sum(right) / len(right)


def with_other_gold(question: Question) -> Question:
    """The same question, another of its options said to be right."""
    after = dict(pairwise((*LETTERS, LETTERS[0])))
    gold: str = after[question.answer]
    roles = question.option_roles | {question.answer: question.option_roles[gold], gold: OptionRole.GOLD}
    return question.model_copy(update={"answer": gold, "option_roles": roles})


@pytest.mark.parametrize("rotation", [0, 3])
@pytest.mark.parametrize("domain", DOMAINS)
def test_the_oracle_is_always_right(slots: Slots, domain: str, rotation: int) -> None:
    asked = items(slots[domain], rotation)
    assert {one.question.type for one in asked} == set(PAPER_TYPES)
    assert accuracy(opened("oracle", asked), asked) == 1.0


def test_the_oracle_is_right_in_long_dialogues(long_slots: list[SlotResult]) -> None:
    asked = items(long_slots)
    assert accuracy(opened("oracle", asked), asked) == 1.0


def test_the_oracle_reads_the_records_and_nothing_else(slots: Slots) -> None:
    asked = items(slots["restaurant"][:5])
    oracle = opened("oracle", asked)
    silent = [
        Asked(one.dialogue.model_copy(update={"turns": ()}), with_other_gold(one.question), one.rotation)
        for one in asked
    ]
    assert [oracle(one) for one in silent] == [oracle(one) for one in asked]
    unrecorded = [Asked(one.dialogue.model_copy(update={"beliefs": ()}), one.question, 0) for one in asked]
    assert accuracy(oracle, unrecorded) < 0.6


@pytest.mark.parametrize("name", [name for name in RULES if name not in LEARNERS])
def test_no_baseline_looks_at_what_is_right(slots: Slots, name: str) -> None:
    asked = items(slots["travel"][:10])
    baseline = opened(name, asked)
    swapped = [Asked(one.dialogue, with_other_gold(one.question), one.rotation) for one in asked]
    assert [baseline(one) for one in swapped] == [baseline(one) for one in asked]


@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize("rotation", range(4))
def test_baselines_always_answer(slots: Slots, name: str, rotation: int) -> None:
    asked = items(slots["medical"][:5], rotation)
    baseline = opened(name, asked)
    assert {baseline(one) for one in asked} <= set(LETTERS)


@pytest.mark.parametrize("name", BLIND)
def test_rules_that_never_see_the_dialogue_do_not_need_it(slots: Slots, name: str) -> None:
    asked = items(slots["restaurant"][:10])
    baseline = opened(name, asked)
    other = next(one.dialogue for one in reversed(asked))
    assert [baseline(Asked(other, one.question, 0)) for one in asked] == [baseline(one) for one in asked]


@pytest.mark.parametrize("name", RULES)
def test_who_sees_what_is_hidden_is_said_to_read_the_records(slots: Slots, name: str) -> None:
    asked = items(slots["restaurant"][:10])
    baseline = opened(name, asked)

    def spoken(dialogue: Dialogue) -> Dialogue:
        turns = tuple(turn.model_copy(update={"inner_speech": ()}) for turn in dialogue.turns)
        return dialogue.model_copy(update={"turns": turns, "beliefs": ()})

    heard = [baseline(Asked(spoken(one.dialogue), one.question, 0)) for one in asked]
    assert (heard != [baseline(one) for one in asked]) is reads_records(f"baseline/{name}")


@pytest.mark.parametrize("domain", DOMAINS)
@pytest.mark.parametrize("name", BLIND)
def test_questions_do_not_give_their_answers_away(slots: Slots, domain: str, name: str) -> None:
    asked = items(slots[domain])
    # of some 500 questions, those of a dialogue alike
    assert 0.18 < accuracy(opened(name, asked), asked) < 0.33


def test_random_depends_on_the_item_alone(slots: Slots) -> None:
    asked = items(slots["travel"])
    drawn = {one.question.id: opened("random", asked)(one) for one in asked}
    assert {one.question.id: opened("random", ())(one) for one in reversed(asked)} == drawn
    assert set(drawn.values()) == set(LETTERS)


def test_the_first_letter_and_the_longest_option_go_by_what_is_shown(slots: Slots) -> None:
    for asked in items(slots["travel"][:4], rotation=1):
        assert opened("first-letter", ())(asked) == "A"
        assert asked.shown.meant("A") == {3}
        longest = asked.shown.shown[opened("longest", ())(asked)]
        assert len(longest) == max(map(len, asked.question.options.values()))


def test_frequent_gold_learns_from_other_dialogues_only(slots: Slots) -> None:
    one_dialogue = items(slots["medical"][:1])
    random = opened("random", ())
    assert [opened("frequent-gold", one_dialogue)(one) for one in one_dialogue] == [random(one) for one in one_dialogue]
    first = one_dialogue[0]
    copies = [
        Asked(first.dialogue, first.question.model_copy(update={"dialogue_id": f"other-{number}"}), 0)
        for number in range(40)
    ]
    assert accuracy(opened("frequent-gold", copies), copies) == 1.0


# -- the words of the utterances -------------------------------------------------------------------------------------

OPTIONS = {
    "A": "Paint the fence green",
    "B": "Paint the fence blue",
    "C": "Tear the fence down",
    "D": "Sell the ladder",
}
SAID = (
    ("Ines", "I'll paint the fence blue this year."),
    ("Karl", "Blue? I would tear it down, you know."),
    ("Ines", "Hm. No, it is going to be green after all."),
    ("Karl", "Fine. Shall I bring the ladder, then?"),
)


@pytest.fixture
def fence(slots: Slots) -> Asked:
    """A question about a conversation that no pack knows."""
    asked = items(slots["restaurant"])[0]
    turns = tuple(
        Turn(index=index, speaker=speaker, inner_speech=(), utterance=text)
        for index, (speaker, text) in enumerate(SAID)
    )
    question = asked.question.model_copy(
        update={"options": OPTIONS, "agent": "Ines", "about": None, "topic": "fence", "type": QuestionType.TEMPORAL}
    )
    return Asked(asked.dialogue.model_copy(update={"turns": turns, "beliefs": ()}), question, 0)


def asked_as(fence: Asked, **fields: object) -> Asked:
    return Asked(fence.dialogue, fence.question.model_copy(update=fields), fence.rotation)


def test_recency_takes_the_last_word_of_the_agent(fence: Asked) -> None:
    recency = opened("recency", ())
    assert recency(fence) == "A"
    assert recency(Asked(fence.dialogue, fence.question, 2)) == "C"
    assert recency(asked_as(fence, agent="Karl")) == "D"


def test_recency_takes_the_word_of_whom_a_thought_is_about(fence: Asked) -> None:
    thought = asked_as(fence, type=QuestionType.SECOND_ORDER, agent="Karl", about="Ines", order=2)
    assert opened("recency", ())(thought) == "A"


def test_first_mention_takes_what_anybody_said_first(fence: Asked) -> None:
    assert opened("first-mention", ())(fence) == "B"


def test_of_turns_the_last_is_recent_and_the_first_is_first(fence: Asked) -> None:
    when = asked_as(fence, options={"A": "At turn 4", "B": "At no turn", "C": "At turn 12", "D": "At turn 8"})
    assert opened("recency", ())(when) == "C"
    assert opened("first-mention", ())(when) == "A"


def test_overlap_takes_the_option_most_of_whose_words_were_said(fence: Asked) -> None:
    options = {"A": "Paint the fence green", "B": "Paint the gate white", "C": "Burn it", "D": "Nail the gate shut"}
    assert opened("overlap", ())(asked_as(fence, options=options)) == "A"


def test_the_last_mention_before_a_turn_is_retrieved_by_who_said_it(fence: Asked) -> None:
    then = asked_as(fence, turn=1)
    assert [opened(name, ())(then) for name in RETRIEVAL[:3]] == ["B", "B", "C"]
    later = asked_as(fence, turn=2)
    assert [opened(name, ())(later) for name in RETRIEVAL[:3]] == ["A", "A", "A"]
    before = asked_as(fence, turn=2, type=QuestionType.PRE_UPDATE)
    assert [opened(name, ())(before) for name in RETRIEVAL[:3]] == ["B", "B", "C"]


def test_of_a_picture_of_somebody_their_words_are_told_from_those_of_the_one_who_has_it(fence: Asked) -> None:
    thought = asked_as(fence, turn=1, type=QuestionType.SECOND_ORDER, agent="Karl", about="Ines", order=2)
    assert opened("last-before", ())(thought) == "B"
    assert opened("last-by-thinker", ())(thought) == "C"


def test_who_said_nothing_by_then_is_taken_at_their_next_word(fence: Asked) -> None:
    assert opened("last-before", ())(asked_as(fence, agent="Karl", turn=0)) == "B"
    assert opened("last-before", ())(asked_as(fence, agent="Nobody", turn=0)) in LETTERS


def test_within_an_utterance_the_last_mention_counts(fence: Asked) -> None:
    """With the old and the new value in one breath, the words of the option that comes last decide."""
    turn = fence.dialogue.turns[2].model_copy(update={"utterance": "So not blue after all: I'll paint it green."})
    both = fence.dialogue.model_copy(update={"turns": (*fence.dialogue.turns[:2], turn)})
    assert opened("last-before", ())(Asked(both, fence.question, 0)) == "A"


def test_what_is_mentioned_in_most_lines_is_most_mentioned(fence: Asked) -> None:
    assert opened("most-mentioned", ())(fence) == "B"


WHEN = {"A": "At turn 0", "B": "At no turn", "C": "At turn 2", "D": "At turn 3"}


@pytest.mark.parametrize(
    ("marked", "asks", "letter"),
    [
        ((), "last_change", "B"),
        ((1, 3), "last_change", "B"),
        ((2,), "first_change", "C"),
        ((0, 2), "first_change", "A"),
        ((0, 2), "last_change", "C"),
    ],
)
def test_a_marker_of_the_agent_is_taken_for_a_change(
    fence: Asked, marked: tuple[int, ...], asks: str, letter: str
) -> None:
    turns = tuple(
        turn.model_copy(update={"utterance": f"Actually, {turn.utterance}"}) if turn.index in marked else turn
        for turn in fence.dialogue.turns
    )
    factors = fence.question.factors.model_copy(update={"asks": asks})
    question = fence.question.model_copy(
        update={"type": QuestionType.UPDATE_DETECTION, "options": WHEN, "turn": None, "factors": factors}
    )
    asked = Asked(fence.dialogue.model_copy(update={"turns": turns}), question, 0)
    assert opened("marker-turn", ())(asked) == letter


def test_the_egocentric_reader_takes_a_picture_for_the_state_itself(slots: Slots) -> None:
    asked = items(slots["restaurant"])
    actual, oracle = opened("actual", asked), opened("oracle", asked)
    of_oneself = [one for one in asked if one.question.about is None]
    assert [actual(one) for one in of_oneself] == [oracle(one) for one in of_oneself]
    wrong = [one for one in asked if one.question.factors.asks == "assumed"]
    assert wrong
    assert accuracy(actual, wrong) == 0.0


def test_the_best_rule_is_chosen_by_type_in_the_other_half(slots: Slots) -> None:
    asked = items(slot for own in slots.values() for slot in own[:10])
    found = {name: accuracy(opened(name, asked), asked) for name in (*READERS, "best-rule")}
    assert found["best-rule"] == max(found.values())
    assert found["best-rule"] > 0.8


def test_no_question_helps_to_choose_the_rule_that_answers_it(slots: Slots) -> None:
    asked = items(slots["travel"][:16])
    baseline = opened("best-rule", asked)
    for first in asked[::40]:
        spoilt = [
            Asked(one.dialogue, with_other_gold(one.question), 0)
            if one.question.dialogue_id == first.question.dialogue_id
            else one
            for one in asked
        ]
        assert opened("best-rule", spoilt)(first) == baseline(first)


def test_an_unknown_baseline_is_told_with_those_there_are() -> None:
    with pytest.raises(
        InputError, match=r"baseline/magic.*random, first-letter.*recency, last-before.*best-rule, actual, oracle"
    ):
        named_subject("baseline/magic", SUITE)
