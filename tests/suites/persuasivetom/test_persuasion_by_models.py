"""Persuasive conversations by a language model: it speaks, another reads, and what is read otherwise is not kept."""

from __future__ import annotations

import asyncio
from pathlib import Path

from examinee import prompt_of
from loopback import Answer as Reply
from loopback import Loopback, Request, completion
from persuasion_speaker import company, spoken

from dtomtrack.runs.engines import open_engine
from dtomtrack.runs.lines import read_lines
from dtomtrack.runs.manifest import Manifest
from dtomtrack.runs.run import run
from dtomtrack.suites.generating import GenerationRequest, generating_suite
from dtomtrack.suites.items.records import ContextRecord, ItemLine, RejectedLine


def deaf(request: Request) -> Reply:
    prompt = prompt_of(request)
    return completion(spoken(prompt) if "Write your next line" in prompt else "A")


def made(out: Path, server: Loopback, n: int = 2, **models: object) -> Manifest:
    options = {"model": "vllm/actor", "base_url": server.base_url, **models}
    request = GenerationRequest(domain="work,health", n=n, max_attempts=2, models=options)
    job = generating_suite("persuasivetom").job(request)
    return asyncio.run(run(job, open_engine("local", 1), n=n, out=out))


def test_what_a_model_says_and_a_model_reads_is_kept(tmp_path: Path) -> None:
    with Loopback(company) as server:
        manifest = made(tmp_path / "data", server)
        calls = len(server.requests)
        made(tmp_path / "data", server)
        assert len(server.requests) == calls == manifest.calls
        prompts = [prompt_of(request) for request in server.requests]
    assert (manifest.status, manifest.counts.dialogues) == ("complete", 2)
    assert manifest.models == {"scenario": "scripted", "actors": "vllm/actor", "verifiers": "vllm/actor"}
    assert manifest.config["generator"] == "vllm/actor"
    assert manifest.counts.rejected_questions == {}
    assert len(manifest.counts.groups["type"]) == 8
    (first, _) = read_lines(tmp_path / "data" / "dialogues.jsonl", ContextRecord)
    assert len(first.lines) == 12
    # nobody is told the other's part
    persuaders = [one for one in prompts if "Argue by this strategy" in one]
    persuadees = [one for one in prompts if "What you want to do with your line" in one]
    assert len(persuaders) == len(persuadees) == 12
    assert not set(persuaders) & set(persuadees)


def test_what_is_read_otherwise_is_not_kept(tmp_path: Path) -> None:
    with Loopback(deaf) as server:
        manifest = made(tmp_path / "data", server, n=1)
    assert (manifest.status, manifest.counts.unfilled, manifest.counts.dialogues) == ("incomplete", 1, 0)
    assert manifest.counts.rejected_dialogues == {"utterances": 2}
    rejected = list(read_lines(tmp_path / "data" / "rejected.jsonl", RejectedLine))
    assert {one.file for one in rejected} == {"dialogue", "question"}
    assert list(read_lines(tmp_path / "data" / "questions.jsonl", ItemLine)) == []


def test_a_silent_model_ends_attempts_and_not_the_run(tmp_path: Path) -> None:
    with Loopback(lambda _: completion("(shrugs)")) as server:
        manifest = made(tmp_path / "data", server, n=1)
    assert manifest.counts.unfilled == 1
    (one, *_) = read_lines(tmp_path / "data" / "rejected.jsonl", RejectedLine)
    assert "says nothing" in one.reason
