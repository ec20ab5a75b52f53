"""Items of which several options may be right: rules choose sets, and the gate knows what a constant set gets."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest
from planted_benchmark import Record, random_benchmark

from dtomtrack import audit_benchmark
from dtomtrack.audit import Audit, AuditRow
from dtomtrack.audit.audit_item import expected_overlap

LABELS = ("ask for more", "give a reason", "agree at once", "turn it down", "say nothing of it")
MAP = "question=question,options=options,gold=gold,context=context,group=kind,cluster=talk,id=id"
FREQUENT = [(0,), (1,), (2,), (0, 1), (1, 3), (2, 4), (3,), (0, 2, 4)]


def label_sets(items: int = 400, seed: int = 0) -> list[Record]:
    """The same labels for every item, as code books have them; one of eight sets is right."""
    random = Random(seed)
    records = random_benchmark(items)
    for record in records:
        record["options"] = list(LABELS)
        record["gold"] = list(random.choice(FREQUENT))
    return records


def row(found: Audit, rule: str, group: str = "all") -> AuditRow:
    return next(one for one in found.rows if (one.rule, one.group) == (rule, group))


def value(found: Audit, rule: str, group: str = "all") -> float:
    accuracy = row(found, rule, group).accuracy.value
    assert accuracy is not None
    return accuracy


def test_random_label_sets_pass_the_gate() -> None:
    found = audit_benchmark(label_sets(), MAP)
    assert found.failures() == ()
    always = row(found, "always A")
    assert always.chance == round(1 / 31, 6)
    assert always.best_constant is not None
    assert 0.1 < always.best_constant < 0.2
    parts = [row(found, "always A", kind).expected for kind in ("calm", "stormy")]
    assert always.expected == pytest.approx(sum(parts) / 2, abs=1e-6)
    assert always.accuracy.value is not None
    assert always.jaccard is not None
    assert always.jaccard > always.accuracy.value


def test_a_set_that_is_mostly_right_is_found_and_fails_beyond_one_half() -> None:
    random = Random(1)
    records = label_sets()
    for record in records:
        if random.random() < 0.7:
            record["gold"] = [1, 3]
    found = audit_benchmark(records, MAP, by_group=False)
    assert row(found, "most frequent gold text").learnt == "most often 'give a reason + turn it down'"
    assert row(found, "always the same set").learnt == "most often 'B + D'"
    for rule in ("most frequent gold text", "always the same set", "option text, classifier"):
        assert value(found, rule) > 0.65
    assert row(found, "always B").expected == 0.5
    assert any(failure.startswith("always the same set") for failure in found.failures())


def test_what_is_expected_of_types_is_expected_of_them_together() -> None:
    """Half of each type has one set, another in each: no type fails, and neither do both."""
    random = Random(2)
    records = label_sets(500)
    for record in records:
        calm = record["kind"] == "calm"
        record["options"] = [f"{option}, {record['kind']}" for option in LABELS]
        if random.random() < 0.4:
            record["gold"] = [0] if calm else [1]
    found = audit_benchmark(records, MAP)
    of_types = [row(found, "always the same set", kind).expected for kind in ("calm", "stormy")]
    assert all(0.4 < expected < 0.55 for expected in of_types)
    assert row(found, "letter of the group").expected == pytest.approx(sum(of_types) / 2, abs=1e-6)
    assert value(found, "letter of the group") > row(found, "letter of the group").best_constant + 0.1  # type: ignore[operator]
    assert found.failures() == ()
    alone = audit_benchmark([{**one, "kind": "talk"} for one in records], MAP)
    assert any(failure.startswith("most frequent gold text") or "classifier" in failure for failure in alone.failures())


def test_one_set_of_four_is_no_shortcut() -> None:
    random = Random(1)
    records = label_sets()
    for record in records:
        if random.random() < 0.3:
            record["gold"] = [1, 3]
    found = audit_benchmark(records, MAP, by_group=False)
    assert 0.3 < value(found, "always the same set") < 0.5
    assert found.failures() == ()


def test_a_keyword_of_the_question_that_tells_the_set() -> None:
    records = label_sets()
    for number, record in enumerate(records):
        record["gold"] = [0, 1] if number % 3 else [2]
        record["question"] = f"{record['question']} {'Surely' if number % 3 else 'Then'}?"
    found = audit_benchmark(records, MAP, by_group=False)
    assert value(found, "keyword in the question") == 1.0
    assert value(found, "each option text, classifier") > 0.95
    assert any(failure.startswith("keyword in the question: 100.0%") for failure in found.failures())


def test_each_label_by_words_of_its_own() -> None:
    """No set is frequent and no one word tells it: three words of the question each tell one label."""
    random = Random(2)
    words = ("harbour", "orchard", "chapel", "market", "tavern")
    sets = [chosen for size in (1, 2, 3) for chosen in combinations(range(5), size)]
    records = label_sets()
    for record in records:
        right = random.choice(sets)
        record["gold"] = list(right)
        record["question"] = f"Seen: {' '.join(random.sample([words[one] for one in right], len(right)))}?"
    found = audit_benchmark(records, MAP, by_group=False)
    assert value(found, "each option text, classifier") > 0.9
    assert value(found, "keyword in the question") < 0.4
    assert value(found, "most frequent gold text") < 0.2


def test_a_keyword_of_the_options_and_their_look() -> None:
    random = Random(3)
    records = random_benchmark(300)
    for record in records:
        options = record["options"]
        assert isinstance(options, list)
        right = sorted(random.sample(range(4), random.choice([1, 2, 3])))
        for position in right:
            options[position] = f"{options[position]} indeed."
        record["gold"] = right
    found = audit_benchmark(records, MAP, by_group=False)
    for rule in ("keyword in the option", "ends with a full stop", "option text, classifier"):
        assert value(found, rule) > 0.9, rule
    assert row(found, "ends with a full stop").jaccard == 1.0
    assert value(found, "longest option") < 0.6


def test_the_turn_that_tells_the_set() -> None:
    records = label_sets()
    for number, record in enumerate(records):
        record["question"] = "What is meant?"
        record["turn"] = number % 4
        record["gold"] = [[0], [0, 1], [2, 3], [4]][number % 4]
    assert value(audit_benchmark(records, f"{MAP},turn=turn", by_group=False), "turn asked about") == 1.0


def test_items_of_both_kinds_side_by_side() -> None:
    """Of judgements one answer is right, of strategies several may be; each has its own chance."""
    random = Random(4)
    records = label_sets(400)
    for record in records:
        if record["kind"] == "calm":
            record["options"] = ["yes", "no"]
            record["gold"] = [1] if random.random() < 0.7 else [0]
    found = audit_benchmark(records, MAP)
    assert found.selects == "any where the type is stormy"
    assert row(found, "always A", "calm").chance == 0.5
    assert row(found, "always A", "calm").jaccard is None
    assert row(found, "always A", "stormy").chance == round(1 / 31, 6)
    failures = found.failures()
    assert any("most frequent gold text: " in one and "on calm" in one for one in failures)
    assert not any("on stormy" in one for one in failures)


def test_a_rule_just_above_what_is_allowed_does_not_fail() -> None:
    """Measured on one of eleven datasets: 33.7 %, with an interval from 30."""
    random = Random(5)
    records = random_benchmark(900)
    for record in records:
        record["gold"] = 1 if random.random() < 0.115 else random.randrange(4)
    found = audit_benchmark(records, MAP, by_group=False)
    always = row(found, "always B").accuracy
    assert always.value is not None
    assert always.low is not None
    assert always.value > 0.32 > always.low
    assert found.failures() == ()
    assert any(failure.startswith("always B") for failure in found.failures(threshold=always.low - 0.01))


@pytest.mark.parametrize(("options", "right"), [(2, 1), (4, 2), (5, 5)])
def test_the_overlap_that_guessing_gets(options: int, right: int) -> None:
    gold = set(range(right))
    sets = [set(one) for size in range(1, options + 1) for one in combinations(range(options), size)]
    mean = sum(len(gold & one) / len(gold | one) for one in sets) / len(sets)
    assert expected_overlap(options, right) == pytest.approx(mean)
