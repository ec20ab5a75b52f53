"""Importing PersuasiveToM: records of our own in its form, and what is wrong with others."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from loopback import Answer, Loopback, Request, completion
from route_persuader import persuade
from route_plays import plays, quick

from dtomtrack.errors import InputError
from dtomtrack.llm.spec import parse_spec
from dtomtrack.runs.engines import open_engine
from dtomtrack.runs.lines import read_lines
from dtomtrack.runs.manifest import Manifest
from dtomtrack.runs.run import run
from dtomtrack.scenarios.route.state import SceneState
from dtomtrack.suites.tomelp.import_job import ImportJob
from dtomtrack.suites.tomelp.persuasivetom import published_scenes

LINES = ("Ada says: Try the tram.", "Ben says: It is slow.", "Ada says: Not at ten.", "Ben says: I start at nine.")


def record(name: str = "0-0", **more: Any) -> dict[str, Any]:
    scene, turn = name.split("-") if "-" in name else ("0", "0")
    own = {
        "dialogue_id": name,
        "dialogue": "\n".join(LINES[: int(turn) + 2]) + "\n",
        "question": "Which strategy?",
        "background": f"Ben commutes, scene {scene}.",
        "choices": ["Praise the view", "Compare the times", "Name the neighbours", "Offer a ticket"],
        "answerKey": "B",
    }
    return {**own, **more}


def folder(tmp_path: Path, *records: dict[str, Any]) -> Path:
    (tmp_path / "clone" / "data").mkdir(parents=True)
    (tmp_path / "clone" / "data" / "behavior_qa.json").write_text(json.dumps(records), encoding="utf-8")
    return tmp_path / "clone"


def imported(source: Path, out: Path, model: str | None = None, base_url: str | None = None) -> Manifest:
    spec = None if model is None else parse_spec(model, base_url)
    job = ImportJob(source, spec, settings=quick())
    return asyncio.run(run(job, open_engine("local"), n=len(job.scenes), out=out))


def test_states_are_read_by_scene(tmp_path: Path) -> None:
    source = folder(tmp_path, record("0-0"), record("0-2"), record("1-0", answerKey="D"))
    scenes = published_scenes(source)
    assert [[state.id for state in scene] for scene in scenes] == [["0-0", "0-2"], ["1-0"]]
    state = scenes[0][1]
    assert [(line.role, line.speaker) for line in state.history][-1] == ("persuadee", "Ben")
    assert (len(state.history), state.choices["high_cog"].answer) == (4, "Compare the times")
    assert scenes[1][0].choices["low_cog"].answer == "Offer a ticket"


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (record("zero"), "is not of the form D-T"),
        (record(dialogue="Ada: Try the tram.\n"), "line 1 of the dialogue is not of the form"),
        (record(choices=["One", "Two"]), "four strategies"),
        (record(choices=["One", "one", "Two", "Three"]), "two of the strategies are the same"),
        (record(answerKey="E"), "none of A to D"),
        (record(dialogue=" "), "empty dialogue"),
        (record(background=None), "has no text in background"),
    ],
)
def test_what_is_wrong_is_told_by_place(tmp_path: Path, wrong: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=said) as raised:
        published_scenes(folder(tmp_path, record("5-0"), wrong))
    assert "item 2" in str(raised.value)


def test_a_folder_of_something_else_and_a_torn_file_are_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"holds no behavior_qa\.json"):
        published_scenes(tmp_path)
    source = folder(tmp_path, record())
    path = source / "data" / "behavior_qa.json"
    path.write_text(path.read_text(encoding="utf-8")[:-9], encoding="utf-8")
    with pytest.raises(InputError, match=r"behavior_qa\.json"):
        published_scenes(source)
    with pytest.raises(InputError, match="there twice"):
        published_scenes(folder(tmp_path / "other", record(), record()))


def test_without_a_model_scenes_are_not_played(tmp_path: Path) -> None:
    manifest = imported(folder(tmp_path, record("0-0"), record("0-2")), tmp_path / "out")
    assert (manifest.counts.dialogues, manifest.counts.totals["states"], manifest.counts.questions) == (1, 2, 2)
    with pytest.raises(InputError, match="have no facts and cues"):
        plays(tmp_path / "out", "vllm/any", judge="vllm/other")


def _resources(request: Request) -> Answer:
    if "social_proof" not in json.dumps(request.get("response_format") or {}):
        return persuade(request)
    written = {"facts": [f"Fact {number}." for number in range(6)], "counterpoints": ["One.", "Two.", "Three."]}
    kinds = ("authority", "social_proof", "liking", "reciprocity", "scarcity")
    return completion(
        json.dumps({**written, **{kind: [f"A phrase of {kind}.", f"Another of {kind}."] for kind in kinds}})
    )


def test_with_a_model_they_are(tmp_path: Path) -> None:
    source, out = folder(tmp_path, record("0-0"), record("0-2")), tmp_path / "out"
    with Loopback(_resources) as server:
        imported(source, out, "vllm/writer", server.base_url)
        states = list(read_lines(out / "states.jsonl", SceneState))
        assert {state.generator for state in states} == {"imported, resources by vllm/writer"}
        assert states[0].resources == states[1].resources
        (found,) = plays(out, "vllm/any", judge="openai/judge", base_url=server.base_url)
    assert (found.states, found.invalid["write"], found.unjudged) == (2, 0, {})
    with pytest.raises(InputError, match="rules knows scenes of generate alone"):
        plays(out, "vllm/any", judge="rules", out=tmp_path / "plays")
    with pytest.raises(InputError, match="scripted subjects play scenes of generate alone"):
        plays(out, "policy/faithful", judge="openai/judge", out=tmp_path / "plays")


def test_a_model_that_writes_too_little_leaves_the_scene_out(tmp_path: Path) -> None:
    with Loopback(lambda request: completion('{"facts": []}')) as server:
        manifest = imported(folder(tmp_path, record()), tmp_path / "out", "vllm/writer", server.base_url)
    assert (manifest.status, manifest.counts.unfilled) == ("incomplete", 1)
