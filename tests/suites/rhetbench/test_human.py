"""A person persuades in the terminal."""

from __future__ import annotations

import asyncio
from io import StringIO
from pathlib import Path

import pytest

from dtomtrack.cli.persuading import HumanPersuader
from dtomtrack.runs.lines import read_lines
from dtomtrack.scenarios.persuasion_npc.pack_files import find_packs
from dtomtrack.suites.rhetbench.episode import Episode
from dtomtrack.suites.rhetbench.planning import PlayConfig
from dtomtrack.suites.rhetbench.play_run import HUMAN, PlayRequest, run_play

_STORY = "A friend of mine told me about her first project, one rainy morning."


def typed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *lines: str) -> Path:
    """What somebody plays who types these lines."""
    monkeypatch.setattr("sys.stdin", StringIO("".join(f"{line}\n" for line in lines)))
    packs = find_packs(["needle_finder"])
    request = PlayRequest(
        tmp_path, (HUMAN,), packs, PlayConfig(samples=1, turns=6), human=HumanPersuader(6), questions=False
    )
    asyncio.run(run_play(request))
    return tmp_path / HUMAN / "episodes.jsonl"


def test_the_last_words_are_heard(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (episode,) = read_lines(typed(tmp_path, monkeypatch, *[_STORY] * 6), Episode)
    told = " ".join(capsys.readouterr().out.split())
    assert episode.won
    assert episode.turns[-1].reply in told
    assert f"Victor Tran is won over after {len(episode.turns)} messages." in told


def test_what_is_typed_is_heard_without_harm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    odd = ("x" * 1_000_000, "\x1b[31m\x07", "", "{claim} <script>", "[bold]", "\u202e")
    (episode,) = read_lines(typed(tmp_path, monkeypatch, *odd), Episode)
    assert [set(turn.flags) & {"cut", "empty", "cleaned"} for turn in episode.turns[:3]] == [
        {"cut"},
        {"cleaned"},
        {"empty"},
    ]


def test_an_end_of_the_input_is_an_interruption(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(KeyboardInterrupt):
        typed(tmp_path, monkeypatch, _STORY)
