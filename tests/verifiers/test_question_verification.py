"""Question verification by rules: what is kept stands, and every known fault is caught."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import pytest

from dtomtrack.beliefs.dialogue import Dialogue, Turn
from dtomtrack.beliefs.question import PAPER_TYPES, Factors, OptionRole, Question, QuestionType
from dtomtrack.beliefs.reading import Act, Reading, read_all
from dtomtrack.beliefs.scenario import MentalState
from dtomtrack.scenarios.domain import Domain
from dtomtrack.suites.dtom.slot_result import SlotResult
from dtomtrack.verifiers.faults import silence, swap_gold, two_right_options
from dtomtrack.verifiers.overheard import OverheardMinds
from dtomtrack.verifiers.overhearer import Overhearer
from dtomtrack.verifiers.questions import QuestionVerifier
from dtomtrack.verifiers.verdicts import Verdict

AGENTS = ["Maya", "Ben"]
READINGS = [
    Reading(0, "Maya", Act.STATE, "Maya", "seating", "a quiet corner"),
    Reading(3, "Ben", Act.ARGUE, "Maya", "seating", "the sunny terrace"),
    Reading(4, "Maya", Act.STATE, "Maya", "seating", "the sunny terrace"),
]


@dataclass(frozen=True)
class Asked:
    """A kept question with its dialogue."""

    question: Question
    dialogue: Dialogue
    domain: Domain

    def readings(self, turns: Iterable[Turn]) -> list[Reading]:
        reader = self.domain.reader(self.agents)
        return read_all(reader, [(turn.speaker, turn.utterance) for turn in turns])

    @property
    def agents(self) -> list[str]:
        return [one.name for one in self.dialogue.scenario.agents]

    def verdict(self, question: Question, turns: Iterable[Turn] | None = None) -> Verdict:
        readings = self.readings(self.dialogue.turns if turns is None else turns)
        return QuestionVerifier(OverheardMinds(readings), len(self.dialogue.turns)).verify(question)


def every_question(domain: Domain, slots: list[SlotResult]) -> Iterator[Asked]:
    for slot in slots:
        if slot.dialogue is not None:
            yield from (Asked(question, slot.dialogue, domain) for question in slot.questions)


@pytest.fixture(scope="module")
def asked(domains: dict[str, Domain], slots: dict[str, list[SlotResult]], long_slots: list[SlotResult]) -> list[Asked]:
    """All kept questions."""
    own = [one for name, filled in slots.items() for one in every_question(domains[name], filled)]
    return own + list(every_question(domains["restaurant"], long_slots))


def test_questions_of_every_type_are_kept(asked: list[Asked]) -> None:
    assert {one.question.type for one in asked} == set(PAPER_TYPES)


def test_a_kept_question_is_kept_again(asked: list[Asked]) -> None:
    assert all(one.verdict(one.question).kept for one in asked)


def test_a_swapped_gold_is_always_caught(asked: list[Asked]) -> None:
    for one in asked:
        verdict = one.verdict(swap_gold(one.question))
        assert (verdict.kept, verdict.criterion) == (False, "correctness")
        assert verdict.reason == "what is said leads to another answer than the gold one"


def test_two_right_options_are_always_caught(asked: list[Asked]) -> None:
    for one in asked:
        two_right = two_right_options(one.question)
        assert two_right is not None
        verdict = one.verdict(two_right)
        assert (verdict.kept, verdict.criterion) == (False, "soundness")
        assert verdict.reason == "more than one option is right"


def test_a_question_whose_evidence_is_never_voiced_is_always_caught(asked: list[Asked]) -> None:
    """Nothing else in a dialogue gives the gold away: silence is caught without exception."""
    for one in asked:
        verdict = one.verdict(one.question, silence(one.dialogue.turns, one.question.evidence))
        assert (verdict.kept, verdict.criterion) == (False, "correctness")


def test_the_evidence_alone_answers_a_question(asked: list[Asked]) -> None:
    """Whatever else is silent; of a wrong assumption, the turn at which it is made has to be heard as well."""
    for one in asked:
        heard = set(one.question.evidence)
        if one.question.type is QuestionType.FALSE_BELIEF:
            heard |= {one.question.turn or 0}
        others = {turn.index for turn in one.dialogue.turns} - heard
        assert one.verdict(one.question, silence(one.dialogue.turns, others)).kept


def test_the_overhearer_reaches_every_gold_answer(asked: list[Asked]) -> None:
    for one in asked:
        answer = Overhearer(OverheardMinds(one.readings(one.dialogue.turns))).answer(one.question)
        assert answer is not None
        assert answer.text == one.question.gold


def test_the_overhearer_rests_on_turns_of_the_dialogue(asked: list[Asked]) -> None:
    for one in asked:
        answer = Overhearer(OverheardMinds(one.readings(one.dialogue.turns))).answer(one.question)
        assert answer is not None
        assert answer.evidence
        assert set(answer.evidence) <= set(range(len(one.dialogue.turns)))


# -- one question at a time ----------------------------------------------------------------------------------------


def before_update(**changed: object) -> Question:
    """What Maya wanted before turn 4."""
    question = Question(
        id="talk-q00",
        dialogue_id="talk",
        slot=0,
        generator="scripted",
        type=QuestionType.PRE_UPDATE,
        mental_state=MentalState.DESIRE,
        order=1,
        agent="Maya",
        about=None,
        topic="seating",
        turn=4,
        question="What did Maya want as regards the seating before turn 4?",
        options={"A": "The sunny terrace", "B": "A quiet corner", "C": "Two high stools", "D": "The long bench"},
        answer="B",
        option_roles={
            "A": OptionRole.POST_VALUE,
            "B": OptionRole.GOLD,
            "C": OptionRole.NEVER_SAID,
            "D": OptionRole.NEVER_SAID,
        },
        evidence=(0,),
        factors=Factors(asks="state", updates=1, changes=1),
    )
    return question.model_copy(update=changed)


def options(question: Question, letter: str, text: str) -> dict[str, str]:
    return {**question.options, letter: text}


def verdict_of(question: Question, readings: list[Reading] | None = None) -> Verdict:
    return QuestionVerifier(OverheardMinds(READINGS if readings is None else readings), 6).verify(question)


def test_a_good_question_is_kept() -> None:
    verdict = verdict_of(before_update())
    assert verdict.kept
    assert (verdict.criterion, verdict.reason) == (None, None)


def test_a_question_that_nothing_answers_is_rejected() -> None:
    verdict = verdict_of(before_update(), READINGS[1:])
    assert (verdict.criterion, verdict.reason) == ("correctness", "nothing that is said answers it")


def test_a_part_of_a_word_of_the_question_is_not_its_answer() -> None:
    assert verdict_of(
        before_update(question="What did the discussants agree that Maya, a quiet cornerstone, had?")
    ).kept


def test_a_question_that_says_its_answer_is_rejected() -> None:
    question = before_update(question="What, if not A QUIET CORNER, did Maya want before turn 4?")
    verdict = verdict_of(question)
    assert (verdict.criterion, verdict.reason) == ("soundness", "the question says its answer")


@pytest.mark.parametrize("same", ["a quiet corner", "A Quiet Corner.", " A quiet corner "])
def test_an_option_that_says_the_same_in_other_letters_is_a_second_right_one(same: str) -> None:
    question = before_update()
    verdict = verdict_of(before_update(options=options(question, "D", same)))
    assert (verdict.criterion, verdict.reason) == ("soundness", "more than one option is right")


@pytest.mark.parametrize("turn", [-1, 6, 99])
def test_evidence_outside_the_dialogue_is_rejected(turn: int) -> None:
    verdict = verdict_of(before_update(evidence=(turn,)))
    assert (verdict.criterion, verdict.reason) == ("soundness", "its evidence lies outside the dialogue")


def test_a_question_about_a_turn_may_not_rest_on_what_is_said_later() -> None:
    verdict = verdict_of(before_update(evidence=(0, 4)))
    assert (verdict.criterion, verdict.reason) == ("soundness", "its answer is said only later")
    temporal = before_update(type=QuestionType.TEMPORAL, turn=2)
    assert verdict_of(temporal).kept
    assert verdict_of(temporal.model_copy(update={"evidence": (3,)})).reason == "its answer is said only later"


def test_options_that_are_nearly_the_same_are_rejected() -> None:
    question = before_update()
    verdict = verdict_of(before_update(options=options(question, "D", "Two high stool")))
    assert (verdict.criterion, verdict.reason) == ("quality", "two options say nearly the same")


def test_words_that_options_share_do_not_make_them_alike() -> None:
    question = before_update()
    assert verdict_of(before_update(options=options(question, "D", "Two high chairs"))).kept


def test_an_option_that_stands_out_by_its_length_is_rejected() -> None:
    question = before_update()
    long = "The long bench under the lime tree behind the old house"
    verdict = verdict_of(before_update(options=options(question, "D", long)))
    assert (verdict.criterion, verdict.reason) == ("quality", "an option stands out by its length")


def test_turns_as_options_may_be_alike() -> None:
    question = before_update(
        type=QuestionType.UPDATE_DETECTION,
        question="At which turn, if any, did Maya first change their wish concerning the seating?",
        options={"A": "At no turn", "B": "At turn 4", "C": "At turn 0", "D": "At turn 2"},
        evidence=(0, 4),
        factors=Factors(asks="first_change", updates=1, changes=1),
    )
    assert verdict_of(question).kept
