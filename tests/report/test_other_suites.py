"""A report on the dataset of another suite, which is added by one file: nothing of it goes missing."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from crowd_suite import CrowdSuite, make_crowd
from hostile_dataset import HOSTILE
from planted_subjects import Planted, plant
from report_pages import (
    Page,
    cells,
    columns_of,
    dialogues_of,
    drawing_of,
    overview_of,
    page_of,
    questions_of,
    whole_cells,
)

from dtomtrack.library import make_report
from dtomtrack.suites.registry import register, suite_names

DASH = "\N{EN DASH}"
SUBJECTS = (
    Planted("openai/good", 0.8, sure=True),
    Planted("openai/bad", 0.1, unread=0.2, reply="Well."),
    Planted("baseline/random", 0.3, permutations=3),
)


@pytest.fixture(scope="module", autouse=True)
def _registered() -> None:
    if "crowd" not in suite_names():
        register("crowd", CrowdSuite)


@pytest.fixture(scope="module")
def crowd(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A dataset of eight clusters with its report, three subjects in it."""
    dataset = make_crowd(tmp_path_factory.mktemp("crowd") / "crowd")
    plant(dataset, SUBJECTS)
    make_report(dataset, audit=False)
    return dataset


@pytest.fixture(scope="module")
def page(crowd: Path) -> Page:
    """Its page."""
    return page_of(crowd)


def test_a_type_that_no_list_names_has_its_column(page: Page) -> None:
    wanted = ["Subject", "Overall", "Mean of types", "Who knows", "a type that no list names", "letters"]
    assert columns_of(page, "Accuracy") == wanted


def test_chance_is_that_of_the_items(page: Page) -> None:
    foot = re.search(r"<tfoot>(.*?)</tfoot>", page.source, re.DOTALL)
    assert foot
    row = re.findall(r'<td class="chance">\s*(?:<span>([^<]*)<|</td>)', foot.group(1))
    assert row[columns_of(page, "Accuracy").index("Who knows") - 1] == "0.1"  # one of 1023 sets
    assert "exactly their set" in page.source


def test_measures_are_printed_as_they_come(page: Page) -> None:
    assert [cell.strip("*_") for cell in cells(page, "Somebody overlooked")]
    assert cells(page, "Agreement of sets (Jaccard)")
    whole = "".join(whole_cells(page, "Somebody overlooked"))
    assert f"a coin for each 90.0 (80.0{DASH}95.0)" in whole
    assert "p &lt; 0.001" in whole
    assert "Answers that leave somebody out who knows." in page.source
    assert "Somebody overlooked: of &lt;b&gt;few&lt;/b&gt;" in page.source
    assert set(cells(page, "Somebody overlooked: of many")) == {DASH}


def test_every_grouping_has_a_table(page: Page) -> None:
    assert "<summary>By weather</summary>" in page.source
    assert "<summary>By guests &lt;i&gt;</summary>" in page.source
    assert re.findall(r'<th scope="row">(snow|rain)</th>', page.source) == ["snow", "rain"]


def test_its_own_figure_stands_beside_the_common_ones(crowd: Path) -> None:
    names = {path.stem for path in (crowd / "report").glob("*.svg")}
    assert names == {
        *("accuracy-by-type", "overlooked", "option-roles", "reliability"),
        *("accuracy-by-weather", "accuracy-by-guests-i"),
    }
    assert "knows" in "".join(drawing_of(crowd, "option-roles").itertext())
    assert "a type that no list names" in "".join(drawing_of(crowd, "accuracy-by-type").itertext())


def test_calibration_stands_where_there_are_probabilities(page: Page) -> None:
    errors = cells(page, "Calibration error (ECE)")
    assert [error == DASH for error in errors] == [False, True, True]
    assert all(0 <= float(error) <= 100 for error in errors[:1])


def test_subjects_stand_beside_each_other(page: Page) -> None:
    table = re.search(r'<table class="differences">(.*?)</table>', page.source, re.DOTALL)
    assert table
    figures = re.findall(r"<(strong|span|u)[^>]*>([^<]*)<", table.group(1))
    assert len(figures) == 9
    texts = [text for _, text in figures]
    assert [texts[place] for place in (0, 4, 8)] == [DASH] * 3
    assert texts[1].startswith("+")
    assert texts[3] == texts[1].replace("+", "\N{MINUS SIGN}")
    assert figures[1][0] == "strong"


def test_answers_are_sets_of_the_items_own_letters(page: Page) -> None:
    subjects = overview_of(page)["subjects"]
    places = {subject["label"]: place for place, subject in enumerate(subjects)}
    shown = {str(question["id"]): question for question in questions_of(page)}
    asked = shown["talk-0-0"]
    assert len(asked["options"]) == 10
    assert asked["several"] is True
    assert len(str(asked["gold"])) > 1
    answers = asked["answers"]
    assert re.fullmatch(r"[A-J]+", answers[places["openai/good · logprobs"]])
    assert len(answers[places["baseline/random"]].split()) == 3
    assert len(shown["letter-0"]["answers"][places["baseline/random"]].split()) == 2


def test_contexts_of_every_kind_are_shown(page: Page) -> None:
    titles = {entry["id"]: entry["title"] for entry in overview_of(page)["dialogues"]}
    dialogues = dict(zip(titles, dialogues_of(page), strict=True))
    assert titles["talk-0"].count(" and ") == 2
    assert (titles["letter"], titles["bare"]) == ("", "")
    talk, letter, bare = dialogues["talk-0"], dialogues["letter"], dialogues["bare"]
    assert [len(one["lines"]) for one in (talk, letter, bare)] == [10, 1, 0]
    whole, beginning, apart = talk["questions"]
    assert (whole["seen"], beginning["seen"], apart["seen"]) == (None, 4, None)
    assert [line["text"] for line in apart["lines"]] == ["Another story."]
    assert letter["lines"][0]["speaker"] == ""


def test_every_grouping_can_be_filtered_by(page: Page) -> None:
    overview = overview_of(page)
    labels = [grouping["label"] for grouping in overview["groupings"]]
    assert labels == ["Question type", "Weather", "Guests <i>"]
    selects = [attrs for tag, attrs in page.tags if tag == "select" and attrs.get("class") == "grouping"]
    assert [attrs["id"] for attrs in selects] == ["grouping-0", "grouping-1", "grouping-2"]
    bare = overview["dialogues"][-1]
    assert bare["questions"][0][0] == [-1, -1, -1]


def test_no_two_filters_are_called_alike(tmp_path: Path) -> None:
    """An address sets them by what they are called."""
    dataset = make_crowd(tmp_path / "crowd", talks=4)
    lines = [json.loads(line) for line in (dataset / "crowd.jsonl").read_text(encoding="utf-8").splitlines()]
    for number, line in enumerate(lines):
        line["groups"] = {"type": "one", **{name: str(number % 2) for name in ("model", "answer", "a b", "a_b")}}
    (dataset / "crowd.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    make_report(dataset, audit=False)
    labels = [grouping["label"] for grouping in overview_of(page_of(dataset))["groupings"]]
    assert labels == ["Question type", "Model (grouping)", "Answer (grouping)", "A b", "A b (grouping)"]


def test_groupings_are_explained_where_there_are_words_for_them(page: Page) -> None:
    """As a filter, and above its table."""
    assert page.texts.count(("p", "The <i>weather</i> on that day.")) == 1
    (hovered,) = [attrs["title"] for tag, attrs in page.tags if tag == "label" and attrs.get("title")]
    assert hovered == "The <i>weather</i> on that day."


def test_hostile_names_stay_text(tmp_path: Path) -> None:
    hostile = " ".join(HOSTILE)
    dataset = make_crowd(tmp_path / "hostile", talks=3, extra=hostile)
    plant(dataset, SUBJECTS)
    make_report(dataset)
    page = page_of(dataset)
    kinds = [attrs.get("type") for tag, attrs in page.tags if tag == "script"]
    assert kinds == ["application/json", "text/plain", "text/plain", None]
    assert not {"img", "iframe", "b", "i"} & {tag for tag, _ in page.tags}
    for text in HOSTILE[:3]:
        assert text not in page.source
    told = json.dumps([overview_of(page), dialogues_of(page)], ensure_ascii=False)
    for text in HOSTILE:
        assert json.dumps(text, ensure_ascii=False)[1:-1] in told
    assert {path.parent for path in (dataset / "report").rglob("*")} == {dataset / "report"}


def test_a_dataset_without_types_has_a_table(tmp_path: Path) -> None:
    dataset = make_crowd(tmp_path / "untyped", talks=2)
    lines = (dataset / "crowd.jsonl").read_text(encoding="utf-8").split("\n")[:-1]
    bare = [json.dumps({**json.loads(line), "groups": {}}) for line in lines]
    (dataset / "crowd.jsonl").write_text("".join(f"{line}\n" for line in bare), encoding="utf-8")
    plant(dataset, SUBJECTS[:1])
    make_report(dataset, audit=False)
    page = page_of(dataset)
    assert len(cells(page, "Overall")) == 1
    assert "Differences" not in page.source
    assert overview_of(page)["groupings"] == []


def test_groupings_whose_names_meet_have_figures_of_their_own(tmp_path: Path) -> None:
    groupings = ("a b 3", "a b", "a-b")
    dataset = make_crowd(tmp_path / "crowd", talks=20)
    lines = [json.loads(line) for line in (dataset / "crowd.jsonl").read_text(encoding="utf-8").splitlines()]
    for number, line in enumerate(lines):
        line["groups"] = {"type": "one", **{name: f"{name}: {number % 2}" for name in groupings}}
    (dataset / "crowd.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    plant(dataset, SUBJECTS)
    make_report(dataset, audit=False)
    names = [path.stem for path in (dataset / "report").glob("accuracy-by-a-b*.svg")]
    drawn = ["".join(drawing_of(dataset, name).itertext()) for name in names]
    assert len(drawn) == len(groupings), names
    for name in groupings:
        assert sum(f"{name}: 0" in text for text in drawn) == 1


def test_characters_that_xml_has_no_place_for_are_replaced(tmp_path: Path) -> None:
    dataset = make_crowd(tmp_path / "crowd", talks=20, extra="p\uffffq\ufffer")
    plant(dataset, [Planted("own/a\uffffb", 0.5), Planted("own/c\ufffed", 0.7)])
    make_report(dataset, audit=False)
    page = page_of(dataset)
    assert "a\N{REPLACEMENT CHARACTER}b" in page.source
    assert not re.search("[\ufffe\uffff]", page.source)


@pytest.mark.usefixtures("undrawn")
def test_a_table_of_some_of_the_groups_says_so(tmp_path: Path) -> None:
    dataset = make_crowd(tmp_path / "crowd", talks=70)
    lines = [json.loads(line) for line in (dataset / "crowd.jsonl").read_text(encoding="utf-8").splitlines()]
    assert len(lines) > 200
    for number, line in enumerate(lines):
        line["groups"] = {"type": f"kind {number}", "place": f"place {number}", "half": str(number % 2)}
    (dataset / "crowd.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    plant(dataset, SUBJECTS[:1])
    make_report(dataset, audit=False)
    assert page_of(dataset).texts.count(("p", f"The first 200 of {len(lines)} groups.")) == 2
