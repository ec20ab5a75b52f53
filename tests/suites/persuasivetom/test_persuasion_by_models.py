"""Persuasive conversations by a language model: it speaks, another reads, and what is read otherwise is not kept."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Mapping
from pathlib import Path

from examinee import prompt_of
from loopback import Answer as Reply
from loopback import Loopback, Request, completion

from dtomtrack.runs.engines import open_engine
from dtomtrack.runs.lines import read_lines
from dtomtrack.runs.manifest import Manifest
from dtomtrack.runs.run import run
from dtomtrack.scenarios.persuasion.pack_files import find_goals
from dtomtrack.suites.generating import GenerationRequest, generating_suite
from dtomtrack.suites.items.records import ContextRecord, ItemLine, RejectedLine
from dtomtrack.suites.persuasivetom.generation.questions import PRINCIPLE_TEXTS

PRINCIPLES = {one.label: one.principle for goal in find_goals("all").values() for one in goal.strategies}
_QUOTED = r"(\"(?:[^\"\\]|\\.)*\")"


def spoken(prompt: str) -> str:
    """A line that says its direction in so many words."""
    if "Argue by this strategy" in prompt:
        told = re.search(rf"Argue by this strategy.*?: {_QUOTED}\. Sound {_QUOTED}", prompt)
        target = re.search(r"You want \w+ to (.*?)\. What stands", prompt)
        assert told is not None and target is not None
        return f"I'd like it: {target[1]}; by [{json.loads(told[1])}] and <{json.loads(told[2])}>."
    told = re.search(rf"Sound {_QUOTED}\. What you want to do with your line: {_QUOTED}", prompt)
    worries = re.search(r"(?:worries you, and you say so|you name each): (.*?)\. Sound", prompt)
    assert told is not None
    named = "|".join(json.loads(one) for one in re.findall(_QUOTED, worries[1])) if worries else ""
    return f"Worries [{named}], <{json.loads(told[1])}>, to {json.loads(told[2])}!"


def read(prompt: str) -> str:
    """The answer that the lines of such a conversation give."""
    said = [json.loads(text) for text in re.findall(rf"^\"\w+\": {_QUOTED}$", prompt, re.MULTILINE)]
    asked = re.search(rf"^Question: {_QUOTED}$", prompt, re.MULTILINE)
    assert asked is not None
    question = str(json.loads(asked[1]))
    options: dict[str, str] = {
        json.loads(text).lower(): letter for letter, text in re.findall(rf"^([A-Z]): {_QUOTED}$", prompt, re.M)
    }
    return options[_meant(question, said[-2], said[-1], said[-3] if len(said) > 2 else "").lower()]


def _meant(question: str, argued: str, answered: str, before: str) -> str:
    inside = {name: re.search(r"\[(.*?)\].*?<(.*?)>", text) for name, text in (("er", argued), ("ee", answered))}
    assert inside["er"] is not None and inside["ee"] is not None
    worries = [one for one in inside["ee"][1].split("|") if one]
    if "trying to get" in question:
        target = re.search(r"I'd like it: (.*?); by", argued)
        return "Yes" if target is not None and f"to {target[1]}?" in question else "No"
    if "Will this strategy be" in question:
        earlier = re.search(r"\[(.*?)\]", before)
        helped = bool(set(filter(None, earlier[1].split("|") if earlier else [])) - set(worries))
        return "Yes" if helped == ("not effective" not in question) else "No"
    simple: Mapping[str, str] = {
        "likely to": ("Yes", "Neutral", "No")[min(2, len(worries))],
        "having heard the last line": inside["ee"][2],
        "attitude to be in the last exchange": inside["er"][2],
        "intend with the way": PRINCIPLE_TEXTS[PRINCIPLES[inside["er"][1]]],
        "want to do with the last line": answered.rpartition(", to ")[2].rstrip("!"),
        "use next": inside["er"][1],
    }
    return next(text for sign, text in simple.items() if sign in question)


def company(request: Request) -> Reply:
    prompt = prompt_of(request)
    return completion(spoken(prompt) if "Write your next line" in prompt else read(prompt))


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
