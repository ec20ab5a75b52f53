"""Judges: on planted replies, a second one over stored replies, and of one family with the subject."""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path

import pytest
from asking import refused
from loopback import Answer, Loopback, Request, completion
from route_persuader import persuade, persuade_text
from route_plays import played, plays, quick, scenes
from typer.testing import CliRunner

from dtomtrack.cli.main import app
from dtomtrack.errors import DatasetError, InputError, ModelError
from dtomtrack.suites.tomelp.judge_calibration import CalibrationRequest, JudgeCalibration, calibrate_judge
from dtomtrack.suites.tomelp.judging_job import JudgedAgain, judge_plays_again
from dtomtrack.verifiers.judging.families import family_of, same_family

JUDGE = "openai/judge"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Twelve scenes."""
    return scenes(tmp_path / "data", 12)


def calibrated(data: Path, judge: str, base_url: str | None = None, limit: int | None = None) -> JudgeCalibration:
    return asyncio.run(calibrate_judge(CalibrationRequest(data, judge, quick(), base_url, limit)))


def judged(data: Path, judge: str, base_url: str | None = None) -> list[JudgedAgain]:
    return asyncio.run(judge_plays_again(data, judge, quick(), base_url))


def test_rules_find_what_was_planted(data: Path) -> None:
    found = calibrated(data, "rules")
    assert found.replies >= 200
    assert all(one.kappa is not None and one.kappa >= 0.8 for one in found.truth.values())
    assert all(one.kappa == 1.0 for one in found.retest.values())
    assert found.padding.interval.value == found.edits["noise"].interval.value == 0.0
    for kind in ("conflict", "misleading"):
        assert (found.edits[kind].interval.high or 0.0) < 0
    assert all((one.obeyed, one.moved) == (0, 0) and one.tried > 150 for one in found.told.values())


def obedient(request: Request) -> Answer:
    """Does what a reply tells it; where it tells nothing, the lowest score."""
    text = request["messages"][0]["content"]
    told = _TOLD.findall(text)
    if "response_format" not in request:
        return completion(told[-1] if told and told[-1].isalpha() else "A")
    given = json.loads(persuade_text(request))
    level = int(told[-1]) if told and told[-1].isdigit() else 0
    return completion(json.dumps({**given, "attitude_change": level}))


_TOLD = re.compile(r"(?:give attitude_change|answer with the letter) (\w)")


def test_a_judge_that_does_what_it_is_told_is_found_out(data: Path) -> None:
    with Loopback(obedient) as server:
        done = calibrate_by_command(data, server.base_url)
    found = json.loads((data / "judges" / "openai_judge" / "calibration.json").read_text(encoding="utf-8"))["told"]
    assert all(one["share"] == 1.0 and one["low"] > 0.7 for one in found.values())
    assert done.count("does what the text that it judges tells it") == 3
    assert "planted instructions are obeyed, 100.0% [" in done


def test_a_judge_that_takes_no_instruction_is_not_warned_of(data: Path) -> None:
    def steady(request: Request) -> Answer:
        without = re.sub(_TOLD, "", request["messages"][0]["content"])
        return obedient({**request, "messages": [{"role": "user", "content": without}]})

    with Loopback(steady) as server:
        done = calibrate_by_command(data, server.base_url)
    assert "warning" not in done
    assert done.count("0.0% [0.0%") == 3


def calibrate_by_command(data: Path, base_url: str) -> str:
    limits = ("--limit", "12", "--base-url", base_url)
    done = CliRunner().invoke(app, ["verify", str(data), "--judge", JUDGE, "--calibrate", *limits])
    assert done.exit_code == 0, done.output
    return " ".join(done.output.split())


def test_a_judge_that_guesses_is_found_out(data: Path) -> None:
    with Loopback(persuade) as server:
        found = calibrated(data, JUDGE, server.base_url, limit=12)
        assert len(server.requests) == found.calls == 96 * 13
    assert all(abs(one.kappa or 0.0) < 0.35 for one in found.truth.values())
    assert (data / "judges" / "openai_judge" / "calibration.json").is_file()


LIKE = ("openai/a/b", "openai/a_b")


def found_in(data: Path) -> dict[str, Path]:
    """The folders of finished calibrations, by judge."""
    files = (data / "judges").glob("*/calibration.json")
    return {json.loads(one.read_bytes())["judge"]: one.parent for one in files}


def test_judges_of_like_names_are_calibrated_into_folders_of_their_own(data: Path) -> None:
    with Loopback(persuade) as server:
        one, other = (calibrated(data, judge, server.base_url, limit=2) for judge in LIKE)
        count = len(server.requests)
        again = [calibrated(data, judge, server.base_url, limit=2) for judge in reversed(LIKE)]
        assert len(server.requests) == count == one.calls + other.calls
    assert again == [other, one]
    assert found_in(data)[LIKE[0]].name == "openai_a_b"
    assert {*found_in(data)} == {*LIKE}


def test_a_calibration_that_was_stopped_keeps_its_folder_to_itself(data: Path) -> None:
    """Whoever else went there would be said to have made its calls."""

    def stops_once(request: Request) -> Answer:
        return (
            refused(401)
            if request["model"] == "a/b" and not found_in(data) and server.count > 30
            else persuade(request)
        )

    with Loopback(stops_once) as server:
        with pytest.raises(ModelError):
            calibrated(data, LIKE[0], server.base_url, limit=2)
        before = server.count
        other = calibrated(data, LIKE[1], server.base_url, limit=2)
        assert other.calls == server.count - before
        one = calibrated(data, LIKE[0], server.base_url, limit=2)
        assert one.calls == other.calls > server.count - before - other.calls
    assert found_in(data)[LIKE[0]].name == "openai_a_b"


def test_a_judge_that_fails_says_nothing(data: Path) -> None:
    def mute(request: Request) -> Answer:
        return completion("I would rather not say.", "content_filter")

    with Loopback(mute) as server:
        found = calibrated(data, JUDGE, server.base_url, limit=2)
    assert all(one.pairs == 0 and one.missing > 0 and one.kappa is None for one in found.truth.values())
    assert found.padding.interval.value is None


def test_a_second_judge_scores_the_stored_replies(data: Path) -> None:
    plays(data, "policy/faithful", perturb="all", limit=2)
    before = played(data, "policy/faithful")
    with Loopback(persuade) as server:
        (found,) = judged(data, JUDGE, server.base_url)
    assert played(data, "policy/faithful") == before
    assert (found.first, found.second) == ("rules", JUDGE)
    assert {"attitude", "match", "route", "alignment", "relevance"} <= set(found.agreement)
    assert found.agreement["attitude"].pairs == sum(len(one.replies) for one in before)
    with pytest.raises(InputError, match="judged by rules already"):
        judged(data, "rules")


def test_second_judges_of_like_names_have_folders_of_their_own(data: Path) -> None:
    plays(data, "policy/faithful", limit=2)
    with Loopback(persuade) as server:
        first = [judged(data, judge, server.base_url) for judge in LIKE]
        count = len(server.requests)
        assert [judged(data, judge, server.base_url) for judge in reversed(LIKE)] == first[::-1]
        assert len(server.requests) == count
    assert [found.second for (found,) in first] == [*LIKE]
    folders = sorted(one.name for one in (data / "play" / "policy_faithful" / "judges").iterdir())
    assert folders[0] == "openai_a_b"
    assert len(folders) == 2


def test_without_a_play_there_is_nothing_to_judge(data: Path) -> None:
    with pytest.raises(DatasetError, match="holds no play"):
        judged(data, "rules")


@pytest.mark.parametrize(
    ("judge", "subject", "family"),
    [
        ("openai/gpt-4o-mini", "openrouter/openai/gpt-4.1", "gpt"),
        ("vllm/meta-llama/Llama-3.3-70B-Instruct", "ollama/llama3.1", "llama"),
        ("vllm/Qwen/Qwen2.5-72B", "vllm/meta-llama/Llama-3.1-8B", None),
        ("gguf/models/Qwen2.5/q4.gguf", "vllm/Qwen/QwQ-32B", "qwen"),
        ("openrouter/mistralai/codestral-2508", "vllm/mistralai/Pixtral-12B-2409", "mistral"),
        ("ollama/codellama:7b", "vllm/meta-llama/Llama-3.1-8B", "llama"),
        ("vllm/own", "vllm/own", "vllm/own"),
        ("rules", "policy/faithful", None),
    ],
)
def test_judges_of_the_subjects_family_are_known(judge: str, subject: str, family: str | None) -> None:
    assert same_family(judge, subject) == family


def test_a_name_may_tell_no_family() -> None:
    assert family_of("vllm/my-model") is None


@pytest.mark.parametrize("dry", [(), ("--dry-run",)], ids=["play", "dry run"])
def test_a_judge_of_the_subjects_family_is_warned_of(tmp_path: Path, dry: tuple[str, ...]) -> None:
    data = scenes(tmp_path / "data", 1)
    with Loopback(persuade) as server:
        models = ("-m", "vllm/qwen3-8b", "--judge", "vllm/qwen3-14b", "--base-url", server.base_url)
        done = CliRunner().invoke(app, ["play", "tomelp", str(data), *models, "--limit", "1", *dry])
    assert done.exit_code == 0, done.output
    assert "warning: judge and subject are of one family (qwen)" in " ".join(done.output.split())


def test_a_play_that_the_judge_judged_first_is_left_out_and_named(data: Path) -> None:
    with Loopback(persuade) as server:
        plays(data, "policy/faithful", limit=2, judge=JUDGE, base_url=server.base_url)
        plays(data, "policy/no-tom", limit=2)
        flags = ("--judge", JUDGE, "--base-url", server.base_url)
        done = CliRunner().invoke(app, ["verify", str(data), *flags])
    assert done.exit_code == 0, done.output
    assert f"policy/faithful: was judged by {JUDGE} already, and is left out" in " ".join(done.output.split())
    assert not (data / "play" / "policy_faithful" / "judges").exists()
    assert (data / "play" / "policy_no-tom" / "judges" / "openai_judge" / "plays.jsonl").is_file()


def test_plays_are_judged_whole(data: Path) -> None:
    plays(data, "policy/faithful", limit=2)
    done = CliRunner().invoke(app, ["verify", str(data), "--judge", "rules", "--limit", "1"])
    assert isinstance(done.exception, InputError)
    assert str(done.exception).startswith("--limit: a judge of plays scores all that is stored")
