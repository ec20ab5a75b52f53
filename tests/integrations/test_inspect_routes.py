"""ToMELP in Inspect AI: one model on loopback persuades, another grades, and what it fails to judge is no zero.

`make test-integrations` installs the tools; without them these tests fail.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from loopback import Answer, Loopback, Request, completion

BIN = Path(sys.executable).parent
MIND = {"belief": "thinks so", "desire": "wants rest", "intent": "will wait"}
SCORES = {"attitude_change": 1, "elm_match": 1, "route_pred": "central"}
EVIDENCE = dict.fromkeys(("relevance", "credibility", "sufficiency", "coherence", "specificity"), 1)
REPLY = "I hear you, and there is [F1]."


def persuader(asked: str) -> str:
    """Infers and writes the same for everybody."""
    if "reply_text" in asked:
        return json.dumps({"outline": [], "reply_text": REPLY})
    return json.dumps({"persuader": MIND, "persuadee": MIND})


def grader(asked: str) -> str:
    """Takes every reply for one by facts."""
    if "attitude_change" in asked:
        central = "five fields" in asked
        return json.dumps({**SCORES, "evidence_quality": EVIDENCE if central else None})
    return "C" if "clearly tailored" in asked else "A"


def run(
    home: Path, grades: Callable[[str], str], persuades: Callable[[str], str] = persuader, *more: str
) -> tuple[dict[str, Any], list[str]]:
    """Inspect's log of two scenes, and all prompts."""

    def answer(request: Request) -> Answer:
        asked = str(request["messages"][-1]["content"])
        return completion(grades(asked) if request["model"] == "grader" else persuades(asked))

    with Loopback(answer) as server:
        settings = {"LOOPBACK_API_KEY": "none", "LOOPBACK_BASE_URL": server.base_url, "NO_PROXY": "127.0.0.1"}
        command = [str(BIN / "inspect"), "eval", "dtomtrack/tomelp", "--model", "openai-api/loopback/persuader"]
        command += ["--model-role", "grader=openai-api/loopback/grader", "-Tscenes=2", "-Ttopics=bike_commute"]
        command += ["--log-dir", str(home / "logs"), "--log-format", "json", "--display", "none", *more]
        subprocess.run(command, check=True, env={**os.environ, **settings, "HOME": str(home)})
        prompts = [str(request["messages"][-1]["content"]) for request in server.requests]
    (path,) = (home / "logs").glob("*.json")
    found = json.loads(path.read_text(encoding="utf-8"))
    assert isinstance(found, dict)
    return found, prompts


def means(log: dict[str, Any]) -> dict[str, float]:
    """The means by score."""
    return {one["name"]: one["metrics"]["mean"]["value"] for one in log["results"]["scores"]}


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Any], list[str]]:
    """A grader that takes every reply for one by facts."""
    return run(tmp_path_factory.mktemp("graded"), grader)


def test_the_grader_scores_what_the_model_wrote(graded: tuple[dict[str, Any], list[str]]) -> None:
    log, _ = graded
    assert len(log["samples"]) == 4 * len({one["metadata"]["state"]["id"] for one in log["samples"]})
    assert means(log) == {"attitude": 1.0, "route_fit": 1.0, "predicted": 0.5, "alignment": 2.0}
    assert '"cluster": "scene"' in json.dumps(log["eval"])
    assert {one["output"]["choices"][0]["message"]["content"] for one in log["samples"]} == {REPLY}


def test_no_prompt_has_a_gold_state_and_the_blind_one_no_tag(graded: tuple[dict[str, Any], list[str]]) -> None:
    log, prompts = graded
    golds = {sample["metadata"]["state"]["minds"]["persuadee"]["belief"] for sample in log["samples"]}
    assert not any(gold in asked for gold in golds for asked in prompts)
    blind = [asked for asked in prompts if "by facts, data or reasons, and by" in asked]
    assert len(blind) == len(log["samples"])
    assert not any("[F1]" in asked or "central" in asked for asked in blind)


def test_what_is_not_judged_is_in_no_mean(tmp_path: Path) -> None:
    found, _ = run(tmp_path, lambda asked: "" if "clearly tailored" in asked else grader(asked))
    scores = {one["name"]: one for one in found["results"]["scores"]}
    assert scores["alignment"]["scored_samples"] == 0
    assert scores["attitude"]["metrics"]["mean"]["value"] == 1.0
    assert all("alignment" in one["scores"]["judged"]["metadata"]["unjudged"] for one in found["samples"])


def test_without_inferred_states_no_reply_is_tailored_to_them(tmp_path: Path) -> None:
    def writes(asked: str) -> str:
        return persuader(asked) if "reply_text" in asked else "no idea"

    found, _ = run(tmp_path, grader, writes, "-Ttom=none")
    assert means(found)["alignment"] == 0.0
    assert means(found)["attitude"] == 1.0
