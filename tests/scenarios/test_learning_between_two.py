"""Between two, too, some know nothing of what they then come to know."""

from __future__ import annotations

from collections import Counter

import pytest

from dtomtrack import dialogues
from dtomtrack.beliefs.markers import EXPLICIT, IMPLICIT, MARKERS, Marker, fitting_to_learn
from dtomtrack.beliefs.question import QuestionType
from dtomtrack.beliefs.scenario import MentalState, Trigger
from dtomtrack.scenarios.difficulty import Difficulty, preset

ALWAYS = preset("paper").model_copy(update={"learning_share": 1.0})


@pytest.mark.parametrize("domain", ["family", "medical", "restaurant", "team", "travel"])
def test_who_knew_nothing_says_so_and_then_what_they_were_told(domain: str) -> None:
    learnt = 0
    for one in dialogues(domain, n=20, difficulty=ALWAYS):
        for update in one.dialogue.scenario.updates:
            if update.mental_state is not MentalState.KNOWLEDGE:
                continue
            learnt += 1
            (topic,) = (each for each in one.dialogue.scenario.topics if each.id == update.topic)
            assert update.old == topic.ignorance
            assert update.trigger is Trigger.NEW_INFORMATION
            held = [each for each in one.dialogue.beliefs if (each.holder, each.topic) == (update.agent, update.topic)]
            own = [each.content for each in held if each.about is None]
            assert own == [update.old, update.new]
    assert learnt


def test_nobody_learns_where_the_dial_is_at_none() -> None:
    never = Difficulty(learning_share=0.0)
    plans = [one.dialogue.scenario for one in dialogues("team", n=20, difficulty=never)]
    assert not any(update.old.startswith("nothing about") for plan in plans for update in plan.updates)


def test_to_know_nothing_is_right_before_a_change_and_wrong_elsewhere() -> None:
    asked = [
        question
        for one in dialogues("team", n=120)
        for question in one.questions
        if any(text.startswith("Nothing about") for text in question.options.values())
    ]
    right = {question.type for question in asked if question.gold.startswith("Nothing about")}
    assert right == {QuestionType.PRE_UPDATE, QuestionType.TEMPORAL}
    assert {question.type for question in asked} == right


@pytest.mark.parametrize("share", [0.1, 0.5])
def test_to_know_nothing_is_right_in_a_quarter_of_the_questions_that_offer_it(share: float) -> None:
    dials = Difficulty(learning_share=share)
    offered: Counter[QuestionType] = Counter()
    right: Counter[QuestionType] = Counter()
    for one in dialogues("team", n=400, difficulty=dials):
        for question in one.questions:
            offered[question.type] += any(text.startswith("Nothing about") for text in question.options.values())
            right[question.type] += question.gold.startswith("Nothing about")
    for kind in (QuestionType.PRE_UPDATE, QuestionType.TEMPORAL):
        assert 0.12 < right[kind] / offered[kind] < 0.38, (kind, right[kind], offered[kind])


@pytest.mark.parametrize("one", MARKERS, ids=lambda one: one.id)
def test_nobody_takes_back_that_they_knew_nothing(one: Marker) -> None:
    found = fitting_to_learn(one)
    assert found in IMPLICIT
    assert found not in EXPLICIT
    assert not {"take", "thought", "realized", "actually"} & set(found.frame.lower().split())


def test_a_marker_that_is_taken_is_not_taken_again() -> None:
    taken = {"now_that", "hold_on", "wait"}
    assert fitting_to_learn(EXPLICIT[0], taken).id == "in_that_case"
    assert fitting_to_learn(EXPLICIT[0], {*taken, "in_that_case"}) in IMPLICIT
