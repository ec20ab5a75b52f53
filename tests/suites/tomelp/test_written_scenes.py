"""Scenes whose lines and resources a language model writes: what another reads otherwise is not kept."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from pathlib import Path

import pytest
from examinee import prompt_of
from loopback import Answer, Loopback, Request, completion
from route_plays import played, plays, quick, scenes
from scene_author import company, writes

from dtomtrack.errors import InputError
from dtomtrack.runs.engines import open_engine
from dtomtrack.runs.lines import read_lines
from dtomtrack.runs.manifest import Manifest
from dtomtrack.runs.run import run
from dtomtrack.scenarios.route.state import SceneState
from dtomtrack.suites.generating import GenerationRequest, generating_suite
from dtomtrack.suites.items.records import ItemLine, RejectedLine
from dtomtrack.suites.tomelp.generation.job import WrittenSceneJob
from dtomtrack.suites.tomelp.loop.run import LoopRequest, run_loops
from dtomtrack.suites.tomelp.schema import STATES


def written(out: Path, server: Loopback, n: int = 3, **more: object) -> Manifest:
    models = {"model": "vllm/author", "base_url": server.base_url, **more}
    job = generating_suite("tomelp").job(GenerationRequest("all", n, max_attempts=2, models=models))
    assert isinstance(job, WrittenSceneJob) and job.models is not None
    job = replace(job, models=replace(job.models, client=quick()))
    return asyncio.run(run(job, open_engine("local"), n=n, out=out))


def test_what_a_model_writes_and_a_model_reads_is_kept(tmp_path: Path) -> None:
    with Loopback(company) as server:
        manifest = written(tmp_path / "data", server)
        calls = len(server.requests)
        written(tmp_path / "data", server)
        assert len(server.requests) == calls == manifest.calls
    assert (manifest.status, manifest.counts.dialogues, manifest.counts.rejected_dialogues) == ("complete", 3, {})
    assert manifest.models == {"scenario": "scripted", "actors": "vllm/author", "verifiers": "vllm/author"}
    assert "A language model, vllm/author, wrote" in (tmp_path / "data" / "README.md").read_text(encoding="utf-8")


def test_plan_and_gold_are_those_of_a_drawn_scene(tmp_path: Path) -> None:
    with Loopback(company) as server:
        written(tmp_path / "written", server)
    drawn = list(read_lines(scenes(tmp_path / "drawn", 3) / STATES, SceneState))
    states = list(read_lines(tmp_path / "written" / STATES, SceneState))
    assert {one.generator for one in states} == {"vllm/author"}
    own = {"history", "resources", "noise", "generator"}
    assert [one.model_dump(exclude=own) for one in states] == [one.model_dump(exclude=own) for one in drawn]
    assert not {one.history[0].text for one in states} & {one.history[0].text for one in drawn}
    for state in states:
        assert state.resources is not None
        assert [len(one.concerns) for one in state.resources.dossier] == [1] * 9
    for item in read_lines(tmp_path / "written" / "questions.jsonl", ItemLine):
        assert item.groups["topic"]


def test_written_scenes_are_played_and_judged_by_rules(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    with Loopback(company) as server:
        written(folder, server)
    plays(folder, "policy/faithful")
    replies = [one for state in played(folder, "policy/faithful") for one in state.replies]
    assert {one.verdicts.blind for one in replies if one.cell.route == "central"} == {"central"}


def test_the_closed_loop_says_that_it_needs_drawn_scenes(tmp_path: Path) -> None:
    with Loopback(company) as server:
        written(tmp_path, server)
    with pytest.raises(InputError, match="the closed loop needs scenes in the packs' words"):
        asyncio.run(run_loops(LoopRequest(tmp_path, ("policy/cues",))))


def test_nobody_is_told_the_others_part(tmp_path: Path) -> None:
    with Loopback(company) as server:
        written(tmp_path, server)
        prompts = [prompt_of(request) for request in server.requests]
    persuaders = [one for one in prompts if "don't call it by its name" in one]
    persuadees = [one for one in prompts if "What you believe" in one]
    assert persuaders
    assert len(persuaders) == len(persuadees)
    assert not any("What you believe" in one or "holds you back" in one for one in persuaders)
    assert not any("Go on in this way" in one for one in persuadees)


def test_what_is_read_otherwise_is_not_kept(tmp_path: Path) -> None:
    def deaf(request: Request) -> Answer:
        asked = prompt_of(request)
        return completion("A" if "Exactly one of the options" in asked else writes(asked))

    with Loopback(deaf) as server:
        manifest = written(tmp_path, server, n=1)
    assert (manifest.status, manifest.counts.unfilled, manifest.counts.dialogues) == ("incomplete", 1, 0)
    (first, second) = read_lines(tmp_path / "rejected.jsonl", RejectedLine)
    assert (first.file, first.place, second.place) == ("lines", "attempt 0", "attempt 1")
    assert "can't be told from its line" in first.reason
    assert list(read_lines(tmp_path / STATES, SceneState)) == []


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("It takes 19 minutes.", "has a figure in it"),
        ("Time both trips and wave off the drizzle!", "calls a strategy by its name"),
        ("", "says nothing"),
    ],
)
def test_lines_that_give_something_away_are_not_kept(tmp_path: Path, line: str, reason: str) -> None:
    with Loopback(lambda _: completion(line)) as server:
        manifest = written(tmp_path, server, n=1)
    assert manifest.counts.unfilled == 1
    (one, *_) = read_lines(tmp_path / "rejected.jsonl", RejectedLine)
    assert reason in one.reason


def test_a_dossier_that_says_one_thing_twice_is_not_kept(tmp_path: Path) -> None:
    def repeats(request: Request) -> Answer:
        asked = prompt_of(request)
        if "Prepare material" not in asked:
            return company(request)
        dossier = json.loads(writes(asked))
        return completion(json.dumps({**dossier, "facts": [dossier["facts"][0]] * 6}))

    with Loopback(repeats) as server:
        manifest = written(tmp_path, server, n=1)
    assert manifest.counts.unfilled == 1
    (one, _) = read_lines(tmp_path / "rejected.jsonl", RejectedLine)
    assert (one.file, "is the same as number 1" in one.reason) == ("dossier", True)


@pytest.mark.parametrize(
    ("models", "said"),
    [
        ({"model": "vllm/a", "verifier_model": "rules"}, "has to be read by a model"),
        ({"verifier_model": "vllm/a"}, "need nobody who reads them"),
        ({"model": "vllm/a", "scenario_model": "vllm/a"}, "are drawn from packs"),
    ],
)
def test_models_that_can_do_nothing_are_refused(models: dict[str, object], said: str) -> None:
    with pytest.raises(InputError, match=said):
        generating_suite("tomelp").job(GenerationRequest("all", 1, models=models))
