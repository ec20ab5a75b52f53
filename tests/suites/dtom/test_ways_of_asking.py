"""Whole runs in every way of asking, against a stand-in that does as it is told."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import pytest
from competent_author import write_piece
from loopback import Answer, Loopback, Request, completion
from performer import perform

from dtomtrack import generate
from dtomtrack.beliefs.dialogue import Dialogue
from dtomtrack.runs.lines import read_lines

Actors = Literal["one-call", "two-call"]
Form = Literal["json", "text"]


@pytest.mark.parametrize("provider", ["vllm", "openai"])
@pytest.mark.parametrize(("style", "form"), [("one-call", "json"), ("one-call", "text"), ("two-call", "json")])
def test_dialogues_are_kept_in_every_way_of_asking(tmp_path: Path, provider: str, style: Actors, form: Form) -> None:
    with Loopback(perform) as server:
        manifest = generate(
            "restaurant",
            n=6,
            out=tmp_path / "out",
            actor_model=f"{provider}/stand-in",
            base_url=server.base_url,
            actor_style=style,
            turn_format=form,
        )
    assert manifest.counts.dialogues == 6
    assert manifest.counts.questions >= 48
    for dialogue in read_lines(tmp_path / "out" / "dialogues.jsonl", Dialogue):
        assert dialogue.generator == f"{provider}/stand-in"
        assert dialogue.verification.realized
        spoken = {turn.index: turn.utterance for turn in dialogue.turns}
        assert all("(" not in utterance for utterance in spoken.values())


def author_or_actor(request: Request) -> Answer:
    if request["messages"][0]["role"] == "system":
        return perform(request)
    return completion(write_piece(request))


@pytest.mark.parametrize("style", ["free", "planned"])
def test_written_scenarios_are_played(tmp_path: Path, style: Literal["free", "planned"]) -> None:
    with Loopback(author_or_actor) as server:
        manifest = generate(
            "travel",
            n=6,
            out=tmp_path / "out",
            model="vllm/stand-in",
            verifier_model="rules",
            base_url=server.base_url,
            scenario_style=style,
            actor_style="two-call",
            max_attempts=2,
        )
    assert manifest.counts.dialogues == 6
    assert manifest.models == {"scenario": "vllm/stand-in", "actors": "vllm/stand-in", "verifiers": "rules"}
    for dialogue in read_lines(tmp_path / "out" / "dialogues.jsonl", Dialogue):
        assert style == "planned" or {agent.name for agent in dialogue.scenario.agents} == {"Marta", "Ole"}
        updates = {(one.agent, one.topic, one.turn) for one in dialogue.scenario.updates}
        records = {(one.holder, one.topic, one.source_turn) for one in dialogue.beliefs if one.prior_content}
        assert updates <= records


def test_what_is_planned_where_minds_come_apart_is_not_written_but_played(tmp_path: Path) -> None:
    with Loopback(author_or_actor) as server:
        manifest = generate(
            "travel",
            n=1,
            seed=3,
            out=tmp_path / "out",
            model="vllm/stand-in",
            verifier_model="rules",
            base_url=server.base_url,
            difficulty="apart",
            actor_style="two-call",
        )
    assert manifest.models["scenario"] == "scripted"
    [dialogue] = read_lines(tmp_path / "out" / "dialogues.jsonl", Dialogue)
    assert dialogue.scenario.presence or dialogue.scenario.audiences
