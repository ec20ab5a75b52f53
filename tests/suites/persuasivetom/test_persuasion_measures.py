"""The analyses of the paper on a sheet of answers made by hand: 20 dialogues of which every figure can be counted."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest
from persuasion_files import PRINCIPLE_TEXTS, persuasion_files, write_files

from dtomtrack.evaluation.metrics import score_answers
from dtomtrack.evaluation.records import Answer, AskConfig, Measure
from dtomtrack.items.item import Item
from dtomtrack.items.letters import letter_of
from dtomtrack.library import evaluate, make_report
from dtomtrack.suites.persuasivetom.measures import expected_consistency, measures
from dtomtrack.suites.persuasivetom.polarity import polarity_of
from dtomtrack.suites.persuasivetom.principles import PRINCIPLES, principle_of
from dtomtrack.suites.published.importing import import_published

DESIRES = ("Yes", "No", "Neutral")
TONES = ("eager", "calm", "worried", "grateful")
POLARITIES = ("positive", "neutral", "negative", "positive")


def desire(
    dialogue: int, turn: int, gold: str, before: str = "none", after: str = "none", stage: str = "first"
) -> Item:
    return Item(
        id=f"desire_ee {dialogue}-{turn}",
        cluster=str(dialogue),
        question="Is Ben likely to come?",
        options=DESIRES,
        gold=frozenset((DESIRES.index(gold),)),
        groups={"type": "desire_ee", "stage": stage, "before": before, "after": after, "label": gold},
        roles=DESIRES,
        turn=turn,
    )


def belief(dialogue: int, gold: int) -> Item:
    groups = {"type": "belief_ee"}
    return Item(f"belief {dialogue}", str(dialogue), "?", TONES, frozenset((gold,)), groups=groups, roles=POLARITIES)


def intention(dialogue: int, gold: int) -> Item:
    roles = tuple(PRINCIPLES)
    groups = {"type": "intention_er"}
    return Item(
        f"intend {dialogue}", str(dialogue), "?", PRINCIPLE_TEXTS, frozenset((gold,)), groups=groups, roles=roles
    )


def found(given: Sequence[tuple[Item, int]]) -> dict[str, Measure]:
    answers = [
        Answer(
            question_id=item.id,
            dialogue_id=item.cluster,
            shown=letter_of(chosen),
            answer=letter_of(chosen),
            outcome="correct" if {chosen} == item.gold else "wrong",
        )
        for item, chosen in given
    ]
    scored = score_answers([item for item, _ in given], answers)
    return {one.name: one for one in measures(scored, AskConfig(subject="-", questions="-"))}


def sheet() -> list[tuple[Item, int]]:
    """In dialogues 0 to 9 both are right; in 10 to 14 the second is wrong with the label before, in 15 to 17 with the
    other one, in 18 and 19 the first is wrong with the label of the second."""
    given = []
    for number in range(20):
        first = desire(number, 0, "No", after="Neutral")
        second = desire(number, 2, "Neutral", before="No", stage="last")
        given.append((first, 2 if number >= 18 else 1))
        given.append((second, 1 if 10 <= number < 15 else 0 if 15 <= number < 18 else 2))
    return given


def test_consistency_beside_independent_errors() -> None:
    one = found(sheet())["consistency_desire_ee"]
    assert (one.count, one.items, one.estimate.value) == (10, 20, 0.5)
    assert one.reference is not None and one.reference.value == pytest.approx((30 / 40) ** 2)
    excess = one.parts["excess over independence"]
    low, high = (one.parts[f"excess over independence, {end}"] for end in ("low", "high"))
    assert excess == pytest.approx(0.5 - 0.5625)
    assert low is not None and high is not None and low < -0.0625 < high


def test_the_line_of_independent_errors_moves_with_the_answers() -> None:
    """Of independent errors, whole dialogues and accuracy to the power of n go together: the excess is known better.

    In 400 such sets of answers the excess had a standard deviation of .018; a share of 66 % in 100 dialogues has .047.
    """
    random = Random(3)
    excesses, widths = [], []
    for _ in range(20):
        answers = [
            (desire(number, 2 * place, "No", stage="last"), int(random.random() < 0.9))
            for number in range(100)
            for place in range(4)
        ]
        parts = found(answers)["consistency_desire_ee"].parts
        value, low, high = (parts[f"excess over independence{end}"] for end in ("", ", low", ", high"))
        assert value is not None and low is not None and high is not None
        excesses.append(value)
        widths.append((high - low) / 2)
    assert all(0.02 < width < 0.06 for width in widths)
    assert sum(abs(excess) > width for excess, width in zip(excesses, widths, strict=True)) <= 4


def test_errors_by_stage_beside_items_by_stage() -> None:
    measured = found(sheet())
    first, last = measured["errors_desire_ee_first"], measured["errors_desire_ee_last"]
    assert (first.count, first.items, last.count) == (2, 10, 8)
    assert [one.reference and one.reference.value for one in (first, last)] == [0.5, 0.5]
    assert (first.parts["error rate"], last.parts["error rate"]) == (0.1, 0.4)


def test_lags_and_anticipations() -> None:
    measured = found(sheet())
    lag, ahead = measured["lag_desire_ee"], measured["anticipation_desire_ee"]
    assert (lag.count, lag.items) == (5, 8)
    assert (ahead.count, ahead.items) == (2, 2)
    assert lag.reference is not None and lag.reference.value == 0.5


def test_what_is_chosen_where_something_is_right() -> None:
    measured = found(sheet())
    assert measured["chosen_desire_ee_No"].parts == {"Yes": 0.0, "No": 0.9, "Neutral": 0.1, "unparsed": 0.0}
    assert measured["chosen_desire_ee_Neutral"].parts == {"Yes": 0.15, "No": 0.25, "Neutral": 0.6, "unparsed": 0.0}


def test_polarity_of_wrong_beliefs() -> None:
    """Right is "eager"; of 12 wrong answers four are "grateful", six "worried" and two of neither side."""
    chosen = [0] * 8 + [3] * 4 + [2] * 6 + [1] * 2
    one = found([(belief(number, 0), place) for number, place in enumerate(chosen)])["polarity_belief_ee"]
    assert (one.count, one.items) == (4, 10)
    assert one.reference is not None and one.reference.value == 0.5
    assert one.parts["known polarity"] == pytest.approx(10 / 12, abs=1e-6)


def test_bias_of_wrong_intentions() -> None:
    """Of ten wrong answers to items of which "authority" is right, six choose "reciprocity"."""
    chosen = [3] * 10 + [0] * 6 + [1] * 4
    measured = found([(intention(number, 3), place) for number, place in enumerate(chosen)])
    bias = measured["bias_intention_er_reciprocity"]
    assert (bias.count, bias.items) == (6, 10)
    assert bias.reference is not None and bias.reference.value == pytest.approx(0.2)
    assert measured["bias_intention_er_scarcity"].count == 4
    assert measured["chosen_intention_er_authority"].parts["reciprocity"] == 0.3


def test_a_principle_that_is_right_is_no_wrong_answer() -> None:
    """Of 20 wrong answers ten are to items of which "reciprocity", which all others choose, is the right one."""
    others = [(intention(number, 0), 1) for number in range(10)]
    measured = found([*others, *((intention(number, 3), 0) for number in range(10, 20))])
    bias = measured["bias_intention_er_reciprocity"]
    assert (bias.count, bias.items, bias.estimate.value) == (10, 10, 1.0)
    assert bias.reference is not None and bias.reference.value == pytest.approx(0.2)


def test_expected_consistency_is_the_mean_of_accuracy_to_the_number_of_items() -> None:
    """The persuadee's desires, as many a dialogue as the specification counts, at GPT-4o's accuracy (Table 5)."""
    rounds = {4: 158, 5: 244, 6: 88, 7: 6, 8: 4, 2: 1, 3: 1}
    sizes = [size for size, count in rounds.items() for _ in range(count)]
    assert 100 * expected_consistency(0.6766, sizes) == pytest.approx(15.4, abs=0.1)


def test_words_have_a_polarity() -> None:
    assert [polarity_of(word) for word in ("Enthusiastic", "slightly worried", "thoughtful", "qwertz")] == [
        "positive",
        "negative",
        "neutral",
        None,
    ]
    assert polarity_of("not convinced") == "negative"
    assert polarity_of("not at all convinced") == "negative"
    assert polarity_of("not hostile and rather worried") == "negative"
    assert [polarity_of(text) for text in ("not hostile, but worried", "worried but not hostile")] == [None, None]


def test_principles_are_recognised() -> None:
    assert [principle_of(text) for text in PRINCIPLE_TEXTS] == list(PRINCIPLES)
    assert principle_of("Says hello") is None


def test_answers_to_both_wordings_turn(tmp_path: Path) -> None:
    source = write_files(tmp_path / "clone", persuasion_files())
    import_published("persuasivetom", source, tmp_path / "data", "both-wordings")
    (metrics,) = evaluate(tmp_path / "data", "baseline/first-letter")
    one = metrics.measure("negation")
    assert one is not None and (one.count, one.items) == (0, 24)


@pytest.mark.usefixtures("undrawn")
def test_the_page_has_the_tables_of_the_paper(tmp_path: Path) -> None:
    import_published("persuasivetom", write_files(tmp_path / "clone", persuasion_files()), tmp_path / "data")
    evaluate(tmp_path / "data", ["baseline/no-then-yes", "baseline/random"])
    report = make_report(tmp_path / "data", audit=False)
    page = report.page.read_text(encoding="utf-8")
    assert "Table 5 of the paper" in page and "Table 6 of the paper" in page
    table = (tmp_path / "data" / "report" / "table-5-accuracy.md").read_text(encoding="utf-8").splitlines()
    rows = {line.split("|")[1].strip(): line for line in table if line.startswith("|")}
    assert rows["GPT-4o (reported)"].count("|") == 10 and "95.6 (sd 4.5)" in rows["GPT-4o (reported)"]
    assert "100.0" in rows["Human (reported)"] and "reported" not in rows["baseline/random"]
    assert rows["Random guess"].split("|")[4].strip() == "16.7"
    assert "independent errors" in (tmp_path / "data" / "report" / "table-6-consistency.md").read_text(encoding="utf-8")
