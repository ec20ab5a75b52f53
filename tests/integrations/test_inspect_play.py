"""RhetBench in Inspect AI: a model on loopback persuades, and Inspect's log has what was said and how it ended.

`make test-integrations` installs the tools; without them these tests fail.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from loopback import Answer, Loopback, Request, completion

BIN = Path(sys.executable).parent
STORY = "A friend of mine told me how she did it, one rainy morning."


def anecdotes(request: Request) -> Answer:
    """Nothing but a story, in quotation marks as models write it."""
    return completion(f'"{STORY}"')


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> dict[str, object]:
    """The log of two episodes: one character likes stories, the other doesn't."""
    home = tmp_path_factory.mktemp("inspect")
    with Loopback(anecdotes) as server:
        settings = {"LOOPBACK_API_KEY": "none", "LOOPBACK_BASE_URL": server.base_url, "NO_PROXY": "127.0.0.1"}
        scenarios = "-Tscenarios=needle_finder,cold_skeptic"
        command = [
            str(BIN / "inspect"),
            "eval",
            "dtomtrack/rhetbench",
            "--model",
            "openai-api/loopback/model",
            scenarios,
        ]
        command += ["--log-dir", str(home / "logs"), "--log-format", "json", "--display", "none"]
        subprocess.run(command, check=True, env={**os.environ, **settings, "HOME": str(home)})
    (path,) = (home / "logs").glob("*.json")
    found = json.loads(path.read_text(encoding="utf-8"))
    assert isinstance(found, dict)
    return found


def test_who_likes_stories_is_won_over_by_them(log: dict[str, list[dict[str, dict[str, dict[str, object]]]]]) -> None:
    scores = {str(one["metadata"]["scenario"]): one["scores"]["persuaded"]["value"] for one in log["samples"]}
    assert scores == {"needle_finder": 1, "cold_skeptic": 0}


def test_standard_errors_are_clustered_and_the_transcript_is_whole(log: dict[str, object]) -> None:
    text = json.dumps(log)
    assert '"cluster": "scenario"' in text
    assert text.count(STORY) > 5
    assert "You have 25 messages" in text


def test_quotation_marks_around_a_message_are_not_said(
    log: dict[str, list[dict[str, dict[str, dict[str, object]]]]],
) -> None:
    episodes = [one["metadata"]["episode"] for one in log["samples"]]
    assert {turn["message"] for episode in episodes for turn in episode["turns"]} == {STORY}  # type: ignore[attr-defined]
