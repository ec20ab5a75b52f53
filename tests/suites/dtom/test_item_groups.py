"""What the questions of DToM-Track are grouped by."""

from __future__ import annotations

import pytest

from dtomtrack.beliefs.dialogue import BeliefRecord, Dialogue
from dtomtrack.beliefs.question import Factors, Question
from dtomtrack.suites.dtom.items import DialogueContext, item_of
from dtomtrack.suites.dtom.presentation import LEGEND
from dtomtrack.suites.dtom.slot_result import SlotResult

Slots = dict[str, list[SlotResult]]


def returns(dialogue: Dialogue, question: Question) -> str:
    return item_of(question, DialogueContext(dialogue, question, {})).groups["returns"]


def holding(slots: Slots, *contents: str) -> tuple[Dialogue, Question]:
    """A dialogue in which the state asked about has these contents, one after another."""
    slot = slots["restaurant"][0]
    assert slot.dialogue is not None
    question = slot.questions[0]
    first = slot.dialogue.beliefs[0]
    records = tuple(
        BeliefRecord.model_validate(
            first.model_dump()
            | {
                "holder": question.agent,
                "topic": question.topic,
                "about": question.about,
                "content": content,
                "source_turn": turn,
            }
        )
        for turn, content in enumerate(contents)
    )
    return slot.dialogue.model_copy(update={"beliefs": records}), question


@pytest.mark.parametrize(
    ("contents", "group"),
    [
        ((), "none"),
        (("tea",), "none"),
        (("tea", "tea"), "none"),
        (("tea", "milk"), "no"),
        (("tea", "milk", "juice"), "no"),
        (("tea", "milk", "milk", "tea"), "yes"),
        (("tea", "milk", "juice", "milk"), "yes"),
    ],
)
def test_a_state_returns_that_goes_back_to_an_earlier_value(
    slots: Slots, contents: tuple[str, ...], group: str
) -> None:
    dialogue, question = holding(slots, *contents)
    assert returns(dialogue, question) == group
    backwards = dialogue.model_copy(update={"beliefs": dialogue.beliefs[::-1]})
    assert returns(backwards, question) == group


def test_only_a_state_that_changes_can_return(slots: Slots) -> None:
    seen = set()
    for own in slots.values():
        for slot in own:
            assert slot.dialogue is not None
            for question in slot.questions:
                group = returns(slot.dialogue, question)
                seen.add(group)
                assert group == "none" or question.factors.changes > 0
    assert seen == {"none", "no", "yes"}


def test_every_grouping_is_explained(slots: Slots) -> None:
    slot = next(one for one in slots["medical"] if one.dialogue is not None)
    assert slot.dialogue is not None
    everything = {name: value or 1 for name, value in slot.questions[0].factors.model_dump().items()}
    everything |= {"signal": "none", "differs": "apart", "apart": "hearsay", "asked_by": "event", "marker": None}
    question = slot.questions[0].model_copy(update={"factors": Factors.model_validate(everything)})
    groups = item_of(question, DialogueContext(slot.dialogue, question, {})).groups
    assert {"apart", "asked_by", "differs", "interference", "lag", "revisions", "signal", "since", "turns"} <= set(
        groups
    )
    assert set(groups) - {"type"} <= set(LEGEND)
