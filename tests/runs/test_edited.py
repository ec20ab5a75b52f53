"""Datasets that were edited since they were made: runs don't go on in them, commands say so, nonsense is refused."""

from __future__ import annotations

import json
import re
import shutil
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from commands import run

from dtomtrack import generate, load
from dtomtrack.errors import DatasetError, InputError
from dtomtrack.library import evaluate, export_dataset, make_report, rescore
from dtomtrack.runs.edited import EditedDatasetWarning, UnknownDatasetWarning

pytestmark = pytest.mark.usefixtures("undrawn")

Line = dict[str, Any]
FILES = ("dialogues.jsonl", "questions.jsonl", "rejected.jsonl")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Six dialogues, with an evaluation."""
    folder = tmp_path_factory.mktemp("edited") / "out"
    generate("restaurant", n=6, out=folder)
    evaluate(folder, "baseline/recency")
    return folder


@pytest.fixture
def folder(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(made, tmp_path / "out"))


def changed(folder: Path, name: str, change: Callable[[list[Line]], object]) -> None:
    """Change the lines of a file in place."""
    path = folder / name
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]
    change(lines)
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")


def of_questions(change: Callable[[list[Line]], object]) -> Callable[[Path], None]:
    return lambda folder: changed(folder, "questions.jsonl", change)


def of_dialogues(change: Callable[[list[Line]], object]) -> Callable[[Path], None]:
    return lambda folder: changed(folder, "dialogues.jsonl", change)


def move_gold(lines: list[Line]) -> None:
    for line in lines:
        old, new = line["answer"], next(one for one in line["options"] if one != line["answer"])
        roles = line["option_roles"]
        line["answer"], roles[old], roles[new] = new, roles[new], "gold"


def put(lines: list[Line], *path: str | int, value: object) -> None:
    *way, last = path
    place: Any = lines
    for step in way:
        place = place[step]
    place[last] = value


EDITS: dict[str, Callable[[Path], None]] = {
    "questions cut at a line end": of_questions(lambda lines: lines.__delitem__(slice(-5, None))),
    "a question taken out": of_questions(lambda lines: lines.__delitem__(3)),
    "a question doubled": of_questions(lambda lines: lines.insert(3, lines[3])),
    "questions swapped": of_questions(lambda lines: lines.__setitem__(slice(0, 2), lines[1::-1])),
    "the gold moved with its role": of_questions(move_gold),
    "an option reworded": of_questions(lambda lines: put(lines, 0, "options", "A", value="something else")),
    "a question reworded": of_questions(lambda lines: put(lines, 0, "question", value="Why?")),
    "another type": of_questions(lambda lines: put(lines, 0, "type", value="temporal")),
    "another topic": of_questions(lambda lines: put(lines, 0, "topic", value="other")),
    "other evidence": of_questions(lambda lines: put(lines, 0, "evidence", value=[0])),
    "evidence beyond the end": of_questions(lambda lines: put(lines, 0, "evidence", value=[99])),
    "a turn beyond the end": of_questions(lambda lines: put(lines, 0, "turn", value=99)),
    "an agent from elsewhere": of_questions(lambda lines: put(lines, 0, "agent", value="Nobody")),
    "another dialogue's question": of_questions(lambda lines: put(lines, 0, "slot", value=3)),
    "dialogues swapped": of_dialogues(lambda lines: lines.__setitem__(slice(0, 2), lines[1::-1])),
    "a dialogue taken out": of_dialogues(lambda lines: lines.__delitem__(-1)),
    "a dialogue doubled": of_dialogues(lambda lines: lines.append(lines[-1])),
    "turns emptied": of_dialogues(lambda lines: put(lines, 0, "turns", value=[])),
    "turns reordered": of_dialogues(lambda lines: lines[0]["turns"].reverse()),
    "a turn taken out": of_dialogues(lambda lines: lines[0]["turns"].pop()),
    "a stranger as speaker": of_dialogues(lambda lines: put(lines, 0, "turns", 0, "speaker", value="Mallory")),
    "an utterance changed": of_dialogues(lambda lines: put(lines, 0, "turns", 0, "utterance", value="No.")),
    "a thought changed": of_dialogues(
        lambda lines: put(lines, 0, "turns", 0, "inner_speech", 0, "content", value="something else")
    ),
    "a record of a stranger": of_dialogues(lambda lines: put(lines, 0, "beliefs", 0, "holder", value="Mallory")),
    "carriage returns": lambda folder: rewritten(folder, "questions.jsonl", b"\n", b"\r\n"),
    "a rejection added": lambda folder: rewritten(folder, "rejected.jsonl", b"", b"{}\n"),
    "a file taken away": lambda folder: (folder / "rejected.jsonl").unlink(),
    "counts": lambda folder: recounted(folder),
}


def rewritten(folder: Path, name: str, old: bytes, new: bytes) -> None:
    path = folder / name
    before = path.read_bytes()
    path.write_bytes(before.replace(old, new) if old else before + new)


def recounted(folder: Path) -> None:
    path = folder / "manifest.json"
    manifest = json.loads(path.read_bytes())
    manifest["counts"]["questions"] += 7
    path.write_text(json.dumps(manifest), encoding="utf-8")


@pytest.mark.parametrize("kind", EDITS)
def test_an_edited_dataset_is_noticed(folder: Path, kind: str) -> None:
    EDITS[kind](folder)
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        try:
            evaluate(folder, "baseline/longest")
        except DatasetError as error:
            assert "\n" not in str(error)
            return
    assert [one.category for one in warned] == [EditedDatasetWarning]
    metrics = json.loads((folder / "eval" / "baseline_longest" / "metrics.json").read_bytes())
    assert metrics["edited"]


REFUSED = ["turns emptied", "turns reordered", "a stranger as speaker", "dialogues swapped", "a dialogue doubled"]
REFUSED += ["evidence beyond the end", "a turn beyond the end", "an agent from elsewhere", "a record of a stranger"]
REFUSED += ["another dialogue's question", "counts"]


@pytest.mark.filterwarnings("ignore::dtomtrack.runs.edited.EditedDatasetWarning")
@pytest.mark.parametrize("kind", REFUSED)
def test_what_is_inconsistent_in_itself_is_refused(folder: Path, kind: str) -> None:
    EDITS[kind](folder)
    with pytest.raises(DatasetError, match=r"edited|comes after|tells of"):
        evaluate(folder, "baseline/longest")


@pytest.fixture(scope="module")
def company(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three dialogues of three people who don't all hear everything."""
    folder = tmp_path_factory.mktemp("company") / "out"
    generate("restaurant", n=3, out=folder, difficulty="apart")
    return folder


def away(*agents: int) -> Callable[[list[Line]], object]:
    """Send agents away for good from turn 5 of the first dialogue on, and nobody else."""

    def change(lines: list[Line]) -> None:
        scenario = lines[0]["scenario"]
        names = [agent["name"] for agent in scenario["agents"]]
        scenario["presence"] = [{"agent": names[at], "from_turn": 5, "reason": "a train"} for at in agents]

    return change


def alone(lines: list[Line]) -> None:
    turn = lines[0]["turns"][5]
    turn |= {"audience": [turn["speaker"]], "read_at": {}}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (alone, r"turn 5 has no hearer: its audience is its speaker; it was edited"),
        (away(0, 1, 2), r"turn 5 has no speaker: '\w+' is away then; it was edited"),
    ],
)
def test_a_turn_that_nobody_speaks_or_hears_is_told(
    company: Path, tmp_path: Path, change: Callable[[list[Line]], object], said: str
) -> None:
    folder = Path(shutil.copytree(company, tmp_path / "out"))
    changed(folder, "dialogues.jsonl", change)
    told = run("evaluate", folder, "-m", "baseline/longest")
    assert told.returncode == 2
    assert re.search(rf"^dtomtrack: .*dialogues\.jsonl:1: {said}", told.stderr.splitlines()[-1])


def everybody_else_away(lines: list[Line]) -> None:
    speaker, names = lines[0]["turns"][5]["speaker"], [agent["name"] for agent in lines[0]["scenario"]["agents"]]
    lines[0]["turns"][5] |= {"audience": [], "read_at": {}}
    lines[0]["scenario"]["presence"] = [
        {"agent": name, "from_turn": 5, "until_turn": 6, "reason": "a train"} for name in names if name != speaker
    ]


def one_hearer_away(lines: list[Line]) -> None:
    everybody_else_away(lines)
    del lines[0]["scenario"]["presence"][0]


@pytest.mark.filterwarnings("ignore::dtomtrack.runs.edited.EditedDatasetWarning")
@pytest.mark.parametrize(
    ("change", "said"),
    [
        (everybody_else_away, "turn 5 has no hearer: everybody else is away"),
        (one_hearer_away, r"turn 5 is heard by '\w+', who is away then"),
    ],
)
def test_a_turn_that_somebody_away_hears_is_told(
    company: Path, tmp_path: Path, change: Callable[[list[Line]], object], said: str
) -> None:
    folder = Path(shutil.copytree(company, tmp_path / "out"))
    changed(folder, "dialogues.jsonl", change)
    with pytest.raises(DatasetError, match=said):
        evaluate(folder, "baseline/longest")


@pytest.mark.parametrize("kind", EDITS)
def test_no_run_goes_on_in_an_edited_folder(folder: Path, kind: str) -> None:
    before = {name: (folder / name).read_bytes() for name in FILES}
    EDITS[kind](folder)
    edited = {name: (folder / name).read_bytes() for name in FILES if (folder / name).exists()}
    try:
        generate("restaurant", n=8, out=folder)
    except DatasetError:
        assert {name: (folder / name).read_bytes() for name in edited} == edited
    else:
        # only what was behind the last slot may be cut off
        assert all((folder / name).read_bytes().startswith(content) for name, content in before.items())


@pytest.mark.parametrize("more", [{"n": 8}, {"n": 8, "max_attempts": 9}])
def test_what_was_added_to_a_finished_dataset_is_not_cut_off(folder: Path, more: dict[str, int]) -> None:
    EDITS["a rejection added"](folder)
    before = (folder / "rejected.jsonl").read_bytes()
    with pytest.raises(
        DatasetError, match=r"edited since it was made \(rejected\.jsonl\), and what was added would be cut"
    ):
        generate("restaurant", out=folder, **more)  # type: ignore[arg-type]
    assert (folder / "rejected.jsonl").read_bytes() == before


def test_bytes_lost_behind_what_the_manifest_tells_of_are_made_again(made: Path, tmp_path: Path) -> None:
    """A crash may lose the last pages of what was written and not yet counted."""
    folder = Path(shutil.copytree(made, tmp_path / "out"))
    manifest = json.loads((folder / "manifest.json").read_bytes())
    manifest |= {"status": "running", "files": {}, "counts": manifest["counts"] | {"dialogues": 3, "questions": 0}}
    (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    content = (folder / "dialogues.jsonl").read_bytes()
    (folder / "dialogues.jsonl").write_bytes(content[:-5_000] + bytes(5_000))
    generate("restaurant", n=6, out=folder)
    assert all((folder / name).read_bytes() == (made / name).read_bytes() for name in FILES)


def test_what_was_not_edited_is_not_warned_of(folder: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        evaluate(folder, "baseline/longest")
        rescore(folder)
        make_report(folder, audit=False)
    metrics = json.loads((folder / "eval" / "baseline_longest" / "metrics.json").read_bytes())
    assert metrics["edited"] == []


def test_cards_say_so(folder: Path) -> None:
    EDITS["an utterance changed"](folder)
    with pytest.warns(EditedDatasetWarning):
        exported = export_dataset(folder, "huggingface", None)
    card = (exported.path / "README.md").read_text("utf-8")
    assert "**Warning:** edited since it was made: `dialogues.jsonl`." in card


def test_a_report_recomputes_what_stands_in_metrics(folder: Path) -> None:
    path = folder / "eval" / "baseline_recency" / "metrics.json"
    metrics = json.loads(path.read_bytes())
    metrics["micro"]["accuracy"]["value"] = 57.0
    path.write_text(json.dumps(metrics), encoding="utf-8")
    make_report(folder, audit=False)
    page = (folder / "report" / "report.html").read_text("utf-8")
    assert "5700" not in page
    assert not re.search(r"(?<![\d.])57\.0(?!\d)", page)


@pytest.mark.parametrize(
    "verb", [["evaluate", "-m", "baseline/longest"], ["rescore"], ["audit"], ["report", "--no-audit"]]
)
def test_commands_warn_and_strict_refuses(folder: Path, verb: list[str]) -> None:
    EDITS["an utterance changed"](folder)
    command, *more = verb
    strict = run(command, folder, *more, "--strict")
    assert strict.returncode == 2
    assert strict.stderr.startswith(f"dtomtrack: {folder}: edited since it was made (dialogues.jsonl)")
    assert "Traceback" not in strict.stderr
    warned = run(command, folder, *more)
    assert (warned.returncode, warned.stderr.count("dtomtrack: warning: ")) == (0, 1)


@pytest.mark.parametrize("verb", [["evaluate", "-m", "baseline/longest"], ["rescore"], ["compare"], ["report"]])
def test_strict_refuses_a_dataset_whose_manifest_is_gone(folder: Path, verb: list[str]) -> None:
    evaluate(folder, "baseline/random")
    (folder / "manifest.json").unlink()
    command, *more = verb
    strict = run(command, folder, *more, "--strict")
    told = f"{folder}: has no manifest.json, so that nobody can tell whether it was edited since it was made"
    assert (strict.returncode, strict.stderr) == (2, f"dtomtrack: {told}\n")
    assert "edited since" not in run(command, folder, *more).stderr


def test_in_python_a_warning_tells_of_a_manifest_that_is_gone(folder: Path) -> None:
    (folder / "manifest.json").unlink()
    with pytest.warns(UnknownDatasetWarning, match=r"has no manifest\.json, so that nobody can tell"):
        load(folder)


@pytest.mark.parametrize("command", ["evaluate", "report"])
def test_a_missing_file_is_called_missing(folder: Path, command: str) -> None:
    (folder / "rejected.jsonl").unlink()
    told = run(command, folder, *(("-m", "baseline/longest") if command == "evaluate" else ()))
    missing = f"{folder / 'rejected.jsonl'}: is missing; put it back, or make the dataset anew elsewhere"
    assert (told.returncode, told.stderr) == (2, f"dtomtrack: {missing}\n")


@pytest.mark.parametrize("command", ["evaluate", "report"])
def test_a_missing_folder_of_parts_is_called_missing(tmp_path: Path, command: str) -> None:
    pytest.importorskip("pyarrow")
    folder = tmp_path / "out"
    assert run("generate", "--n", "2", "--out", folder, "--format", "parquet", "--quiet").returncode == 0
    shutil.rmtree(folder / "rejected")
    told = run(command, folder, *(("-m", "baseline/longest") if command == "evaluate" else ()))
    missing = f"{folder / 'rejected'}: is missing; put it back, or make the dataset anew elsewhere"
    assert (told.returncode, told.stderr) == (2, f"dtomtrack: {missing}\n")


def test_an_import_is_watched_as_well(tmp_path: Path) -> None:
    records = [{"question": f"Which {n}?", "options": ["a", "b"], "gold": "A"} for n in range(30)]
    (tmp_path / "source.json").write_text(json.dumps(records), encoding="utf-8")
    mapping = "question=question,options=options,gold=gold"
    done = run("import", "items", tmp_path / "source.json", "--map", mapping, "--out", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    name = next(path.name for path in (tmp_path / "out").glob("*.jsonl") if b"Which 3" in path.read_bytes())
    rewritten(tmp_path / "out", name, b"Which 3", b"Which 4")
    with pytest.warns(EditedDatasetWarning, match=name):
        evaluate(tmp_path / "out", "baseline/longest")


def test_an_input_error_is_no_warning(folder: Path) -> None:
    with pytest.raises(InputError):
        evaluate(folder, "baseline/none-such")
