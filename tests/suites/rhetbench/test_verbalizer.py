"""Replies that a model words: rules decide what is said and in which tone, and the words have to be heard so."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from loopback import Answer, Loopback, Request, completion

from dtomtrack.errors import DatasetError, InputError
from dtomtrack.llm.settings import ClientSettings
from dtomtrack.runs.lines import read_lines, to_lines
from dtomtrack.scenarios.persuasion_npc.arguments import Tone
from dtomtrack.scenarios.persuasion_npc.pack_files import find_packs
from dtomtrack.suites.rhetbench.episode import Episode
from dtomtrack.suites.rhetbench.estimate import estimate_play
from dtomtrack.suites.rhetbench.planning import PlayConfig
from dtomtrack.suites.rhetbench.play_run import PlayRequest, run_play
from dtomtrack.suites.rhetbench.replay import replayed_file
from dtomtrack.suites.rhetbench.talking import Talking

PACKS = find_packs(["cold_skeptic", "open_mind"])
SAID = {
    "it went down well": "Good, I mean it. That helps.",
    "it changes little": "Hm. Perhaps. I suppose so.",
    "it was unwelcome": "No, I'm sorry. I don't buy it.",
}


def in_tone(body: Request) -> Answer:
    """A reply that sounds as it should."""
    text = body["messages"][-1]["content"]
    return completion(next(said for sound, said in SAID.items() if sound in text))


def always_glad(body: Request) -> Answer:
    """A reply that sounds the same whatever is wanted."""
    return completion(SAID["it went down well"])


def request(out: Path, base_url: str = "http://127.0.0.1:9/v1") -> PlayRequest:
    play = PlayConfig(samples=1, verbalizer="vllm/voice")
    client = ClientSettings(first_pause=0.001)
    return PlayRequest(out, ("policy/random",), PACKS, play, base_url=base_url, client=client)


def played(out: Path, asked: PlayRequest) -> list[Episode]:
    asyncio.run(run_play(asked))
    return list(read_lines(out / "policy_random" / "episodes.jsonl", Episode))


def test_replies_are_the_models_and_questions_stay(tmp_path: Path) -> None:
    with Loopback(in_tone) as server:
        episodes = played(tmp_path, request(tmp_path, server.base_url))
    turns = [turn for episode in episodes for turn in episode.turns]
    assert all(any(turn.reply.startswith(said) for said in SAID.values()) for turn in turns)
    assert not any("unvoiced" in turn.flags for turn in turns)
    assert all(turn.reply.endswith("?") for turn in turns if "pivot" in turn.flags)


def test_a_tone_that_can_not_be_heard_is_asked_for_again_and_then_the_line_stays(tmp_path: Path) -> None:
    with Loopback(always_glad) as server:
        episodes = played(tmp_path, request(tmp_path, server.base_url))
        calls = server.count
    turns = [turn for episode in episodes for turn in episode.turns]
    glad = [turn for turn in turns if turn.tone is Tone.POSITIVE]
    assert all(("unvoiced" in turn.flags) == (turn.tone is not Tone.POSITIVE) for turn in turns)
    assert 0 < len(glad) < len(turns)
    assert calls == len(glad) + 3 * (len(turns) - len(glad))


def test_a_reply_that_was_cut_is_asked_for_again_and_then_the_line_stays(tmp_path: Path) -> None:
    def cut(body: Request) -> Answer:
        text = body["messages"][-1]["content"]
        return completion(next(said for sound, said in SAID.items() if sound in text), "length")

    with Loopback(cut) as server:
        episodes = played(tmp_path, request(tmp_path, server.base_url))
        calls = server.count
    turns = [turn for episode in episodes for turn in episode.turns]
    assert all("unvoiced" in turn.flags for turn in turns)
    assert calls == 3 * len(turns)


def test_what_the_model_said_changes_no_mind(tmp_path: Path) -> None:
    for name, answer in (("tone", in_tone), ("glad", always_glad)):
        with Loopback(answer) as server:
            played(tmp_path / name, request(tmp_path / name, server.base_url))
    for name in ("tone", "glad"):
        path = tmp_path / name / "policy_random" / "episodes.jsonl"
        assert len(list(replayed_file(path, PACKS))) == len(PACKS)
    edited = next(read_lines(path, Episode))
    turns = (edited.turns[0].model_copy(update={"agreement": 0.9}), *edited.turns[1:])
    path.write_bytes(to_lines([edited.model_copy(update={"turns": turns})]))
    with pytest.raises(DatasetError, match="turn 1 disagrees in agreement"):
        list(replayed_file(path, PACKS))


def test_a_file_without_episodes_is_told(tmp_path: Path) -> None:
    path = tmp_path / "episodes.jsonl"
    path.write_bytes(b"")
    with pytest.raises(DatasetError, match="no episodes"):
        list(replayed_file(path, PACKS))


def test_it_is_estimated_with_the_others(tmp_path: Path) -> None:
    persuader, verbalizer = estimate_play(request(tmp_path))
    assert persuader.most.calls == 0
    assert 0 < verbalizer.least.calls < verbalizer.expected.calls < verbalizer.most.calls


@pytest.mark.parametrize(
    ("play", "talking", "said"),
    [
        ({"turns": 999}, {}, "from 1 to 200"),
        ({"turns": 0}, {}, "from 1 to 200"),
        ({}, {"max_tokens": 0}, "from 1 to 1,000,000"),
        ({}, {"temperature": -1.0}, "from 0 to 2"),
        ({}, {"temperature": float("nan")}, "from 0 to 2"),
        ({}, {"declare": True}, "no language model persuades"),
    ],
)
def test_settings_that_can_not_be_are_one_sentence(
    tmp_path: Path, play: dict[str, int], talking: dict[str, float], said: str
) -> None:
    asked = PlayRequest(
        tmp_path,
        ("policy/cycle",),
        PACKS,
        PlayConfig(**play),
        Talking.model_validate(talking),
    )
    with pytest.raises(InputError, match=said):
        asked.check()
