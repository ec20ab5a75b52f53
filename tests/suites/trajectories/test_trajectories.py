"""Annotated conversations become questions about before, after and when; right answers are those of the annotation."""

from __future__ import annotations

import json
import re
from collections import Counter
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from persuasion_files import persuasion_files, write_files

from dtomtrack.beliefs.dialogue import InnerSpeech
from dtomtrack.beliefs.inner_speech import thought
from dtomtrack.beliefs.scenario import MentalState
from dtomtrack.beliefs.tracker import BeliefTracker, StateKey
from dtomtrack.errors import InputError
from dtomtrack.library import evaluate
from dtomtrack.runs.lines import read_lines
from dtomtrack.suites.items.records import ItemLine
from dtomtrack.suites.persuasivetom.trajectories import persuasive_trajectories
from dtomtrack.suites.trajectories.importing import import_trajectories
from dtomtrack.suites.trajectories.persuasiontrace import read_persuasiontrace
from dtomtrack.suites.trajectories.suite import SUITE

VALUES = ["tea", "coffee", "water"]


def conversation(
    name: str = "one", drinks: tuple[str | None, ...] = ("tea", "tea", "coffee", "tea")
) -> dict[str, object]:
    """Eight turns of Ann and Ben; Ben's wish is annotated at turns 1, 3, 5 and 7, Ann's idea of it at turn 2."""
    return {
        "id": name,
        "turns": [{"speaker": "AnnBen"[turn % 2 * 3 :][:3], "utterance": f"turn {turn}"} for turn in range(8)],
        "states": [
            *(state(2 * place + 1, content) for place, content in enumerate(drinks)),
            {**state(2, "water"), "holder": "Ann", "about": "Ben"},
        ],
        "topics": [{"id": "drink", "label": "the drink", "values": VALUES}],
    }


def state(turn: int, content: str | None) -> dict[str, object]:
    return {"turn": turn, "holder": "Ben", "mental_state": "desire", "topic": "drink", "content": content}


def asked(folder: Path, *conversations: object, balance: bool = False) -> list[ItemLine]:
    folder.mkdir(exist_ok=True)
    file = folder / "talks.jsonl"
    file.write_text("".join(json.dumps(one) + "\n" for one in conversations), encoding="utf-8")
    import_trajectories(file, folder / "out", balance=balance)
    return list(read_lines(folder / "out" / "questions.jsonl", ItemLine))


def golds(lines: list[ItemLine], kind: str) -> list[str]:
    return [one.options[one.answer[0]] for one in lines if one.groups["type"] == kind]


def test_all_six_types_are_asked(tmp_path: Path) -> None:
    lines = asked(tmp_path, conversation())
    assert golds(lines, "pre_update") == ["tea", "coffee"]
    assert golds(lines, "post_update") == ["coffee", "tea"]
    assert golds(lines, "update_detection") == ["At turn 5", "At turn 7"]
    assert golds(lines, "temporal") == ["tea", "tea", "coffee"]
    assert golds(lines, "second_order") == ["water", "water"]
    assert golds(lines, "false_belief") == ["tea", "coffee"]
    before = next(one for one in lines if one.groups["type"] == "pre_update")
    assert before.option_roles == {"A": "gold", "B": "post", "C": "never_held"}
    assert before.context is not None and before.context.lines == 8
    shown = next(SUITE.items(tmp_path / "out")).context
    assert shown is not None and '5. "Ben": "turn 5"' in shown.text("utterances")


def test_what_never_changed_changed_at_no_turn(tmp_path: Path) -> None:
    lines = asked(tmp_path, conversation(drinks=("tea", "tea", "tea", "tea")))
    assert golds(lines, "update_detection") == ["At no turn"]
    assert golds(lines, "pre_update") == []


def trip(*states: tuple[int, str, str | None, str]) -> dict[str, object]:
    """Six turns of Ann, Bob and Cleo about one question; states as turn, holder, whom it is about and content."""
    return {
        "id": "trip",
        "turns": [{"speaker": ("Ann", "Bob", "Cleo")[turn % 3], "utterance": f"turn {turn}"} for turn in range(6)],
        "states": [
            {"turn": turn, "holder": holder, "about": about, "mental_state": "belief", "topic": "trip", "content": held}
            for turn, holder, about, held in states
        ],
        "topics": [{"id": "trip", "label": "the trip", "values": ["yes", "no"], "question": "Is the trip on?"}],
    }


def test_a_topics_question_that_several_answer_says_whose_answer_is_meant(tmp_path: Path) -> None:
    changes = [(0, "Ann", None, "yes"), (0, "Bob", None, "no"), (4, "Ann", None, "no"), (4, "Bob", None, "yes")]
    pictures = [(0, "Ann", "Bob", "yes"), (0, "Ann", "Cleo", "no"), (0, "Cleo", None, "yes")]
    lines = asked(tmp_path, trip(*changes, *pictures))
    golds = {(one.question, one.answer) for one in lines}
    assert len({question for question, _ in golds}) == len(golds) == len(lines)
    before = [one.question for one in lines if one.groups["type"] == "pre_update"]
    assert before == [f'Just before turn 4, what was {name}\'s answer to "Is the trip on?"?' for name in ("Ann", "Bob")]
    assert any("Cleo's answer" in one.question and "in the eyes of Ann" in one.question for one in lines)
    assert any("Bob's answer" in one.question and "whatever Ann assumed" in one.question for one in lines)


def test_a_topics_question_that_one_answers_needs_no_name(tmp_path: Path) -> None:
    lines = asked(tmp_path, trip((0, "Ann", None, "yes"), (3, "Ann", None, "no"), (0, "Bob", "Ann", "yes")))
    assert lines and all('the answer to "Is the trip on?"' in one.question for one in lines)


def test_what_is_not_known_is_not_asked(tmp_path: Path) -> None:
    lines = asked(tmp_path, conversation(drinks=("tea", None, "coffee", "water")))
    assert golds(lines, "pre_update") == ["coffee"]
    assert golds(lines, "temporal") == ["tea", "coffee"]


def test_the_same_change_twice_is_told_apart(tmp_path: Path) -> None:
    lines = asked(tmp_path, conversation(drinks=("tea", "coffee", "tea", "coffee")))
    whens = [one.question for one in lines if one.groups["type"] == "update_detection"]
    assert len(set(whens)) == 3
    assert [text.endswith("time number 2?") for text in whens] == [False, False, True]


def test_balanced_sets_have_as_many_of_each(tmp_path: Path) -> None:
    random = Random(0)
    talks = [conversation(f"t{number}", tuple(random.choice(VALUES) for _ in range(4))) for number in range(80)]
    lines = asked(tmp_path, *talks, balance=True)
    changes = Counter(
        (before, after) for before, after in zip(golds(lines, "pre_update"), golds(lines, "post_update"), strict=True)
    )
    assert len(changes) == 6 and len(set(changes.values())) == 1
    whens = [one for one in lines if one.groups["type"] == "update_detection" and one.joint]
    assert len(whens) == changes.total()
    assert {one.joint["update"] for one in whens} == {one.joint["update"] for one in lines if one.joint}
    cells = Counter(
        (one.groups["round"], one.options[one.answer[0]]) for one in lines if one.groups["type"] == "temporal"
    )
    for turn in {turn for turn, _ in cells}:
        assert len({cells[turn, value] for value in VALUES}) == 1
    oracle, by_round = evaluate(tmp_path / "out", ["baseline/oracle", "baseline/by-round"])
    assert oracle.micro.accuracy.value == 1.0
    (temporal,) = (one for one in by_round.groups["type"] if one.name == "temporal")
    assert temporal.accuracy.value == pytest.approx(1 / 3, abs=1e-6)


def test_topics_of_one_conversation_each_are_balanced_with_each_other(tmp_path: Path) -> None:
    drinks = [("tea", "tea", "coffee", "coffee")] * 8 + [("coffee", "coffee", "tea", "tea")] * 4
    talks = [conversation(f"t{number}", own) for number, own in enumerate(drinks)]
    for number, talk in enumerate(talks):
        topics: list[dict[str, object]] = talk["topics"]  # type: ignore[assignment]
        talk["topics"] = [{**one, "id": f"drink {number}", "values": VALUES[:2]} for one in topics]
        states: list[dict[str, object]] = talk["states"]  # type: ignore[assignment]
        talk["states"] = [{**one, "topic": f"drink {number}"} for one in states if one["content"] in VALUES[:2]]
    lines = asked(tmp_path, *talks, balance=True)
    assert Counter(golds(lines, "pre_update")) == {"tea": 4, "coffee": 4}
    assert Counter(golds(lines, "temporal")) == {"tea": 12, "coffee": 12}


def test_labels_of_persuasivetom_are_trajectories(tmp_path: Path) -> None:
    files = persuasion_files(dialogues=10)
    source = write_files(tmp_path / "clone", files)
    manifest = import_trajectories(source, tmp_path / "out")
    labels: dict[str, list[str]] = {}
    for one in files["desire_ee"]:
        labels.setdefault(str(one["dialogue_id"]).split("-")[0], []).append(str(one["answerKey"]))
    changes = sum(old != new for own in labels.values() for old, new in pairwise(own))
    counts = manifest.counts.groups["type"]
    assert counts["pre_update"] == counts["post_update"] == changes
    assert counts["temporal"] == 40
    assert counts["second_order"] > 0
    for name in ("dialogues.jsonl", "questions.jsonl"):
        import_trajectories(source, tmp_path / f"again-{name}")
        assert (tmp_path / f"again-{name}" / name).read_bytes() == (tmp_path / "out" / name).read_bytes()


def test_attitudes_are_taken_up_from_the_line_that_shows_them(tmp_path: Path) -> None:
    """What Ann takes Ben's attitude to be is dated to Ben's line of a round; what Ben takes Ann's to be, to Ann's."""
    files = persuasion_files(dialogues=4)
    trajectories = persuasive_trajectories(write_files(tmp_path / "clone", files))
    found = {
        (f"{one.id}-{state.turn // 2 * 2}", state.turn % 2, state.holder, state.about, state.content)
        for one in trajectories
        for state in one.states
        if state.about is not None
    }
    expected = {
        (item["dialogue_id"], shown, *who, item["choices"]["ABCD".index(item["answerKey"])])  # type: ignore[index, arg-type]
        for name, shown, who in (("belief_er", 1, ("Ann", "Ben")), ("belief_ee", 0, ("Ben", "Ann")))
        for item in files[name]
    }
    assert found == expected


@pytest.mark.parametrize(
    ("place", "choices", "message"),
    [
        (1, ["yes", "no", "neutral"], r"desire_ee 0-2: '\w+' is right, which is no option of 0-0 \(Yes, No, Neutral\)"),
        (0, ["Yes", "No", "Yes"], r"dialogue 0: .*has a value twice; mend its items"),
    ],
)
def test_desires_that_make_no_trajectory_are_told(tmp_path: Path, place: int, choices: list[str], message: str) -> None:
    files = persuasion_files()
    files["desire_ee"][place]["choices"] = choices
    for item in files["desire_ee"][: 1 - place]:
        item["answerKey"] = "A"
    files["desire_ee"] = files["desire_ee"][:2] if place else files["desire_ee"][:1]
    with pytest.raises(InputError, match=message):
        import_trajectories(write_files(tmp_path / "clone", files), tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
def test_a_table_is_read(tmp_path: Path, encoding: str) -> None:
    file = tmp_path / "talk.csv"
    rows = [
        "id,speaker,utterance,holder,mental_state,topic,content",
        "a,Ann,Well?,,,,",
        "a,Ben,Tea.,Ben,desire,drink,tea",
    ]
    rows += ["a,Ann,Sure?,,,,", "a,Ben,Coffee.,Ben,desire,drink,coffee"]
    file.write_text("\n".join(rows) + "\n", encoding=encoding)
    import_trajectories(file, tmp_path / "out")
    lines = list(read_lines(tmp_path / "out" / "questions.jsonl", ItemLine))
    assert golds(lines, "update_detection") == ["At turn 3"]


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (["a,Ben,Ho"], ":3: has fewer cells than the heading"),
        (["a,Ben,Tea, please.,Ben,desire,drink,tea"], ":3: has more cells than the heading; put texts with commas in"),
        (
            ["b,Ben,Ho,,,,", "a,Ben,Tea,Ben,desire,drink,tea"],
            ":4: goes on with the conversation 'a', which ended in li",
        ),
        (["a,,Tea,,,,"], ":3: speaker: may not be empty"),
        ([",Ben,Tea,,,,"], ":3: id: may not be empty"),
        (["a,Ben,Tea,Ben,desire,drink,tea"], ":3: the topic 'drink' has to have 2 to 26 different contents"),
        (["a,Ben,Tea,Ben,desire,drink,"], ":3: has a topic and no content; write ? where it is not known"),
        (["a,Ben,Tea,Ben,,,tea"], ":3: has a content and no topic"),
        (["a,Ben,Tea,Ben,desire,,"], ":3: has a mental_state and no topic"),
        (
            ["a,Ben,Tea,Ben,desire,drink,tea", "a,Ben,Tea,Bne,desire,drink,milk"],
            ":4: holder 'Bne' has no turn; the speakers are Ann, Ben",
        ),
        (
            ["a,Ben,Tea,Ben,desire,drink,tea", "a,Ben,Tea,states.0,desire,drink,milk"],
            ":4: holder 'states.0' has no turn",
        ),
        (
            ["a,Ben,Tea,Ben,desire,drink,tea", "a,Ben,Tea,Ben,wish,drink,states.7"],
            ":4: mental_state: has to be 'belief', ",
        ),
        (
            ["a,Ben,Tea,Ben,desire,drink,tea", "a,Ben,Tea,Ben,belief,drink,states.7"],
            ":4: the belief of Ben on topic 'drink' would be taken for the desire in line 3; give each",
        ),
    ],
    ids=lambda part: part if isinstance(part, str) else "",
)
def test_a_row_that_is_none_is_named_by_its_line(tmp_path: Path, rows: list[str], message: str) -> None:
    file = tmp_path / "talk.csv"
    head = "id,speaker,utterance,holder,mental_state,topic,content\na,Ann,Hi,,,,\n"
    file.write_text(head + "\n".join(rows) + "\n", encoding="utf-8")
    with pytest.raises(InputError) as caught:
        import_trajectories(file, tmp_path / "out")
    assert f"{file}{message}" in str(caught.value)
    assert not (tmp_path / "out").exists()


def traced(*beliefs: float, human: bool = True, first: float = 0.2) -> dict[str, object]:
    roles = ["persuader", "target"] * len(beliefs)
    return {
        "proposition": "Tea is better",
        "condition": {"roles": {"human_target": human}},
        "target_initial_belief": first,
        "messages": [{"role": role, "content": f"line {turn}"} for turn, role in enumerate(roles)],
        "serial_questions": list(beliefs),
        "other": None,
    }


def test_reported_beliefs_are_sides(tmp_path: Path) -> None:
    (tmp_path / "results").mkdir()
    rounds = [traced(0.3, 0.5, 0.9), traced(0.9, human=False), traced(0.1, 0.2)]
    (tmp_path / "results" / "day.jsonl").write_text(json.dumps(rounds) + "\n", encoding="utf-8")
    manifest = import_trajectories(tmp_path / "results", tmp_path / "out", form="persuasiontrace")
    assert manifest.config["changes"] == {"No to Undecided": 1, "Undecided to Yes": 1}
    assert (manifest.config["conversations"], manifest.config["changing"]) == (2, 1)
    lines = list(read_lines(tmp_path / "out" / "questions.jsonl", ItemLine))
    assert golds(lines, "update_detection") == ["At turn 3", "At turn 5", "At no turn"]
    other = import_trajectories(tmp_path / "results", tmp_path / "two", form="persuasiontrace", thresholds=(0.25, 0.95))
    assert other.config["changes"] == {"No to Undecided": 1}
    for thresholds, message in (((0.6, 0.4), "in order"), ((0.4, 1.5), "in order")):
        with pytest.raises(InputError, match=message):
            import_trajectories(tmp_path / "results", tmp_path / "no", form="persuasiontrace", thresholds=thresholds)
    (tmp_path / "results" / "day.jsonl").write_text(json.dumps([traced(1.5)]) + "\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"day\.jsonl:1: round 1: serial_questions"):
        import_trajectories(tmp_path / "results", tmp_path / "no", form="persuasiontrace")
    (tmp_path / "results" / "day.jsonl").write_text(json.dumps([traced(True)]) + "\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"serial_questions\.0: has to be a number, not true"):
        import_trajectories(tmp_path / "results", tmp_path / "no", form="persuasiontrace")
    assert not (tmp_path / "no").exists()


def test_a_blank_message_shifts_no_report(tmp_path: Path) -> None:
    """What is reported after a blank message, which is no turn, is held from the turn before it on."""
    given = traced(0.1, 0.5, 0.9)
    messages = given["messages"]
    assert isinstance(messages, list)
    messages[3]["content"] = " "
    file = tmp_path / "day.jsonl"
    file.write_text(json.dumps([given, traced(0.1, 0.5)]) + "\n", encoding="utf-8")
    states = [[(state.turn, state.content) for state in one.states] for one in read_persuasiontrace(file)]
    assert states == [
        [(0, "No"), (1, "No"), (2, "Undecided"), (4, "Yes")],
        [(0, "No"), (1, "No"), (3, "Undecided")],
    ]
    given["serial_questions"] = [0.1, 0.5, 0.9, 0.2]
    file.write_text(json.dumps([given]) + "\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"day\.jsonl:1: round 1: has 4 serial_questions after 3 messages"):
        list(read_persuasiontrace(file))


def wrong(**fields: object) -> dict[str, object]:
    return {**conversation(), **fields}


WRONG = [
    (wrong(states=[state(9, "tea")]), "turn 9 is behind the last, 7, from 0"),
    (wrong(states=[state(True, "tea")]), "states.0.turn: has to be a number, not true"),
    (
        wrong(states=[state(1, "tea") | {"holder": "Bne"}]),
        "states.0: holder 'Bne' has no turn; the speakers are Ann, Ben",
    ),
    (
        wrong(states=[state(1, "tea") | {"about": "Ben"}]),
        "states.0: Ben is holder and about; a state of one's own has no",
    ),
    (wrong(states=[state(1, "milk")]), "content 'milk' is no value of topic 'drink'"),
    (wrong(topics=[]), "topic 'drink' is not among the topics"),
    (wrong(turns=[]), "turns"),
    (wrong(topics=[{"id": "drink", "label": "the drink", "values": ["tea"]}]), "topics.0.values"),
    (wrong(extra=1), "extra"),
    (
        wrong(turns=[{"speaker": name, "utterance": "\ud83d"} for name in ("Ann", "Ben") * 4]),
        "holds half a character, as \\ud83d is one",
    ),
    (
        wrong(states=[state(1, "tea"), state(3, "water"), state(3, "tea")]),
        "states.2: says otherwise than states.1 of the same state at the same turn, 3; keep one of them",
    ),
    (
        wrong(states=[state(1, "tea"), {**state(3, "water"), "mental_state": "belief"}]),
        "states.1: the belief of Ben on topic 'drink' would be taken for the desire in states.0; give each",
    ),
    (
        wrong(
            states=[state(1, "tea"), {**state(2, "water"), "holder": "Ann", "about": "Ben", "mental_state": "belief"}]
        ),
        "states.1: the belief of Ben on topic 'drink' would be taken for the desire in states.0; give each",
    ),
]


def test_json_lines_may_begin_with_a_mark_of_their_encoding(tmp_path: Path) -> None:
    plain = asked(tmp_path, conversation())
    (tmp_path / "marked.jsonl").write_text(json.dumps(conversation()) + "\n", encoding="utf-8-sig")
    import_trajectories(tmp_path / "marked.jsonl", tmp_path / "marked")
    assert list(read_lines(tmp_path / "marked" / "questions.jsonl", ItemLine)) == plain


@pytest.mark.parametrize(("line", "message"), WRONG, ids=[message for _, message in WRONG])
def test_a_wrong_line_is_refused_with_its_number(tmp_path: Path, line: object, message: str) -> None:
    with pytest.raises(InputError) as caught:
        asked(tmp_path, conversation("first"), line)
    assert message in str(caught.value) and "talks.jsonl:2" in str(caught.value)
    assert not (tmp_path / "out").exists()


def test_what_somebody_is_taken_to_hold_is_of_the_kind_that_was_annotated(tmp_path: Path) -> None:
    """A topic may be a belief of one and a desire of another."""
    own = {**state(1, "tea"), "mental_state": "belief"}
    of_ann = {**state(1, "water"), "about": "Ann"}
    lines = asked(tmp_path, wrong(states=[own, of_ann]))
    pictures = [one.question for one in lines if one.groups["type"] == "second_order"]
    assert pictures and all(re.search("think Ann wanted|Ann's wish", text) for text in pictures), pictures


def test_what_is_no_source_is_refused(tmp_path: Path) -> None:
    (tmp_path / "text.txt").write_text("x", encoding="utf-8")
    (tmp_path / "bad.csv").write_text("id,speaker\n", encoding="utf-8")
    for name, message in (
        ("nowhere", "no such file"),
        ("text.txt", "form 'txt' is not known"),
        ("bad.csv", "no column"),
    ):
        with pytest.raises(InputError, match=message):
            import_trajectories(tmp_path / name, tmp_path / "out")
    (tmp_path / "one.jsonl").write_text(json.dumps(conversation()) + "\n", encoding="utf-8")
    with pytest.raises(InputError, match="--thresholds are for persuasiontrace, and this is read as jsonl"):
        import_trajectories(tmp_path / "one.jsonl", tmp_path / "out", thresholds=(0.3, 0.7))
    with pytest.raises(InputError, match=r"no desire_ee\.json"):
        import_trajectories(write_files(tmp_path / "clone", {}), tmp_path / "out")
    with pytest.raises(InputError, match=r"talks\.jsonl:2: there is another conversation with the id 'one', in line 1"):
        asked(tmp_path / "twice", conversation(), conversation())


@pytest.mark.parametrize(
    ("states", "balance", "message"),
    [
        ([], False, "no conversation has a state"),
        ([state(1, None)], False, "nobody is known to hold anything"),
        ([{**state(0, "water"), "holder": "Ann", "about": "Ben"}], True, "leave out --balanced"),
    ],
)
def test_a_file_that_nothing_can_be_asked_about_is_named(
    tmp_path: Path, states: list[object], balance: bool, message: str
) -> None:
    with pytest.raises(InputError, match=rf"talks\.jsonl: .*{message}"):
        asked(tmp_path, wrong(states=states), balance=balance)
    assert not (tmp_path / "out").exists()


def test_states_are_noted_whoever_speaks() -> None:
    tracker = BeliefTracker()
    for turn, content in ((1, "tea"), (1, "milk"), (4, "tea")):
        tracker.note("Ben" if content == "tea" else "Ann", turn, thought(MentalState.DESIRE, content, "drink"))
    assert [one.content for one in tracker.history(StateKey("Ben", "drink"))] == ["tea"]
    with pytest.raises(ValueError, match="in order"):
        tracker.note("Ben", 2, thought(MentalState.DESIRE, "coffee", "drink"))
    with pytest.raises(ValueError, match="has no topic"):
        tracker.note("Ben", 5, InnerSpeech(mental_state=MentalState.DESIRE, content="x", text="I want x"))
