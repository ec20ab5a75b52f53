"""Tracker, overhearer and oracle agree on every question, where minds come apart as where they don't."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from dtomtrack import evaluate, generate
from dtomtrack.beliefs.dialogue import Dialogue
from dtomtrack.beliefs.question import OptionRole, Question, QuestionType
from dtomtrack.beliefs.scenario import MentalState
from dtomtrack.runs.lines import read_lines

ABOUT_OTHERS = {QuestionType.SECOND_ORDER, QuestionType.FALSE_BELIEF}


@pytest.fixture(scope="module", params=[("team", "group", 12), ("restaurant", "hard", 4), ("travel", "group", 8)])
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    domain, preset, n = request.param
    out: Path = tmp_path_factory.mktemp("minds") / f"{domain}-{preset}"
    generate(domain, n=n, out=out, difficulty=preset)
    return out


def test_nothing_that_is_said_leads_elsewhere(folder: Path) -> None:
    rejected = (folder / "rejected.jsonl").read_text(encoding="utf-8")
    assert "correctness" not in rejected


def test_the_oracle_is_right_on_every_question(folder: Path) -> None:
    (metrics,) = evaluate(folder, ["baseline/oracle"])
    assert metrics.micro.accuracy.value == 1.0


def test_most_questions_about_others_are_asked_where_minds_differ(folder: Path) -> None:
    asked = [one for one in read_lines(folder / "questions.jsonl", Question) if one.type in ABOUT_OTHERS]
    dialogues = {one.id: one for one in read_lines(folder / "dialogues.jsonl", Dialogue)}
    for one in asked:
        assert one.factors.differs in {"apart", "control"}
        if one.about is None or one.factors.differs != "apart":
            continue
        own = [
            each
            for each in dialogues[one.dialogue_id].beliefs
            if (each.holder, each.topic, each.about) == (one.about, one.topic, None)
        ]
        held = [each.content for each in own if each.source_turn <= (one.turn or 0)]
        assert not held or held[-1].casefold() != one.gold.casefold()
        assert OptionRole.ACTUAL_VALUE in one.option_roles.values()
    apart = sum(one.factors.differs == "apart" for one in asked)
    assert apart >= 0.6 * len(asked) > 0


def test_who_knows_is_a_set_of_people(folder: Path) -> None:
    asked = [
        one for one in read_lines(folder / "questions.jsonl", Question) if one.type is QuestionType.INFORMATION_ACCESS
    ]
    assert asked
    for one in asked:
        assert (one.select == "any") == (one.factors.asks == "who_knows")


def test_what_was_held_at_a_turn_is_not_asked_again_a_few_turns_later(folder: Path) -> None:
    turns: dict[tuple[object, ...], list[int]] = {}
    for one in read_lines(folder / "questions.jsonl", Question):
        if one.type is QuestionType.TEMPORAL and one.turn is not None:
            turns.setdefault((one.dialogue_id, one.agent, one.topic, one.evidence), []).append(one.turn)
    assert any(len(of_one) > 1 for of_one in turns.values())
    for of_one in turns.values():
        asked = sorted(of_one)
        assert all(later - earlier > 5 for earlier, later in pairwise(asked)), asked


def test_nothing_about_others_is_asked_twice(folder: Path) -> None:
    """Neither in other words nor as another type: what is assumed at a turn is what is thought at it."""
    asked = [
        one
        for one in read_lines(folder / "questions.jsonl", Question)
        if one.type in ABOUT_OTHERS and one.factors.asks in {"state", "assumed"} and one.factors.asked_by == "turn"
    ]
    asked_for = [(one.dialogue_id, one.agent, one.about, one.through, one.topic, one.turn) for one in asked]
    assert len(asked_for) == len(set(asked_for))


def test_what_bystanders_make_of_a_wrong_presumption_is_not_asked(folder: Path) -> None:
    dialogues = {one.id: one for one in read_lines(folder / "dialogues.jsonl", Dialogue)}
    for one in read_lines(folder / "questions.jsonl", Question):
        if one.type not in ABOUT_OTHERS or one.factors.asks == "actual" or one.about is None or len(one.evidence) > 1:
            continue
        turn = dialogues[one.dialogue_id].turns[one.evidence[0]]
        presumed = {(said.about, said.topic) for said in turn.expressions if said.presumed}
        if (one.about, one.topic) in presumed and one.factors.differs == "apart":
            assert one.chain[-1] == turn.speaker


def test_knowledge_that_others_deny_is_not_asked_about_behind_that(folder: Path) -> None:
    dialogues = {one.id: one for one in read_lines(folder / "dialogues.jsonl", Dialogue)}
    for one in read_lines(folder / "questions.jsonl", Question):
        if one.type is not QuestionType.TEMPORAL or one.mental_state is not MentalState.KNOWLEDGE:
            continue
        denied = [
            turn.index
            for turn in dialogues[one.dialogue_id].turns[one.evidence[0] + 1 : one.turn]
            if turn.speaker != one.agent and turn.hears(one.agent)
            for said in turn.expressions
            if (said.topic, said.about) == (one.topic, None) and said.content.casefold() != one.gold.casefold()
        ]
        assert not denied


def test_of_several_changes_that_begin_with_learning_the_first_is_not_asked_for(folder: Path) -> None:
    dialogues = {one.id: one for one in read_lines(folder / "dialogues.jsonl", Dialogue)}
    for one in read_lines(folder / "questions.jsonl", Question):
        if one.factors.asks == "first_change":
            beliefs = dialogues[one.dialogue_id].beliefs
            own = [each for each in beliefs if (each.holder, each.topic, each.about) == (one.agent, one.topic, None)]
            assert len(own) <= 2 or not own[0].content.startswith("nothing about")
