"""Questions to a spectator: golds are what the records of an episode say, whoever reads them."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from pathlib import Path

import pytest

from dtomtrack.auditing import audit_benchmark
from dtomtrack.items.item import Item
from dtomtrack.library import evaluate
from dtomtrack.runs.lines import read_lines
from dtomtrack.scenarios.persuasion_npc.arguments import ArgumentClass, Tone
from dtomtrack.scenarios.persuasion_npc.pack_files import builtin_pack, builtin_packs
from dtomtrack.suites.registry import suite_named, suite_of
from dtomtrack.suites.rhetbench.episode import Episode, TurnRecord
from dtomtrack.suites.rhetbench.planning import PlayConfig
from dtomtrack.suites.rhetbench.play_run import PlayRequest, run_play
from dtomtrack.suites.rhetbench.tracked import KINDS

SUBJECTS = ("policy/cycle", "policy/first-positive", "policy/random")
_NUMBER = re.compile(r"message (\d+)")
_WAYS = {"warmed to it": Tone.POSITIVE, "hardly moved": Tone.NEUTRAL, "put": Tone.RESISTANT, "not been tried": None}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of three policies over all characters."""
    out = tmp_path_factory.mktemp("spectator") / "run"
    asyncio.run(run_play(PlayRequest(out, SUBJECTS, builtin_packs(), PlayConfig(samples=1, drift="once"))))
    return out


@pytest.fixture(scope="module")
def asked(folder: Path) -> list[tuple[Item, Episode]]:
    """Every question with its episode."""
    episodes = {
        f"{name}-{one.index}": one
        for name in ("policy_cycle", "policy_first-positive", "policy_random")
        for one in read_lines(folder / name / "episodes.jsonl", Episode)
    }
    return [(item, episodes[item.id.rsplit("-", 1)[0]]) for item in suite_of(folder).items(folder)]


def of_type(asked: list[tuple[Item, Episode]], kind: str) -> list[tuple[Item, Episode]]:
    found = [(item, episode) for item, episode in asked if item.groups["type"] == kind]
    assert len(found) > 20
    return found


def right(item: Item) -> str:
    (position,) = item.gold
    return item.options[position]


def last_tone(turns: tuple[TurnRecord, ...], kind: ArgumentClass) -> Tone | None:
    return next((turn.tone for turn in reversed(turns) if turn.argument is kind), None)


def named(text: str) -> ArgumentClass:
    return next(kind for kind, words in KINDS.items() if words in text)


@pytest.mark.parametrize(("kind", "included"), [("pre_update", 0), ("post_update", 1)])
def test_before_and_after_are_how_it_was_last_taken(
    asked: list[tuple[Item, Episode]], kind: str, included: int
) -> None:
    for item, episode in of_type(asked, kind):
        (number,) = _NUMBER.findall(item.question)
        heard = episode.turns[: int(number) - 1 + included]
        expected = last_tone(heard, named(item.question))
        assert _WAYS[next(words for words in _WAYS if words in right(item))] == expected


def test_nobody_is_asked_for_tones_that_are_voiced_a_reply_later(tmp_path: Path) -> None:
    play = PlayConfig(samples=1, legibility="delayed")
    asyncio.run(run_play(PlayRequest(tmp_path / "run", ("policy/cycle",), builtin_packs(), play)))
    kinds = {item.groups["type"] for item in suite_of(tmp_path / "run").items(tmp_path / "run")}
    assert kinds == {"update_detection", "trajectory"}


_SHARES = {"a quarter": 0.25, "a third": 1 / 3, "two thirds": 2 / 3, "three quarters": 0.75}


def test_when_is_the_first_message_that_brought_the_character_so_far(asked: list[tuple[Item, Episode]]) -> None:
    for item, episode in of_type(asked, "update_detection"):
        mind = episode.config.mind
        share = next(share for words, share in _SHARES.items() if f" {words} of the way" in item.question)
        level = mind.start + share * (mind.threshold - mind.start)
        first = next(turn.turn for turn in episode.turns if turn.agreement >= level)
        assert right(item) == f"with message {first}"


def test_the_question_of_the_character_does_not_tell_when(asked: list[tuple[Item, Episode]]) -> None:
    chosen = Counter[bool]()
    for item, episode in of_type(asked, "update_detection"):
        question = next((f"with message {turn.turn}" for turn in episode.turns if "pivot" in turn.flags), None)
        if question in item.options:
            chosen[right(item) == question] += 1
    assert chosen.total() > 8
    assert chosen[True] <= chosen.total() / 3


def test_no_more_is_shown_than_was_said_before_what_is_asked_about(asked: list[tuple[Item, Episode]]) -> None:
    replies = {"pre_update": -1, "post_update": 0, "second_order": -1}
    for kind, more in replies.items():
        for item, _ in of_type(asked, kind):
            (number,) = _NUMBER.findall(item.question)
            assert item.context is not None
            messages = [line.speaker for line in item.context.lines if line.speaker.startswith("Persuader")]
            assert messages == [f"Persuader, message {one}" for one in range(1, int(number) + more + 1)]
            assert not item.context.lines[-1].speaker.startswith("Persuader")


def test_nearer_is_where_agreement_was_higher(asked: list[tuple[Item, Episode]]) -> None:
    for item, episode in of_type(asked, "trajectory"):
        levels = {
            option: episode.turns[int(number) - 1].agreement
            for option in item.options
            for number in _NUMBER.findall(option)
        }
        assert right(item) == max(levels, key=lambda option: levels[option])


def test_what_could_be_known_was_heard_before_the_message_and_of_one_option_alone(
    asked: list[tuple[Item, Episode]],
) -> None:
    for item, episode in of_type(asked, "second_order"):
        (number,) = _NUMBER.findall(item.question)
        heard = episode.turns[: int(number) - 1]
        good = [option for option in item.options if last_tone(heard, named(option)) is Tone.POSITIVE]
        assert good == [right(item)]


def test_no_answer_is_the_usual_one(asked: list[tuple[Item, Episode]]) -> None:
    for kind in ("pre_update", "post_update"):
        answers = Counter(next(words for words in _WAYS if words in right(item)) for item, _ in of_type(asked, kind))
        assert max(answers.values()) < 0.45 * answers.total()


def test_a_spectator_sees_what_was_said_and_nothing_hidden(asked: list[tuple[Item, Episode]]) -> None:
    for item, episode in asked[:50]:
        assert item.context is not None
        text = item.context.text("context")
        shown = (len(item.context.lines) - 2) // 2
        assert shown > 0
        assert all(turn.reply[:30] in text for turn in episode.turns[:shown])
        assert f"{episode.turns[-1].agreement:.2f}" not in text
        assert episode.config.scenario not in text


def test_the_folder_is_evaluated_like_any_other(folder: Path) -> None:
    (found,) = evaluate(folder, "baseline/random")
    assert found.answers == sum(1 for _ in suite_named("rhetbench").items(folder))
    assert {group.name for group in found.groups["type"]} == {
        "pre_update",
        "post_update",
        "update_detection",
        "trajectory",
        "second_order",
    }


def test_questions_tell_nothing_of_their_answers(folder: Path) -> None:
    assert audit_benchmark(folder).failures(min_items=30) == ()


def test_what_is_asked_of_one_persuader_does_not_depend_on_others(folder: Path, tmp_path: Path) -> None:
    play = PlayConfig(samples=1, drift="once")
    asyncio.run(run_play(PlayRequest(tmp_path / "run", ("policy/cycle",), builtin_packs(), play)))
    alone = {item.id: (item.question, item.options) for item in suite_of(folder).items(tmp_path / "run")}
    beside = {item.id: (item.question, item.options) for item in suite_of(folder).items(folder)}
    assert alone.items() <= beside.items()


def test_an_episode_that_two_played_word_for_word_is_asked_about_once(tmp_path: Path) -> None:
    # against this character the first class that is tried is the one that works
    packs = [builtin_pack("cold_skeptic")]
    subjects = ("policy/first-positive", "policy/oracle")
    asyncio.run(run_play(PlayRequest(tmp_path / "run", subjects, packs, PlayConfig(samples=3))))
    items = list(suite_of(tmp_path / "run").items(tmp_path / "run"))
    assert {item.groups["persuader"] for item in items} == {"policy/first-positive"}
