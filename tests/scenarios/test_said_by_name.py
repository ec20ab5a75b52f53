"""Two call each other by name, before what they say or behind its first sentence; interjections begin some turns."""

from __future__ import annotations

from pathlib import Path

import pytest

from dtomtrack import generate
from dtomtrack.beliefs.dialogue import Dialogue
from dtomtrack.runs.lines import read_lines
from dtomtrack.scenarios.acting.sentences import addressed_behind, in_mid_sentence
from dtomtrack.scenarios.talk_lines import shared_talk


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("You make it sound easy. I'd still say no.", "You make it sound easy, Ida. I'd still say no."),
        ("What do you make of the roof?", "What do you make of the roof, Ida?"),
        ("That's it.", ""),
        ("Well, you know how it is.", ""),
        ("The list says this: bread.", ""),
    ],
)
def test_a_name_stands_behind_a_plain_first_sentence(line: str, said: str) -> None:
    assert addressed_behind("Ida", line) == said


def test_in_mid_sentence_only_i_stays_large() -> None:
    assert in_mid_sentence("I'd say so.") == "I'd say so."
    assert in_mid_sentence("That was quick.") == "that was quick."


@pytest.fixture(scope="module", params=["restaurant", "family"])
def turns(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> list[tuple[str, str]]:
    """What is said in short dialogues of two, each with the other's name."""
    out: Path = tmp_path_factory.mktemp("names") / request.param
    generate(request.param, n=60, out=out)
    said = []
    for one in read_lines(out / "dialogues.jsonl", Dialogue):
        first, second = (agent.name for agent in one.scenario.agents)
        said += [(turn.utterance, second if turn.speaker == first else first) for turn in one.turns]
    return said


def test_names_stand_before_and_behind_and_nobody_is_named_all_the_time(turns: list[tuple[str, str]]) -> None:
    before = sum(said.startswith(f"{name}, ") for said, name in turns)
    behind = sum(f", {name}." in said or f", {name}?" in said for said, name in turns)
    assert before > 10
    assert behind > 10
    assert before + behind < 0.3 * len(turns)


def test_an_interjection_goes_on_in_a_small_letter_and_is_not_said_twice(turns: list[tuple[str, str]]) -> None:
    two = shared_talk().between_two
    longest_first = sorted({*two.interjections, *two.before_questions}, key=len, reverse=True)
    first = [(said, next((one for one in longest_first if said.startswith(f"{one} ")), "")) for said, _ in turns]
    begun = [said.removeprefix(f"{one} ") for said, one in first if one]
    assert 10 < len(begun) < 0.25 * len(turns)
    assert all(rest[0].islower() or rest[0] == "I" or rest.split()[0].istitle() for rest in begun)
    assert not any(rest.casefold().startswith(("well,", "oh,", "ah,", "hm,", "mm,")) for rest in begun)
