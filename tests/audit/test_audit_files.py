"""Benchmarks in every format and with every kind of gold; what is wrong with them; mappings that don't fit."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path

import pyarrow
import pytest
from planted_benchmark import MAP, Record, random_benchmark
from pyarrow import parquet

from dtomtrack import InputError, audit_benchmark, export_dataset, generate
from dtomtrack.items.foreign import MappingOptions
from dtomtrack.suites.items.importing import import_items

LETTERS = "ABCD"


def as_json(records: list[Record], path: Path) -> Path:
    file = path / "benchmark.json"
    file.write_text(json.dumps(records), encoding="utf-8")
    return file


def as_json_under_data(records: list[Record], path: Path) -> Path:
    file = path / "benchmark.json"
    file.write_text(json.dumps({"version": 1, "data": records}), encoding="utf-8-sig")
    return file


def as_json_lines(records: list[Record], path: Path) -> Path:
    file = path / "benchmark.jsonl"
    file.write_text("".join(json.dumps(one, ensure_ascii=False) + "\n" for one in records), encoding="utf-8")
    return file


def as_csv(records: list[Record], path: Path) -> Path:
    file = path / "benchmark.csv"
    with file.open("w", encoding="utf-8", newline="") as out:
        writer = csv.DictWriter(out, list(records[0]))
        writer.writeheader()
        writer.writerows({**one, "options": json.dumps(one["options"])} for one in records)
    return file


def as_parquet(records: list[Record], path: Path) -> Path:
    file = path / "benchmark.parquet"
    parquet.write_table(pyarrow.Table.from_pylist(records), file)
    return file


@pytest.mark.parametrize("write", [as_json, as_json_under_data, as_json_lines, as_csv, as_parquet])
def test_every_format_gives_the_same(write: Callable[[list[Record], Path], Path], tmp_path: Path) -> None:
    records = random_benchmark(50)
    records[0]["question"] = "Is U+2028 \u2028 or U+0085 \u0085 a line break?"
    found = audit_benchmark(write(records, tmp_path), MAP, by_group=False)
    assert found.rows == audit_benchmark(records, MAP, by_group=False).rows
    assert found.items == 50
    assert found.clusters == 5
    assert found.source == str(tmp_path / next(tmp_path.iterdir()).name)


def test_options_in_columns_some_of_them_empty(tmp_path: Path) -> None:
    file = tmp_path / "columns.csv"
    lines = ["question,A,B,C,D,gold"]
    lines += [f"Which is number {number}?,one,two,three,four,{'ABCD'[number % 4]}" for number in range(8)]
    lines += ["Is it so?,yes,no,,,B", "Is it?,yes,,no,,C"]
    file.write_text("\n".join(lines), encoding="utf-8")
    found = audit_benchmark(file, "options=A|B|C|D")
    assert found.items == 10
    assert [(one.kind, one.count) for one in found.problems] == [("empty options", 1)]
    assert found.problems[0].examples == ("columns.csv:11",)


@pytest.mark.parametrize(
    ("form", "write"),
    [
        ("letter", lambda one, gold: LETTERS[gold]),
        ("letter", lambda one, gold: f"({LETTERS[gold].lower()})"),
        ("letter", lambda one, gold: f"{LETTERS[gold]}. {one['options'][gold]}"),
        ("text of the option", lambda one, gold: one["options"][gold]),
        ("text of the option", lambda one, gold: f" {one['options'][gold].upper()}."),
        ("index from 0", lambda one, gold: gold),
        ("index from 0", lambda one, gold: str(gold)),
        ("index from 1", lambda one, gold: gold + 1),
        ("index from 1", lambda one, gold: [float(gold + 1)]),
    ],
)
def test_how_golds_are_written_is_found_out(form: str, write: Callable[[Record, int], object]) -> None:
    records = random_benchmark(40)
    expected = audit_benchmark(records, MAP, by_group=False).rows
    changed = [{**one, "gold": write(one, one["gold"])} for one in records]  # type: ignore[arg-type]
    found = audit_benchmark(changed, MAP, by_group=False)
    assert found.gold_form == form
    assert found.rows == expected


def test_options_by_letter_with_labels_in_them_and_nested_fields() -> None:
    records = random_benchmark(40)
    nested = [
        {
            **{name: one[name] for name in ("id", "context", "talk", "kind")},
            "item": {
                "stem": one["question"],
                "choices": {LETTERS[at]: f"{LETTERS[at]}) {text}" for at, text in enumerate(one["options"])},  # type: ignore[arg-type, var-annotated]
            },
            "key.with.dots": LETTERS[one["gold"]],  # type: ignore[index]
        }
        for one in records
    ]
    mapping = (
        MAP.replace("=question", "=item.stem").replace("=options", "=item.choices").replace("=gold", "=key.with.dots")
    )
    found = audit_benchmark(nested, mapping, by_group=False)
    assert found.gold_form == "key of the option"
    assert found.rows == audit_benchmark(records, MAP, by_group=False).rows


def test_options_as_a_list_of_objects() -> None:
    records = random_benchmark(40)
    changed = [{**one, "options": [{"text": text} for text in one["options"]]} for one in records]  # type: ignore[attr-defined]
    assert (
        audit_benchmark(changed, MAP.replace("=options", "=options.text"), by_group=False).rows
        == audit_benchmark(records, MAP, by_group=False).rows
    )


def test_golds_that_could_be_counted_either_way_are_said_to_be() -> None:
    records = [{**one, "gold": 1 + number % 2} for number, one in enumerate(random_benchmark(40))]
    assert "nothing tells it from an index from 1" in audit_benchmark(records, MAP).gold_form


def test_customary_names_need_no_mapping() -> None:
    records = [{name: one[name] for name in ("question", "options", "gold")} for one in random_benchmark(40)]
    found = audit_benchmark(records)
    assert found.clusters == 40
    assert any("neither cluster nor context is mapped" in note for note in found.notes)


def test_files_of_ones_own_datasets_are_clustered_by_dialogue(tmp_path: Path) -> None:
    generate("restaurant", n=4, out=tmp_path / "data")
    found = audit_benchmark(tmp_path / "data" / "questions.jsonl")
    assert found.clusters == 4
    export_dataset(tmp_path / "data", "parquet", tmp_path / "parquet")
    assert audit_benchmark(tmp_path / "parquet" / "questions.parquet").clusters == 4


def test_items_that_nothing_tells_apart_are_told() -> None:
    same: dict[str, object] = {"question": "Which?", "options": ["a", "b", "c"], "gold": "A"}
    records = [{**same, "options": ["a", "c", "b"]}, *[same] * 19, {**same, "question": None}]
    found = audit_benchmark(records)
    assert any(
        "19 of the 21 items have the question and the options of another (such as record 2, as record 1)" in note
        for note in found.notes
    )
    assert any(one.kind == "empty questions" and one.count == 1 for one in found.problems)
    about = [{**one, "story": f"story {number}"} for number, one in enumerate(records)]
    assert not any("options of another" in note for note in audit_benchmark(about, "context=story").notes)


# -- gold errors ----------------------------------------------------------------------------------------------------


def other_gold(record: Record) -> int:
    gold = record["gold"]
    assert isinstance(gold, int)
    return (gold + 1) % 4


def reversed_options(record: Record) -> Record:
    options, gold = record["options"], record["gold"]
    assert isinstance(options, list)
    assert isinstance(gold, int)
    return {**record, "options": options[::-1], "gold": 3 - gold}


def test_gold_errors_are_counted_with_examples() -> None:
    records = random_benchmark(50)
    records.append({**records[0], "id": "other gold", "gold": other_gold(records[0])})
    records.append({**reversed_options(records[1]), "id": "again"})
    records[2]["options"] = ["The red one", "The  red one", "a", "b"]
    records[3]["options"] = ["", "a", "b", "c"]
    records[4]["gold"] = 4
    records[5]["gold"] = None
    records[6]["options"] = ["only"]
    found = audit_benchmark(records, MAP)
    assert {one.kind: (one.count, one.examples) for one in found.problems} == {
        "one question, different golds": (1, ("q0=other gold",)),
        "duplicate items": (1, ("q1=again",)),
        "options that are the same": (1, ("q2",)),
        "empty options": (1, ("q3",)),
        "gold that is no option": (2, ("q4", "q5")),
        "fewer than two options": (1, ("q6",)),
    }
    assert found.items == 49
    assert len(found.failures()) == 6


def test_the_same_question_about_another_context_is_no_duplicate() -> None:
    records = random_benchmark(40)
    again = [{**one, "id": f"{one['id']}b", "context": f"another {one['context']}", "gold": 0} for one in records]
    assert audit_benchmark(records + again, MAP).problems == ()


def test_items_without_a_context_are_not_compared(tmp_path: Path) -> None:
    """Items of one dialogue may be about several moments of it: RecToM's, by dialogue alone, seemed wrong in 1,170."""
    records = random_benchmark(40)
    again = [{**one, "id": f"{one['id']}b", "context": f"{one['context']} so", "gold": 0} for one in records]
    blind = MAP.replace("context=context,", "")
    found = audit_benchmark(records + again, blind)
    assert found.problems == ()
    (note,) = [note for note in found.notes if "of another of their cluster" in note]
    assert note.startswith("40 of the 80 items have the question and the options of another of their cluster (such as ")
    assert any("80 items are without a context" in note for note in found.notes)
    import_items(_written(records + again, tmp_path / "mine.jsonl"), tmp_path / "data", MappingOptions(blind))
    assert audit_benchmark(tmp_path / "data").problems == ()
    assert audit_benchmark(records + again, MAP).notes == ()


def _written(records: list[Record], path: Path) -> Path:
    path.write_text("".join(json.dumps(one) + "\n" for one in records), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    "options", [["AA", "Aa", "aa", "x^2"], ["10²", "102", "10 m²", "10 m2"], [".", "...", "a", "b"]]
)
def test_options_that_differ_in_writing_are_told_and_no_fault(options: list[str]) -> None:
    records = random_benchmark(40)
    for number, one in enumerate(records):
        one["options"], one["gold"] = options, options[number % 4]
    found = audit_benchmark(records, MAP)
    assert found.problems == ()
    assert any(note.startswith("40 items have options that differ in nothing but case") for note in found.notes)
    places = [row.accuracy.value for row in found.rows if row.group == "all" and row.rule.startswith("always ")]
    assert places == [0.25] * 4


# -- what can't be used ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mapping", "said"),
    [
        (
            MAP.replace("=kind", "=sort"),
            "group=sort: no record has a field 'sort'; there are: id, question, options, gold",
        ),
        (MAP.replace("=options", "=A|B"), "options=A|B: no record has a field 'A'"),
        ("quest=question", "which is no part of an item; there are question, options, gold"),
        ("question", "without a field; say where it is, as question=FIELD"),
        ("gold=gold,gold=kind", "--map has gold twice"),
        (MAP.replace("=gold", "=kind"), "is no letter, index or text of its options"),
        (MAP.replace("=options", "=context"), "'context' has to be a list or object of options"),
        (MAP.replace("=id", "=options"), "id has to be a text or a number"),
    ],
)
def test_a_mapping_that_does_not_fit(mapping: str, said: str) -> None:
    with pytest.raises(InputError) as refusal:
        audit_benchmark(random_benchmark(10), mapping)
    assert said in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_no_field_for_the_golds() -> None:
    records = [{"question": "?", "options": ["a", "b"], "solution": {"letter": "A"}}]
    with pytest.raises(InputError, match=r"add gold=FIELD to --map; there are: .*solution, solution\.letter"):
        audit_benchmark(records)


@pytest.mark.parametrize("gold", [["A", "C"], "A, C", "A and C", "(A)/(C)", "AC", [0, 2], '["A", "C"]'])
def test_golds_that_name_several_options_are_sets(gold: object) -> None:
    records = [{**one, "gold": gold} for one in random_benchmark(10)]
    found = audit_benchmark(records, MAP)
    assert found.selects == "any where the type is calm or stormy"
    assert {row.chance for row in found.rows} == {round(1 / 15, 6)}
    assert (found.rows[0].accuracy.value, found.rows[0].jaccard, found.rows[0].best_constant) == (1.0, 1.0, 1.0)


def test_a_record_with_two_golds_does_not_make_sets_of_all() -> None:
    records = random_benchmark(100)
    records[5]["gold"] = [0, 1]
    found = audit_benchmark(records, MAP.replace("group=kind,", ""))
    assert (found.selects, found.items, {row.chance for row in found.rows}) == ("one", 99, {0.25})
    assert [(one.kind, one.examples) for one in found.problems] == [("several golds, one to be selected", ("q5",))]
    assert any(note.startswith("1 of the 100 items has several golds: so few count as faults") for note in found.notes)
    for record in records[:8]:
        record["gold"] = [0, 1]
    found = audit_benchmark(records, MAP)
    assert (found.selects, found.items) == ("any where the type is calm or stormy", 100)
    assert any(note.startswith("4 of the 50 items of type calm have several golds: any set") for note in found.notes)


def test_several_golds_where_one_is_to_be_selected_are_no_items() -> None:
    records = random_benchmark(10)
    records[3]["gold"] = [0, 2]
    found = audit_benchmark(records, MappingOptions(MAP, select="one"))
    assert [(one.kind, one.count) for one in found.problems] == [("several golds, one to be selected", 1)]
    assert (found.items, found.selects) == (9, "one")


def _mixed(*golds: str) -> list[dict[str, object]]:
    return [{"question": f"q{at}", "options": ["red", "blue", "green"], "answer": one} for at, one in enumerate(golds)]


def test_golds_in_several_ways_are_told_with_their_places() -> None:
    said = "record 2: the gold 'blue' in 'answer' is read as text of the option, and 'A' at record 1 as letter; write"
    with pytest.raises(InputError, match=said):
        audit_benchmark(_mixed("A", "blue", "2", "C", "green"))


def test_a_gold_in_another_way_than_most_is_no_wrong_one() -> None:
    found = audit_benchmark(_mixed("A", "blue", "C", "Z"))
    assert {one.kind: one.examples for one in found.problems} == {
        "gold in another form than most": ("record 2",),
        "gold that is no option": ("record 4",),
    }
    told = "golds that are written otherwise than most: 1 ('blue' at record 2 is the text of the option); their items"
    assert any(note.startswith(told) for note in found.notes)


def test_too_many_options_are_no_item() -> None:
    with pytest.raises(InputError, match="record 1: more than 26 options, and no other record is an item"):
        audit_benchmark(random_benchmark(10, options=27), MAP)
    found = audit_benchmark(random_benchmark(10) + random_benchmark(1, options=27), MAP)
    assert [(one.kind, one.count) for one in found.problems] == [("more than 26 options", 1)]


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.json", b"[{]", "a.json:1: is no JSON"),
        (
            "a.json",
            b'[\n{"a": 1},\n{"a": 1\n"b": 2}\n]',
            "a.json:4: is no JSON (item 2: Expecting ',' delimiter)",
        ),
        ("a.json", b'[\n{"a": 1', "a.json:2: is no JSON (item 1: the file ends too early; is it cut off?)"),
        ("a.jsonl", b'{"a": 1}\n{"a" 1}\n', "a.jsonl:2: is no JSON (Expecting ':' delimiter at column 6)"),
        ("a.json", b"[" * 100_000, "a.json: is no JSON that can be read"),
        ("a.json", b'{"items": []}', "an object with one under 'data'; it has 'items'"),
        ("a.json", b"[]", "holds no items"),
        ("a.json", b"[1]", "item 1: has to be an object"),
        ("a.jsonl", b'{"a": 1}\n{"a": ', "a.jsonl:2: is no JSON"),
        ("a.jsonl", b'{"a": 1}\n{"a": 1, "b": 2, "a": 3}\n', "a.jsonl:2: is no JSON ('a' stands twice in an object)"),
        ("a.json", b'[{"a": 1}, {"a": {"b": 2, "b": 2}}]', "(item 2: 'b' stands twice in an object)"),
        ("a.jsonl", b"\xff\xfe", "is not UTF-8 text"),
        ("a.csv", b"a,b\n1,2,3\n", "a.csv:2: has more cells than the heading; put texts with commas in"),
        ("a.csv", b"q,q,o\n1,2,3\n", "a.csv:1: 'q' stands twice in the heading"),
        ("a.csv", b"", "holds no items"),
        ("a.parquet", b"PAR1", "is no Parquet file"),
        ("a.txt", b"", "a benchmark is a folder, or a file that ends in .json"),
    ],
)
def test_a_file_that_can_not_be_read(name: str, content: bytes, said: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(InputError) as refusal:
        audit_benchmark(tmp_path / name)
    assert said in str(refusal.value)


def test_a_folder_that_is_no_dataset(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no dataset"):
        audit_benchmark(tmp_path)
    with pytest.raises(InputError, match="there is no such file or folder"):
        audit_benchmark(tmp_path / "nowhere")
    with pytest.raises(InputError, match="holds no file that ends in"):
        audit_benchmark(tmp_path, MAP)
    (tmp_path / "manifest.json").write_text("{}", encoding="utf-8")
    with pytest.raises(
        InputError, match="--map, --gold-form and --select are for the files of another benchmark; leave"
    ):
        audit_benchmark(tmp_path, MAP)


def test_lone_surrogates_and_deep_nesting() -> None:
    records = random_benchmark(40)
    records[0]["question"] = "lone \ud800 surrogate"
    records[1]["options"] = ["\ud800", "b", "c", "d"]
    assert audit_benchmark(records, MAP, by_group=False).items == 40
    deep: object = "deep"
    for _ in range(200):
        deep = [deep]
    records[2]["context"] = deep
    with pytest.raises(InputError, match="nested more than 50 deep"):
        audit_benchmark(records, MAP)
