"""Shortcuts that are planted are found, and nothing is found where there is none."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from planted_benchmark import MAP, Record, random_benchmark

from dtomtrack import agenerate, audit_benchmark
from dtomtrack.audit import Audit
from dtomtrack.errors import InputError


def accuracy(found: Audit, rule: str, group: str = "all") -> float:
    value = next(row.accuracy.value for row in found.rows if (row.rule, row.group) == (rule, group))
    assert value is not None
    return value


def planted(change: Callable[[Record, Random], object], items: int = 200, *, by_group: bool = False) -> Audit:
    """The audit of a random benchmark in which each item is changed."""
    records = random_benchmark(items)
    random = Random(1)
    for record in records:
        change(record, random)
    return audit_benchmark(records, MAP, by_group=by_group)


def gold_of(record: Record) -> int:
    assert isinstance(record["gold"], int)
    return record["gold"]


def options_of(record: Record) -> list[str]:
    assert isinstance(record["options"], list)
    return record["options"]


@pytest.mark.parametrize("options", [2, 7])
def test_random_data_pass_the_gate_whatever_the_threshold(options: int) -> None:
    found = audit_benchmark(random_benchmark(400, options=options, seed=options), MAP)
    assert found.failures() == found.failures(threshold=0.05) == ()
    assert {row.chance for row in found.rows} == {round(1 / options, 6)}
    assert {row.group for row in found.rows} == {"all", "calm", "stormy"}
    assert abs(accuracy(found, "option text, classifier") - 1 / options) < 0.07


def test_not_in_the_question_gives_the_answer_away() -> None:
    """PersuasiveToM's judge_qa: with "not" it is No, without it is Yes, whatever the order of the options."""

    def change(record: Record, random: Random) -> None:
        negated = random.random() < 0.5
        record["options"] = random.sample(["Yes", "No"], 2)
        record["gold"] = "No" if negated else "Yes"
        record["question"] = f"{record['question']} Is that {'not ' if negated else ''}so?"

    found = planted(change)
    assert accuracy(found, "keyword in the question") == 1.0
    assert found.rows[0].rule == "keyword in the question"
    assert found.rows[0].learnt in {"'not': 'no', without: 'yes'", "'not': 'yes', without: 'no'"}
    assert any(failure.startswith("keyword in the question: 100.0%") for failure in found.failures())
    assert accuracy(found, "question and option, classifier") > 0.9


def test_of_a_single_dialogue_nothing_is_sure() -> None:
    """Its items may all be alike: as if they were independent, 67 % of 120 failed."""
    records = [
        {**one, "talk": "one", "gold": 0 if number % 3 else 1} for number, one in enumerate(random_benchmark(120))
    ]
    found = audit_benchmark(records, MAP)
    assert {(row.accuracy.low, row.accuracy.high, row.p_value) for row in found.rows} == {(None, None, 1.0)}
    assert found.failures() == found.failures(threshold=0.1) == ()
    assert any(note.startswith("all items are of a single cluster: there is no interval") for note in found.notes)
    for one in records[1::2]:
        one["talk"] = one["id"]
    found = audit_benchmark(records, MAP)
    assert [note for note in found.notes if note.startswith("the items of calm are of a single cluster")]
    assert {row.group for row in found.rows if row.accuracy.low is None} == {"calm"}


@pytest.mark.parametrize(
    ("question", "negation"),
    [
        ("小明用提供帮助的办法劝小红参加第{}组活动会{}有效果吗?", "没"),
        ("このやり方は第{}班で{}効果がありますか?", "本当に"),
        ("วิธีนี้ใช้กับกลุ่มที่{}แล้ว{}ได้ผลหรือ", "ไม่"),
    ],
)
def test_a_word_gives_the_answer_away_where_no_spaces_are_written(question: str, negation: str) -> None:
    def change(record: Record, random: Random) -> None:
        negated = random.random() < 0.5
        record["question"] = question.format(random.randrange(40), negation if negated else "")
        record["options"] = random.sample(["はい", "いいえ"], 2)
        record["gold"] = "いいえ" if negated else "はい"

    found = planted(change)
    assert accuracy(found, "keyword in the question") == 1.0
    assert any(failure.startswith("keyword in the question: 100.0%") for failure in found.failures())


def test_a_final_full_stop_gives_the_answer_away() -> None:
    """PersuasiveToM's intent_ee: 83 %."""

    def change(record: Record, random: Random) -> None:
        if random.random() < 0.83:
            options_of(record)[gold_of(record)] += "."

    found = planted(change)
    assert 0.8 < accuracy(found, "ends with a full stop") < 0.95
    assert accuracy(found, "ends without a full stop") < 0.1
    assert any(failure.startswith("ends with a full stop") for failure in found.failures())


def test_the_turn_gives_the_answer_away() -> None:
    """PersuasiveToM's desire_ee: what is right depends on how late it is."""

    def change(record: Record, random: Random) -> None:
        turn = random.randrange(1, 9)
        record["turn"] = turn
        record["options"] = random.sample(["wants it", "does not want it", "does not care"], 3)
        usual = ("does not want it", "does not care", "wants it")[turn // 3]
        record["gold"] = usual if random.random() < 0.6 else random.choice(options_of(record))

    records = random_benchmark(300)
    random = Random(1)
    for record in records:
        record["question"] = "What about it?"
        change(record, random)
    by_field = audit_benchmark(records, f"{MAP},turn=turn", by_group=False)
    assert accuracy(by_field, "turn asked about") > 0.6
    for record in records:
        record["question"] = f"What about it at turn {record['turn']}?"
    by_text = audit_benchmark(records, MAP, by_group=False)
    assert accuracy(by_text, "turn asked about") == accuracy(by_field, "turn asked about")
    assert any(failure.startswith("turn asked about") for failure in by_text.failures())


def test_a_turn_that_is_gold_most_often_is_found() -> None:
    def change(record: Record, random: Random) -> None:
        turns = random.sample([2, 4, 6, 8, 9], 4)
        record["options"] = [f"At turn {turn}" for turn in turns]
        record["gold"] = turns.index(6) if 6 in turns and random.random() < 0.5 else random.randrange(4)

    found = planted(change)
    assert accuracy(found, "turn number in the option") > 0.45


def test_the_turn_of_the_question_as_the_answer_is_found() -> None:
    def change(record: Record, random: Random) -> None:
        turns = random.sample(range(1, 40), 4)
        record["options"] = [f"At turn {turn}" for turn in turns]
        record["question"] = f"When did it change, if it was said before turn {turns[gold_of(record)] + 2}?"

    found = planted(change)
    assert accuracy(found, "turn asked about") > 0.95


def test_always_b() -> None:
    """ToMBench: 34 % of four options."""

    def change(record: Record, random: Random) -> None:
        record["gold"] = 1 if random.random() < 0.2 else random.randrange(4)

    found = planted(change, items=600)
    assert 0.33 < accuracy(found, "always B") < 0.45
    assert any(failure.startswith("always B") for failure in found.failures())
    assert found.failures(threshold=0.5) == ()


def test_always_no() -> None:
    """RecToM's judgements: 68 %."""

    def change(record: Record, random: Random) -> None:
        record["options"] = random.sample(["yes", "no"], 2)
        record["gold"] = "no" if random.random() < 0.68 else "yes"

    found = planted(change)
    row = next(row for row in found.rows if row.rule == "most frequent gold text" and row.group == "all")
    assert row.learnt == "most often 'no'"
    assert 0.62 < accuracy(found, "most frequent gold text") < 0.74
    assert row.chance == 0.5


def test_a_word_of_the_option_gives_it_away() -> None:
    def change(record: Record, random: Random) -> None:
        options = options_of(record)
        for place in range(len(options)):
            if place != gold_of(record) and random.random() < 0.8:
                options[place] += " never"

    found = planted(change)
    assert accuracy(found, "keyword in the option") > 0.6
    assert accuracy(found, "option text, classifier") > 0.6
    row = next(row for row in found.rows if row.rule == "keyword in the option" and row.group == "all")
    assert row.learnt == "without 'never'"


def test_length_capitals_and_punctuation() -> None:
    def change(record: Record, random: Random) -> None:
        options_of(record)[gold_of(record)] = (
            "So, then, it was what everybody had, all in all, been waiting for: a pause"
        )

    found = planted(change)
    for rule in ("longest option", "most punctuation", "begins with a capital"):
        assert accuracy(found, rule) == 1.0
    for rule in ("shortest option", "least punctuation", "begins without a capital"):
        assert accuracy(found, rule) < 0.25


def test_words_of_the_question_and_of_the_other_options() -> None:
    def change(record: Record, random: Random) -> None:
        question = str(record["question"]).removesuffix("?").split()
        record["options"] = [f"{option} else" for option in options_of(record)]
        options_of(record)[gold_of(record)] = " ".join(question[-3:])

    found = planted(change)
    assert accuracy(found, "most words of the question") > 0.9
    assert accuracy(found, "fewest words of the other options") > 0.9


def test_which_option_belongs_to_which_question_is_learnt() -> None:
    """No word of the question and no word of the options tells anything alone."""

    def change(record: Record, random: Random) -> None:
        asked = random.choice(["harbour", "orchard", "chapel", "market"])
        answers = {"harbour": "boats", "orchard": "apples", "chapel": "candles", "market": "stalls"}
        record["question"] = f"What was seen at the {asked}?"
        record["options"] = random.sample(list(answers.values()), 4)
        record["gold"] = answers[asked]

    found = planted(change)
    assert accuracy(found, "question and option, classifier") > 0.95
    assert accuracy(found, "option text, classifier") < 0.35


def test_a_group_gives_its_letter_away() -> None:
    def change(record: Record, random: Random) -> None:
        record["gold"] = 0 if record["kind"] == "calm" else 3

    found = planted(change, by_group=True)
    assert accuracy(found, "letter of the group") == 1.0
    assert accuracy(found, "always A", "calm") == 1.0
    assert accuracy(found, "always A") == 0.5


def test_overlap_with_the_context_is_told_apart() -> None:
    def change(record: Record, random: Random) -> None:
        record["context"] = f"{record['context']} {options_of(record)[gold_of(record)]}"

    found = planted(change)
    rows = [row for row in found.rows if row.reads_context]
    assert {row.rule for row in rows} == {"overlap with the context"}
    assert accuracy(found, "overlap with the context") > 0.9
    assert found.failures() == ()


def test_what_is_the_same_for_all_options_is_worth_a_guess() -> None:
    found = planted(lambda record, random: None, items=40)
    assert accuracy(found, "ends with a full stop") == 0.25


def test_nothing_is_learnt_from_the_dialogue_that_is_asked_about() -> None:
    """Each dialogue has a gold text of its own; only a rule that peeks would know it."""

    def change(record: Record, random: Random) -> None:
        options_of(record)[gold_of(record)] = f"talkative{record['talk']}"

    found = planted(change)
    assert accuracy(found, "most frequent gold text") < 0.35
    assert accuracy(found, "keyword in the option") < 0.35


def test_intervals_are_wider_where_dialogues_are_alike() -> None:
    def change(record: Record, random: Random) -> None:
        record["gold"] = Random(f"{record['talk']}").randrange(4)

    def width(found: Audit) -> float:
        row = next(row for row in found.rows if (row.rule, row.group) == ("always A", "all"))
        assert row.accuracy.low is not None
        assert row.accuracy.high is not None
        return row.accuracy.high - row.accuracy.low

    assert width(planted(change, 150)) > 2 * width(planted(lambda record, random: None, 150))


def test_small_groups_fail_by_no_luck() -> None:
    def change(record: Record, random: Random) -> None:
        record["kind"] = f"kind {random.randrange(5)}"

    found = planted(change, items=600, by_group=True)
    assert len({row.group for row in found.rows}) == 6
    assert found.failures() == ()


def test_the_same_seed_gives_the_same_audit() -> None:
    records = random_benchmark(60)
    first, again, other = (audit_benchmark(records, MAP, seed=seed) for seed in (0, 0, 1))
    assert first == again
    assert first != other


def test_overall_only() -> None:
    assert {row.group for row in audit_benchmark(random_benchmark(20), MAP, by_group=False).rows} == {"all"}


@pytest.mark.parametrize("items", [1, 2, 3, 7])
def test_a_handful_of_items(items: int) -> None:
    found = audit_benchmark(random_benchmark(items), MAP)
    assert found.items == items
    assert found.failures() == ()


def test_a_table_for_pandas() -> None:
    found = audit_benchmark(random_benchmark(60), MAP)
    frame = found.to_frame()
    assert len(frame) == len(found.rows)
    assert {"rule", "group", "accuracy", "low", "high", "chance", "items"} <= set(frame.columns)


def test_our_own_datasets_pass_the_gate(tmp_path: Path) -> None:
    """Each domain by itself: benchmarks/dataset_quality.py."""
    asyncio.run(agenerate(["restaurant", "travel", "medical"], n=90, out=tmp_path / "out"))
    found = audit_benchmark(tmp_path / "out")
    assert found.failures() == ()
    assert found.clusters == 90
    assert len({row.group for row in found.rows}) == 7


def test_the_gate_looks_at_all_items_however_few() -> None:
    items = [
        {"id": number, "question": f"What is thing {number}?", "options": [f"a{number}", f"b{number}"], "gold": "A"}
        for number in range(60)
    ]
    failures = audit_benchmark(items, "question=question,options=options,gold=gold,id=id").failures()
    assert any("always A" in failure for failure in failures)


@pytest.mark.parametrize("seed", [-1, 2**32])
def test_a_seed_that_is_none_is_refused(seed: int) -> None:
    with pytest.raises(InputError, match="it has to be from 0 to 4,294,967,295"):
        audit_benchmark([], seed=seed)
