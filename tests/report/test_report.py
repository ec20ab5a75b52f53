"""A report: what is written, and what is refused."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from commands import run
from planted_subjects import PLANTED
from report_pages import dialogues_of, drawing_of, overview_of, page_of

from dtomtrack.errors import DatasetError, InputError
from dtomtrack.library import make_report
from dtomtrack.suites.items.importing import import_items

FIGURES = (
    "accuracy-by-type",
    "difficulty",
    "before-and-after",
    "temporal-and-standard",
    "accuracy-by-mental-state",
    "accuracy-by-lag",
    "accuracy-by-marker",
    "option-roles",
)


def test_every_figure_is_there_in_both_forms(answered: Path) -> None:
    for name in FIGURES:
        assert drawing_of(answered, name).tag == "{http://www.w3.org/2000/svg}svg"
        assert (answered / "report" / f"{name}.png").read_bytes().startswith(b"\x89PNG\r\n")
    assert [path.name for path in (answered / "report").iterdir() if path.name.startswith(".")] == []


def test_the_same_input_gives_the_same_bytes(copy: Path) -> None:
    before = {path.name: path.read_bytes() for path in (copy / "report").iterdir()}
    shutil.rmtree(copy / "report")
    # hashes of text are others in that process
    done = run("report", copy, "--no-audit")
    assert done.returncode == 0, done.stderr
    assert {path.name: path.read_bytes() for path in (copy / "report").iterdir()} == before


def test_what_went_with_an_earlier_page_alone_is_removed_and_nothing_else(copy: Path) -> None:
    report = copy / "report"
    (report / "mine.png").write_bytes(b"mine")
    shutil.rmtree(copy / "eval")
    assert make_report(copy, audit=False).figures == ()
    assert {path.name for path in report.iterdir()} == {"report.html", "mine.png"}


def test_a_page_from_elsewhere_has_nothing_removed_but_figures_and_tables_beside_it(quick: Path) -> None:
    make_report(quick, audit=False)
    report = quick / "report"
    ours = " ".join(path.name for path in report.iterdir())
    names = f"../questions.jsonl ../README.md manifest.json mine.txt .. old.svg {ours}"
    (report / "report.html").write_text(f'<meta name="beside" content="{names}">', encoding="utf-8")
    for name in ("manifest.json", "mine.txt", "old.svg"):
        (report / name).write_text("mine", encoding="utf-8")
    before = {path.name for path in report.iterdir()}
    assert {"accuracy-by-type.svg", "accuracy.csv"} <= before
    make_report(quick, audit=False)
    assert before - {path.name for path in report.iterdir()} == {"old.svg"}
    assert (quick / "questions.jsonl").is_file()
    assert (quick / "README.md").is_file()


def test_without_an_evaluation_the_page_shows_the_dataset(bare: Path) -> None:
    written = make_report(bare, audit=False)
    assert (written.figures, written.subjects, written.dialogues) == ((), (), 12)
    page = page_of(bare)
    assert len(dialogues_of(page)) == 12
    assert "<table" not in page.source
    assert "Nobody has answered" in page.source


def test_the_audit_is_in_the_page(bare: Path) -> None:
    make_report(bare)
    page = page_of(bare)
    assert 'id="audit"' in page.source
    assert "longest option" in page.source
    make_report(bare, audit=False)
    assert 'id="audit"' not in page_of(bare).source


def test_only_the_first_dialogues_are_in_the_page_if_asked(bare: Path) -> None:
    assert make_report(bare, audit=False, dialogues=5).dialogues == 5
    page = page_of(bare)
    assert len(dialogues_of(page)) == 5
    assert "The first 5 of 12." in page.source
    with pytest.raises(InputError, match="dialogues is 0"):
        make_report(bare, audit=False, dialogues=0)


@pytest.mark.parametrize(
    ("more", "dialogues", "notice"),
    [
        ({"context": "story", "cluster": "half"}, 500, []),
        ({"context": "story", "cluster": "half"}, 1, ["The first 1 of 2."]),
        ({}, 3, ["The first 3 of 8."]),
    ],
    ids=["several contexts a cluster", "some clusters", "no contexts"],
)
def test_the_notice_counts_what_items_hang_together_by(
    tmp_path: Path, more: dict[str, str], dialogues: int, notice: list[str]
) -> None:
    rows = [
        {
            "question": f"{place}?",
            "options": ["a", "b"],
            "gold": "A",
            "half": str(place % 2),
            "story": f"Story {place}.",
        }
        for place in range(8)
    ]
    (tmp_path / "items.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    mapping = {"question": "question", "options": "options", "gold": "gold", **more}
    import_items(tmp_path / "items.jsonl", tmp_path / "data", mapping)
    make_report(tmp_path / "data", audit=False, dialogues=dialogues)
    assert re.findall("The first [0-9]+ of [0-9]+[.]", page_of(tmp_path / "data").source) == notice


def test_of_many_dialogues_a_drawn_sample_is_in_the_page(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dtomtrack.report.browsing.MANY", 11)
    assert make_report(bare, audit=False, dialogues=5).dialogues == 5
    page = page_of(bare)
    ids = [one["id"] for one in overview_of(page)["dialogues"]]
    assert len(set(ids)) == 5
    assert ids != [f"restaurant-0-{slot:06}" for slot in range(5)]
    assert "5 of 12, drawn at random." in page.source


def test_a_folder_that_is_no_dataset_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match=r"holds no dataset"):
        make_report(tmp_path)


def test_answers_to_other_questions_are_refused(copy: Path) -> None:
    questions = copy / "questions.jsonl"
    questions.write_bytes(b"".join(questions.read_bytes().splitlines(keepends=True)[1:]))
    with pytest.raises(DatasetError, match=r"eval/.*: hold answers to other questions"):
        make_report(copy, audit=False)


def test_damage_is_named_with_its_place(copy: Path) -> None:
    answers = copy / "eval" / "baseline_recency" / "answers.jsonl"
    lines = answers.read_bytes().splitlines(keepends=True)
    answers.write_bytes(b"".join([*lines[:2], b'{"question_id": 1}\n', *lines[3:]]))
    with pytest.raises(DatasetError, match=r"baseline_recency/answers\.jsonl:3: question_id"):
        make_report(copy, audit=False)
    (copy / "eval" / "baseline_recency" / "metrics.json").write_text("{", encoding="utf-8")
    with pytest.raises(DatasetError, match=r"baseline_recency/metrics\.json: "):
        make_report(copy, audit=False)


@pytest.mark.usefixtures("undrawn")
def test_an_unfinished_evaluation_is_shown_as_it_is_and_named(copy: Path) -> None:
    (copy / "eval" / "baseline_random" / "metrics.json").unlink()
    answers = copy / "eval" / "baseline_random" / "answers.jsonl"
    answers.write_bytes(b"".join(answers.read_bytes().splitlines(keepends=True)[:9]))
    written = make_report(copy, audit=False)
    assert written.unfinished == ("baseline_random",)
    assert len(written.subjects) == len(PLANTED)
    assert "as far as there are answers: baseline_random" in page_of(copy).source


def test_without_matplotlib_one_sentence_says_what_to_install(copy: Path) -> None:
    code = (
        "import sys; sys.modules['matplotlib'] = None\n"
        "from dtomtrack.errors import InputError; from dtomtrack.library import make_report\n"
        "try: make_report(sys.argv[1], audit=False)\n"
        "except InputError as error: print(error)"
    )
    done = subprocess.run([sys.executable, "-c", code, str(copy)], capture_output=True, text=True, check=False)
    assert done.stdout == "figures need matplotlib; install it with: pip install 'dtomtrack[report]'\n", done.stderr
