"""Recommendation dialogues spoken by a language model, each of whose lines another one hears."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from loopback import Answer, Loopback, Request, completion
from recommendation_speaker import standing_in
from typer.testing import CliRunner

from dtomtrack.cli.main import app
from dtomtrack.errors import InputError
from dtomtrack.scenarios.recommendation.clauses import Clause, LinePlan
from dtomtrack.scenarios.recommendation.model_performer import names_all
from dtomtrack.suites.generating import GenerationRequest
from dtomtrack.suites.rectom.generation.making import make_job
from dtomtrack.suites.rectom.suite import SUITE


def generate(out: Path, server: Loopback, *more: str) -> int:
    """A dialogue by a model on loopback; the exit status."""
    own = ["generate", "--suite", "rectom", "--domain", "films", "--n", "1", "--out", str(out), "-q"]
    result = CliRunner().invoke(app, [*own, "--model", "vllm/speaker", "--base-url", server.base_url, *more])
    return result.exit_code


def test_a_model_speaks_and_a_model_hears_what_it_says(tmp_path: Path) -> None:
    with Loopback(standing_in) as server:
        assert generate(tmp_path / "out", server) == 0
        asked = server.count
        assert generate(tmp_path / "out", server) == 0
        assert server.count == asked
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["models"]["actors"] == "vllm/speaker"
    assert manifest["config"]["generator"] == "vllm/speaker"
    items = list(SUITE.items(tmp_path / "out"))
    assert len({item.groups["type"] for item in items}) == 10
    prompts = [str(request["messages"][0]["content"]) for request in server.requests]
    own = [text for text in prompts if "You play the recommender" in text]
    # what the seeker is to say next is in nothing that the recommender is given
    assert own
    assert not any("reason that has nothing to do with liking" in text.partition("Your next line")[2] for text in own)


def test_a_line_that_does_something_else_is_asked_for_again_and_then_given_up(tmp_path: Path) -> None:
    def deaf(request: Request) -> Answer:
        spoken = request["messages"][0]["content"].startswith("You play")
        return standing_in(request) if spoken else completion("B")

    with Loopback(deaf) as server:
        assert generate(tmp_path / "out", server, "--max-attempts", "1", "--turn-retries", "1") == 1
    (line,) = (tmp_path / "out" / "rejected.jsonl").read_text(encoding="utf-8").splitlines()
    assert "line 1: the line lacks IQU, PRO" in json.loads(line)["reason"]
    spoken = [one for one in server.requests if one["messages"][0]["content"].startswith("You play")]
    assert len(spoken) == 2


@pytest.mark.parametrize(
    ("said", "instead", "reason"),
    [
        ("loathes it", "likes it", "does not tell of how they like"),
        ("not for them", "", "does not tell of what is"),
    ],
)
def test_a_line_that_tells_another_attitude_is_not_kept(tmp_path: Path, said: str, instead: str, reason: str) -> None:
    def turncoat(request: Request) -> Answer:
        answer = standing_in(request)
        spoken = request["messages"][0]["content"].startswith("You play")
        text = json.loads(answer.body)["choices"][0]["message"]["content"]
        return completion(text.replace(said, instead)) if spoken else answer

    with Loopback(turncoat) as server:
        assert generate(tmp_path / "out", server, "--max-attempts", "1", "--turn-retries", "0") == 1
    (line,) = (tmp_path / "out" / "rejected.jsonl").read_text(encoding="utf-8").splitlines()
    assert reason in json.loads(line)["reason"]


def test_who_speaks_has_to_be_heard() -> None:
    with pytest.raises(InputError, match="a model speaks and a model hears"):
        make_job(GenerationRequest(domain="films", n=1, models={"actor_model": "vllm/x", "verifier_model": "rules"}))


@pytest.mark.parametrize(
    ("line", "missing"),
    [
        ("It belongs to a trash genre.", "Ash"),
        ("Have you seen ash? It is funny.", None),
        ('"Ash!", and it is unfunny.', "funny"),
        ("Ash's jokes are funny, I'd say.", None),
    ],
)
def test_a_title_within_a_word_names_nothing(line: str, missing: str | None) -> None:
    direction = LinePlan("recommender", (Clause("R-REC", title="Ash", quality="funny"),))
    assert names_all(direction, line) == (missing and f"the line does not name {missing}")
