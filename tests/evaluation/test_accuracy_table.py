"""Several subjects in one table: printed on 80 columns, as CSV, and for LaTeX."""

from __future__ import annotations

import csv
import json
import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest
from commands import run

from dtomtrack import evaluate, generate, import_items, make_report
from dtomtrack.evaluation.accuracy_table import accuracy_table, as_csv, as_latex
from dtomtrack.evaluation.records import Metrics

pytestmark = pytest.mark.usefixtures("undrawn")

SUBJECTS = ("baseline/recency", "baseline/random", "baseline/longest")


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four dialogues."""
    folder = tmp_path_factory.mktemp("made") / "data"
    generate("medical", n=4, out=folder)
    return folder


def evaluating(data: Path, *more: str) -> subprocess.CompletedProcess[str]:
    """The command on all subjects, where lines have 80 characters."""
    named = [word for subject in SUBJECTS for word in ("-m", subject)]
    return run("evaluate", data, *named, *more, env={**os.environ, "COLUMNS": "80"})


def test_subjects_end_in_one_table_and_in_files(data: Path, tmp_path: Path) -> None:
    files = tmp_path / "new" / "table.csv", tmp_path / "new" / "table.tex"
    run = evaluating(data, "--table", str(files[0]), "--table", str(files[1]))
    assert run.returncode == 0, run.stderr
    closing = run.stdout.partition("Accuracy in per cent")[2]
    assert max(map(len, closing.split("\n"))) <= 80
    found = {one.config.subject: one for one in evaluate(data, SUBJECTS)}
    for subject, metrics in found.items():
        assert subject in closing
        for group in metrics.groups["type"]:
            assert f"{100 * (group.accuracy.value or 0):.1f}" in closing
    with files[0].open(encoding="utf-8", newline="") as file:
        rows = {(row["subject"], row["type"]): row for row in csv.DictReader(file)}
    recency = found["baseline/recency"]
    for group in recency.groups["type"]:
        row = rows["baseline/recency", group.name]
        assert (float(row["accuracy"]), int(row["answers"])) == (group.accuracy.value, group.items)
    assert float(rows["baseline/recency", "all"]["low"]) == recency.micro.accuracy.low
    assert float(rows["baseline/recency", "mean of the types"]["accuracy"]) == recency.macro.value
    assert files[1].read_text(encoding="utf-8") == as_latex(accuracy_table(found))


def test_who_reads_the_records_is_marked_in_the_table(data: Path, tmp_path: Path) -> None:
    done = evaluating(data, "-m", "baseline/actual", "--out", str(tmp_path / "eval"))
    lines = [line.split("  ")[0] for line in done.stdout.partition("Accuracy in per cent")[2].split("\n")]
    assert lines.count("reads the records") == lines.count("baseline/actual") > 0


def foreign(folder: Path, types: Sequence[str]) -> dict[str, Metrics]:
    """The first letter's metrics on four items of each of these types; it is right on those of the first."""
    rows = [
        {"question": f"{kind} {number}?", "options": ["a", "b"], "gold": "AB"[place > 0], "type": kind}
        for place, kind in enumerate(types)
        for number in range(4)
    ]
    (folder / "items.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    fields = {name: name for name in ("question", "options", "gold")}
    import_items(folder / "items.jsonl", folder / "data", {**fields, "group.type": "type"})
    return {one.config.subject: one for one in evaluate(folder / "data", "baseline/first-letter")}


def test_a_type_that_is_called_as_a_total_is_told_from_it(tmp_path: Path) -> None:
    table = accuracy_table(foreign(tmp_path, ["all", "mean of the types", "some"]))
    rows = [(row["type"], row["answers"], row["accuracy"]) for row in csv.DictReader(as_csv(table).splitlines())]
    assert rows == [
        ("'all'", "4", "1.0"),
        ("'mean of the types'", "4", "0.0"),
        ("some", "4", "0.0"),
        ("all", "12", "0.333333"),
        ("mean of the types", "", "0.333333"),
    ]
    assert "& 'all' & 'mean of the types' & some & all & mean of the types" in as_latex(table)


def test_a_name_is_no_formula_to_a_spreadsheet(tmp_path: Path) -> None:
    found = foreign(tmp_path, ["=1+1", "some"])
    rows = list(csv.DictReader(as_csv(accuracy_table({"@own/model": found["baseline/first-letter"]})).splitlines()))
    assert {row["type"] for row in rows} == {"'=1+1", "some", "all", "mean of the types"}
    assert {row["subject"] for row in rows} == {"'@own/model"}


def test_names_by_others_are_text_to_latex(data: Path) -> None:
    (found,) = evaluate(data, "baseline/random")
    text = as_latex(accuracy_table({r"vllm/50%_\input{x}~$": found}))
    assert r"vllm/50\%\_\textbackslash{}input\{x\}\textasciitilde{}\$ &" in text
    assert text.count("\\\\\n") == 3


def test_a_form_that_there_is_none_of_is_told_before_anything_is_asked(data: Path, tmp_path: Path) -> None:
    run = evaluating(data, "--table", str(tmp_path / "table.xlsx"), "--out", str(tmp_path / "eval"))
    assert run.returncode == 2
    assert run.stderr.endswith("table.xlsx: a table is written as .csv or .tex; let the name end so\n")
    assert not (tmp_path / "eval").exists()


def test_a_table_is_not_written_over_anything_else(data: Path, tmp_path: Path) -> None:
    mine, table = tmp_path / "mine.csv", tmp_path / "table.tex"
    mine.write_text("name,age\nAnn,7\n")
    run = evaluating(data, "--table", str(mine), "--out", str(tmp_path / "eval"))
    assert run.returncode == 2
    assert run.stderr.endswith("mine.csv: is there already, and is no table of accuracies; name another file\n")
    assert mine.read_text() == "name,age\nAnn,7\n"
    assert not (tmp_path / "eval").exists()
    for _ in range(2):
        assert evaluating(data, "--table", str(table), "--out", str(tmp_path / "eval")).returncode == 0


def test_the_report_has_both_files(data: Path, tmp_path: Path) -> None:
    evaluate(data, SUBJECTS, out=tmp_path / "eval")
    make_report(data, out=tmp_path / "page", evaluations=tmp_path / "eval", audit=False)
    for name in ("accuracy.csv", "accuracy.tex"):
        text = (tmp_path / "page" / name).read_text(encoding="utf-8")
        assert all(subject in text for subject in SUBJECTS)
