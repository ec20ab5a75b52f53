"""Known faults change what is thought as well as what is said, and nothing else."""

from __future__ import annotations

import pytest

from dtomtrack.beliefs.dialogue import Dialogue, Turn
from dtomtrack.beliefs.question import Question, QuestionType
from dtomtrack.beliefs.scenario import PlannedUpdate
from dtomtrack.beliefs.tracker import BeliefTracker, StateKey
from dtomtrack.items.words import content_words
from dtomtrack.suites.dtom.slot_result import SlotResult
from dtomtrack.verifiers.faults import FILLER, move_update, never_voiced, remove_update, silence


@pytest.fixture(scope="module")
def kept(slots: dict[str, list[SlotResult]]) -> list[tuple[Dialogue, tuple[Question, ...]]]:
    """All dialogues of ten turns, with their questions."""
    return [(slot.dialogue, slot.questions) for own in slots.values() for slot in own if slot.dialogue]


def held(turns: tuple[Turn, ...], update: PlannedUpdate, turn: int) -> str | None:
    record = BeliefTracker.of(turns).at(StateKey(update.agent, update.topic), turn)
    return None if record is None else record.content


def test_a_removed_update_is_not_thought_either(kept: list[tuple[Dialogue, tuple[Question, ...]]]) -> None:
    for dialogue, _ in kept:
        for update in dialogue.scenario.updates:
            turns = remove_update(dialogue.turns, update)
            assert (held(dialogue.turns, update, update.turn), held(turns, update, update.turn)) == (
                update.new,
                update.old,
            )
            assert turns[update.turn].utterance == FILLER
            others = [turn for turn in dialogue.turns if turn.index != update.turn]
            assert [turn for turn in turns if turn.index != update.turn] == others


def test_a_removed_update_leaves_the_other_thoughts_of_its_turn(
    kept: list[tuple[Dialogue, tuple[Question, ...]]],
) -> None:
    for dialogue, _ in kept:
        update = dialogue.scenario.updates[0]
        before, after = dialogue.turns[update.turn], remove_update(dialogue.turns, update)[update.turn]
        changed = [one for one, other in zip(before.inner_speech, after.inner_speech, strict=True) if one != other]
        assert [(one.order, one.topic) for one in changed] == [(1, update.topic)]


def test_a_moved_update_is_thought_where_it_is_said(kept: list[tuple[Dialogue, tuple[Question, ...]]]) -> None:
    for dialogue, _ in kept:
        for update in dialogue.scenario.updates:
            turns = move_update(dialogue.turns, update)
            assert turns is not None
            (place,) = [turn.index for turn in turns if turn.utterance == dialogue.turns[update.turn].utterance]
            assert place != update.turn
            assert turns[place].inner_speech == dialogue.turns[update.turn].inner_speech
            assert turns[place].speaker == update.agent
            assert [turn.index for turn in turns] == [turn.index for turn in dialogue.turns]
            assert [turn.speaker for turn in turns] == [turn.speaker for turn in dialogue.turns]


def test_an_update_of_an_agent_with_a_single_turn_can_not_be_moved(
    kept: list[tuple[Dialogue, tuple[Question, ...]]],
) -> None:
    dialogue, _ = kept[0]
    update = dialogue.scenario.updates[0]
    others = (turn for turn in dialogue.turns if turn.speaker != update.agent)
    turns = [turn.model_copy(update={"index": index}) for index, turn in enumerate(others)]
    alone = dialogue.turns[update.turn].model_copy(update={"index": len(turns)})
    assert move_update([*turns, alone], update.model_copy(update={"turn": alone.index})) is None


def test_an_answer_that_is_never_voiced_is_in_no_turn(kept: list[tuple[Dialogue, tuple[Question, ...]]]) -> None:
    for dialogue, questions in kept:
        for question in questions:
            turns = never_voiced(dialogue.turns, question)
            if turns is None or question.type is QuestionType.UPDATE_DETECTION:
                continue
            wrong = [content_words(text) for text in question.options.values() if text != question.gold]
            told = content_words(question.gold).difference(*wrong)
            assert not any(told & content_words(turn.utterance) for turn in turns)
            assert all(turns[index].utterance == FILLER for index in question.evidence)
            assert turns == silence(dialogue.turns, [turn.index for turn in turns if turn.utterance == FILLER])


def test_that_nothing_changed_stays_true_in_silence(kept: list[tuple[Dialogue, tuple[Question, ...]]]) -> None:
    """So such a question is no item of that fault."""
    unbroken = [
        question for dialogue, own in kept for question in own if never_voiced(dialogue.turns, question) is None
    ]
    assert unbroken
    assert {(question.type, question.gold) for question in unbroken} == {(QuestionType.UPDATE_DETECTION, "At no turn")}
