"""What answers to RecToM's items add up to: bias, fine to coarse, coherence, sets, tables, the published reading."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from competent_reader import weighed
from loopback import Answer as Served
from loopback import Loopback, Request, completion
from rectom_release import write_iard, write_release

from dtomtrack.evaluation.prompting import prompt_text
from dtomtrack.evaluation.records import AskConfig, Metrics, Outcome
from dtomtrack.evaluation.scored import Members, QuestionStats, ScoredAnswer
from dtomtrack.export.exporting import FORMATS, ExportFormat
from dtomtrack.items.item import ContextLine, Item, Select
from dtomtrack.items.presented import PresentedItem, presented
from dtomtrack.library import evaluate, export_dataset, make_report, rescore
from dtomtrack.suites.published.importing import import_published
from dtomtrack.suites.rectom.contexts import RectomContext
from dtomtrack.suites.rectom.judging import bias_measures, confusion
from dtomtrack.suites.rectom.label_ranking import area_under_curve
from dtomtrack.suites.rectom.published_reader import published_reading
from dtomtrack.suites.rectom.suite import SUITE, RectomSuite


@pytest.fixture(scope="module")
def _dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("rectom")
    release = write_release(folder / "data")
    import_published(RectomSuite(write_iard(folder / "iard.json")), release, folder / "out")
    return folder / "out"


@pytest.fixture
def dataset(_dataset: Path, tmp_path: Path) -> Path:
    """A dataset of ten types, without evaluations."""
    copy = tmp_path / "dataset"
    copy.mkdir()
    for file in _dataset.iterdir():
        (copy / file.name).write_bytes(file.read_bytes())
    return copy


def knowing(folder: Path, permutations: int = 1, style: str = "zero-shot") -> Callable[[Request], Served]:
    """A model that answers the gold."""
    config = AskConfig.model_validate(
        {"subject": "-", "questions": "-", "prompt": style, "permutations": permutations, "context": "context"}
    )
    known = {
        prompt_text(shown, config, SUITE.focus): ", ".join(sorted(shown.seen(shown.item.gold)))
        for shown in presented(SUITE.items(folder), permutations)
    }

    def answer(request: Request) -> Served:
        return completion(f"The answer is {known[request['messages'][0]['content']]}")

    return answer


def measured(metrics: Metrics, name: str) -> float | None:
    """A further figure by name."""
    measure = metrics.measure(name)
    assert measure is not None, [one.name for one in metrics.further]
    return measure.estimate.value


def test_who_answers_the_gold_gets_everything_right(dataset: Path) -> None:
    with Loopback(knowing(dataset, 3)) as server:
        (found,) = evaluate(dataset, "vllm/knowing", base_url=server.base_url, permutations=3)
    accuracies = {group.name: group.accuracy.value for group in found.groups["type"]}
    assert len(accuracies) == 10
    assert set(accuracies.values()) == {1.0}
    for name in ("fine_to_coarse_fine_intention_rec", "fine_to_coarse_fine_intention_seeker"):
        assert measured(found, name) == 1.0
    for name in (
        "own_coarse_fine_intention_seeker",
        "belief_desire",
        "judged_predicted_rec",
        "balanced_accuracy_judgement_rec",
    ):
        assert measured(found, name) == 1.0
    intervals = [measure.dialogues for measure in found.further if measure.name.startswith("recall")]
    assert all(intervals)


def test_who_says_yes_is_all_bias(dataset: Path) -> None:
    def yes(request: Request) -> Served:
        shown = request["messages"][0]["content"]
        return completion("A" if 'A) "yes"' in shown else "B")

    with Loopback(yes) as server:
        (found,) = evaluate(dataset, "vllm/yes", base_url=server.base_url)
    accuracies = {group.name: group.accuracy.value for group in found.groups["type"]}
    for kind in ("judgement_rec", "judgement_seeker"):
        assert measured(found, f"prediction_bias_{kind}") == 1.0
        assert measured(found, f"false_positive_rate_{kind}") == 1.0
        assert measured(found, f"recall_no_{kind}") == 0.0
        bias = found.measure(f"prediction_bias_{kind}")
        assert bias is not None
        assert bias.reference is not None
        assert bias.reference.value == accuracies[kind]


@pytest.mark.parametrize("style", ["zero-shot", "cot"])
def test_replies_are_read_again_as_the_published_script_reads_them(dataset: Path, style: str) -> None:
    def answer(request: Request) -> Served:
        return completion("The answer is B, C")

    with Loopback(answer) as server:
        evaluate(dataset, "vllm/commas", base_url=server.base_url, prompt=style)  # type: ignore[arg-type]
    (found,) = rescore(dataset, parser="published")
    assert found.metrics is not None
    types = {group.name: group for group in found.metrics.groups["type"]}
    if style == "zero-shot":
        # all letters of the reply are taken, and "T" is no option
        assert types["prediction_rec"].unparsed == 1.0
    else:
        right = sum(item.gold == frozenset({1}) for item in SUITE.items(dataset) if item.groups["type"] == "belief")
        assert types["belief"].correct == right
        assert types["belief"].unparsed == 0.0


# -- bias by hand ----------------------------------------------------------------------------------------------------


def judged(said: str, right: str, *, yes_first: bool, number: int) -> ScoredAnswer:
    """A judgement."""
    roles = ("yes", "no") if yes_first else ("no", "yes")
    gold = frozenset({roles.index(right)})
    groups, known = (("type", "judgement_rec"),), Members()
    asked = QuestionStats(number, number % 5, groups, (), roles, gold, 2, "one", 0.5, frozenset(), known)
    chosen = None if said == "?" else frozenset({roles.index(said)})
    outcome: Outcome = "unparsed" if chosen is None else "correct" if chosen == gold else "wrong"
    return ScoredAnswer(asked, 0, 0, outcome, chosen, None)


@pytest.mark.parametrize("yes_first", [True, False])
def test_bias_is_what_the_paper_defines(yes_first: bool) -> None:
    cells = [("yes", "yes")] * 6 + [("yes", "no")] * 9 + [("no", "no")] * 3 + [("no", "yes")] * 2 + [("?", "no")] * 4
    answers = [judged(said, right, yes_first=yes_first, number=n) for n, (said, right) in enumerate(cells)]
    counts = confusion(answers)
    assert tuple(counts) == (6, 9, 3, 2)
    assert counts.matthews == pytest.approx((6 * 3 - 9 * 2) / (15 * 8 * 12 * 5) ** 0.5)
    found = {one.name: one.estimate.value for one in bias_measures("judgement_rec", "x", answers)}
    assert found == {
        "prediction_bias_judgement_rec": pytest.approx(15 / 20),
        "false_positive_rate_judgement_rec": pytest.approx(9 / 12),
        "recall_no_judgement_rec": pytest.approx(3 / 12),
        "recall_yes_judgement_rec": pytest.approx(6 / 8),
        "balanced_accuracy_judgement_rec": pytest.approx((6 / 8 + 3 / 12) / 2),
    }


# -- sets, baselines, conditions -------------------------------------------------------------------------------------


def test_figures_by_label_are_those_of_the_sets(dataset: Path) -> None:
    def first_two(request: Request) -> Served:
        return completion("A, B")

    with Loopback(first_two) as server:
        (found,) = evaluate(dataset, "vllm/ab", base_url=server.base_url)
    items = [item for item in SUITE.items(dataset) if item.groups["type"] == "prediction_rec"]
    parts = found.measure("sets_prediction_rec")
    assert parts is not None
    right = [0 in item.gold for item in items]
    assert parts.parts["request: precision"] == pytest.approx(sum(right) / len(items), abs=1e-6)
    assert parts.parts["request: recall"] == 1.0
    assert parts.parts["explain: recall"] == 0.0
    both = sum(len({0, 1} & item.gold) for item in items)
    assert parts.parts["micro F1"] == pytest.approx(
        2 * both / (2 * len(items) + sum(len(item.gold) for item in items)), abs=1e-6
    )
    assert measured(found, "too_few_prediction_rec") == 0.0


def test_a_bag_of_words_learns_the_code_book(dataset: Path) -> None:
    learnt, frequent = evaluate(dataset, ["baseline/learnt-utterance", "baseline/frequent-gold"])
    by_type = [{group.name: group.accuracy.value or 0.0 for group in one.groups["type"]} for one in (learnt, frequent)]
    assert by_type[0]["coarse_intention_rec"] > by_type[1]["coarse_intention_rec"] + 0.2


def test_conditions_show_less_and_less() -> None:
    lines = [ContextLine("SEEKER", text) for text in ("first", "second", "third")]
    context = RectomContext(lines, 2)
    seen = {name: [line.text for line in lines if line.text in context.text(name)] for name in SUITE.conditions}
    assert seen == {
        "context": ["first", "second", "third"],
        "code-book": ["first", "second", "third"],
        "no-look-ahead": ["first", "second"],
        "asked-utterance": ["second"],
        "last-line": ["third"],
        "none": [],
    }


def test_the_code_book_defines_each_label(dataset: Path) -> None:
    told = {}
    for item in SUITE.items(dataset):
        assert item.context is not None
        told[item.groups["type"]] = [one for one in item.options if f'- "{one}": ' in item.context.text("code-book")]
        if item.groups["type"] in {"fine_intention_rec", "coarse_intention_seeker", "prediction_rec"}:
            assert told[item.groups["type"]] == list(item.options)
    assert told["belief"] == told["desire"] == told["judgement_rec"] == []


def test_labels_are_ranked_by_the_probability_of_yes(dataset: Path) -> None:
    def sure(request: Request) -> Served:
        return weighed({"Y": 0.9, "N": 0.1}, text="Y")

    with Loopback(sure) as server:
        (found,) = evaluate(dataset, "vllm/sure", base_url=server.base_url, mode="each", limit=1)
    ranking = found.measure("ranking_prediction_rec")
    assert ranking is not None
    assert ranking.estimate.value == 0.5
    forecasts = [(0.9, True), (0.4, True), (0.4, False), (0.1, False)]
    assert area_under_curve(forecasts) == 3.5 / 4


# -- tables and other tools ------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("undrawn")
def test_the_papers_tables_stand_beside_ours(dataset: Path) -> None:
    evaluate(dataset, ["baseline/frequent-gold"])
    written = make_report(dataset, audit=False)
    page = written.page.read_text(encoding="utf-8")
    for text in ("Table 4", "Table 5", "64.32", "96.84", "reported", "Prediction bias", "97.23"):
        assert text in page
    assert (written.page.parent / "rectom-table-4.md").exists()


@pytest.mark.parametrize("to", FORMATS)
def test_it_is_exported(dataset: Path, to: ExportFormat) -> None:
    assert any(export_dataset(dataset, to).path.iterdir())


# -- the published reading -------------------------------------------------------------------------------------------


def item_of(kind: str, options: int, select: Select = "any") -> PresentedItem:
    """An item of so many options."""
    texts = tuple(f"text {number}" for number in range(options))
    return PresentedItem(Item("i", "c", "q", texts, frozenset({0}), select, groups={"type": kind}))


@pytest.mark.parametrize(
    ("reply", "kind", "style", "letters"),
    [
        ("BC", "coarse_intention_rec", "zero-shot", "BC"),
        ("B, C", "coarse_intention_rec", "zero-shot", "BC"),
        ("none", "coarse_intention_rec", "zero-shot", "neno"),
        ("The answer is B, C", "coarse_intention_rec", "cot", "B"),
        ("The answer is ABE", "coarse_intention_rec", "cot", "ABE"),
        ("the answer is clearly F", "fine_intention_rec", "cot", "C"),
        ("The answer is KL", "fine_intention_seeker", "cot", None),
        ("The answer is G", "belief", "cot", None),
        ("I can't say", "belief", "cot", None),
    ],
)
def test_the_published_reading_has_its_faults(reply: str, kind: str, style: str, letters: str | None) -> None:
    found = published_reading(reply, item_of(kind, 16), "cot" if style == "cot" else "zero-shot")
    assert found == (None if letters is None else frozenset(letters))
