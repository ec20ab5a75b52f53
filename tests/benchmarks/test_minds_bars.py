"""The command that measures minds that come apart: each figure on dialogues of which it is known."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from minds_bars import Dataset, bar, lag_groups, lag_row, opened, rows_of
from minds_dialogues import Heard, changes_and_markers, first_voices, label_frames, resisted
from minds_openings import openings_of
from minds_prose import recurring, repeated
from minds_questions import Asked, excess_by_chance, most_excess

from dtomtrack.api import generate
from dtomtrack.audit import audit_items
from dtomtrack.beliefs.dialogue import BeliefRecord, Dialogue, Turn
from dtomtrack.beliefs.divergence import Way
from dtomtrack.beliefs.reading import Act, Reading
from dtomtrack.items.item import Item
from dtomtrack.scenarios.pack_files import find_pack, load_pack
from dtomtrack.suites.dtom.slot_result import SlotResult

Slots = dict[str, list[SlotResult]]
BUILTIN = ("family", "medical", "restaurant", "team", "travel")


@pytest.fixture
def dialogue(slots: Slots) -> Dialogue:
    found = slots["restaurant"][0].dialogue
    assert found is not None
    return found


def saying(dialogue: Dialogue, *utterances: str) -> Dialogue:
    turns = tuple(
        Turn(index=index, speaker=dialogue.scenario.names[index % 2], inner_speech=(), utterance=text)
        for index, text in enumerate(utterances)
    )
    return dialogue.model_copy(update={"turns": turns, "beliefs": ()})


def reading(dialogue: Dialogue, turn: int, act: Act, content: str) -> Reading:
    topic = dialogue.scenario.topics[0]
    return Reading(turn, dialogue.scenario.names[turn % 2], act, topic.holder, topic.id, content)


def heard(dialogue: Dialogue, readings: Sequence[Reading] = (), held: Sequence[tuple[int, str]] = ()) -> Heard:
    """A dialogue with these records of what the holder of its first topic holds."""
    topic = dialogue.scenario.topics[0]
    records = tuple(
        BeliefRecord(
            holder=topic.holder,
            about=None,
            order=1,
            mental_state=topic.mental_state,
            topic=topic.id,
            content=content,
            source_turn=turn,
        )
        for turn, content in held
    )
    return Heard(dialogue.model_copy(update={"beliefs": records}), readings)


def test_changes_and_markers_are_counted_from_records_and_words(dialogue: Dialogue) -> None:
    said = saying(dialogue, "Hello.", "Tea.", "Actually, coffee.", "Actually, still tea.", "Milk it is.", "Bye.")
    counts = changes_and_markers([heard(said, held=[(1, "tea"), (2, "coffee"), (4, "milk")])])
    assert counts == {"changes": 2, "unmarked changes": 1, "marked turns": 2, "decoys": 1}


def test_a_reason_is_resisted_if_nothing_changes_until_the_next(dialogue: Dialogue) -> None:
    said = saying(dialogue, *"abcdefgh")
    reasons = [reading(dialogue, turn, Act.ARGUE, "milk") for turn in (1, 3, 5)]
    assert resisted([heard(said, reasons, [(0, "tea"), (4, "milk")])]) == (2, 3)


def test_first_voices_are_told_by_what_brings_them_about(dialogue: Dialogue) -> None:
    topic = load_pack(find_pack("restaurant")).topic(dialogue.scenario.topics[0].id)
    voice = reading(dialogue, 2, Act.STATE, "tea")
    for question, quizzes, cold in ((topic.ask[0], 1, 0), ("How are you?", 0, 1)):
        said = saying(dialogue, "Hello.", f"Well. {question.format(x='tea', y='milk')}", "Tea.", "Bye.")
        counts = first_voices([heard(said, [voice])])
        assert (counts["quizzes"], counts["cold dialogues"]) == (quizzes, cold)
    for leading in (*topic.approach, *topic.lead):
        led = heard(saying(dialogue, "Hello.", "Well.", f"Fine. {leading} Tea.", "Bye."), [voice])
        assert first_voices([led])["cold dialogues"] == 0


def test_turns_that_name_a_topic_as_they_could_name_any_are_counted(dialogue: Dialogue) -> None:
    topic = load_pack(find_pack("restaurant")).topic(dialogue.scenario.topics[0].id)
    for line, framed in ((f"While there's a gap, {topic.called()}.", 1), (topic.approach[0], 0), (topic.lead[0], 0)):
        said = saying(dialogue, "Hello.", "Well.", f"Fine. {line} Tea.", "Bye.")
        assert label_frames([heard(said)]) == (framed, 2)


@pytest.mark.parametrize("name", BUILTIN)
def test_whatever_leads_to_any_topic_is_a_frame(name: str) -> None:
    pack, openings = load_pack(find_pack(name)), openings_of(name)
    lines, two = pack.lines, pack.lines.talk.between_two
    generic = (*lines.lead, *two.lead, *lines.bring_up, *lines.back_to, *lines.turned_over, *pack.reactions.shift)
    assert len(generic) > 300
    for topic in pack.topics:
        for number, line in enumerate(generic):
            said = line.replace("{label}", topic.called(number))
            assert openings.framed(topic.id, f"Fine. {said} Tea."), said


@pytest.mark.parametrize("name", BUILTIN)
def test_what_leads_to_one_topic_alone_is_no_frame(name: str) -> None:
    pack, openings = load_pack(find_pack(name)), openings_of(name)
    for topic in pack.topics:
        for line in (*topic.lead, *topic.approach, *topic.wonder, *topic.values[0].say):
            assert openings.led_in(topic.id, line) or line not in {*topic.lead, *topic.approach}
            assert not any(openings.framed(other.id, line) for other in pack.topics), line


def test_what_rules_get_by_chance_is_measured_with_golds_that_nothing_tells() -> None:
    items = [
        Item(f"{at}", f"dialogue {at}", f"What is number {at}?", ("tea", "rice", "soup", "bread"), frozenset({0}))
        for at in range(400)
    ]
    name, told, _ = most_excess(audit_items(items, "told", classified=400), 100)
    assert told == pytest.approx(0.75), name
    drawn = [excess_by_chance(items, 100, seed) for seed in range(3)]
    assert all(0 < excess < 0.15 for _, excess, _ in drawn)
    assert drawn[0] == excess_by_chance(items, 100, 0) != drawn[1]


def test_lines_that_come_back_are_counted(dialogue: Dialogue) -> None:
    first = saying(
        dialogue, "It rains here every day. Well.", "It rains here every day! Well.", "Not in the month of May."
    )
    second = saying(dialogue, "It rains here every day.", "Then come to our warm house.")
    assert repeated([first, second]) == (1, 5, 1)
    assert recurring([first, second]) == pytest.approx(3 / 5)


@pytest.mark.parametrize(
    ("value", "low", "high", "kept"),
    [(5.0, None, None, True), (None, None, 5, False), (5.0, None, 5, True), (5.1, None, 5, False), (7.0, 8, 20, False)],
)
def test_a_row_keeps_to_its_bar(value: float | None, low: float | None, high: float | None, *, kept: bool) -> None:
    assert bar("a figure", value, low, high).kept is kept


@pytest.fixture(scope="module")
def apart(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    folder = tmp_path_factory.mktemp("apart") / "made"
    generate("team", n=6, out=folder, difficulty="group")
    return opened(folder)


def remarked(asked: Asked, mark: str) -> Asked:
    """The questions, all of those about pictures marked alike."""
    return Asked([replace(one, groups={**one.groups, "differs": mark}) for one in asked.items])


def test_marks_are_held_against_what_is_so(apart: Dataset) -> None:
    right, of = apart.asked.marked()
    assert right == of > 0
    differing, _ = apart.asked.differing(of_what_is_so=True)
    assert 0 < differing < of
    assert remarked(apart.asked, "apart").marked() == (differing, of)
    assert remarked(apart.asked, "control").marked() == (of - differing, of)


def test_questions_that_ask_what_is_so_are_counted_where_that_is_said(apart: Dataset) -> None:
    differing, of = apart.asked.differing()
    with_all, of_all = apart.asked.differing(of_what_is_so=True)
    actual = [one for one in apart.asked.about("false_belief").items if one.groups["asks"] == "actual"]
    assert actual
    assert of_all == of + len(actual)
    assert with_all == differing


def test_ways_have_a_share_of_what_is_planned_and_one_of_the_questions(apart: Dataset) -> None:
    rows = {row.what: row for row in rows_of(apart, ["spread"])}
    questions = [float(row.value.split()[0]) for what, row in rows.items() if what.startswith("questions apart by")]
    assert sum(questions) == pytest.approx(100, abs=0.5)
    assert len(questions) == sum(what.startswith("apart by") for what in rows) == len(Way)
    assert rows["lag to the turn asked about, the same"].value != rows["lag to the end, largest group / smallest"].value


def test_types_too_small_to_tell_are_named(apart: Dataset) -> None:
    (row,) = [row for row in rows_of(apart, ["blind"]) if row.what.startswith("types of under 100 items")]
    by_type = apart.asked.counts("type")
    assert row.value.split(", ") == [f"{kind} ({items})" for kind, items in by_type.items()]


@pytest.mark.parametrize(
    ("turns", "groups"), [(10, 4), (18, 6), (20, 5), (24, 6), (25, 5), (60, 6), (120, 6), (300, 6)]
)
def test_lags_fill_as_many_groups_as_their_dialogues_are_long(turns: int, groups: int) -> None:
    even = Counter({f"{group}-{group + 1}": 10 for group in range(groups)})
    assert lag_groups(turns) == groups
    assert lag_row(even, turns).kept
    even.popitem()
    assert lag_row(even, turns).kept is (turns == 10)


def test_rows_are_printed_alone(apart: Dataset) -> None:
    assert [row.what for row in rows_of(apart, ["recurring"])] == ["sentences that recur in other dialogues"]
    assert [row.what for row in rows_of(apart, ["markers"])] == ["marker rule, update_detection"]


def test_a_dataset_has_every_row(tmp_path: Path) -> None:
    generate("restaurant", n=6, out=tmp_path / "made")
    rows = {row.what: row for row in rows_of(opened(tmp_path / "made"))}
    assert rows["oracle"].value == "100.00 %"
    assert rows["overhearer agrees with gold"].kept
    assert rows["of pictures marked apart or control as they are"].kept
    assert rows["baseline/actual on those apart"].value
    assert {
        "best-rule, all types",
        "lag to the end, largest group / smallest",
        "turns with a label frame",
    } <= rows.keys()
