"""Files that are larger than what is in them is worth are one sentence, and take no more memory than others."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from dtomtrack import generate
from dtomtrack.auditing import audit_benchmark
from dtomtrack.errors import DatasetError, DtomtrackError, InputError, ModelSpecError, PackError
from dtomtrack.files import LONGEST_RECORD
from dtomtrack.library import evaluate, make_report
from dtomtrack.llm.prices import load_prices
from dtomtrack.scenarios.pack_files import find_pack
from dtomtrack.scenarios.persuasion.pack_files import find_goals
from dtomtrack.scenarios.persuasion_npc.pack_files import find_packs
from dtomtrack.scenarios.recommendation.pack import load_pack
from dtomtrack.scenarios.route.pack_files import find_topics
from dtomtrack.suites.published.folder import LARGEST
from dtomtrack.suites.rectom.iard import read_iard
from dtomtrack.suites.tomelp.persuasivetom import published_scenes

TOO_LONG = "x" * (LONGEST_RECORD + 1)
MAP = "question=question,options=options,gold=gold,id=id"


@pytest.fixture
def dataset(tmp_path: Path) -> Path:
    generate("restaurant", n=2, out=tmp_path / "out")
    return tmp_path / "out"


@pytest.mark.filterwarnings("ignore::dtomtrack.runs.edited.EditedDatasetWarning")
@pytest.mark.parametrize("name", ["questions.jsonl", "dialogues.jsonl"])
def test_a_line_that_no_record_needs_is_not_read(dataset: Path, name: str) -> None:
    with (dataset / name).open("a", encoding="utf-8") as file:
        file.write(json.dumps({"id": TOO_LONG}) + "\n")
    with pytest.raises(DatasetError, match=rf"{name}:\d+: is longer than 3 MiB, which no record needs to be"):
        if name == "questions.jsonl":
            evaluate(dataset, "baseline/random")
        else:
            make_report(dataset)


def test_a_manifest_that_is_none_is_not_read(dataset: Path) -> None:
    manifest = json.loads((dataset / "manifest.json").read_bytes())
    (dataset / "manifest.json").write_text(json.dumps(manifest | {"more": TOO_LONG}), encoding="utf-8")
    with pytest.raises(DatasetError, match=r"manifest\.json: is larger than 3\.1 MB, which no manifest needs to be"):
        evaluate(dataset, "baseline/random")


@pytest.mark.parametrize(("name", "before", "after"), [("a.jsonl", "", "\n"), ("a.json", "[", "]")])
def test_an_item_that_is_none_is_not_read(tmp_path: Path, name: str, before: str, after: str) -> None:
    (tmp_path / name).write_text(before + json.dumps({"question": TOO_LONG * 2}) + after, encoding="utf-8")
    with pytest.raises(InputError, match=r"longer than 3 MiB, which no (item|record) needs to be"):
        audit_benchmark(tmp_path / name, MAP)


@pytest.mark.parametrize(
    ("read", "error"),
    [
        (find_pack, PackError),
        (find_goals, PackError),
        (lambda path: find_packs([path]), PackError),
        (lambda path: find_topics([path]), PackError),
        (load_pack, PackError),
        (lambda path: load_prices(Path(path)), ModelSpecError),
    ],
    ids=["dtom", "persuasivetom", "rhetbench", "tomelp", "rectom", "prices"],
)
def test_what_people_write_is_no_larger_than_people_write(
    tmp_path: Path, read: Callable[[str], object], error: type[DtomtrackError]
) -> None:
    path = tmp_path / "large.yaml"
    path.write_text("name: x\n" * 130_000, encoding="utf-8")
    with pytest.raises(error, match=r"large\.yaml: is larger than 1 MB, which no .+ needs to be"):
        read(str(path))


def test_what_is_all_structure_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "lists.yaml"
    path.write_text(f"names: [{'[],' * 60_000}[]]\n", encoding="utf-8")
    with pytest.raises(PackError, match=r"lists\.yaml:1: has more than 100,000 words, lists and mappings in it"):
        load_pack(str(path))
    with pytest.raises(ModelSpecError, match=r"lists\.yaml: has more than 100,000 words in it, which no table needs"):
        load_prices(path)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.json", '{"meta": "' + TOO_LONG + '", "data": []}', r"under 'meta': longer than 3 MiB"),
        ("a.json", '{"data": [{"question": "' + TOO_LONG + '"}]}', r"item 1: longer than 3 MiB"),
        ("a.csv", "question,options,gold,id\n" + "," * LONGEST_RECORD + "\n", r"a\.csv:2: is longer than 3 MiB"),
    ],
    ids=["beside the items", "under data", "commas"],
)
def test_a_file_that_is_one_object_or_a_table_is_read_in_pieces(
    tmp_path: Path, name: str, text: str, message: str
) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        audit_benchmark(tmp_path / name, MAP)


def test_files_of_published_benchmarks_are_no_larger_than_these_are(tmp_path: Path) -> None:
    iard = tmp_path / "iard.json"
    iard.write_text("{" + " " * LARGEST + "}", encoding="utf-8")
    with pytest.raises(InputError, match=r"has more than 8 MiB, and IARD has two"):
        read_iard(iard)
    states = [
        {"dialogue_id": f"{number}-0", "dialogue": "A says: a\nB says: b\n" * 500, "background": "", "answerKey": "A"}
        for number in range(101)
    ]
    choices = {"question": "", "choices": ["a", "b", "c", "d"]}
    (tmp_path / "behavior_qa.json").write_text(json.dumps([one | choices for one in states]), encoding="utf-8")
    with pytest.raises(InputError, match=r"item 101: makes more than 20,000 states or 100,000 lines"):
        published_scenes(tmp_path)
