"""Runs: subjects play all episodes of a plan into a folder."""

from __future__ import annotations

import asyncio
import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from killed_runs import never_ended
from loopback import Answer, Loopback, Request, completion

from dtomtrack.errors import DatasetError, InputError, ModelError
from dtomtrack.llm.settings import ClientSettings
from dtomtrack.runs.engines import open_engine
from dtomtrack.runs.lines import read_lines
from dtomtrack.scenarios.persuasion_npc.arguments import APPEALS, ArgumentClass
from dtomtrack.scenarios.persuasion_npc.pack_files import builtin_packs, find_packs
from dtomtrack.suites.rhetbench.classifier import classify
from dtomtrack.suites.rhetbench.episode import Episode
from dtomtrack.suites.rhetbench.metrics import PersuasionMetrics
from dtomtrack.suites.rhetbench.planning import PlayConfig
from dtomtrack.suites.rhetbench.play_run import PlayRequest, run_play, sweep
from dtomtrack.suites.rhetbench.played import played_subjects
from dtomtrack.suites.rhetbench.replay import replayed_file
from dtomtrack.suites.rhetbench.rules import ABLATIONS
from dtomtrack.suites.rhetbench.talking import Talking
from dtomtrack.suites.rhetbench.web import write_page
from dtomtrack.suites.subjects import subject_folder

_THREE = "open_mind,needle_finder,entrenched_exec"
_MODEL = "vllm/persuader"
_FILES = ("episodes.jsonl", "metrics.json")


def request(out: Path, *subjects: str, scenarios: str = _THREE, **more: Any) -> PlayRequest:
    play = PlayConfig.model_validate(
        {"samples": 2, **{key: more[key] for key in more if key in PlayConfig.model_fields}}
    )
    rest = {key: value for key, value in more.items() if key not in PlayConfig.model_fields}
    return PlayRequest(out, subjects, find_packs(scenarios.split(",")), play, **rest)


def play(out: Path, *subjects: str, **more: Any) -> Sequence[PersuasionMetrics]:
    return asyncio.run(run_play(request(out, *subjects, **more)))


def settings(**more: Any) -> ClientSettings:
    return ClientSettings(first_pause=0.001, **more)


def files(folder: Path) -> dict[str, bytes]:
    return {name: (folder / name).read_bytes() for name in _FILES}


def says(request_body: Request) -> Answer:
    """A model that says something else in each turn."""
    number = sum(message["role"] == "assistant" for message in request_body["messages"])
    lines = [
        "The data show a drop of 40 percent.",
        "A friend of mine told me how she did it.",
        "You're right, I admit it.",
    ]
    return completion(lines[number % 3])


def test_a_run_writes_every_episode_once(tmp_path: Path) -> None:
    (found,) = play(tmp_path, "policy/random")
    episodes = list(read_lines(tmp_path / "policy_random" / "episodes.jsonl", Episode))
    assert [one.index for one in episodes] == [*range(6)]
    assert found.episodes == 6
    assert {(one.config.scenario, one.config.sample) for one in episodes} == {
        (name, sample) for name in _THREE.split(",") for sample in (0, 1)
    }


@pytest.mark.parametrize("subject", ["policy/random", "policy/bayes"])
def test_the_same_bytes_whatever_goes_on_at_once(tmp_path: Path, subject: str) -> None:
    play(tmp_path / "one", subject, client=settings(concurrency=1))
    play(tmp_path / "many", subject, client=settings(concurrency=9))
    name = subject.replace("/", "_")
    assert files(tmp_path / "one" / name) == files(tmp_path / "many" / name)


@pytest.mark.parametrize("torn", [b"", b"{", b'{"index":3,"subject":"policy/cycle"'])
def test_a_run_that_was_killed_ends_in_the_same_bytes(tmp_path: Path, torn: bytes) -> None:
    play(tmp_path / "whole", "policy/cycle")
    play(tmp_path / "cut", "policy/cycle", samples=1)
    cut, whole = tmp_path / "cut" / "policy_cycle", tmp_path / "whole" / "policy_cycle"
    never_ended(cut)
    with (cut / "episodes.jsonl").open("ab") as file:
        file.write(torn)
    play(tmp_path / "cut", "policy/cycle")
    assert files(cut) == files(whole)


def test_the_same_bytes_from_two_processes(tmp_path: Path) -> None:
    play(tmp_path / "one", "policy/random")
    play(tmp_path / "two", "policy/random", engine=open_engine("processes", 2))
    assert files(tmp_path / "one" / "policy_random") == files(tmp_path / "two" / "policy_random")


def test_more_samples_go_on_from_those_that_are_there(tmp_path: Path) -> None:
    play(tmp_path, "policy/cycle", samples=1)
    before = (tmp_path / "policy_cycle" / "episodes.jsonl").read_bytes()
    play(tmp_path, "policy/cycle", samples=2)
    assert (tmp_path / "policy_cycle" / "episodes.jsonl").read_bytes().startswith(before)


def test_another_run_does_not_go_into_the_same_folder(tmp_path: Path) -> None:
    play(tmp_path, "policy/cycle")
    with pytest.raises(DatasetError, match="cue neutral, not congruent"):
        play(tmp_path, "policy/cycle", cue="congruent")


def test_a_model_persuades(tmp_path: Path) -> None:
    with Loopback(says) as server:
        (found,) = play(tmp_path, _MODEL, base_url=server.base_url, client=settings(concurrency=1))
        bodies = list(server.requests)
    episodes = list(read_lines(tmp_path / "vllm_persuader" / "episodes.jsonl", Episode))
    assert found.episodes == 6
    assert len(bodies) == sum(len(one.turns) for one in episodes)
    assert episodes[0].turns[0].argument == "LOGICAL"
    assert bodies[0]["messages"][0]["role"] == "system"


def test_models_of_like_names_play_into_folders_of_their_own(tmp_path: Path) -> None:
    """Whichever is named first when they are given again."""
    names = ("vllm/a/b", "vllm/a_b")
    with Loopback(says) as server:
        play(tmp_path, *names, base_url=server.base_url, client=settings())
        wanted = len(server.requests)
        found = play(tmp_path, *reversed(names), base_url=server.base_url, client=settings())
        assert len(server.requests) == wanted
    assert [one.subject for one in found] == [*reversed(names)]
    assert sorted(one.subject for one in played_subjects(tmp_path)) == [*names]
    assert subject_folder(tmp_path, names[0]).name == "vllm_a_b"
    shutil.rmtree(tmp_path / "vllm_a_b")
    assert [one.subject for one in played_subjects(tmp_path)] == [names[1]]
    assert subject_folder(tmp_path, names[1]).is_dir()


def test_no_prompt_has_anything_of_what_is_hidden(tmp_path: Path) -> None:
    with Loopback(says) as server:
        play(tmp_path, _MODEL, base_url=server.base_url, scenarios="core", samples=1, client=settings())
        prompts = [json.dumps(body["messages"], ensure_ascii=False) for body in server.requests]
    ids = [pack.id for pack in builtin_packs()]
    hidden = {str(pack.mind.threshold) for pack in builtin_packs()} | {str(pack.mind.start) for pack in builtin_packs()}
    for text in prompts:
        assert not any(one in text for one in (*ids, *hidden, *APPEALS))


@pytest.mark.parametrize(("taxonomy", "told"), [("told", True), ("untold", False)])
def test_the_six_kinds_are_told_or_not(tmp_path: Path, taxonomy: str, told: bool) -> None:
    with Loopback(says) as server:
        play(
            tmp_path,
            _MODEL,
            base_url=server.base_url,
            talking=Talking.model_validate({"taxonomy": taxonomy}),
            client=settings(),
            turns=1,
        )
        system = server.requests[0]["messages"][0]["content"]
    assert ("six kinds" in system) == told
    assert "{" not in system


def test_faulty_calls_lose_and_double_nothing(tmp_path: Path) -> None:
    with Loopback(says) as server:
        play(tmp_path / "sound", _MODEL, base_url=server.base_url, client=settings())
    count = iter(range(1_000_000))

    def faulty(body: Request) -> Answer:
        return Answer(b"busy", status=503) if next(count) % 3 == 0 else says(body)

    with Loopback(faulty) as server:
        play(tmp_path / "faulty", _MODEL, base_url=server.base_url, client=settings(tries=20))
    sound, other = (tmp_path / name / "vllm_persuader" / "episodes.jsonl" for name in ("sound", "faulty"))
    assert sound.read_bytes() == other.read_bytes()


def test_a_failed_call_is_no_turn_and_no_reply_is_paid_for_twice(tmp_path: Path) -> None:
    with Loopback(says) as server:
        play(tmp_path / "sound", _MODEL, base_url=server.base_url, client=settings(concurrency=1))
        wanted = len(server.requests)
    count = iter(range(1_000_000))

    def breaks_down(body: Request) -> Answer:
        return Answer(b"no", status=400) if next(count) == 20 else says(body)

    with Loopback(breaks_down) as server:
        asked = request(tmp_path / "broken", _MODEL, base_url=server.base_url, client=settings(concurrency=1))
        with pytest.raises(ModelError):
            asyncio.run(run_play(asked))
        asyncio.run(run_play(asked))
        assert len(server.requests) == wanted + 1
    assert (
        files(tmp_path / "broken" / "vllm_persuader")["episodes.jsonl"]
        == (files(tmp_path / "sound" / "vllm_persuader")["episodes.jsonl"])
    )


def test_episodes_can_be_heard_again(tmp_path: Path) -> None:
    play(tmp_path, "policy/random", drift="once")
    path = tmp_path / "policy_random" / "episodes.jsonl"
    assert len(list(replayed_file(path, builtin_packs()))) == 6


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('"turn":2,"message":"', '"turn":2,"message":"You\'re right, I admit it. ', ":1: turn 2 disagrees in message"),
        ('"tone":"neutral"', '"tone":"positive"', ":1: turn 1 disagrees in tone"),
        ('"turn":2,', '"turn":9,', ":1: turn 2 disagrees in turn"),
        ('"rules":"dtomtrack"', '"rules":"nix"', ":1: no rules 'nix'"),
        ('"pack":"', '"pack":"0', "was played with another version"),
        ('"won":true', '"won":false', "its end disagrees with its turns"),
    ],
)
def test_an_edited_file_is_found_out(tmp_path: Path, old: str, new: str, told: str) -> None:
    play(tmp_path, "policy/first-positive", scenarios="needle_finder", samples=1)
    path = tmp_path / "policy_first-positive" / "episodes.jsonl"
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(DatasetError, match="disagree" if "disagree" in told else told) as raised:
        list(replayed_file(path, builtin_packs()))
    assert told.split(" disagrees")[0] in str(raised.value)


def test_episodes_of_scenarios_that_are_not_given_are_told_from_changed_ones(tmp_path: Path) -> None:
    play(tmp_path, "policy/cycle", scenarios="fresh:1:5", samples=1)
    with pytest.raises(
        DatasetError, match=r"with 'fresh_5_0', which is none of the scenarios here; give --scenarios as"
    ):
        list(replayed_file(tmp_path / "policy_cycle" / "episodes.jsonl", builtin_packs()))
    with pytest.raises(DatasetError, match=r"policy_cycle: is a folder; give the episodes\.jsonl"):
        list(replayed_file(tmp_path / "policy_cycle", builtin_packs()))


@pytest.mark.parametrize("of", ["mind", "drift"])
@pytest.mark.parametrize(("profile", "told"), [({}, "says nothing of LOGICAL"), (None, "nothing in it moves")])
def test_a_profile_that_moves_nobody_is_refused(
    tmp_path: Path, of: str, profile: dict[str, float] | None, told: str
) -> None:
    play(tmp_path, "policy/cycle", scenarios="needle_finder", samples=1, drift="once")
    path = tmp_path / "policy_cycle" / "episodes.jsonl"
    episode = json.loads(path.read_bytes())
    mind = episode["config"]["mind"]
    (mind if of == "mind" else mind["drift"])["profile"] = dict.fromkeys(APPEALS, 0.0) if profile is None else profile
    path.write_text(json.dumps(episode) + "\n", encoding="utf-8")
    with pytest.raises(DatasetError, match=f"episodes.jsonl:1: .*profile: {told}"):
        list(replayed_file(path, builtin_packs()))


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"samples": 0}, "samples is 0"),
        ({"samples": 10**24}, "from 1 to 1,000,000,000"),
        ({"seed": -1}, "seed is -1"),
        ({"turns": 0}, "turns is 0"),
        ({"rules": "mine"}, "no rules 'mine'"),
    ],
)
def test_what_cannot_be_played_is_one_sentence(tmp_path: Path, changed: dict[str, object], told: str) -> None:
    with pytest.raises(InputError, match=told):
        play(tmp_path, "policy/cycle", **changed)


def test_a_page_without_characters_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no scenario is given"):
        write_page(tmp_path / "page", [], PlayConfig())
    assert not (tmp_path / "page").exists()


@pytest.mark.parametrize("subject", ["policy/nobody", "nobody", "policy/"])
def test_an_unknown_subject_is_one_sentence(tmp_path: Path, subject: str) -> None:
    with pytest.raises(InputError):
        play(tmp_path, subject)


def test_a_subject_given_twice_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="given twice"):
        play(tmp_path, "policy/cycle", "policy/cycle")


def test_a_sweep_plays_under_the_rules_and_without_each_of_their_parts(tmp_path: Path) -> None:
    found = asyncio.run(sweep(request(tmp_path, "policy/cycle", "exploit/filler", scenarios="open_mind", samples=1)))
    assert list(found) == ["dtomtrack", *(f"dtomtrack-no-{part}" for part in ABLATIONS)]
    assert sorted(one.name for one in tmp_path.iterdir()) == sorted(found)
    episodes = list(read_lines(tmp_path / "dtomtrack-no-fatigue" / "policy_cycle" / "episodes.jsonl", Episode))
    assert {one.config.rules for one in episodes} == {"dtomtrack-no-fatigue"}
    assert all(len(own) == 2 for own in found.values())


def test_polite_beginnings_count_where_they_are_not_passed_over() -> None:
    polite = "I understand that most people in your position have already switched. We would be glad of your help."
    assert classify(polite).argument is ArgumentClass.GENERIC
    assert classify(polite, strips_openers=False).argument is ArgumentClass.SOCIAL_PROOF
