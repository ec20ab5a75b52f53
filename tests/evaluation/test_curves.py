"""Curves: accuracy along the groups of a grouping, for suites that ask for them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from dtomtrack.evaluation.benchmark import RuleMaker
from dtomtrack.evaluation.curves import CurveSpec
from dtomtrack.evaluation.metrics import metrics
from dtomtrack.evaluation.records import Answer, AskConfig, Curve, Measure, Metrics
from dtomtrack.evaluation.scored import ScoredAnswer
from dtomtrack.items.item import Item

ASKED = AskConfig(subject="some/model", questions="a digest", context="all")


class Walks:
    """A suite that asks about walks of some length, in some weather."""

    name = "walks"
    conditions = ("all",)
    files = ("walks.jsonl",)
    focus = ""
    published_reader = None
    rules: Mapping[str, RuleMaker] = {}
    group_order: Mapping[str, Sequence[str]] = {"miles": ["1", "2-3", "4+"]}
    curves: Sequence[CurveSpec] = (
        CurveSpec("tired", "Tired", "miles"),
        CurveSpec("wet", "Wet", "miles", by="weather"),
        CurveSpec("snowed", "Snowed", "miles", only={"weather": "snow"}),
        CurveSpec("kinds", "Kinds", "weather", ordered=False),
        CurveSpec("colours", "Colours", "colour"),
    )

    def items(self, folder: Path, limit: int | None = None) -> Iterator[Item]:
        return iter(())

    def measures(self, answers: Sequence[ScoredAnswer], config: AskConfig) -> tuple[Measure, ...]:
        return ()


class Plain(Walks):
    """The same without curves."""

    curves = ()


def of(given: Sequence[tuple[str, str, bool]], suite: Walks | None = None) -> Metrics:
    """Metrics of answers, each given with miles, weather, and whether it is right."""
    items = [
        Item(f"q{number}", f"walk {number // 2}", "Well?", ("yes", "no"), frozenset({0}), groups=groups)
        for number, (miles, weather, _) in enumerate(given)
        for groups in ({name: one for name, one in (("miles", miles), ("weather", weather)) if one},)
    ]
    answers = [
        Answer(
            question_id=item.id,
            dialogue_id=item.cluster,
            answer="A" if right else "B",
            shown="A" if right else "B",
            outcome="correct" if right else "wrong",
        )
        for item, (_, _, right) in zip(items, given, strict=True)
    ]
    return metrics(suite or Walks(), ASKED, items, answers)


def curve(result: Metrics, name: str) -> Curve:
    found = result.curve(name)
    assert found is not None
    return found


GIVEN = [
    *[("4+", "rain", number % 4 == 0) for number in range(8)],
    *[("1", "rain", True) for _ in range(8)],
    *[("1", "snow", number % 2 == 0) for number in range(8)],
    *[("2-3", "snow", True) for _ in range(4)],
    *[("", "snow", False) for _ in range(6)],
    *[("1", "", False) for _ in range(8)],
]


def test_points_stand_in_order_each_with_its_interval() -> None:
    (line,) = curve(of(GIVEN), "tired").lines
    assert [(point.name, point.items, point.accuracy.value) for point in line.points] == [
        ("1", 24, 0.5),
        ("2-3", 4, 1.0),
        ("4+", 8, 0.25),
    ]
    assert all(point.accuracy.low is not None and point.chance == 0.5 for point in line.points)


def test_there_is_a_line_for_each_group_of_another_grouping() -> None:
    wet = curve(of(GIVEN), "wet")
    assert (wet.along, wet.by) == ("miles", "weather")
    values = {line.name: {point.name: point.accuracy.value for point in line.points} for line in wet.lines}
    assert values == {"rain": {"1": 1.0, "4+": 0.25}, "snow": {"1": 0.5, "2-3": 1.0}}


def test_a_curve_may_be_of_some_items_only() -> None:
    (line,) = curve(of(GIVEN), "snowed").lines
    assert [point.items for point in line.points] == [8, 4]


def test_what_there_are_no_groups_for_has_no_curve() -> None:
    assert [one.name for one in of(GIVEN).curves] == ["tired", "wet", "snowed", "kinds"]
    assert [one.name for one in of(GIVEN[:8]).curves] == []
    assert of(GIVEN, Plain()).curves == ()


def test_curves_are_read_back_from_a_file() -> None:
    result = of(GIVEN)
    assert Metrics.model_validate_json(result.model_dump_json()) == result
    before = {name: value for name, value in result.model_dump().items() if name != "curves"}
    assert Metrics.model_validate(before).curves == ()
