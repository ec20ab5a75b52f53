"""Inputs that a new user gets wrong: one sentence that says what, where, and what to do."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from other_user import somebody_else

from dtomtrack import compare, evaluate, export_dataset, generate, import_items, make_report
from dtomtrack.cli.main import main
from dtomtrack.errors import DatasetError, InputError, WriteError
from dtomtrack.items.files import read_records
from dtomtrack.records import LARGEST_SEED
from dtomtrack.runs.edited import edited_files
from dtomtrack.scenarios.persuasion_npc.pack_files import find_packs
from dtomtrack.suites.generating import GenerationRequest
from dtomtrack.suites.rhetbench.planning import PlayConfig
from dtomtrack.suites.rhetbench.play_run import PlayRequest
from dtomtrack.suites.tomelp.play_run import given_states

RECORDS = [{"question": "What?", "options": ["x", "y"], "gold": "A"}]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two dialogues, and answers to their questions by two baselines."""
    folder = tmp_path_factory.mktemp("bad-inputs") / "made"
    generate("restaurant", n=2, out=folder)
    evaluate(folder, ["baseline/random", "baseline/longest"])
    return folder


@pytest.fixture
def folder(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(made, tmp_path / "copy"))


def refusal(call: Callable[[], object], kind: type[Exception] = InputError) -> str:
    """The one sentence with which a call is refused."""
    with pytest.raises(kind) as refused:
        call()
    assert "\n" not in str(refused.value)
    return str(refused.value)


def complaint(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """What the command says as it ends with status 2."""
    monkeypatch.setattr(sys, "argv", ["dtomtrack", *words])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    return capsys.readouterr().err.removeprefix("dtomtrack: ").rstrip("\n")


# -- lines that do not belong ---------------------------------------------------------------------------------------


def test_an_empty_line_among_answers_is_told_as_one_too_many(folder: Path) -> None:
    answers = folder / "eval" / "baseline_random" / "answers.jsonl"
    lines = answers.read_text(encoding="utf-8").split("\n")
    answers.write_text("\n".join(["", *lines]), encoding="utf-8")
    there, advice = len(lines), f"restore the file, or move {answers.parent} away and evaluate again"
    told = f"{answers}: holds {there} lines, and the evaluation ended with {there - 1} answers; {advice}"
    assert refusal(lambda: compare(folder)) == told
    told = f"{answers}:1: is an empty line; restore the file, or move {answers.parent} away to ask again"
    assert refusal(lambda: evaluate(folder, "baseline/random")) == told


def test_answers_that_are_gone(folder: Path) -> None:
    answers = folder / "eval" / "baseline_random" / "answers.jsonl"
    answers.unlink()
    told = f"{answers}: is gone; restore the file, or give the evaluate command again"
    assert refusal(lambda: compare(folder)) == told


@pytest.mark.filterwarnings("ignore::dtomtrack.runs.edited.EditedDatasetWarning")
def test_a_question_that_stands_twice_is_told_with_its_line(folder: Path) -> None:
    questions = folder / "questions.jsonl"
    first, *others = questions.read_text(encoding="utf-8").split("\n")
    questions.write_text("\n".join([first, first, *others]), encoding="utf-8")
    told = f"{questions}:2: question {json.loads(first)['id']!r} stands there a second time; it was edited or damaged"
    assert refusal(lambda: evaluate(folder, "baseline/first-letter")) == told


# -- what is imported -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mapping", "said"),
    [
        ("question", "--map has 'question' without a field; say where it is, as question=FIELD"),
        ("asked=question", "--map has 'asked', which is no part of an item; there are question, options, gold"),
    ],
)
def test_a_part_of_a_mapping_that_is_none_is_told_as_it_was_typed(mapping: str, said: str, tmp_path: Path) -> None:
    source = tmp_path / "mine.json"
    source.write_text(json.dumps(RECORDS), encoding="utf-8")
    assert refusal(lambda: import_items(source, tmp_path / "out", mapping)).startswith(said)


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("a.json", '{"a": 1}\n{"a": 2}\n', ": holds one object behind another; name it .jsonl if these are JSON Lines"),
        ("b.json", '{"data": {"a": 1}}', ": has no list under 'data'; items have to be one"),
        ("list.jsonl", '[{"a": 1},\n{"a": 2}]\n', ":1: begins a list, not an object a line; name the file .json"),
    ],
)
def test_json_under_the_name_of_the_other_form(name: str, text: str, said: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    assert refusal(lambda: list(read_records(tmp_path / name))) == f"{tmp_path / name}{said}"


def test_one_of_a_thing_is_no_plural(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "mine.json").write_text(json.dumps(RECORDS), encoding="utf-8")
    words = ["import", "items", str(tmp_path / "mine.json"), "--out", str(tmp_path / "out")]
    monkeypatch.setattr(sys, "argv", ["dtomtrack", *words])
    with pytest.raises(SystemExit, match="0"):
        main()
    assert capsys.readouterr().out.startswith("1 item in 1 cluster over 0 contexts: ")


@pytest.mark.parametrize(
    ("name", "heading", "said"),
    [
        ("mine.csv", "question;a;b;gold", "has ';' between its cells; it has to have commas, as it is named .csv"),
        ("mine.tsv", "question,a,b,gold", "has ',' between its cells; it has to have tabs, as it is named .tsv"),
    ],
)
def test_a_table_with_another_sign_between_its_cells(name: str, heading: str, said: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(f"{heading}\nWhat?\n", encoding="utf-8")
    assert refusal(lambda: list(read_records(tmp_path / name))) == f"{tmp_path / name}:1: {said}"


# -- where nothing can be written or read -----------------------------------------------------------------------------


def test_a_file_as_the_parent_of_a_folder(made: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine", encoding="utf-8")
    out = tmp_path / "file" / "out"
    told = f"{tmp_path / 'file'}: is a file, so there can be no folder {out}; choose another --out"
    assert refusal(lambda: export_dataset(made, "lm-eval", out)) == told
    assert refusal(lambda: make_report(made, out=out, audit=False)) == told


def test_a_file_in_the_place_of_the_evaluations(folder: Path) -> None:
    shutil.rmtree(folder / "eval")
    (folder / "eval").write_text("mine", encoding="utf-8")
    told = f"{folder / 'eval'}: is a file, so answers can't go to {folder / 'eval'}; name a folder"
    assert refusal(lambda: evaluate(folder, "baseline/random")) == told


@pytest.mark.skipif(not Path("/proc/self").is_dir(), reason="not every system has a folder that even root can't write")
def test_who_can_write_nothing_is_not_told_to_try_again(made: Path) -> None:
    told = refusal(lambda: evaluate(made, "baseline/random", out="/proc/nowhere"), WriteError)
    assert told.startswith("/proc/nowhere/baseline_random: can't be written (")
    assert told.endswith("; choose another --out")


def test_a_file_that_may_not_be_read_is_not_to_be_put_back(tmp_path: Path) -> None:
    (tmp_path / "questions.jsonl").touch(mode=0o000)
    with somebody_else():
        told = refusal(lambda: edited_files(tmp_path, {"questions.jsonl": "0" * 64}), DatasetError)
    assert told == f"{tmp_path / 'questions.jsonl'}: can't be read (Permission denied); see who may read it"


@pytest.mark.parametrize("words", [("--out", "a\nb"), ("--out=a\rb",), ("--out", "\x1b[2Jx")])
def test_a_folder_whose_name_breaks_lines(
    words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    told = complaint(monkeypatch, capsys, "generate", "--n", "1", *words)
    assert told == "--out holds a line break or another control character; name a folder that fits into a line"


def test_a_folder_that_a_configuration_leaves_empty(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text("out: ''\n", encoding="utf-8")
    told = complaint(monkeypatch, capsys, "generate", "--config", str(file))
    assert told == f"{file}: out: is empty; leave it out, or say what it is"


# -- names and numbers ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("generate", "--n", "three"), "Invalid value for '--n' / '-n': it has to be a whole number"),
        (("audit", "x.csv", "--threshold", "high"), "Invalid value for '--threshold': it has to be a number"),
        (("audit", "x.csv", "--min-items", "0"), "min-items is 0; it has to be from 1 to 1,000,000,000"),
        (("audit", "x.csv", "--rows", "-1"), "rows is -1; it has to be from 0 to 1,000,000,000"),
    ],
)
def test_a_value_that_is_no_number_or_none_that_is_taken(
    words: tuple[str, ...], said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert complaint(monkeypatch, capsys, *words).endswith(said)


def test_bounds_are_written_out(made: Path) -> None:
    told = refusal(lambda: evaluate(made, "baseline/random", limit=0))
    assert told == "limit is 0; it has to be from 1 to 1,000,000,000"


def test_a_misspelled_subject_is_told_with_the_nearest(made: Path) -> None:
    told = refusal(lambda: compare(made, ["baseline/rndom"]))
    assert told == f"{made / 'eval'}: there is no evaluation of 'baseline/rndom'; did you mean baseline/random?"


@pytest.mark.parametrize(("subject", "nearest"), [("policy/cycel", "cycle"), ("exploit/stufing", "stuffing")])
def test_a_misspelled_policy(subject: str, nearest: str, tmp_path: Path) -> None:
    request = PlayRequest(tmp_path, (subject,), find_packs(["core"]), PlayConfig())
    kind, _, name = subject.partition("/")
    assert refusal(request.check) == f"no {kind} {name!r}; did you mean {nearest}?"


@pytest.mark.parametrize("name", ["fresh:x:y", "fresh:10", "fresh:"])
def test_new_characters_are_asked_for_by_count_and_seed(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    told = f"{name!r}: new characters are asked for as fresh:COUNT:SEED, fresh:10:1 say"
    assert refusal(lambda: find_packs([name])) == told
    assert complaint(monkeypatch, capsys, "domains", "check", name) == told


def test_states_that_are_listed_are_asked_for_one_by_one() -> None:
    told = refusal(lambda: given_states(["gold,none"]))
    assert told.endswith("--tom takes one of none, inferred, gold, shuffled, and may be given several times")


@pytest.mark.parametrize("seed", [-1, LARGEST_SEED + 1])
def test_a_seed_out_of_range_is_refused_in_python_too(seed: int) -> None:
    told = f"seed is {seed}; it has to be from 0 to 9,223,372,036,854,775,807"
    assert refusal(lambda: GenerationRequest("all", 1, seed)) == told
