"""What is shown of a dialogue among several: who takes part, and records from which chains of minds follow."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

import pytest

from dtomtrack.beliefs.dialogue import Dialogue
from dtomtrack.beliefs.question import Question
from dtomtrack.scenarios.dials import difficulty_of
from dtomtrack.scenarios.domain import Domain
from dtomtrack.suites.dtom.config import RunConfig
from dtomtrack.suites.dtom.contexts import context_text
from dtomtrack.suites.dtom.generation import build_context, fill_slots
from dtomtrack.suites.dtom.slot_result import SlotResult

REACHED = re.compile(
    r"At turn (?P<turn>\d+), to (?P<names>.+) together, (?:as said at turn (?P<said>\d+)|as nobody had said it)"
    r"(?:, (?P<way>told|presumed) by \"(?P<by>[^\"]+)\")?: \w+ of \"(?P<holder>[^\"]+)\" about \"(?P<label>[^\"]+)\": "
    r"\"(?P<content>.+)\""
)
NOTE_READ = re.compile(r"When (\S+) read a note from (\S+?)[ ,]")


class Reached(NamedTuple):
    """A line on what reached several together, in the order in which later ones count."""

    said: int
    nearest: bool
    turn: int
    number: int
    content: str


async def filled(domain: Domain, preset: str, **dials: str) -> list[SlotResult]:
    """Eight slots of a domain, each with a dialogue."""
    difficulty = difficulty_of(preset, dials)
    config = RunConfig(domains=(domain.pack.name,), packs={}, turns=difficulty.turns, difficulty=difficulty, seed=3)
    context = build_context(config, {domain.pack.name: domain.pack})
    slots = [slot async for slot in fill_slots(context, config, range(8), concurrency=4)]
    return [slot for slot in slots if slot.dialogue is not None]


def on_record(text: str, question: Question, label: str) -> str:
    """What the records say that one of two takes the other to think of a third's state."""
    return max(_reached(text, question, label)).content


def _reached(text: str, question: Question, label: str) -> Iterator[Reached]:
    for number, line in enumerate(text.split("\n")):
        one = REACHED.fullmatch(line)
        if one is None or (one["holder"], one["label"]) != (question.about, label):
            continue
        both = all(f'"{name}"' in one["names"] for name in question.chain)
        if both and question.turn is not None and int(one["turn"]) <= question.turn:
            nearest = one["way"] is None or (one["way"] == "presumed" and one["by"] in question.chain)
            yield Reached(int(one["said"] or -1), nearest, int(one["turn"]), number, one["content"])


@pytest.mark.parametrize("name", ["medical", "team"])
async def test_the_record_tells_what_one_takes_another_to_think(name: str, domains: dict[str, Domain]) -> None:
    answered = 0
    for slot in await filled(domains[name], "hard"):
        assert slot.dialogue is not None
        text = context_text("tracker", slot.dialogue, "")
        labels = {topic.id: topic.label for topic in slot.dialogue.scenario.topics}
        for question in slot.questions:
            if question.order == 3:
                said = on_record(text, question, labels[question.topic])
                assert said.lower() == question.options[question.answer].lower()
                answered += 1
    assert answered > 30


async def test_the_record_tells_the_moments_that_questions_name(domains: dict[str, Domain]) -> None:
    named = 0
    for slot in await filled(domains["team"], "hard", event_share="1"):
        assert slot.dialogue is not None
        text = context_text("tracker", slot.dialogue, "")
        for question in slot.questions:
            for reader, writer in NOTE_READ.findall(question.question):
                assert re.search(rf'"{reader}" reads the note that "{writer}" wrote', text)
                named += 1
            if back := re.match(r"When (\S+) (?:came|was) back", question.question):
                assert f'"{back[1]}" is back.' in text
                named += 1
    assert named > 5


@pytest.mark.parametrize("condition", ["none", "tracker"])
async def test_who_takes_part_is_named_where_they_are_more_than_two(condition: str, domains: dict[str, Domain]) -> None:
    for slot in await filled(domains["team"], "group"):
        assert slot.dialogue is not None
        beginning = context_text(condition, slot.dialogue, "").split(".")[0]
        assert "two people" not in beginning
        assert all(f'"{name}"' in beginning for name in slot.dialogue.scenario.names)


async def test_names_without_the_dialogue_come_by_the_alphabet(domains: dict[str, Domain]) -> None:
    """In the order of the cast, who stands behind whom told who is likelier to know."""
    for slot in await filled(domains["team"], "group"):
        assert slot.dialogue is not None
        beginning = context_text("none", slot.dialogue, "").split(", which is not shown")[0]
        shown = sorted(slot.dialogue.scenario.names, key=beginning.index)
        assert shown == sorted(shown)


def test_the_words_for_two_are_those_by_which_replies_are_stored(slots: dict[str, list[SlotResult]]) -> None:
    dialogue: Dialogue = next(slot.dialogue for slot in slots["restaurant"] if slot.dialogue is not None)
    assert context_text("none", dialogue, "").startswith("This is a question about a conversation between two people, ")
    assert context_text("tracker", dialogue, "").startswith(
        "This is a record of what the two people in a conversation held, and what each thought that the other held, "
        "from which turn on. Turns are counted from 0."
    )
