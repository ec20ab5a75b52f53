"""The curves of a report: drawn for the suites that ask for them, where there are groups for them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from crowd_suite import CrowdSuite, make_crowd
from planted_subjects import Planted, plant
from report_pages import drawing_of, page_of

from dtomtrack.evaluation.curves import CurveSpec
from dtomtrack.library import evaluate, make_report
from dtomtrack.suites.registry import register, suite_names

SUBJECTS = (Planted("openai/good", 0.8), Planted("openai/bad", 0.1), Planted("baseline/random", 0.3))
GUESTS = "guests <i>"


class CountedCrowd(CrowdSuite):
    """The crowd, with curves."""

    name = "counted"
    curves: Sequence[CurveSpec] = (
        CurveSpec("crowding", "Crowding", GUESTS, "guests & more"),
        CurveSpec("crowding-by-weather", "Crowding by weather", GUESTS, by="weather", key="kind of weather"),
        CurveSpec("kinds-of-weather", "Kinds of weather", "weather", ordered=False),
        CurveSpec("nowhere", "Nowhere", "hats"),
    )


@pytest.fixture(scope="module")
def counted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A dataset of this suite with its report."""
    if "counted" not in suite_names():
        register("counted", CountedCrowd)
    dataset = make_crowd(tmp_path_factory.mktemp("counted") / "counted", talks=60)
    manifest = dataset / "manifest.json"
    manifest.write_text(manifest.read_text(encoding="utf-8").replace('"crowd"', '"counted"'), encoding="utf-8")
    plant(dataset, SUBJECTS)
    make_report(dataset, audit=False)
    return dataset


def text_of(dataset: Path, name: str) -> str:
    return " ".join(drawing_of(dataset, name).itertext())


def test_curves_are_drawn_in_both_forms_and_stand_on_the_page(counted: Path) -> None:
    page = page_of(counted)
    for name, title in (
        ("crowding", "Crowding"),
        ("crowding-by-weather", "Crowding by weather"),
        ("kinds-of-weather", "Kinds of weather"),
    ):
        assert drawing_of(counted, name).tag.endswith("svg")
        assert (counted / "report" / f"{name}.png").read_bytes().startswith(b"\x89PNG\r\n")
        assert f"<h3>{title}</h3>" in page.source
    assert not (counted / "report" / "nowhere.svg").exists()


def test_subjects_share_a_panel_or_have_one_each_where_lines_are_groups(counted: Path) -> None:
    shared, apart = (text_of(counted, name) for name in ("crowding", "crowding-by-weather"))
    assert shared.count("good") == 1
    assert shared.count("guests & more") == 1
    assert shared.count("snow") == 0
    assert apart.count("good") == apart.count("bad") == 1
    assert apart.count("snow") == apart.count("rain") == 1
    assert "A line for each kind of weather." in page_of(counted).source


def test_models_are_drawn_and_baselines_only_where_there_is_no_model(counted: Path) -> None:
    assert "random" not in text_of(counted, "crowding")


def test_points_over_few_answers_are_left_out(counted: Path) -> None:
    """Of eight talks each combination of guests and weather has too few answers for a point."""
    assert "Points over fewer than 10 answers are left out." in page_of(counted).source
    few = make_crowd(counted.parent / "few", talks=8)
    manifest = few / "manifest.json"
    manifest.write_text(manifest.read_text(encoding="utf-8").replace('"crowd"', '"counted"'), encoding="utf-8")
    plant(few, SUBJECTS[:1])
    make_report(few, audit=False)
    assert not (few / "report" / "crowding-by-weather.svg").exists()


def test_who_was_not_asked_such_questions_is_not_called_worse(counted: Path) -> None:
    some = make_crowd(counted.parent / "some", talks=60)
    manifest = some / "manifest.json"
    manifest.write_text(manifest.read_text(encoding="utf-8").replace('"crowd"', '"counted"'), encoding="utf-8")
    plant(some, [Planted(f"baseline/planted-{number}", 0.5 + 0.05 * number) for number in range(7)])
    evaluate(some, "baseline/random", types=["letters"])
    make_report(some, audit=False)
    together, apart = (caption_under(some, title) for title in ("Crowding", "Crowding by weather"))
    assert "lower accuracy" not in together
    assert "1 more, with lower accuracy, is in the table." in apart
    for caption in (together, apart):
        assert caption.endswith("1 other was not asked such questions, or only some of one group.")


def caption_under(dataset: Path, title: str) -> str:
    (found,) = re.findall(rf"<h3>{title}</h3>.*?<figcaption>(.*?)</figcaption>", page_of(dataset).source, re.DOTALL)
    return str(found)
