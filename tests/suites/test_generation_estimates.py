"""Estimates of runs that make data of a suite's kind, against what a stand-in is then really asked."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable
from pathlib import Path

import persuasion_speaker
import pytest
import recommendation_speaker
import scene_author
from loopback import Answer, Loopback, Request, completion
from typer.testing import CliRunner

from dtomtrack.cli.main import app
from dtomtrack.llm.tokens import count_tokens
from dtomtrack.runs.engines import open_engine
from dtomtrack.runs.run import run
from dtomtrack.scenarios.route.pack_files import find_topics
from dtomtrack.scenarios.route.terms import CUE_TYPES
from dtomtrack.suites.generating import GenerationRequest, generating_suite
from dtomtrack.suites.generation.rehearsal import estimate_generation

SPEAKERS: dict[str, Callable[[Request], Answer]] = {
    "persuasivetom": lambda request: talkative(persuasion_speaker.company(request)),
    "rectom": recommendation_speaker.standing_in,
    "tomelp": lambda request: talkative(scene_author.company(request)),
}


def talkative(answer: Answer) -> Answer:
    """A line of a few words with more in front, as people talk; other answers as they are."""
    text = json.loads(answer.body)["choices"][0]["message"]["content"]
    more = "There is something that I have wanted to say."
    return answer if len(text) == 1 or text.startswith("{") else completion(f"{more} {text}")


@pytest.mark.parametrize("suite", SPEAKERS)
def test_an_estimate_comes_near_what_is_taken(suite: str, tmp_path: Path) -> None:
    n = 3
    with Loopback(SPEAKERS[suite]) as server:
        options = {"model": "vllm/speaker", "base_url": server.base_url}
        job = generating_suite(suite).job(GenerationRequest("all", n, models=options))
        estimated = estimate_generation(job, n)
        assert server.count == 0
        asyncio.run(run(job, open_engine("local", 1), n=n, out=tmp_path / "data"))
        asked = [str(one["messages"][0]["content"]) for one in server.requests]
    assert sum(one.calls for one in estimated.stages) == pytest.approx(len(asked), rel=0.2)
    assert sum(one.prompt_tokens for one in estimated.stages) == pytest.approx(sum(map(count_tokens, asked)), rel=0.2)


def dry(*options: str) -> str:
    result = CliRunner().invoke(app, ["generate", "--dry-run", "--n", "30", "--out", "nowhere", *options])
    assert result.exit_code == 0, result.output
    return " ".join(result.output.split())


@pytest.mark.parametrize("suite", [*SPEAKERS, "rhetbench"])
def test_scripts_take_no_calls(suite: str) -> None:
    assert "no calls, no tokens, no cost" in dry("--suite", suite)


@pytest.mark.parametrize("suite", SPEAKERS)
def test_an_estimate_is_printed_by_stage_with_dollars(suite: str) -> None:
    said = dry("--suite", suite, "--model", "openai/gpt-4o-mini", "--requests-per-minute", "1")
    assert re.search(r"actor openai/gpt-4o-mini [\d,]+ [\d,]+ [\d,]+ 0\.\d\d ", said)
    assert re.search(r"verifier openai/gpt-4o-mini [\d,]+ [\d,]+ [\d,]+ 0\.\d\d ", said)
    assert "found from 12 rehearsed ones" in said
    assert not Path("nowhere").exists()


def test_a_model_that_only_reads_is_rehearsed_alone() -> None:
    said = dry("--suite", "persuasivetom", "--verifier-model", "openai/gpt-4o-mini")
    assert "verifier openai" in said
    assert "actor" not in said


@pytest.mark.parametrize("domain", ["work", "health", "travel", "environment", "education", "technology"])
def test_every_goal_can_be_rehearsed(domain: str) -> None:
    job = generating_suite("persuasivetom").job(GenerationRequest(domain, 2, models={"model": "openai/x"}))
    actor, verifier = estimate_generation(job, 2).stages
    assert actor.calls == 24
    assert verifier.calls > 60


def test_every_topic_can_be_rehearsed_to_the_last_cue() -> None:
    """A line or dossier of a pack that broke a rule for models would end the rehearsal early."""
    for pack in find_topics(["all"]):
        job = generating_suite("tomelp").job(GenerationRequest(pack.id, 6, models={"model": "openai/x"}))
        _, verifier = estimate_generation(job, 6).stages
        assert verifier.calls >= 6 * (9 + len(CUE_TYPES) * 2), pack.id
