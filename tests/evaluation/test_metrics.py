"""What answers add up to, from whole questions and answers."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from random import Random

import pytest
from made_questions import ASKED, a_question, about_an_update, an_answer, measured, sum_of

from dtomtrack.beliefs.question import Factors, OptionRole, Question, QuestionType
from dtomtrack.beliefs.scenario import MentalState
from dtomtrack.errors import DatasetError
from dtomtrack.evaluation.metrics import Taken, metrics
from dtomtrack.evaluation.records import Answer, Group, Interval, Metrics
from dtomtrack.items.item import ContextLine
from dtomtrack.suites.dtom.items import item_of
from dtomtrack.suites.dtom.slot_result import SlotResult
from dtomtrack.suites.dtom.suite import SUITE

NOTHING = Interval(value=None, low=None, high=None)


def of(said: Iterable[tuple[Question, str]]) -> Metrics:
    """Metrics of answers, each given with its question."""
    said = list(said)
    return sum_of([question for question, _ in said], [an_answer(*one) for one in said])


def group(result: Metrics, by: str, name: str) -> Group:
    return next(one for one in result.groups[by] if one.name == name)


# -- accuracy --------------------------------------------------------------------------------------------------------


def test_what_failed_is_left_out_and_what_cannot_be_read_is_not_right() -> None:
    said = ["A", "A", "B", "unparsed", "error"]
    result = of((a_question(dialogue=number), one) for number, one in enumerate(said))
    assert result.outcomes == {"correct": 2, "wrong": 1, "unparsed": 1, "error": 1}
    assert (result.questions, result.answers) == (5, 5)
    for one in (result.micro, group(result, "type", "temporal")):
        assert (one.items, one.correct, one.errors, one.dialogues) == (4, 2, 1, 4)
        assert (one.accuracy.value, one.unparsed) == (0.5, 0.25)


def test_questions_are_grouped_by_what_they_are_about() -> None:
    implicit = Factors(
        asks="state", updates=2, changes=1, lag=3, marker="actually", names_old=False, trigger="correction"
    )
    explicit = implicit.model_copy(update={"names_old": True, "lag": 25, "updates": 10, "trigger": "goal_shift"})
    questions = [
        a_question(QuestionType.PRE_UPDATE, 0, 0, factors=implicit, state=MentalState.DESIRE),
        a_question(QuestionType.PRE_UPDATE, 1, 0, factors=explicit),
        a_question(QuestionType.SECOND_ORDER, 2, 0, order=2, factors=Factors(asks="state", updates=0, changes=0)),
    ]
    result = of((question, "A") for question in questions)
    names = {by: [one.name for one in groups] for by, groups in result.groups.items()}
    assert names == {
        "type": ["pre_update", "second_order"],
        "mental_state": ["belief", "desire"],
        "marker": ["implicit", "explicit", "none"],
        "trigger": ["correction", "goal_shift", "none"],
        "updates": ["0", "2", "10"],
        "changes": ["0", "1"],
        "lag": ["2-3", "20+"],
        "order": ["1", "2"],
        "asks": ["state"],
        "topic": ["party_size"],
    }
    assert all(sum(one.items for one in groups) == 3 for name, groups in result.groups.items() if name != "lag")


def test_micro_weighs_types_by_their_questions_and_macro_does_not() -> None:
    temporal = [(a_question(dialogue=number), "A") for number in range(9)]
    second = [(a_question(QuestionType.SECOND_ORDER, number, 1, order=2), "B") for number in range(3)]
    result = of(temporal + second)
    assert (result.micro.accuracy.value, result.macro.value) == (0.75, 0.5)


def test_where_every_call_failed_there_is_no_accuracy() -> None:
    result = of((question, "error") for question in about_an_update(0))
    assert (result.micro.items, result.micro.errors, result.micro.accuracy, result.macro) == (0, 3, NOTHING, NOTHING)
    assert [one.accuracy for one in result.groups["type"]] == [NOTHING] * 3
    for one in result.further:
        assert (one.items, one.estimate, one.reference, one.p_value) == (0, NOTHING, None, None)


def test_no_answers_add_up_to_nothing() -> None:
    result = sum_of([a_question()], [])
    assert (result.questions, result.answers, result.micro.accuracy) == (0, 0, NOTHING)
    assert "NaN" not in result.model_dump_json()
    assert Metrics.model_validate_json(result.model_dump_json()) == result


def test_calls_tokens_and_cost_are_passed_on() -> None:
    result = metrics(SUITE, ASKED, [], [], Taken(7, 900, 0.1 + 0.2))
    assert (result.calls, result.tokens, result.cost) == (7, 900, 0.3)


# -- before, after, when ---------------------------------------------------------------------------------------------


def test_the_gap_is_taken_over_pairs_about_the_same_update() -> None:
    said: list[tuple[Question, str]] = []
    for dialogue in range(40):
        before, after, _ = about_an_update(dialogue)
        said += [(before, "A" if dialogue % 4 == 0 else "B"), (after, "A" if dialogue % 4 else "unparsed")]
    lonely, failed = about_an_update(50)[0], about_an_update(51)[:2]
    said += [(lonely, "A"), (failed[0], "error"), (failed[1], "A")]
    gap = measured(of(said), "gap")
    assert (gap.items, gap.dialogues, gap.estimate.value) == (40, 40, 0.5)
    assert gap.parts == {"before it": 0.25, "after an update": 0.75}
    assert gap.estimate.low is not None
    assert gap.estimate.low > 0
    assert gap.p_value is not None
    assert gap.p_value < 0.01


def test_two_updates_of_a_dialogue_are_two_pairs() -> None:
    said = [(one, "A") for turn in (4, 6) for one in about_an_update(0, turn)]
    result = of(said)
    gap = measured(result, "gap")
    assert (gap.items, gap.dialogues, measured(result, "trajectory").items) == (2, 1, 2)
    assert gap.estimate == Interval(value=0.0, low=None, high=None)


def test_the_gap_of_what_changes_once_stands_beside_the_gap_of_all() -> None:
    """Where a value comes back (A, B, A), the last word is right about before, too."""
    back = Factors(asks="state", updates=2, changes=2, lag=4)
    said: list[tuple[Question, str]] = []
    for dialogue in range(40):
        before, after, _ = about_an_update(dialogue)
        if dialogue % 2:
            said += [(one.model_copy(update={"factors": back}), "A") for one in (before, after)]
        else:
            said += [(before, "B"), (after, "A")]
    result = of(said)
    gap, single = measured(result, "gap"), measured(result, "gap_single")
    assert (gap.items, gap.estimate.value, single.items, single.estimate.value) == (40, 0.5, 20, 1.0)


def test_a_trajectory_needs_all_three_and_stands_beside_independence() -> None:
    said: list[tuple[Question, str]] = []
    for dialogue in range(40):
        letter = "A" if dialogue % 2 else "B"
        said += [(one, letter) for one in about_an_update(dialogue)]
    said += [(one, "A") for one in about_an_update(60)[:2]]
    steady = a_question(QuestionType.UPDATE_DETECTION, 61, turn=None)
    trajectory = measured(of([*said, (steady, "A")]), "trajectory")
    assert (trajectory.items, trajectory.count, trajectory.estimate.value) == (40, 20, 0.5)
    assert trajectory.reference is not None
    assert trajectory.reference.value == 0.125
    assert trajectory.reference.low is not None
    assert trajectory.reference.high is not None
    assert trajectory.reference.low < 0.125 < trajectory.reference.high


# -- intrusions ------------------------------------------------------------------------------------------------------

ROLES = (OptionRole.POST_VALUE, OptionRole.PARTNER_VALUE, OptionRole.NEVER_SAID)
MIRRORED = (OptionRole.PRE_VALUE, OptionRole.PARTNER_VALUE, OptionRole.NEVER_SAID)


def spoken(
    said: Iterable[tuple[str, str]], kind: QuestionType = QuestionType.PRE_UPDATE, wrong: Sequence[OptionRole] = ROLES
) -> Metrics:
    """Metrics of answers, each given with the letters of the options that the dialogue says; gold is A."""
    said = list(said)
    questions = [a_question(kind, number, wrong=wrong) for number in range(len(said))]
    items = [
        replace(item_of(question), context=Spoken([ContextLine("Maya", question.options[one]) for one in aloud]))
        for question, (aloud, _) in zip(questions, said, strict=True)
    ]
    return metrics(SUITE, ASKED, items, [an_answer(one, own) for one, (_, own) in zip(questions, said, strict=True)])


@dataclass(frozen=True)
class Spoken:
    """What was said."""

    lines: Sequence[ContextLine]

    def text(self, condition: str) -> str:
        return condition


def test_intrusions_are_wrong_answers_about_before_that_choose_what_came_after() -> None:
    answers = [("ABC", "ABBBCBunparsed"[number % 6]) for number in range(48)]
    intrusion = measured(spoken([*answers, ("ABC", "error"), ("ABC", "unparsed")]), "intrusion")
    assert (intrusion.items, intrusion.count, intrusion.estimate.value) == (40, 32, 0.8)
    assert intrusion.reference == Interval(value=0.5, low=None, high=None)
    assert intrusion.p_value is not None
    assert intrusion.p_value < 0.01
    assert measured(spoken(answers), "perseveration").items == 0


def test_the_mirror_is_the_old_value_after_the_update() -> None:
    answers = [("ABC", "B" if number % 4 else "C") for number in range(40)]
    result = spoken(answers, QuestionType.POST_UPDATE, MIRRORED)
    mirror = measured(result, "perseveration")
    assert (mirror.items, mirror.count, mirror.estimate.value, mirror.reference) == (
        40,
        30,
        0.75,
        Interval(value=0.5, low=None, high=None),
    )
    assert measured(result, "intrusion").items == 0


@pytest.mark.parametrize("aloud", ["AB", "AC", "AD", "A", ""])
def test_where_one_wrong_option_was_said_at_most_a_wrong_answer_tells_nothing(aloud: str) -> None:
    intrusion = measured(spoken([(aloud, "B")] * 20), "intrusion")
    assert (intrusion.items, intrusion.reference, intrusion.p_value) == (0, None, None)
    assert intrusion.parts == {"of all wrong answers": 1.0}


def test_whoever_knows_what_was_said_and_not_when_shows_no_intrusion() -> None:
    """Most often the new value is the only wrong one that was said: it gets far more than a third of wrong answers."""
    rng = Random(7)
    said = [rng.choice(["AB", "AB", "ABC", "ABCD"]) for _ in range(600)]
    intrusion = measured(spoken((aloud, rng.choice(aloud)) for aloud in said), "intrusion")
    share = intrusion.parts["of all wrong answers"]
    assert share is not None
    assert share > 0.6
    assert intrusion.p_value is not None
    assert intrusion.p_value > 0.1


def test_whoever_guesses_shows_no_intrusion_either() -> None:
    rng = Random(8)
    said = [rng.choice(["AB", "ABC", "ABD", "ABCD"]) for _ in range(600)]
    intrusion = measured(spoken((aloud, rng.choice("ABCD")) for aloud in said), "intrusion")
    assert intrusion.reference is not None
    assert intrusion.p_value is not None
    assert intrusion.p_value > 0.1
    assert intrusion.reference.value == pytest.approx(0.43, abs=0.07)


def test_chance_of_an_intrusion_counts_the_options_that_came_after() -> None:
    twice = [OptionRole.POST_VALUE, OptionRole.POST_VALUE, OptionRole.PARTNER_VALUE]
    reference = measured(spoken([("ABCD", "D")], wrong=twice), "intrusion").reference
    assert reference is not None
    assert reference.value == 0.666667


def test_a_small_p_value_is_small_and_not_nought() -> None:
    result = spoken([("ABC", "B")] * 1200)
    p_value = measured(result, "intrusion").p_value
    assert p_value is not None
    assert 0 < p_value < 1e-100
    assert Metrics.model_validate_json(result.model_dump_json()) == result


# -- roles and rotations ---------------------------------------------------------------------------------------------


def test_roles_say_what_was_chosen_of_what_was_offered() -> None:
    said = ["A", "B", "B", "unparsed", "error"]
    result = of((about_an_update(number)[0], one) for number, one in enumerate(said))
    assert result.roles == {"pre_update": {"gold": 1, "post_value": 2, "never_said": 0}}


def test_under_several_rotations_each_answer_counts_and_balance_asks_for_all() -> None:
    questions = [about_an_update(dialogue)[0] for dialogue in range(4)]
    letters = {0: "AAAA", 1: "AAAB", 2: "BBBB", 3: ("A", "A", "A", "error")}
    answers = [
        an_answer(question, said, rotation)
        for number, question in enumerate(questions)
        for rotation, said in enumerate(letters[number])
    ]
    result = sum_of(questions, answers, ASKED.model_copy(update={"permutations": 4}))
    assert (result.questions, result.answers, result.micro.items, result.micro.dialogues) == (4, 16, 15, 4)
    assert result.micro.accuracy.value == rounded_share(10, 15)
    balanced = measured(result, "balanced")
    assert (balanced.estimate.value, balanced.items, balanced.count) == (rounded_share(1, 3), 3, 1)
    assert sum_of(questions, [an_answer(one, "A") for one in questions]).measure("balanced") is None


def rounded_share(part: int, whole: int) -> float:
    return round(part / whole, 6)


def test_an_update_is_put_together_within_a_rotation() -> None:
    before, after, when = about_an_update(0)
    answers = [an_answer(one, "A", 0) for one in (before, after, when)]
    answers += [an_answer(before, "B", 1), an_answer(after, "A", 1), an_answer(when, "error", 1)]
    result = sum_of([before, after, when], answers, ASKED.model_copy(update={"permutations": 2}))
    gap, trajectory = measured(result, "gap"), measured(result, "trajectory")
    assert (gap.items, gap.parts["before it"], gap.parts["after an update"]) == (2, 0.5, 1.0)
    assert (trajectory.items, trajectory.count) == (1, 1)


def test_samples_spread_beside_the_interval_of_dialogues() -> None:
    questions = [a_question(dialogue=number) for number in range(20)]
    config = ASKED.model_copy(update={"repeats": 3})
    answers = [
        an_answer(one, "A" if number < right else "B").model_copy(update={"repeat": repeat})
        for repeat, right in enumerate((8, 10, 12))
        for number, one in enumerate(questions)
    ]
    result = sum_of(questions, answers, config)
    samples = measured(result, "samples")
    assert (samples.items, samples.estimate) == (3, result.micro.accuracy)
    assert samples.parts == {"standard deviation": 0.1, "lowest": 0.4, "highest": 0.6}
    assert (result.questions, result.answers, result.micro.dialogues) == (20, 60, 20)
    assert sum_of(questions, answers[:20]).measure("samples") is None
    part = sum_of(questions, answers[:25], config)
    own = measured(part, "samples").estimate
    assert own.value == pytest.approx((0.4 + 1.0) / 2)
    assert part.micro.accuracy.value == 13 / 25
    assert own.high is not None and part.micro.accuracy.high is not None
    assert own.high > part.micro.accuracy.high + 0.05, "the interval is that of the mean of samples"


def test_accuracy_is_as_unsure_as_its_topics_are_few() -> None:
    """One topic is easy and one is hard: more dialogues of the same topics don't tell how others would do."""
    answers = [
        (a_question(dialogue=number, topic=f"topic {number % 4}"), "A" if number % 4 < 2 else "B")
        for number in range(400)
    ]
    result = of(answers)
    by_topic, micro = measured(result, "by_topic").estimate, result.micro.accuracy
    assert by_topic.value == micro.value == 0.5
    assert None not in {by_topic.low, by_topic.high, micro.low, micro.high}
    assert width(by_topic) > 5 * width(micro)
    assert of(answers[:1]).measure("by_topic") is None


def width(interval: Interval) -> float:
    return (interval.high or 0.0) - (interval.low or 0.0)


# -- whole datasets --------------------------------------------------------------------------------------------------


def random_answers(questions: Iterable[Question], seed: int) -> list[Answer]:
    rng = Random(seed)
    return [an_answer(one, rng.choice(["A", "B", "C", "D", "unparsed", "error"])) for one in questions]


def test_who_is_always_right_has_no_gap_no_intrusion_and_every_trajectory(slots: dict[str, list[SlotResult]]) -> None:
    for own in slots.values():
        questions = [question for slot in own for question in slot.questions]
        result = sum_of(questions, [an_answer(one, one.answer) for one in questions])
        gap, trajectory = measured(result, "gap"), measured(result, "trajectory")
        assert result.micro.accuracy.value == result.macro.value == trajectory.estimate.value == 1.0
        assert (gap.estimate.value, measured(result, "intrusion").items) == (0.0, 0)
        assert trajectory.reference is not None
        assert trajectory.reference.value == 1.0
        # whether a mind changed is not asked of every change
        assert gap.items >= trajectory.items > 0.8 * gap.items
        assert all(one.accuracy.value == 1.0 for groups in result.groups.values() for one in groups)
        assert result.micro.accuracy.low is not None
        assert 0.85 < result.micro.accuracy.low < 1


def test_the_order_of_answers_changes_no_byte(slots: dict[str, list[SlotResult]]) -> None:
    questions = [question for own in slots.values() for slot in own for question in slot.questions]
    answers = random_answers(questions, seed=4)
    shuffled = Random(5).sample(answers, len(answers))
    there, back = sum_of(questions, answers), sum_of(iter(questions), iter(shuffled))
    assert there.model_dump_json() == back.model_dump_json()


def test_numbers_have_six_places_and_are_never_nan(slots: dict[str, list[SlotResult]]) -> None:
    questions = [question for slot in slots["travel"] for question in slot.questions]
    told = sum_of(questions, random_answers(questions, seed=6)).model_dump()
    told["further"] = [{**one, "p_value": None} for one in told["further"]]
    numbers: list[str] = []
    json.loads(json.dumps(told), parse_float=numbers.append, parse_constant=numbers.append)
    assert len(numbers) > 100
    assert all(len(number.partition(".")[2]) <= 6 and "e-0" not in number for number in numbers)


# -- answers to other questions --------------------------------------------------------------------------------------


def test_an_answer_to_no_question_is_refused() -> None:
    with pytest.raises(DatasetError, match=r"^there is an answer to d1-q0, which is not among the questions$"):
        sum_of([a_question()], [an_answer(a_question(dialogue=1), "A")])


def test_a_question_answered_twice_is_refused() -> None:
    answer = an_answer(a_question(), "A", 2)
    with pytest.raises(DatasetError, match="d0-q0 is answered twice under rotation 2"):
        sum_of([a_question()], [answer, answer])


@pytest.mark.parametrize(("said", "gold", "outcome"), [("A", "B", "correct"), ("B", "B", "wrong")])
def test_an_answer_that_contradicts_its_question_is_refused(said: str, gold: str, outcome: str) -> None:
    question = a_question()
    roles = {letter: OptionRole.GOLD if letter == gold else OptionRole.NEVER_SAID for letter in "ABCD"}
    changed = Question.model_validate(question.model_dump() | {"answer": gold, "option_roles": roles})
    with pytest.raises(DatasetError, match=f"counts as {outcome}, .*these are answers to other questions"):
        sum_of([changed], [an_answer(question, said)])
