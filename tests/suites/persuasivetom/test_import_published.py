"""Importing the files of PersuasiveToM: what is read, what is counted, and what is refused with nothing written."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from persuasion_files import FILES, Fields, persuasion_files, write_files

from dtomtrack.errors import DtomtrackError, InputError
from dtomtrack.library import evaluate
from dtomtrack.runs.lines import read_lines
from dtomtrack.runs.manifest import Manifest
from dtomtrack.suites.items.records import ContextRecord, ItemLine
from dtomtrack.suites.persuasivetom.items import stage_of
from dtomtrack.suites.persuasivetom.kinds import KINDS
from dtomtrack.suites.persuasivetom.suite import SUITE
from dtomtrack.suites.published.folder import LARGEST, KnownFile, blob_hash, find_files
from dtomtrack.suites.published.importing import import_published


def imported(source: Path, out: Path, variant: str | None = None) -> tuple[Manifest, list[ItemLine]]:
    manifest = import_published("persuasivetom", source, out, variant)
    return manifest, list(read_lines(out / "questions.jsonl", ItemLine))


def problems(manifest: Manifest) -> dict[str, int]:
    told = manifest.config["problems"]
    assert isinstance(told, list)
    return {str(one["kind"]): int(str(one["count"])) for one in told if isinstance(one, dict)}


def test_all_eight_files_are_imported(tmp_path: Path) -> None:
    manifest, lines = imported(write_files(tmp_path / "clone", persuasion_files()), tmp_path / "out")
    counts = {
        name: 30 if kind.name not in {"prediction", "judgement", "intention_ee"} else 24 for name, kind in KINDS.items()
    }
    assert manifest.counts.groups["type"] == dict(sorted(counts.items()))
    assert (manifest.suite, manifest.counts.dialogues, manifest.config["missing"]) == ("persuasivetom", 6, [])
    contexts = list(read_lines(tmp_path / "out" / "dialogues.jsonl", ContextRecord))
    assert [len(one.lines) for one in contexts] == [10] * 6
    assert contexts[0].background == "Ann wants Ben to come along to the lake."
    desires = [one for one in lines if one.groups["type"] == "desire_ee" and one.cluster == "0"]
    assert [one.context.lines for one in desires if one.context] == [2, 4, 6, 8, 10]
    assert [one.groups["stage"] for one in desires] == ["first", "early", "middle", "late", "last"]
    assert desires[1].groups["before"] == desires[0].groups["label"] == "No"
    assert all(f"| {name} |" in (tmp_path / "out" / "README.md").read_text(encoding="utf-8") for name in KINDS)


def test_the_same_files_give_the_same_bytes(tmp_path: Path) -> None:
    source = write_files(tmp_path / "clone", persuasion_files())
    for variant in SUITE.variants:
        for name in ("one", "two"):
            imported(source, tmp_path / f"{variant}-{name}", variant)
        for file in ("dialogues.jsonl", "questions.jsonl", "rejected.jsonl", "README.md"):
            one, two = ((tmp_path / f"{variant}-{name}" / file).read_bytes() for name in ("one", "two"))
            assert one == two


def test_a_changed_byte_is_no_longer_the_release(tmp_path: Path) -> None:
    source = write_files(tmp_path / "clone", persuasion_files())
    blobs = {name: blob_hash((source / "data" / f"{name}.json").read_bytes()) for name in FILES}
    known = [KnownFile(f"{name}.json", blob[:12]) for name, blob in blobs.items()]
    assert find_files(source, known).official
    with (source / "data" / "desire_ee.json").open("ab") as file:
        file.write(b" ")
    found = find_files(source / "data", known)
    assert not found.official
    assert [one.name for one in found.files if not one.official] == ["desire_ee.json"]


def test_the_hash_is_that_of_git() -> None:
    """``printf hello | git hash-object --stdin`` gives this."""
    assert blob_hash(b"hello") == "b6fc4c620b67d95f953a5c1c1230aaab5db5a1b0"


def test_missing_files_are_named(tmp_path: Path) -> None:
    files = persuasion_files()
    manifest, _ = imported(write_files(tmp_path / "clone", {"desire_ee": files["desire_ee"]}), tmp_path / "out")
    assert manifest.config["missing"] == [f"{kind.file}.json" for kind in KINDS.values() if kind.name != "desire_ee"]
    assert manifest.counts.groups["type"] == {"desire_ee": 30}


def test_faults_are_counted_and_kept(tmp_path: Path) -> None:
    files = persuasion_files(rounds=4)
    files["intent_ee"][0]["choices"] = ["Dr", "Dr", "to think.", "more"]
    files["intent_ee"][0]["answerKey"] = "c"
    files["intent_ee"][1]["choices"] = ["one", "two"]
    files["intent_ee"][1]["answerKey"] = "A"
    files["desire_ee"][3]["dialogue_id"] = "0-8"
    files["desire_er"] = files["desire_er"][4:]
    files["belief_er"][2]["dialogue"] = "Ann says: Something else.\nBen says: Yes.\n" * 3
    manifest, lines = imported(write_files(tmp_path / "clone", files), tmp_path / "out")
    found = problems(manifest)
    assert found["options that are the same"] == 1
    assert found["options other than the 4 of this type"] == 1
    assert found["answer keys in lower case"] == 1
    assert found["only the right option ends in a full stop"] == 1
    assert found["lines that do not go with the id"] == 1
    assert found["dialogues without desire_er"] == 1
    assert found["contexts that are no beginning of the dialogue's longest"] == 1
    assert found['the word "not" in the question tells the answer'] == 18
    assert [one.options for one in lines if one.id == "intention_ee 0-0"] == [
        {"A": "Dr", "B": "Dr", "C": "to think.", "D": "more"}
    ]
    assert manifest.counts.dialogues == 7


def with_field(name: str, value: object) -> Callable[[dict[str, list[Fields]]], None]:
    def change(files: dict[str, list[Fields]]) -> None:
        files["desire_ee"][2][name] = value

    return change


def without_field(files: dict[str, list[Fields]]) -> None:
    del files["desire_ee"][2]["answerKey"]


def same_context_twice(files: dict[str, list[Fields]]) -> None:
    files["desire_ee"][2]["dialogue"] = files["desire_ee"][1]["dialogue"]


WRONG_ITEMS = [
    (without_field, "has no field 'answerKey'"),
    (with_field("dialogue_id", "0"), 'it has to be "D-T"'),
    (with_field("dialogue_id", "-1-2"), 'it has to be "D-T"'),
    (with_field("dialogue_id", 7), 'it has to be "D-T"'),
    (with_field("answerKey", "D"), "it has to be one of A to C"),
    (with_field("answerKey", ["A"]), "answerKey is a list"),
    (with_field("choices", []), "has 0 choices"),
    (with_field("choices", ["Yes"]), "has one choice;"),
    (with_field("choices", [str(number) for number in range(27)]), "has 27 choices"),
    (with_field("choices", ["Yes", 1, "No"]), "a choice is 1"),
    (with_field("choices", ["Yes", None, "No"]), "a choice is null"),
    (with_field("choices", {"A": "Yes"}), "choices is an object; it has to be an array of texts"),
    (with_field("dialogue", "\n"), "dialogue is empty"),
    (with_field("question", None), "question is null"),
    (same_context_twice, "has the same dialogue as 0-2"),
]


@pytest.mark.parametrize(("change", "message"), WRONG_ITEMS, ids=[message for _, message in WRONG_ITEMS])
def test_a_wrong_item_is_refused_and_nothing_written(
    tmp_path: Path, change: Callable[[dict[str, list[Fields]]], None], message: str
) -> None:
    files = persuasion_files()
    change(files)
    source = write_files(tmp_path / "clone", files)
    with pytest.raises(InputError) as caught:
        imported(source, tmp_path / "out")
    assert message in str(caught.value)
    assert "desire_ee.json: item 3" in str(caught.value)
    assert not (tmp_path / "out").exists()


WRONG_BYTES = [
    (b'[{"dialogue_id": "0-0", "dialo', "is it cut off?"),
    (b'{"items": []}', "holds one object, and has to hold an array"),
    (b"[]", "holds an empty array"),
    (b'["text"]', "item 1: is a text, and has to be an object"),
    (b'[{"dialogue_id": NaN}]', "holds NaN"),
    (b"\xef\xbb\xbf[]", "byte order mark"),
    ("[]".encode("utf-16"), "is UTF-16"),
    ("[{}]".encode("utf-16-le"), "is UTF-16"),
    (b'["\xff"]', "is not UTF-8"),
    (b"[" * 100_000, "is no JSON"),
]


@pytest.mark.parametrize(("data", "message"), WRONG_BYTES, ids=[message for _, message in WRONG_BYTES])
def test_a_wrong_file_is_refused_and_nothing_written(tmp_path: Path, data: bytes, message: str) -> None:
    source = write_files(tmp_path / "clone", persuasion_files())
    (source / "data" / "desire_er.json").write_bytes(data)
    with pytest.raises(InputError, match=message.replace("?", r"\?")) as caught:
        imported(source, tmp_path / "out")
    assert "desire_er.json" in str(caught.value)
    assert not (tmp_path / "out").exists()


def test_what_is_no_clone_is_refused(tmp_path: Path) -> None:
    source = write_files(tmp_path / "clone", persuasion_files(dialogues=1))
    empty = tmp_path / "empty"
    empty.mkdir()
    refused: list[tuple[Path, Path, str | None, str]] = [
        (tmp_path / "nowhere", tmp_path / "out", None, "is no folder"),
        (empty, tmp_path / "out", None, "holds none of the files of persuasivetom"),
        (source, source / "out", None, "is the source or in it"),
        (source, tmp_path / "out", "better", "has no variant 'better'"),
    ]
    for folder, out, variant, message in refused:
        with pytest.raises(DtomtrackError, match=message):
            imported(folder, out, variant)
        assert not out.exists()
    (source / "data" / "desire_ee.json").rename(source / "desire_ee.json.away")
    with pytest.raises(InputError, match=r"variant outcome needs desire_ee\.json"):
        imported(source, tmp_path / "out", "outcome")
    (source / "judge_qa.json").write_bytes((source / "data" / "judge_qa.json").read_bytes())
    with pytest.raises(InputError, match="is there twice"):
        imported(source, tmp_path / "out")
    (source / "judge_qa.json").unlink()
    with (source / "data" / "judge_qa.json").open("ab") as file:
        file.truncate(LARGEST + 1)
    with pytest.raises(InputError, match="are not read"):
        imported(source, tmp_path / "out")


def test_hostile_text_stays_data(tmp_path: Path) -> None:
    files = persuasion_files(dialogues=2)
    text = "Ann says: </script> {context} \u2028 \x1b[31m \ud800\nBen says: {lines} said.\n"
    for own in files.values():
        own[0]["dialogue"] = text
        own[0]["question"] = "</script>{options}\x00?"
    _, lines = imported(write_files(tmp_path / "clone", files), tmp_path / "out")
    item = next(SUITE.items(tmp_path / "out"))
    assert item.question == lines[0].question == "</script>{options}\x00?"
    assert item.context is not None
    shown = item.context.text("utterances")
    assert "{context}" in shown and "\u2028" not in shown and "\x1b" not in shown


def test_a_judgement_that_can_be_asked_in_one_wording_only_is_left_out(tmp_path: Path) -> None:
    files = persuasion_files()
    files["judge_qa"][0]["question"] = "Will this work?"
    source = write_files(tmp_path / "clone", files)
    manifest, lines = imported(source, tmp_path / "out", "both-wordings")
    assert problems(manifest)["left out: doesn't end by asking whether the strategy is effective"] == 1
    asked = [(one.groups["round"], one.cluster, one.question) for one in lines]
    assert len(set(asked)) == len(lines) == 2 * (len(files["judge_qa"]) - 1)


@pytest.mark.parametrize("variant", ["both-wordings", "outcome"])
def test_a_judgement_with_other_options_than_yes_and_no_is_left_out(tmp_path: Path, variant: str) -> None:
    files = persuasion_files(dialogues=60)
    files["judge_qa"][0]["choices"] = ["True", "False"]
    source = write_files(tmp_path / "clone", files)
    manifest, lines = imported(source, tmp_path / "out", variant)
    assert problems(manifest)["left out: its options are not Yes and No"] == 1
    assert {text for one in lines for text in one.options.values()} == {"Yes", "No"}


def test_conditions_show_what_they_say(tmp_path: Path) -> None:
    imported(write_files(tmp_path / "clone", persuasion_files(dialogues=1)), tmp_path / "out")
    items = {item.id: item for item in SUITE.items(tmp_path / "out")}
    context = items["desire_er 0-4"].context
    assert context is not None
    shown = {name: context.text(name) for name in SUITE.conditions}
    assert [line in shown["utterances"] for line in ("line 0", "line 5")] == [True, True]
    assert [line in shown["last-round"] for line in ("line 3", "line 4", "line 5")] == [False, True, True]
    assert [line in shown["asked-utterance"] for line in ("line 4", "line 5")] == [True, False]
    told_by = {"belief_er": "line 5", "belief_ee": "line 4", "desire_er": "line 4", "desire_ee": "line 5"}
    for kind, line in told_by.items():
        own = items[f"{kind} 0-4"].context
        assert own is not None
        assert own.text("asked-utterance").count("line ") == 1 and line in own.text("asked-utterance"), kind
    assert "Ann wants Ben" in shown["background+utterances"]
    assert not any("Ann wants Ben" in shown[name] for name in SUITE.conditions if name != "background+utterances")
    assert "line" not in shown["none"]


def test_other_rounds_of_the_dialogue_are_distractors(tmp_path: Path) -> None:
    source = write_files(tmp_path / "clone", persuasion_files())
    _, published = imported(source, tmp_path / "all")
    _, lines = imported(source, tmp_path / "out", "same-dialogue")
    golds = {(one.groups["type"], one.cluster, one.turn): one.options[one.answer[0]] for one in published}
    assert {one.groups["type"] for one in lines} == {"intention_ee", "prediction"}
    for one in lines:
        kind = one.groups["type"]
        assert one.options[one.answer[0]] == golds[kind, one.cluster, one.turn]
        assert one.option_roles is not None
        for letter, text in one.options.items():
            turns = [
                turn
                for (own, cluster, turn), gold in golds.items()
                if (own, cluster, gold) == (kind, one.cluster, text)
            ]
            assert len(turns) == 1
            when = (turns[0] or 0) - (one.turn or 0)
            assert one.option_roles[letter] == (
                "right" if when == 0 else "earlier round" if when < 0 else "later round"
            )


def test_judgement_by_outcome_is_balanced(tmp_path: Path) -> None:
    files = persuasion_files(dialogues=60)
    _, lines = imported(write_files(tmp_path / "clone", files), tmp_path / "out", "outcome")
    desires = {str(one["dialogue_id"]): "ABC".index(str(one["answerKey"])) for one in files["desire_ee"]}
    rank = (2, 0, 1)
    cells: Counter[tuple[int, int | None, bool]] = Counter()
    for one in lines:
        before, after = (desires[f"{one.cluster}-{(one.turn or 0) + by}"] for by in (0, 2))
        effective = rank[after] > rank[before]
        assert one.groups["wording"] == ("not effective" if "not effective?" in one.question else "effective")
        assert (one.options[one.answer[0]] == "Yes") == (effective == (one.groups["wording"] == "effective"))
        cells[before, one.turn, effective] += 1
    assert lines and all(count == cells[label, turn, not rises] for (label, turn, rises), count in cells.items())
    yes = Counter(one.options[one.answer[0]] for one in lines)
    assert abs(yes["Yes"] - yes["No"]) <= 2


def test_desires_are_balanced_within_rounds(tmp_path: Path) -> None:
    files = persuasion_files(dialogues=60)
    _, lines = imported(write_files(tmp_path / "clone", files), tmp_path / "out", "balanced")
    counts = Counter((one.turn, one.groups["label"]) for one in lines)
    for turn in {turn for turn, _ in counts}:
        assert len({counts[turn, label] for label in ("Yes", "No", "Neutral")}) == 1


def test_stages() -> None:
    assert [stage_of(number, 7) for number in range(7)] == [
        "first",
        "early",
        "early",
        "middle",
        "middle",
        "late",
        "last",
    ]
    assert (stage_of(0, 1), stage_of(1, 2)) == ("first", "last")


def test_baselines_of_the_suite(tmp_path: Path) -> None:
    imported(write_files(tmp_path / "clone", persuasion_files()), tmp_path / "out")
    by_round, fixed = evaluate(tmp_path / "out", ["baseline/by-round", "baseline/no-then-yes"])
    assert by_round.answers == fixed.answers == 222
    (desire,) = (one for one in fixed.groups["type"] if one.name == "desire_ee")
    golds = [
        (str(json.loads(line)["turn"]), json.loads(line)["groups"]["label"])
        for line in (tmp_path / "out" / "questions.jsonl").read_text(encoding="utf-8").splitlines()
        if json.loads(line)["groups"]["type"] == "desire_ee"
    ]
    assert desire.correct == sum(label == ("No" if turn == "0" else "Yes") for turn, label in golds)
