"""Which options a context says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import pytest

from dtomtrack.beliefs.question import OptionRole
from dtomtrack.evaluation.said import mentions, said_options, words_of_lines
from dtomtrack.items.item import ContextLine, Item
from dtomtrack.suites.dtom.items import DialogueContext, item_of
from dtomtrack.suites.dtom.slot_result import SlotResult

FENCE = ("Paint the fence green", "Paint the fence blue", "Tear the fence down", "Sell the ladder")


@dataclass(frozen=True)
class Heard:
    lines: Sequence[ContextLine]

    def text(self, condition: str) -> str:
        return condition


def heard(*texts: str, options: tuple[str, ...] = FENCE) -> Item:
    context = Heard([ContextLine("Ada", text) for text in texts])
    return Item(id="q0", cluster="talk", question="What then?", options=options, gold=frozenset({0}), context=context)


def said(item: Item) -> frozenset[int]:
    return said_options(item, words_of_lines(item))


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["It will be green."], {0}),
        (["Blue? No. Green!"], {0, 1}),
        (["The fence is old, paint it."], set()),
        (["I'd sell that ladder,", "or tear it down."], {2, 3}),
        (["A ladder stands there."], {3}),
        ([], set()),
    ],
)
def test_an_option_is_said_by_the_words_that_tell_it_from_the_others(texts: list[str], expected: set[int]) -> None:
    assert said(heard(*texts)) == expected


def test_options_without_words_of_their_own_are_said_by_all_their_words() -> None:
    options = ("the red door", "the red door at night", "no door")
    assert said(heard("It was the door at night.", options=options)) == {0, 1, 2}
    assert said(heard("Red.", options=options)) == {0}
    assert said(heard("So it is.", options=("it", "that"))) == set()


def test_an_item_without_context_says_nothing() -> None:
    assert said(replace(heard(), context=None)) == frozenset()


def test_what_nobody_said_is_seldom_taken_for_said(slots: dict[str, list[SlotResult]]) -> None:
    counts = {role: [0, 0] for role in OptionRole}
    for own in slots.values():
        for slot in own:
            assert slot.dialogue is not None
            for question in slot.questions:
                item = item_of(question, DialogueContext(slot.dialogue, question, {}))
                for position in said(item):
                    counts[OptionRole(item.roles[position])][1] += 1
                for role in item.roles:
                    counts[OptionRole(role)][0] += 1
    shares = {role: of / all_of for role, (all_of, of) in counts.items() if all_of}
    assert shares[OptionRole.NEVER_SAID] < 0.2
    assert shares[OptionRole.POST_VALUE] > 0.8
    assert shares[OptionRole.PRE_VALUE] > 0.8
    assert shares[OptionRole.ACTUAL_VALUE] > 0.8


def test_options_are_mentioned_in_the_order_of_their_last_words() -> None:
    options = dict(zip("ABCD", FENCE, strict=True))
    texts = ["Green? I said blue, not green.", "Nothing.", "Tear it down, or blue."]
    assert list(mentions(options, texts)) == ["B", "A", "C", "B"]
    assert list(mentions({"A": "At turn 1", "B": "At turn 2"}, texts)) == []
