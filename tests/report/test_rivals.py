"""Who is best, and the mean of models, where not all were asked the same questions in the same way."""

from __future__ import annotations

import hashlib
import html
import re
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from report_pages import cells, page_of

from dtomtrack.evaluation.metrics import metrics
from dtomtrack.evaluation.records import Answer, AskConfig
from dtomtrack.evaluation.selection import selected_items
from dtomtrack.items.item import Item
from dtomtrack.items.letters import letter_of
from dtomtrack.items.presented import PresentedItem, presented
from dtomtrack.library import make_report
from dtomtrack.report.evaluations import Evaluation, read_evaluations
from dtomtrack.report.rivals import one_of_each
from dtomtrack.runs.lines import to_lines
from dtomtrack.suites.dtom.figures import FIGURES
from dtomtrack.suites.dtom.suite import SUITE
from dtomtrack.suites.rectom.paper_tables import table_4
from dtomtrack.suites.rectom.suite import SUITE as RECTOM

pytestmark = pytest.mark.usefixtures("undrawn")

EASY = ("temporal", "update_detection")
USUAL: Mapping[str, object] = {}


@pytest.fixture
def dataset(made: Path, tmp_path: Path) -> Path:
    """Dialogues of DToM-Track that nobody has answered yet."""
    return Path(shutil.copytree(made, tmp_path / "data"))


def evaluate(
    dataset: Path,
    name: str,
    is_right: Callable[[Item], bool],
    asked: Mapping[str, object] = USUAL,
    *,
    fails: Callable[[Item], bool] = lambda item: False,
    stops: int | None = None,
) -> None:
    """Write the evaluation of openai/NAME; its folder's name ends in how it was asked, where that is not as usual."""
    digest = hashlib.sha256((dataset / "questions.jsonl").read_bytes()).hexdigest()
    config = AskConfig.model_validate({"subject": f"openai/{name}", "questions": digest, **asked})
    shown = presented(selected_items(SUITE, dataset, config), config.permutations)
    given = [answer(one, right=is_right(one.item), failed=fails(one.item)) for one in shown][:stops]
    there = dataset / "eval" / "-".join([name, *asked])
    there.mkdir(parents=True)
    (there / "config.json").write_text(config.model_dump_json(), encoding="utf-8")
    (there / "answers.jsonl").write_bytes(to_lines(given))
    if stops is None:
        found = metrics(SUITE, config, selected_items(SUITE, dataset, config), given)
        (there / "metrics.json").write_text(found.model_dump_json(), encoding="utf-8")


def answer(shown: PresentedItem, *, right: bool, failed: bool = False) -> Answer:
    item = shown.item
    asked = {"question_id": item.id, "dialogue_id": item.cluster, "rotation": shown.rotation}
    if failed:
        return Answer.model_validate({**asked, "outcome": "error", "reason": "no reply"})
    chosen = min(item.gold) if right else (min(item.gold) + 1) % len(item.options)
    return Answer.model_validate({**asked, "answer": letter_of(chosen), "outcome": "correct" if right else "wrong"})


def is_easy(item: Item) -> bool:
    return item.groups["type"] in EASY


def mostly(item: Item) -> bool:
    """Three in four."""
    return hashlib.sha256(item.id.encode()).digest()[0] % 4 > 0


def summary(dataset: Path) -> str:
    make_report(dataset, audit=False)
    found = re.search(r'id="summary">(.*?)</p>', page_of(dataset).source, re.DOTALL)
    assert found
    return html.unescape(found[1]).replace("\u00a0", " ")


# -- the headline ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "stops"),
    [({"types": EASY}, None), ({"limit": 2}, None), ({"limit": 2, "sample_seed": 1}, None), (USUAL, 20)],
    ids=["types", "first", "drawn", "stopped"],
)
def test_who_was_asked_something_else_is_neither_best_nor_next(
    dataset: Path, asked: Mapping[str, object], stops: int | None
) -> None:
    """A is right wherever it was asked; B, who knows all that is easy, was asked everything."""
    evaluate(dataset, "a", lambda item: True, asked, stops=stops)
    evaluate(dataset, "b", is_easy)
    evaluate(dataset, "c", lambda item: False)
    told = summary(dataset)
    assert told.startswith("openai/b answers ") and "openai/c comes next with 0.0 %, a difference beyond chance" in told
    assert "openai/a" not in told
    assert [one.strip("0123456789.") for one in cells(page_of(dataset), "Overall")] == ["", "*", "_"]


def test_nobody_comes_next_to_somebody_who_is_no_better(dataset: Path) -> None:
    for name in ("a", "b"):
        evaluate(dataset, name, is_easy)
    told = summary(dataset)
    assert re.search(r"^openai/a answers .* openai/b does as well with [0-9.]+ %\.$", told), told


def test_the_difference_is_that_of_what_both_answered(dataset: Path) -> None:
    """A's calls on what is hard failed; on what is easy B, who is worse over all, is better."""
    evaluate(dataset, "a", mostly, fails=lambda item: not is_easy(item))
    evaluate(dataset, "b", is_easy)
    told, easy = summary(dataset), [one for one in SUITE.items(dataset) if is_easy(one)]
    points = 100 * sum(not mostly(one) for one in easy) / len(easy)
    assert re.match(r"openai/a answers .* openai/b comes next with ", told)
    assert f"; on the {len(easy)} questions that both have answered, openai/b is {points:.1f} points better, " in told
    assert re.search(r"a difference beyond chance \(p .*, adjusted for all pairs\)\.$", told)


def test_rotations_of_a_question_are_no_questions(dataset: Path) -> None:
    evaluate(dataset, "a", is_easy, {"permutations": 4})
    items = list(SUITE.items(dataset))
    answers = sum(len(one.options) for one in items)
    told = summary(dataset)
    assert f" of {answers} answers to {len(items)} questions; guessing gets " in told
    assert told.startswith("openai/a is right in ")


# -- the mean of models ----------------------------------------------------------------------------------------------


def test_a_model_counts_once_in_means_of_models(dataset: Path) -> None:
    for name, skill in (("a", mostly), ("b", is_easy)):
        evaluate(dataset, name, skill)
        evaluate(dataset, name, lambda item: False, {"context": "none"})
        evaluate(dataset, name, lambda item: True, {"prompt": "cot"})
        evaluate(dataset, name, lambda item: True, {"limit": 1})
    evaluate(dataset, "a", lambda item: True, {"parser": "published"})
    evaluate(dataset, "c", lambda item: True, stops=9)
    evaluations, _ = read_evaluations(SUITE, dataset)
    assert sorted(one.label for one in one_of_each(evaluations)) == ["openai/a", "openai/b"]
    drawing = FIGURES[0](evaluations)
    assert drawing is not None and "mean of 2 models" in drawing.caption


def test_where_nobody_was_asked_as_usual_the_mean_is_of_those_asked_alike(dataset: Path) -> None:
    for name in ("a", "b"):
        evaluate(dataset, name, mostly, {"context": "none"})
    evaluations, _ = read_evaluations(SUITE, dataset)
    assert len(one_of_each(evaluations)) == 2
    assert one_of_each([]) == []


def test_the_papers_mean_of_models_is_of_one_evaluation_each() -> None:
    evaluations = [of_beliefs("a", 40), of_beliefs("b", 20), of_beliefs("a", 0, {"context": "none"})]
    table = table_4(evaluations)
    assert table is not None
    (mean,) = [row for row in table.rows if row.name == "Mean of models"]
    assert "75.0" in [cell.text for cell in mean.cells]


def of_beliefs(name: str, right: int, asked: Mapping[str, object] = USUAL) -> Evaluation:
    """Forty answers about beliefs, so many of them right."""
    items = [
        Item(f"{number}", f"{number}", "?", ("a", "b"), frozenset((0,)), groups={"type": "belief"})
        for number in range(40)
    ]
    config = AskConfig.model_validate({"subject": name, "questions": "-", **asked})
    given = [answer(PresentedItem(one), right=int(one.id) < right) for one in items]
    label = "-".join([name, *asked])
    return Evaluation(Path(), label, label, metrics(RECTOM, config, items, given), changed=frozenset(asked))
