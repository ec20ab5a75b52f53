"""Conversations in DailyPersuasion's form become items of the four types that need no annotator."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest
from commands import run

from dtomtrack.errors import InputError
from dtomtrack.runs.lines import read_lines
from dtomtrack.suites.items.importing import write_imported
from dtomtrack.suites.items.records import ItemLine
from dtomtrack.suites.persuasivetom.daily import DailyPersuasion
from dtomtrack.suites.persuasivetom.suite import SUITE

TONES = ("eager", "calm", "worried", "grateful", "angry", "thoughtful", "bored", "glad")
STRATEGIES = [f"Plan {letter}" for letter in "ABCDEFGH"]


def entries(count: int = 3) -> list[dict[str, object]]:
    random = Random(0)
    return [
        {
            "id": number,
            "scenario": {
                "background": "By the lake.",
                "persuader": "Ann",
                "persuadee": "Ben",
                "goal": f"goal {number}",
                "domain": "leisure",
            },
            "strategy": STRATEGIES,
            "dialog": {
                f"session_{session}": [
                    {
                        "role": ("persuader", "persuadee")[line % 2],
                        "analysis": "-",
                        "strategy": strategies[line // 2] if line % 2 == 0 else None,
                        "tone": random.choice(TONES),
                        "response": f"line {line}",
                    }
                    for line in range(10 + session)
                ]
                for session in range(2)
                for strategies in [random.sample(STRATEGIES, 6)]
            },
        }
        for number in range(count)
    ]


def test_goals_tones_and_strategies_become_items(tmp_path: Path) -> None:
    file, given = tmp_path / "daily.json", entries()
    file.write_text(json.dumps(given), encoding="utf-8")
    done = run("import", "dailypersuasion", file, "--out", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    assert "end with the persuader" in done.stdout
    lines = list(read_lines(tmp_path / "out" / "questions.jsonl", ItemLine))
    kinds = [one.groups["type"] for one in lines]
    assert {kind: kinds.count(kind) for kind in set(kinds)} == {
        "desire_er": 30,
        "belief_er": 30,
        "belief_ee": 30,
        "prediction": 24,
    }
    sessions = {
        f"{entry['id']}/{name}": session
        for entry in given
        for name, session in entry["dialog"].items()  # type: ignore[attr-defined]
    }
    for one in lines:
        session, number = sessions[one.cluster], int(one.groups["round"])
        right = one.options[one.answer[0]]
        expected = {
            "belief_er": session[2 * number + 1]["tone"],
            "belief_ee": session[2 * number]["tone"],
            "prediction": session[min(2 * number + 2, len(session) - 1)]["strategy"],
            "desire_er": "Yes" if f'"goal {one.cluster[0]}"' in one.question else "No",
        }
        assert right == expected[one.groups["type"]]
        assert len(set(one.options.values())) == len(one.options)
    assert len(next(SUITE.items(tmp_path / "out")).options) == 2


@pytest.mark.parametrize("text", ["{", "{}", '[{"id": 1}]', "[]"])
def test_what_is_no_such_file_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "daily.json").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=r"daily\.json"):
        write_imported(SUITE, tmp_path / "out", DailyPersuasion(tmp_path / "daily.json"), "")
    assert not (tmp_path / "out").exists()


def imported(folder: Path, given: object) -> tuple[list[ItemLine], list[dict[str, object]]]:
    """The items that become of records, and what is said of the records' faults."""
    (folder / "daily.json").write_text(json.dumps(given), encoding="utf-8")
    manifest = write_imported(SUITE, folder / "out", DailyPersuasion(folder / "daily.json"), "")
    return list(read_lines(folder / "out" / "questions.jsonl", ItemLine)), manifest.config["problems"]  # type: ignore[return-value]


def test_who_speaks_is_read_not_counted(tmp_path: Path) -> None:
    given = entries()
    for entry in given:
        dialog: dict[str, list[dict[str, object]]] = entry["dialog"]  # type: ignore[assignment]
        # the persuadee begins, so that each line stands where the other's stands elsewhere
        dialog["session_1"].insert(0, {"role": "persuadee", "tone": "calm", "response": "Hello, Ann."})
        for line in dialog["session_0"]:
            line["role"] = {"persuader": "Ann", "persuadee": " Persuadee"}[str(line["role"])]
    lines, problems = imported(tmp_path, given)
    assert {one.cluster.partition("/")[2] for one in lines} == {"session_0"}
    assert [(one["kind"], one["count"]) for one in problems] == [
        ("conversations in which the two don't take turns, the persuader first, which are left out", 3)
    ]


def test_a_strategy_that_comes_twice_is_drawn_once(tmp_path: Path) -> None:
    """Predictions vanished where two of the drawn distractors were the same strategy."""
    given = entries()
    for entry in given:
        dialog: dict[str, list[dict[str, object]]] = entry["dialog"]  # type: ignore[assignment]
        for number, line in enumerate(dialog["session_0"][::2]):
            line["strategy"] = (*STRATEGIES[:2], STRATEGIES[1], *STRATEGIES[2:])[number]
        for number, line in enumerate(dialog["session_1"][::2]):
            line["strategy"] = STRATEGIES[number % 2]
    lines, problems = imported(tmp_path, given)
    asked = [one for one in lines if one.groups["type"] == "prediction"]
    assert len(asked) == 4 * len(given)
    assert all(len(set(one.options.values())) == len(one.options) == 3 for one in asked)
    left_out = "predictions left out: fewer than two other strategies in the conversation"
    assert (left_out, 4 * len(given)) in [(one["kind"], one["count"]) for one in problems]


def test_entries_of_the_same_id_are_told_apart(tmp_path: Path) -> None:
    given = [entry | {"id": 7} for entry in entries()]
    lines, problems = imported(tmp_path, given)
    assert len({one.id for one in lines}) == len(lines) == 114
    assert {one.cluster.partition("/")[0] for one in lines} == {"7", "7#2", "7#3"}
    kind = "entries whose id another has, too, which got a number"
    assert {"kind": kind, "count": 2, "examples": ["7", "7"]} in problems


def test_a_goal_in_nearly_the_same_words_is_no_other_goal(tmp_path: Path) -> None:
    given = entries(6)
    for number, entry in enumerate(given):
        goal = ("Ann wants Ben to learn French.", "ann wants Ben to learn french", "Ann hopes that Ben stops smoking")
        entry["scenario"]["goal"] = goal[number % 3]  # type: ignore[index]
    lines, _ = imported(tmp_path, given)
    asked = [one for one in lines if one.groups["type"] == "desire_er"]
    assert {one.options[one.answer[0]] for one in asked} == {"Yes", "No"}
    for one in asked:
        wants_french = given[int(one.cluster[0])]["scenario"]["goal"].lower().startswith("ann wants")  # type: ignore[index]
        assert (one.options[one.answer[0]] == "Yes") == (wants_french == ("french" in one.question.lower()))
