"""What somebody meets who reads nothing first: each mistake is one sentence that says what to do."""

from __future__ import annotations

import json
import runpy
import sys
from pathlib import Path

import pytest
from commands import run, told

from dtomtrack import generate
from dtomtrack.scenarios import pack_files
from dtomtrack.scenarios.persuasion_npc.pack_files import builtin_packs

ROOT = Path(__file__).parent.parent.parent


@pytest.mark.parametrize(
    ("pack", "what"),
    [
        ("persuasion_npc/packs/anxious_parent.yaml", "a character to persuade; dtomtrack play rhetbench --scenarios"),
        ("persuasion/packs/education.yaml", "a goal of persuasion; --suite persuasivetom takes it"),
        ("recommendation/packs/books.yaml", "things to recommend; --suite rectom takes it"),
    ],
)
def test_a_pack_of_another_kind_is_one_sentence(tmp_path: Path, pack: str, what: str) -> None:
    path = Path(pack_files.__file__).parent / pack
    assert f"is no domain pack but {what}" in told("generate", "--domain", str(path), "--out", str(tmp_path / "out"))


def test_a_folder_or_nothing_is_no_configuration(tmp_path: Path) -> None:
    generate("restaurant", n=1, out=tmp_path / "data")
    assert told("generate", "--config", str(tmp_path)).endswith(": is a folder; give a file with options")
    hint = f"give {tmp_path / 'data' / 'manifest.json'}"
    assert told("generate", "--config", str(tmp_path / "data")).endswith(hint)
    (tmp_path / "empty.json").write_text("{}", encoding="utf-8")
    assert "is no configuration; write an option a line" in told("generate", "--config", str(tmp_path / "empty.json"))


def test_a_dial_nearly_right_is_named() -> None:
    assert told("generate", "--dial", "revisons=2-3") == "no dial 'revisons'; did you mean revisions?"
    assert "no dial 'zebra'; there are acceptance_share, " in told("generate", "--dial", "zebra=1")


def test_a_dial_is_given_once() -> None:
    twice = told("generate", "--difficulty", "group", "--dial", "return-share=.2", "--dial", "return_share=.3")
    assert twice == "--dial return_share: is given twice, as .2 and as .3; give it once"
    both = told("generate", "--difficulty", "group", "--turns", "60", "--dial", "turns=30")
    assert both == "--turns 60 and --dial turns=30 set the same; give one of them"


def test_what_sets_the_size_of_dialogues_is_given_once(tmp_path: Path) -> None:
    """The last was taken without a word."""
    out = ("--out", str(tmp_path / "out"), "--n", "1")
    twice = told("generate", "--difficulty", "group", "--difficulty=hard", *out)
    assert twice == "--difficulty is given twice; give it once"
    assert told("generate", "--turns", "24", "--turns", "60", *out) == (
        "--turns is given twice; give it once, several as --turns 24,60"
    )
    play = told("play", "rhetbench", "--scenarios", "needle_finder", "--turns", "3", "--turns", "4", *out[:2])
    assert play == "--turns is given twice; give it once"
    assert not (tmp_path / "out").exists()


def test_of_suites_those_that_make_data_are_offered() -> None:
    there = "those that make data are dtom, persuasivetom, rectom, tomelp, rhetbench"
    assert told("generate", "--suite", "nope") == f"no suite 'nope'; {there}"
    assert told("generate", "--suite", "items") == f"the suite 'items' makes no data; {there}"


def test_a_report_on_a_folder_that_is_not_there_says_so(tmp_path: Path) -> None:
    missing = "there is no such folder; name one that generate or import made"
    assert told("report", str(tmp_path / "nope")) == f"{tmp_path / 'nope'}: {missing}"


def test_what_is_wrong_with_a_file_is_said_in_words(tmp_path: Path) -> None:
    data = tmp_path / "data"
    generate("restaurant", n=1, out=data)
    (data / "manifest.json").unlink()
    (data / "progress.jsonl").unlink()
    line = json.loads((data / "questions.jsonl").read_text(encoding="utf-8").partition("\n")[0])
    changes: dict[str, dict[str, object]] = {
        "order: has to be a whole number": {"order": "first"},
        "slot: has to be 0 or more": {"slot": -1},
        "question: has to be a text": {"question": None},
        "evidence: has to be a list": {"evidence": 7},
        "zebra: there is no such field": {"zebra": 1},
        "type: has to be 'pre_update'": {"type": "later"},
    }
    for sentence, change in changes.items():
        (data / "questions.jsonl").write_text(json.dumps({**line, **change}) + "\n", encoding="utf-8")
        assert f"questions.jsonl:1: {sentence}" in told("evaluate", str(data), "-m", "baseline/random")
    del line["answer"]
    (data / "questions.jsonl").write_text(json.dumps(line) + "\n", encoding="utf-8")
    assert "questions.jsonl:1: answer: is missing" in told("evaluate", str(data), "-m", "baseline/random")


def test_an_example_without_its_extra_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [one for one in sys.modules if one.startswith("dtomtrack.suites.rhetbench.environment")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "gymnasium", None)
    with pytest.raises(SystemExit, match=r"needs an extra: pip install 'dtomtrack\[gym\]'"):
        runpy.run_path(str(ROOT / "examples" / "learn_to_persuade.py"), run_name="__main__")


def test_the_report_of_plays_speaks_of_them_and_of_no_evaluations(tmp_path: Path) -> None:
    character, out = builtin_packs()[0].id, str(tmp_path / "out")
    run("play", "rhetbench", "-m", "policy/cycle", "--scenarios", character, "--samples", "1", "-q", "--out", out)
    said = run("report", out, "--no-audit").stdout
    assert "0 evaluations" not in said
    assert "Leaderboard" in said
