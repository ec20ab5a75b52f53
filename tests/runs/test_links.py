"""Folders that came from elsewhere, with links in every place: nothing outside of them is ever written."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from pathlib import Path

import pytest

from dtomtrack import generate
from dtomtrack.errors import DtomtrackError
from dtomtrack.library import evaluate, export_dataset, make_report, rescore
from dtomtrack.runs.folder import open_dataset

pytestmark = pytest.mark.usefixtures("undrawn")

COMMANDS: dict[str, Callable[[Path], object]] = {
    "generate": lambda folder: generate("restaurant", n=4, out=folder),
    "evaluate": lambda folder: evaluate(folder, "baseline/longest"),
    "evaluate again": lambda folder: evaluate(folder, "baseline/recency"),
    "rescore": rescore,
    "report": lambda folder: make_report(folder, audit=False),
    "export": lambda folder: export_dataset(folder, "lm-eval", None),
    "verify": lambda folder: enter(open_dataset(folder, to="write")),
}


def enter(opened: AbstractContextManager[object]) -> None:
    with opened:
        pass


FILES = [
    ".manifest.json.draft",
    ".lock",
    "manifest.json",
    "README.md",
    "progress.jsonl",
    "dialogues.jsonl",
    "questions.jsonl",
    "rejected.jsonl",
    "journal.sqlite",
    "journal.sqlite-wal",
    "eval/baseline_recency/answers.jsonl",
    "eval/baseline_recency/.answers.jsonl.draft",
    "eval/baseline_recency/config.json",
    "eval/baseline_recency/metrics.json",
    "eval/baseline_recency/.lock",
    "report/report.html",
    "report/.report.html.draft",
]
FOLDERS = ["eval", "eval/baseline_longest", "eval/baseline_recency", "report", "export", "export/lm-eval", "verify"]
FOLDERS += ["verify/vllm_x"]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two dialogues, with an evaluation."""
    folder = tmp_path_factory.mktemp("links") / "out"
    generate("restaurant", n=2, out=folder)
    evaluate(folder, "baseline/recency")
    return folder


def link(place: Path, target: Path) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    if place.is_dir():
        shutil.rmtree(place)
    place.unlink(missing_ok=True)
    place.symlink_to(target)


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() if path.is_file() else b"" for path in sorted(folder.rglob("*"))}


@pytest.mark.filterwarnings("ignore::dtomtrack.runs.edited.EditedDatasetWarning")
@pytest.mark.parametrize("name", [*FILES, *FOLDERS])
def test_nothing_is_written_through_a_link(made: Path, tmp_path: Path, name: str) -> None:
    for number in range(3 if name in FILES else 2):
        folder, outside = Path(shutil.copytree(made, tmp_path / f"out{number}")), tmp_path / f"outside{number}"
        outside.mkdir()
        place = folder / name
        target = outside / "target"
        if number == 0 and place.exists():
            shutil.copytree(place, target) if place.is_dir() else shutil.copy(place, target)
        elif number == 1:
            target.mkdir() if name in FOLDERS else target.write_bytes(b"precious")
        link(place, target)
        before = contents(outside)
        for kind in relevant(name):
            with suppress(DtomtrackError):
                COMMANDS[kind](folder)
            assert contents(outside) == before, kind


def relevant(name: str) -> list[str]:
    """The commands that write there."""
    if name.startswith("eval"):
        return ["evaluate", "evaluate again", "rescore"]
    if name.startswith(("report", "export", "verify")):
        return [name.partition("/")[0]]
    return ["generate", "evaluate again"]
