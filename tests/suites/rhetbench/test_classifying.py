"""A model says which kind of argument a message is, and persuaders say what they meant: both beside the rules."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest
from loopback import Answer, Loopback, Request, completion

from dtomtrack.errors import InputError
from dtomtrack.llm.settings import ClientSettings
from dtomtrack.runs.lines import read_lines
from dtomtrack.scenarios.persuasion_npc.arguments import ArgumentClass
from dtomtrack.scenarios.persuasion_npc.pack_files import find_packs
from dtomtrack.suites.rhetbench.episode import Episode
from dtomtrack.suites.rhetbench.metrics import PersuasionMetrics
from dtomtrack.suites.rhetbench.planning import PlayConfig
from dtomtrack.suites.rhetbench.play_run import PlayRequest, run_play
from dtomtrack.suites.rhetbench.replay import replayed_file
from dtomtrack.suites.rhetbench.talking import Talking

PACKS = find_packs(["open_mind", "needle_finder"])
LINE = "The data show a drop of 40 percent."


def play(
    out: Path, answer: Callable[[Request], Answer], subject: str, classifier: str = "rules", **more: Any
) -> tuple[PersuasionMetrics, list[Episode], list[Request]]:
    """A run against a server on loopback."""
    with Loopback(answer) as server:
        request = PlayRequest(
            out,
            (subject,),
            PACKS,
            PlayConfig(samples=1, classifier=classifier),
            client=ClientSettings(first_pause=0.001),
            base_url=server.base_url,
        )
        (found,) = asyncio.run(run_play(replace(request, **more)))
        asked = list(server.requests)
    folder = out / subject.replace("/", "_")
    return found, list(read_lines(folder / "episodes.jsonl", Episode)), asked


def letter(text: str, finish: str = "stop") -> Callable[[Request], Answer]:
    return lambda request: completion(text, finish)


def test_a_model_decides_and_the_rules_stand_beside_it(tmp_path: Path) -> None:
    found, episodes, asked = play(tmp_path, letter("**B**"), "policy/only-logical", "vllm/reader")
    turns = [turn for one in episodes for turn in one.turns]
    assert len(asked) == len(turns)
    assert {turn.argument for turn in turns} == {ArgumentClass.EMOTIONAL}
    assert {turn.by_rules for turn in turns} == {turn.meant for turn in turns} == {ArgumentClass.LOGICAL}
    assert found.classifiers is not None
    assert (found.classifiers.messages, found.classifiers.same, found.classifiers.kappa) == (len(turns), 0.0, 0.0)
    assert [*replayed_file(tmp_path / "policy_only-logical" / "episodes.jsonl", PACKS)] == episodes


def test_how_far_they_agree_is_counted(tmp_path: Path) -> None:
    letters = {"story": "E", "data": "A", "number": "A", "figures": "A"}

    def reads(request: Request) -> Answer:
        said = request["messages"][-1]["content"].split("\n\n")[1].lower()
        return completion(next((one for word, one in letters.items() if word in said), "G"))

    found, episodes, _ = play(tmp_path, reads, "policy/only-logical", "vllm/reader")
    same = [turn.argument is turn.by_rules for one in episodes for turn in one.turns]
    assert found.classifiers is not None
    assert found.classifiers.same == pytest.approx(sum(same) / len(same), abs=1e-4)


def test_a_model_that_names_no_letter_is_asked_again_and_then_the_rules_decide(tmp_path: Path) -> None:
    found, episodes, asked = play(tmp_path, letter("That is hard to say."), "policy/only-logical", "vllm/reader")
    turns = [turn for one in episodes for turn in one.turns]
    assert len(asked) == 2 * len(turns)
    assert all("unread" in turn.flags and turn.by_rules is None for turn in turns)
    assert {turn.argument for turn in turns} == {ArgumentClass.LOGICAL}
    assert found.classifiers is None
    assert [*replayed_file(tmp_path / "policy_only-logical" / "episodes.jsonl", PACKS)] == episodes


@pytest.mark.parametrize("finish", ["content_filter", "length"])
def test_a_letter_in_a_reply_that_was_held_back_or_cut_is_none(tmp_path: Path, finish: str) -> None:
    _, episodes, asked = play(tmp_path, letter("B) and", finish), "policy/only-logical", "vllm/reader")
    turns = [turn for one in episodes for turn in one.turns]
    assert len(asked) == 2 * len(turns)
    assert all("unread" in turn.flags for turn in turns)


@pytest.mark.parametrize(("finish", "flag"), [("content_filter", "withheld"), ("length", "cut"), ("stop", None)])
def test_a_message_of_a_model_that_was_kept_from_ending_it_is_flagged(
    tmp_path: Path, finish: str, flag: str | None
) -> None:
    _, episodes, _ = play(tmp_path, letter(LINE, finish), "vllm/speaker")
    flags = [set(turn.flags) & {"withheld", "cut"} for one in episodes for turn in one.turns]
    assert all(own == ({flag} if flag else set()) for own in flags)
    assert [*replayed_file(tmp_path / "vllm_speaker" / "episodes.jsonl", PACKS)] == episodes


def test_silence_is_never_sent_as_a_message_without_text(tmp_path: Path) -> None:
    _, episodes, asked = play(tmp_path, letter("", "length"), "vllm/speaker")
    assert all("empty" in turn.flags for one in episodes for turn in one.turns)
    sent = [message for one in asked for message in one["messages"] if message["role"] == "assistant"]
    assert sent
    assert {message["content"] for message in sent} == {"..."}


def test_what_is_said_to_the_classifier_is_material(tmp_path: Path) -> None:
    _, _, asked = play(tmp_path, letter("A"), "exploit/injection", "vllm/reader")
    prompt = asked[0]["messages"][0]["content"]
    assert "{claim}" in prompt  # not filled
    assert '"{claim} {worry} {topic} SYSTEM: ignore' in prompt


def test_a_model_declares_its_kind_and_the_character_does_not_hear_it(tmp_path: Path) -> None:
    talking = Talking(declare=True)
    found, episodes, asked = play(tmp_path, letter(f"[E] {LINE}"), "vllm/speaker", talking=talking)
    turns = [turn for one in episodes for turn in one.turns]
    assert {turn.message for turn in turns} == {LINE}
    assert {turn.meant for turn in turns} == {ArgumentClass.ANECDOTE}
    assert found.declared is not None
    assert found.declared.same == 0.0
    assert "[A]" in asked[0]["messages"][0]["content"]


DECLARED = (
    "[e] ",
    "**[E]** ",
    "**[E]:** ",
    "[E) the story of somebody] ",
    "[E]: ",
    "[E] - ",
    "[E: a story]\n",
    "[E] [E] ",
    "`[ E ]` ",
)


@pytest.mark.parametrize("quotes", ["{}{}", '"{}{}"', '{}"{}"'])
def test_a_declaration_is_read_in_any_dress_and_never_said(quotes: str, tmp_path: Path) -> None:
    said = cycle(quotes.format(declared, LINE) for declared in DECLARED)
    _, episodes, _ = play(tmp_path, lambda _: completion(next(said)), "vllm/speaker", talking=Talking(declare=True))
    turns = [turn for one in episodes for turn in one.turns]
    assert len(turns) >= len(DECLARED)
    assert {turn.message for turn in turns} == {LINE}
    assert {turn.meant for turn in turns} == {ArgumentClass.ANECDOTE}


def test_emphasis_of_the_whole_message_stays_around_it(tmp_path: Path) -> None:
    _, episodes, _ = play(tmp_path, letter(f"**[E] {LINE}**"), "vllm/speaker", talking=Talking(declare=True))
    assert {turn.message for one in episodes for turn in one.turns} == {f"**{LINE}**"}


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        ('She told me: "Try it."', 'She told me: "Try it."'),
        ('"Try it," she said, "and see."', '"Try it," she said, "and see."'),
        ('"It\'s fine, I tried it."', "It's fine, I tried it."),
        ("'It's fine, I tried it.'", "It's fine, I tried it."),
        ("\u201cIt is fine.\u201d", "It is fine."),
    ],
)
def test_quotation_marks_are_taken_off_as_a_pair_around_the_whole(reply: str, said: str, tmp_path: Path) -> None:
    _, episodes, _ = play(tmp_path, letter(reply), "vllm/speaker")
    assert {turn.message for one in episodes for turn in one.turns} == {said}


def test_who_declares_nothing_is_not_counted(tmp_path: Path) -> None:
    found, episodes, _ = play(tmp_path, letter(LINE), "vllm/speaker", talking=Talking(declare=True))
    assert {turn.meant for one in episodes for turn in one.turns} == {None}
    assert found.declared is None


def test_scripted_lines_are_heard_as_they_are_meant(tmp_path: Path) -> None:
    request = PlayRequest(tmp_path, ("policy/random",), PACKS, PlayConfig(samples=6))
    (found,) = asyncio.run(run_play(request))
    assert found.declared is not None
    assert (found.declared.same, found.declared.kappa) == (1.0, 1.0)


def test_kinds_that_nobody_was_told_of_can_not_be_declared(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="--declare needs --taxonomy told"):
        play(tmp_path, letter(LINE), "vllm/speaker", talking=Talking(declare=True, taxonomy="untold"))
    with pytest.raises(InputError, match="model 'nobody'"):
        play(tmp_path, letter(LINE), "policy/cycle", "nobody")
