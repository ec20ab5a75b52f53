"""Numbers that can't be, folders and files that are something else: one sentence, and nothing is left behind."""

from __future__ import annotations

import os
import shutil
import subprocess
from itertools import takewhile
from pathlib import Path

import pytest
from commands import PYTHON, run, told

from dtomtrack import generate


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two dialogues."""
    folder = tmp_path_factory.mktemp("complaints") / "made"
    generate("restaurant", n=2, out=folder)
    return folder


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--n", "1" + "0" * 23), f"n is 1{'0' * 23}; it has to be from 1 to 1,000,000,000"),
        (("--n", "0"), "n is 0; it has to be from 1 to 1,000,000,000"),
        (("--seed", "-1"), "seed is -1; it has to be from 0 to 9,223,372,036,854,775,807"),
        (("--workers", "0"), "workers is 0; it has to be from 1 to 1,000,000,000"),
        (("--suite", "rectom", "--workers", "-2"), "workers is -2; it has to be from 1 to 1,000,000,000"),
    ],
)
def test_a_number_that_cannot_be_is_told_with_its_range(tmp_path: Path, options: tuple[str, ...], said: str) -> None:
    assert told("generate", "--out", tmp_path / "out", *options) == said
    assert not (tmp_path / "out").exists()


def test_a_folder_is_no_domain(tmp_path: Path) -> None:
    said = told("generate", "--domain", tmp_path, "--out", tmp_path / "out")
    assert said == f"{tmp_path}: is a folder; give the path of a domain pack, which is a YAML file, or a name"


def test_a_play_says_whose_scenes_it_needs(made: Path) -> None:
    said = told("play", "tomelp", made)
    assert said == f"{made}: is of suite 'dtom'; this needs scenes, which dtomtrack generate --suite tomelp makes"


def test_a_report_does_not_go_where_a_file_is(made: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine", encoding="utf-8")
    said = told("report", made, "--no-audit", "--out", tmp_path / "file")
    assert said == f"{tmp_path / 'file'}: is a file; a report is a folder, so give --out the name of one"


def test_a_line_that_breaks_off_is_told_as_that(made: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(made, tmp_path / "copy"))
    text = (copy / "questions.jsonl").read_bytes()
    (copy / "questions.jsonl").write_bytes(text[:-40])
    said = run("evaluate", copy, "-m", "baseline/random").stderr
    last = text.count(b"\n")
    assert f"questions.jsonl:{last}: line: breaks off before its end; is the file whole?\n" in said


def test_baselines_are_not_told_how_to_be_without_bias(made: Path) -> None:
    said = told("evaluate", made, "-m", "baseline/random", "--debias")
    assert said == "debias: baselines take no such option; leave it out, or name a model, too"


@pytest.mark.parametrize("name", ["empty.jsonl", "folder"])
def test_where_there_are_no_conversations_the_place_is_named(tmp_path: Path, name: str) -> None:
    source = tmp_path / name
    if source.suffix:
        source.touch()
    else:
        source.mkdir()
    said = told("trajectories", source, "--out", tmp_path / "out")
    assert said.startswith(f"{source}: holds no ")
    assert "written" in said or "give the repository of PersuasiveToM, RecToM or NegotiationToM, or a .jsonl" in said


def test_turns_are_counted_in_their_order(tmp_path: Path) -> None:
    done = run("generate", "--suite", "tomelp", "--n", "12", "--out", tmp_path / "out")
    rows = done.stdout.partition("by turn")[2].split("\n")[1:]
    turns = [int(row.split()[0]) for row in takewhile(lambda row: row.split()[:1] and row.split()[0].isdigit(), rows)]
    assert turns == sorted(turns)
    assert max(turns) >= 10


def test_whom_a_bare_name_means_is_said(made: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert told("play", "rhetbench", "-m", "cycle", "--out", out) == "model 'cycle': did you mean policy/cycle?"
    hint = "write PROVIDER/NAME, or exploit/NAME or policy/NAME"
    assert told("play", "rhetbench", "-m", "somebody", "--out", out) == f"model 'somebody': {hint}"


def test_answers_do_not_lie_in_a_dataset(made: Path, tmp_path: Path) -> None:
    other = Path(shutil.copytree(made, tmp_path / "other"))
    before = sorted(made.rglob("*"))
    for out in (made, other):
        said = told("evaluate", made, "-m", "baseline/random", "--out", out)
        hint = f"is a dataset; leave --out out for {made / 'eval'}, or name a folder of its own"
        assert said == f"{out}: {hint}"
    assert sorted(made.rglob("*")) == before


def test_each_name_is_offered_once(made: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(made, tmp_path / "copy"))
    assert run("evaluate", copy, "-m", "baseline/actual", "-q").returncode == 0
    # as of a model that was asked in two ways
    shutil.copytree(copy / "eval" / "baseline_actual", copy / "eval" / "baseline_actual-2")
    said = told("compare", copy, "--subject", "zzz")
    assert said == f"{copy / 'eval'}: there is no evaluation of 'zzz'; there are baseline/actual"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--dial", "return_share=nan"), "difficulty: return_share: is nan, which is no number"),
        (("--dial", "return_share=inf"), "difficulty: return_share: has to be 1.0 or less"),
        (("-m", "vllm/x", "--timeout", "inf"), "timeout is inf; it has to be a finite number"),
    ],
)
def test_what_is_no_number_is_not_told_to_be_smaller(tmp_path: Path, options: tuple[str, ...], said: str) -> None:
    assert told("generate", "--n", "1", "--out", tmp_path / "out", *options) == said


def test_an_end_of_what_is_typed_is_told_as_that(tmp_path: Path) -> None:
    with Path("/dev/null").open("rb") as nothing:
        done = subprocess.run(
            [*PYTHON, "play", "rhetbench", "-m", "human", "--out", tmp_path / "out"],
            stdin=nothing,
            capture_output=True,
            text=True,
            check=False,
        )
    said = "dtomtrack: nothing more is typed in: the input has ended; what is done is safe. Go on with:\n"
    assert (done.returncode, done.stderr.startswith(said), done.stderr.count("\n")) == (130, True, 2)


def test_a_line_of_a_dataset_has_one_number(made: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(made, tmp_path / "copy"))
    lines = (copy / "questions.jsonl").read_bytes().split(b"\n")
    lines[2] = lines[2].replace(b'"id":', b'"id"', 1)
    (copy / "questions.jsonl").write_bytes(b"\n".join(lines))
    said = run("evaluate", copy, "-m", "baseline/random").stderr
    assert "questions.jsonl:3: line: is no JSON (expected `:` at column 6)\n" in said


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("import", "items", "loop", "--out", "new"), "loop: is a link to nowhere; name the file or folder itself"),
        (("import", "items", "one.jsonl", "--out", "loop"), "loop: is a link to nowhere; make the folder that"),
        (("export", "MADE", "--to", "inspect", "--out", "loop"), "loop: is a link to nowhere; make the folder that"),
        (("trajectories", "pipe.jsonl", "--out", "new"), "pipe.jsonl: is not an ordinary file"),
        (("trajectories", "MADE", "--out", "new"), "MADE: is a dataset of dtomtrack already"),
        (("import", "dailypersuasion", "folder", "--out", "new"), "folder: is a folder; name the file of"),
        (("evaluate", "one.jsonl", "-m", "baseline/random"), "one.jsonl: is a file, not a dataset folder; dtomtrack"),
        (("evaluate", "MADE", "-m", "vllm/x", "--prices", "folder"), "folder: is a folder; it has to be a file"),
        (("audit", "MADE", "--gold-form", "letter"), "--gold-form and --select are for the files of another benchmark"),
    ],
)
def test_what_is_something_else_is_told(
    made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], said: str
) -> None:
    """Some ended in a traceback, and a pipe was waited for."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "one.jsonl").write_text('{"question": "Who?", "options": ["I", "you"], "answer": "I"}\n', "utf-8")
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe.jsonl")
    assert said.replace("MADE", str(made)) in told(*(word.replace("MADE", str(made)) for word in words))
    assert not (tmp_path / "new").exists()


def test_no_task_is_written_of_no_questions(made: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(made, tmp_path / "copy"))
    (copy / "questions.jsonl").write_bytes(b"")
    for form in ("inspect", "lm-eval"):
        done = run("export", copy, "--to", form, "--out", tmp_path / "out")
        assert done.returncode == 2
        assert done.stderr.endswith(f"dtomtrack: {copy}: holds no questions, so there is nothing to export\n")
        assert not (tmp_path / "out").exists()
