"""The stand-in for a weak model reads what a prompt says and nothing else, and errs as it is said to."""

from __future__ import annotations

from pathlib import Path

import pytest
from intrusions import Figure, figures
from loopback import completion
from prompt_reader import answer_to, read_prompt
from stand_in import SUBJECT, asked

from dtomtrack.api import generate
from dtomtrack.evaluation.prompting import prompt_text
from dtomtrack.evaluation.records import AskConfig, Interval
from dtomtrack.items.item import Item
from dtomtrack.items.presented import PresentedItem
from dtomtrack.suites.dtom.items import context_of
from dtomtrack.suites.dtom.suite import SUITE

CONFIG = AskConfig(subject=SUBJECT, questions="any", context="utterances")


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("stand-in") / "made"
    generate("team", n=6, out=folder, difficulty="group")
    return folder


@pytest.fixture(scope="module")
def items(dataset: Path) -> list[Item]:
    return list(SUITE.items(dataset))


def prompt_of(item: Item) -> str:
    return prompt_text(PresentedItem(item), CONFIG)


def test_it_finds_the_lines_and_the_options_in_the_prompt(items: list[Item]) -> None:
    for item in items:
        read = read_prompt(prompt_of(item))
        turns = context_of(item).dialogue.turns
        assert [(line.turn, line.speaker, line.text) for line in read.lines] == [
            (turn.index, turn.speaker, turn.utterance) for turn in turns
        ]
        assert tuple(read.options.values()) == item.options
        assert read.several is (item.select == "any")


def test_it_finds_whose_state_is_asked_about(items: list[Item]) -> None:
    for item in items:
        question = context_of(item).question
        whose = question.agent if question.factors.asks == "actual" else question.about or question.agent
        if question.factors.asks != "learnt":
            assert read_prompt(prompt_of(item)).whose == whose, question.question


PROMPT = """
[Turn 0: "Ann" is not there yet: "a late train".]
Turn 0, "Ben" (to "Cleo"; "Dee" can't hear): "I want some tea."
Turn 1, "Cleo": "I want a coffee."
Turn 2, "Ben" in a note to "Dee": "Coffee it is."
Turn 3, "Cleo": "Juice for me."
Turn 4, "Dee": "Was it tea?"

Question: "{question}"
A) "A tea"
B) "A coffee"
C) "A juice"
D) "A lemonade"

Exactly one of the options is right. Answer with its letter alone.
"""


@pytest.mark.parametrize(
    ("question", "whose", "until"),
    [
        ("At turn 3, what did Dee think Ben wanted?", "Ben", 3),
        ("Just before turn 2, what did Ben want?", "Ben", 1),
        ("Until the update at turn 2, what did Ben want when it came to drinks?", "Ben", 1),
        ("When Cleo came back, what did Dee think Ben wanted?", "Ben", 4),
        ("Which wish did Dee wrongly take Ben to have when Cleo read a note from Dee?", "Ben", 4),
        ("What did Ben actually want, despite what Dee assumed at turn 3?", "Ben", 3),
        ("At turn 3, Dee was wrong about Ben: what did Ben really want?", "Ben", 3),
    ],
)
def test_it_takes_the_last_word_of_whose_state_it_is(question: str, whose: str, until: int) -> None:
    read = read_prompt(PROMPT.format(question=question))
    assert (read.whose, read.until) == (whose, until)
    last = read.last_said(lambda line: line.speaker == read.whose and line.turn <= read.until)
    assert last == ("A" if until == 1 else "B")
    assert read.last_said(lambda line: True) == "A"


def test_it_answers_alike_whatever_a_request_says_beside_the_prompt() -> None:
    messages = [{"role": "user", "content": PROMPT.format(question="At turn 3, what did Dee think Ben wanted?")}]
    told = [answer_to({"messages": messages, **more}) for more in ({}, {"seed": 7, "gold": "D"})]
    assert told[0] == told[1]
    assert told[0] in [completion(letter) for letter in "ABCD"]


def test_a_text_without_a_question_is_refused() -> None:
    with pytest.raises(ValueError, match="no prompt with lines"):
        read_prompt("Hello.")


def test_the_command_that_asks_models_asks_it(dataset: Path, tmp_path: Path) -> None:
    stand_in, guessing = asked(dataset, tmp_path / "eval")
    assert stand_in.config.subject == SUBJECT
    assert stand_in.calls == stand_in.answers == guessing.answers
    assert stand_in.outcomes.get("unparsed", 0) == stand_in.outcomes.get("error", 0) == 0
    assert [one.label for one in figures(stand_in)] == ["accuracy", "egocentric intrusion", "recency intrusion"]


def test_a_figure_is_above_chance_where_its_interval_is() -> None:
    sure = Figure("share", Interval(value=0.7, low=0.6, high=0.8), 0.5, 80)
    assert sure.value == "70.0 % [60.0, 80.0] of 80, chance 50.0 %"
    assert sure.is_above_chance
    assert not Figure("share", Interval(value=0.7, low=0.4, high=0.8), 0.5, 8).is_above_chance
    assert Figure("share", Interval(value=None, low=None, high=None), None, 0).value == "none, of no answers"
