"""Other people's files as items: parts of fields, labels, golds said outright, contexts, notes, hostile files."""

from __future__ import annotations

import json
import tracemalloc
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pyarrow
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import parquet

from dtomtrack import InputError
from dtomtrack.items.files import read_records
from dtomtrack.items.foreign import MappingOptions, foreign_items
from dtomtrack.items.item import ContextLine, Item

Fields = dict[str, object]


def record(**fields: object) -> Fields:
    return {"question": "What now?", "options": ["stay", "leave", "wait"], "gold": "B", **fields}


def items(records: Sequence[Fields], mapping: str = "", **options: str) -> list[Item]:
    how = MappingOptions(f"question=question,options=options,gold=gold{mapping}", **options)  # type: ignore[arg-type]
    return list(foreign_items(records, how).items())


def notes(records: Sequence[Fields], mapping: str) -> str:
    found = foreign_items(records, MappingOptions(mapping))
    assert list(found.items())
    return "\n".join(found.notes.told())


def test_a_field_that_was_guessed_is_named() -> None:
    told = "--map doesn't say all, so these fields were taken by their names: gold=answer, cluster=dialogue_id"
    one = {"question": "What now?", "options": ["stay", "leave"], "answer": "B", "label": "stay", "dialogue_id": 3}
    assert told in notes([one], "question=question,options=options")
    assert "these fields" not in notes([one], "question=question,options=options,gold=answer,cluster=dialogue_id")
    assert "these fields" not in notes([record()], "question=question")


def test_a_form_that_was_said_wrongly_is_told_with_the_right_one() -> None:
    told = "'leave' in 'gold' is no letter but the text of the option, and so are others; say --gold-form text, or"
    with pytest.raises(InputError, match=told):
        items([record(gold="leave"), record(gold="stay")], gold_form="letter")
    with pytest.raises(InputError, match="is read as letter, and 'leave' at record 2 as text of the option; write all"):
        items([record(), record(gold="leave"), record(gold="stay")], gold_form="letter")


@pytest.mark.parametrize(
    ("mapped", "cluster"),
    [
        ("talk", "12-4-x_y"),
        ("talk:0", "12"),
        ("talk:1", "4"),
        ("talk:-1", "x_y"),
        ("talk/_:0", "12-4-x"),
        ("talk/_:1", "y"),
        ("talk/-4-:1", "x_y"),
        ("in.deeper:1", "b"),
        ("odd:1", "whole"),
    ],
)
def test_a_part_of_a_field(mapped: str, cluster: str) -> None:
    one = record(**{"talk": "12-4-x_y", "in": {"deeper": "a-b"}, "odd:1": "whole"})
    assert items([one], f",cluster={mapped}")[0].cluster == cluster


def test_a_part_that_is_not_there_is_told() -> None:
    records = [record(talk="1-2", context="a"), record(talk="1-3", context="b"), record(talk="nothing", context="a")]
    mapping = "cluster=talk:1,context=context,options=options,gold=gold,question=question"
    assert "1 items have nothing where the cluster is mapped (such as record 3)" in notes(records, mapping)


def test_a_cluster_of_its_own_for_every_item_is_told() -> None:
    records = [record(talk=f"{number // 3}-{number}", turn="late") for number in range(6)]
    told = notes(records, "cluster=talk,turn=turn")
    assert "every item has a cluster of its own" in told
    assert "cluster=talk:0" in told
    assert "the turn of 6 items can't be read (such as 'late' at record 1)" in told
    assert "of its own" not in notes(records, "cluster=talk:0")


@pytest.mark.parametrize("form", ["{}) {}", "{}. {}", "({}) {}", "[{}] {}", "{}: {}", "{}:{}"])
@pytest.mark.parametrize("letters", ["ABC", "abc"])
def test_labels_are_no_part_of_options(form: str, letters: str) -> None:
    options = [form.format(letter, text) for letter, text in zip(letters, ("stay", "leave", "wait"), strict=True)]
    assert items([record(options=options)])[0].options == ("stay", "leave", "wait")


def test_options_that_only_look_labelled_stay() -> None:
    assert items([record(options=["a. stay", "leave", "c. wait"])])[0].options[0] == "a. stay"


@pytest.mark.parametrize(
    ("form", "gold", "right"),
    [
        ("letter", "c", {2}),
        ("text", "wait", {2}),
        ("index0", 1, {1}),
        ("index1", 1, {0}),
        ("index1", [1, 3], {0, 2}),
        ("index0", "0 2", {0, 2}),
        ("letter", "CA", {0, 2}),
        ("letter", ["(a)", "C."], {0, 2}),
        ("text", "stay; wait", {0, 2}),
        ("text", "stay, wait", {0, 2}),
    ],
)
def test_how_golds_are_written_can_be_said(form: str, gold: object, right: set[int]) -> None:
    (item,) = items([record(gold=gold)], gold_form=form)
    assert item.gold == right
    assert item.select == ("any" if len(right) > 1 else "one")


@pytest.mark.parametrize(
    ("gold", "right"),
    [([0, 0, 1], {2}), ([False, True, False], {1}), ("[1, 0, 0]", {0}), ([1.0, 0.0, 1.0], {0, 2})],
)
def test_a_mark_for_each_option(gold: object, right: set[int]) -> None:
    """As of multiple-choice targets with labels: read as indices, every gold would be the first two options."""
    (item,) = items([record(gold=gold)])
    assert item.gold == right
    assert item.select == ("any" if len(right) > 1 else "one")


def test_marks_that_are_no_gold() -> None:
    found = foreign_items([record(gold=[0, 1, 0]), record(gold=[0, 0])], MappingOptions())
    assert [type(one) is Item for one in found.read()] == [True, False]
    assert found.gold_form == "a mark for each option"


@pytest.mark.parametrize(("labels", "gold"), [("ABC", "C"), ("123", "3"), ("xyz", "z")])
def test_options_in_two_lists(labels: str, gold: str) -> None:
    """As published sets have them: the texts in one, their labels in the other."""
    options = {"text": ["stay", "leave", "wait"], "label": list(labels)}
    (item,) = items([record(options=options, gold=gold)])
    assert item.options == ("stay", "leave", "wait")
    assert item.gold == {2}


def test_a_list_is_not_one_option_of_several() -> None:
    how = MappingOptions("question=question,options=options|gold,gold=gold")
    with pytest.raises(InputError, match="record 1: options holds several values, not one option; map options=options"):
        foreign_items([record()], how)


def test_an_object_of_lists_is_no_option() -> None:
    one = record(options={"choices": ["stay", "leave"], "labels": [0, 1]})
    with pytest.raises(
        InputError, match=r"record 1: options is an object whose field 'choices' .*: options=options\.choices$"
    ):
        items([one])


def test_keys_and_a_form_that_does_not_fit() -> None:
    one = record(options={"x1": "stay", "x2": "leave"}, gold="x2")
    assert items([one], gold_form="key")[0].gold == {1}
    with pytest.raises(
        InputError, match="is no text but the key of the option, and so are others; say --gold-form key"
    ):
        items([one], gold_form="text")
    with pytest.raises(InputError, match="there is no gold form 'roman'; choose one of auto, marks, key, text"):
        items([one], gold_form="roman")


def test_what_is_to_be_selected() -> None:
    records = [record(kind="many", gold="A"), record(kind="many", gold="A, B"), record(kind="few", gold="A")]
    assert [one.select for one in items(records, ",group=kind")] == ["any", "any", "one"]
    assert [one.select for one in items(records)] == ["any"] * 3
    assert [one.select for one in items(records, ",group=kind", select="any")] == ["any"] * 3
    told = [{**one, "how": how} for one, how in zip(records, ("any", "multiple", "single"), strict=True)]
    assert [one.select for one in items(told, ",select=how")] == ["any", "any", "one"]
    with pytest.raises(InputError, match="record 1: select is 'perhaps'; it has to be one or any"):
        items([record(how="perhaps")], ",select=how")
    with pytest.raises(InputError, match="select is 'none'; choose one of auto, one, any"):
        items(records, select="none")


def test_groups_of_any_name() -> None:
    (item,) = items([record(kind="before", place={"name": "inn"})], ",group=kind,group.place=place.name")
    assert item.groups == {"type": "before", "place": "inn"}
    with pytest.raises(InputError, match=r"group and group\.type, which are the same"):
        items([record(kind="before")], ",group=kind,group.type=kind")


@pytest.mark.parametrize(
    ("context", "lines"),
    [
        ("Ada: Hello.\n\nBen says: Late?\r\nIt rains: ", [("Ada", "Hello."), ("Ben", "Late?"), ("", "It rains:")]),
        (["GUIDE: So?", "No one speaks at 10:30."], [("GUIDE", "So?"), ("", "No one speaks at 10:30.")]),
        ([{"speaker": "Ada", "text": "Hi: there\nyou"}], [("Ada", "Hi: there\nyou")]),
        ([{"role": "user", "content": "Go."}, {"left": "A: x"}], [("user", "Go."), ("A", "x")]),
        (
            "One \u2028 line: of many words that nobody said: no",
            [("", "One \u2028 line: of many words that nobody said: no")],
        ),
    ],
)
def test_contexts_are_lines(context: object, lines: list[tuple[str, str]]) -> None:
    (item,) = items([record(context=context)], ",context=context")
    assert item.context is not None
    assert item.context.lines == tuple(ContextLine(*line) for line in lines)


def test_faulty_items_are_counted_and_kept() -> None:
    records = [record(id="same") for _ in range(200)]
    records += [record(question=None, id="null"), record(options=["a", " a ", ""], id="alike")]
    found = foreign_items(records, MappingOptions("id=id"))
    kept = list(found.items())
    assert len(kept) == 202
    assert len({one.id for one in kept}) == 202
    assert kept[1].id == "same#2"
    assert {one.kind: one.count for one in found.faults.problems()} == {
        "ids that are the same": 199,
        "empty questions": 1,
        "empty options": 1,
        "options that are the same": 1,
    }


# -- files -----------------------------------------------------------------------------------------------------------


def test_a_folder_of_files(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "late.json").write_text(json.dumps([record(question="Third?")]), encoding="utf-8")
    (tmp_path / "early.jsonl").write_text(json.dumps(record(question="Second?")), encoding="utf-8")
    (tmp_path / "a.csv").write_text('question,options,gold\nFirst?,"[""x"",""y""]",A\n', encoding="utf-8")
    (tmp_path / ".hidden.json").write_text("nothing", encoding="utf-8")
    (tmp_path / "README.md").write_text("# Read me", encoding="utf-8")
    found = list(foreign_items(tmp_path, MappingOptions("group=@file")).items())
    assert [one.question for one in found] == ["First?", "Third?", "Second?"]
    assert [one.groups["type"] for one in found] == ["a", "late", "early"]


@given(st.lists(st.dictionaries(st.text(max_size=5), st.text() | st.integers() | st.none(), max_size=3), max_size=6))
def test_an_array_is_read_as_json_reads_it(tmp_path_factory: pytest.TempPathFactory, records: list[Fields]) -> None:
    file = tmp_path_factory.mktemp("array") / "a.json"
    file.write_text(json.dumps(records, indent=1), encoding="utf-8")
    read = [{name: value for name, value in one.fields.items() if name != "@file"} for one in read_records(file)]
    assert read == [{name: value for name, value in one.items() if name != "@file"} for one in records]


def test_a_long_array_takes_little_memory(tmp_path: Path) -> None:

    file = tmp_path / "long.json"
    with file.open("w", encoding="utf-8") as out:
        out.write("[" + ",".join(json.dumps({"text": "x" * 10_000}) for _ in range(3000)) + "]")
    tracemalloc.start()
    assert sum(1 for _ in read_records(file)) == 3000
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 12 << 20


def test_rows_of_several_row_groups_with_few_texts(tmp_path: Path) -> None:
    file = tmp_path / "groups.parquet"
    rows = [record(number=number, question=f"Which? {number // 100}") for number in range(400)]
    parquet.write_table(pyarrow.Table.from_pylist(rows), file, row_group_size=90)
    assert [{**one.fields, "@file": None} for one in read_records(file)] == [{**one, "@file": None} for one in rows]


def test_parquet_files_that_unpack_to_far_more_are_refused(tmp_path: Path) -> None:
    many, long = tmp_path / "many.parquet", tmp_path / "long.parquet"
    parquet.write_table(pyarrow.table({"question": pyarrow.array(["?"] * 1_000_000)}), many, compression="zstd")
    table = pyarrow.table({"question": pyarrow.array(["x" * 1_000_000] * 100).dictionary_encode()})
    parquet.write_table(table, long, compression="zstd")
    assert many.stat().st_size < 10_000
    assert long.stat().st_size < 10_000
    with pytest.raises(InputError, match=r"has 1,000,000 rows in [\d,]+ bytes; nothing like a benchmark"):
        list(read_records(many))
    with pytest.raises(InputError, match="unpacks to far more than its own size"):
        list(read_records(long))


@pytest.mark.parametrize(
    "value",
    [np.zeros(300_000, np.int8), ["x"] * 100_000, "word " * 100_000],
    ids=["numbers in lists", "short texts in lists", "long texts"],
)
def test_a_small_parquet_file_takes_little_memory(tmp_path: Path, value: object) -> None:
    file = tmp_path / "small.parquet"
    parquet.write_table(pyarrow.table({"question": pyarrow.array([value] * 100)}), file, compression="zstd")
    assert file.stat().st_size < 20_000
    tracemalloc.start()
    before = pyarrow.total_allocated_bytes()
    with pytest.raises(InputError, match="unpacks to far more than its own size"):
        list(read_records(file))
    peak = tracemalloc.get_traced_memory()[1] + pyarrow.total_allocated_bytes() - before
    tracemalloc.stop()
    assert peak < 64 << 20
