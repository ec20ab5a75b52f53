"""Gold mental states of imported dialogues: files of our own in PersuasiveToM's form, and what plays make of them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from loopback import Answer, Loopback, Request, completion
from route_persuader import persuade
from route_plays import played, plays, quick

from dtomtrack.errors import InputError
from dtomtrack.graphs.route_state import ShownQuestion, Unusable
from dtomtrack.llm.spec import parse_spec
from dtomtrack.runs.engines import open_engine
from dtomtrack.runs.lines import read_lines
from dtomtrack.runs.run import run
from dtomtrack.scenarios.route.state import SceneState
from dtomtrack.suites.tomelp.import_job import ImportJob
from dtomtrack.suites.tomelp.model_subject import read_letters

LINES = ("Ben says: It is slow.", "Ada says: Not at ten.", "Ben says: I start at nine.")
ASKED: dict[str, tuple[str, tuple[str, ...], str]] = {
    "desire_er": ("Is Ada likely to want the tram?", ("Yes", "No"), "A"),
    "belief_er": ("What will Ada believe Ben's attitude towards the tram?", ("doubtful", "keen", "calm", "cross"), "A"),
    "intent_er": ("What is Ada's intention?", ("Ada shows figures", "Ada offers a swap"), "B"),
    "desire_ee": ("Is Ben likely to take the tram?", ("Yes", "No", "Neutral"), "B"),
    "belief_ee": ("What will Ben believe Ada's attitude towards the tram?", ("keen", "cross", "calm", "sad"), "A"),
    "intent_ee": ("What is Ben's intention?", ("Ben wants a swap", "Ben wants to be early"), "B"),
}
"""The six files of mental states: question, options and answer."""


def record(name: str, **more: Any) -> dict[str, Any]:
    scene, turn = name.split("-")
    own = {
        "dialogue_id": name,
        "dialogue": "\n".join((f"Ada says: Try tram {scene}.", *LINES[: int(turn) + 1])) + "\n",
        "question": "Which strategy?",
        "background": f"Ben commutes, scene {scene}.",
        "choices": ["Praise the view", "Compare the times", "Name the neighbours", "Offer a ticket"],
        "answerKey": "B",
    }
    return {**own, **more}


def mind_record(file: str, name: str, **more: Any) -> dict[str, Any]:
    question, options, answer = ASKED[file]
    return record(name, **{"question": question, "choices": list(options), "answerKey": answer, **more})


def clone(tmp_path: Path, files: Sequence[str] = tuple(ASKED), names: Sequence[str] = ("0-0", "1-0")) -> Path:
    """A clone with strategies of two scenes, and these files of mental states for these states."""
    data = tmp_path / "clone" / "data"
    data.mkdir(parents=True)
    write(data / "behavior_qa.json", [record("0-0"), record("1-0")])
    for file in files:
        write(data / f"{file}.json", [mind_record(file, name) for name in names])
    return tmp_path / "clone"


def second_scene_of_a_ferry(source: Path) -> None:
    """Have the second scene be about something else, so that nobody in it has the same in mind."""
    for file in ASKED:
        path = source / "data" / f"{file}.json"
        first, second = json.loads(path.read_text(encoding="utf-8"))
        second["question"] = second["question"].replace("tram", "ferry")
        second["choices"] = [one.replace("wants", "hopes for") for one in second["choices"]]
        write(path, [first, second])


def write(path: Path, records: Sequence[dict[str, Any]]) -> None:
    path.write_text(json.dumps(records), encoding="utf-8")


def answers(letters: Sequence[str] | None = None) -> Callable[[Request], Answer]:
    """A stand-in that also writes resources, and places inferred states at these letters."""
    kinds = ("authority", "social_proof", "liking", "reciprocity", "scarcity")
    resources = {"facts": [f"Fact {number}." for number in range(6)], "counterpoints": ["One.", "Two.", "Three."]}
    cues = {kind: [f"A phrase of {kind}.", f"Another of {kind}."] for kind in kinds}

    def answer(request: Request) -> Answer:
        form = json.dumps(request.get("response_format") or {})
        if "social_proof" in form:
            return completion(json.dumps({**resources, **cues}))
        if letters is not None and '"letters"' in form:
            return completion(json.dumps({"letters": letters}))
        return persuade(request)

    return answer


def imported(source: Path, out: Path, base_url: str | None = None) -> list[SceneState]:
    spec = None if base_url is None else parse_spec("vllm/writer", base_url)
    job = ImportJob(source, spec, settings=quick())
    asyncio.run(run(job, open_engine("local"), n=len(job.scenes), out=out))
    return list(read_lines(out / "states.jsonl", SceneState))


def test_all_six_files_give_the_minds_of_both(tmp_path: Path) -> None:
    state = imported(clone(tmp_path), tmp_path / "out")[0]
    persuader, persuadee = state.gold_mind("persuader"), state.gold_mind("persuadee")
    assert persuader is not None and persuadee is not None
    assert persuader.model_dump() == {
        "belief": "What will Ada believe Ben's attitude towards the tram? doubtful",
        "desire": "Is Ada likely to want the tram? Yes",
        "intent": "Ada offers a swap",
    }
    assert (persuadee.desire, persuadee.intent) == ("Is Ben likely to take the tram? No", "Ben wants to be early")
    card = (tmp_path / "out" / "README.md").read_text(encoding="utf-8")
    assert "persuadee belief 2, persuadee desire 2, persuadee intent 2, persuader belief 2" in card
    assert "not there" not in card


def test_files_that_are_missing_are_named_in_the_card(tmp_path: Path) -> None:
    state = imported(clone(tmp_path, ("desire_ee", "intent_ee")), tmp_path / "out")[0]
    mind = state.gold_mind("persuadee")
    assert mind is not None and (mind.belief, mind.intent) == (None, "Ben wants to be early")
    assert state.gold_mind("persuader") is None
    card = (tmp_path / "out" / "README.md").read_text(encoding="utf-8")
    assert "Files that were not there: desire_er.json, belief_er.json, intent_er.json, belief_ee.json." in card


def test_what_is_asked_twice_with_two_answers_is_not_taken(tmp_path: Path) -> None:
    source = clone(tmp_path, ("desire_ee",))
    twice = [mind_record("desire_ee", "0-0", answerKey=key) for key in "AB"]
    write(source / "data" / "desire_ee.json", [*twice, *[mind_record("desire_ee", "1-0")] * 2])
    first, second = imported(source, tmp_path / "out")
    assert (first.gold_mind("persuadee"), len(second.questions)) == (None, 1)
    card = (tmp_path / "out" / "README.md").read_text(encoding="utf-8")
    assert "Asked twice with two answers, so not taken: persuadee desire 1." in card


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"dialogue": "Ada says: Try the bus.\nBen says: It is slow.\n"}, "another dialogue than behavior_qa.json"),
        ({"answerKey": "D"}, "has to be one of A to C"),
        ({"choices": ["Yes"]}, "it has to have 2 to 26"),
        ({"dialogue_id": "zero"}, "two numbers from 0"),
    ],
)
def test_what_is_wrong_with_a_question_is_told(tmp_path: Path, wrong: dict[str, Any], said: str) -> None:
    source = clone(tmp_path, ("desire_ee",))
    write(source / "data" / "desire_ee.json", [mind_record("desire_ee", "0-0", **wrong)])
    with pytest.raises(InputError, match=said) as raised:
        imported(source, tmp_path / "out")
    assert "desire_ee.json" in str(raised.value)


def test_gold_and_shuffled_states_are_played_and_inferred_ones_scored_by_options(tmp_path: Path) -> None:
    out = tmp_path / "out"
    # belief, desire and intention of the persuadee, then of the persuader; B, B, B and A, A, B are right
    with Loopback(answers(["B", "(b)", "B", "A", "No idea", "B"])) as server:
        source = clone(tmp_path)
        second_scene_of_a_ferry(source)
        imported(source, out, server.base_url)
        (found,) = plays(
            out, "vllm/any", judge="openai/judge", given=("inferred", "gold", "shuffled"), base_url=server.base_url
        )
        texts = [one["messages"][0]["content"] for one in server.requests]
    assert [one.variant for one in found.variants] == ["no_tom", "inferred", "gold", "shuffled"]
    assert (found.without_gold, found.asked["place"], found.invalid["place"]) == (0, 4, 0)
    right = {name: one.interval.value for name, one in found.states_right.items()}
    assert right == {
        "persuadee belief": 0.0,
        "persuadee desire": 1.0,
        "persuadee intent": 1.0,
        "persuader belief": 1.0,
        "persuader desire": 0.0,
        "persuader intent": 1.0,
    }
    golds = ("Is Ben likely to take the tram? No", "Is Ben likely to take the ferry? No")
    given = [text for text in texts if "reply_text" in text and any(gold in text for gold in golds)]
    assert len(given) == 8
    elsewhere = [text for text in texts if "reply_text" not in text and any(gold in text for gold in golds)]
    assert not elsewhere


def test_states_without_gold_are_counted_and_no_zero(tmp_path: Path) -> None:
    out = tmp_path / "out"
    with Loopback(answers()) as server:
        imported(clone(tmp_path, ("desire_ee",), ["1-0"]), out, server.base_url)
        (found,) = plays(out, "vllm/any", judge="openai/judge", given=("gold",), base_url=server.base_url)
    first, second = played(out, "vllm/any")
    assert (first.without_gold, second.without_gold, found.without_gold) == (True, False, 1)
    assert [one.variant for one in first.replies] == ["no_tom"] * 4
    assert (found.replies, found.invalid["write"]) == (12, 0)
    assert set(found.states_right) == {"persuadee desire"}


def test_where_no_state_has_gold_none_is_played(tmp_path: Path) -> None:
    out = tmp_path / "out"
    with Loopback(answers()) as server:
        imported(clone(tmp_path, ("intent_er",)), out, server.base_url)
        with pytest.raises(InputError, match="no state has gold mental states of the persuadee"):
            plays(out, "vllm/any", judge="openai/judge", given=("gold",), base_url=server.base_url)


def test_options_that_cant_be_read_are_wrong_and_counted(tmp_path: Path) -> None:
    out = tmp_path / "out"
    with Loopback(answers(["A"])) as server:
        imported(clone(tmp_path, ("desire_ee", "intent_ee")), out, server.base_url)
        (found,) = plays(out, "vllm/any", judge="openai/judge", base_url=server.base_url)
    assert (found.asked["place"], found.invalid["place"]) == (4, 4)
    assert {one.interval.value for one in found.states_right.values()} == {0.0}
    assert played(out, "vllm/any")[0].inferred["high_cog"].unplaced == "there are 1 letters for 2 questions"


def test_letters_are_read_by_the_question(tmp_path: Path) -> None:
    questions = [ShownQuestion("persuadee", "desire", "Is it so?", ("Yes", "No"))] * 4
    assert read_letters(["a", "B.", "C", "**A**"], questions) == [0, 1, None, 0]
    assert isinstance(read_letters([], questions), Unusable)
