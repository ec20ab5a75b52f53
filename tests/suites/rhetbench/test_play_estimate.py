"""What a run will take: a range before anything was played, and what a pilot foretells of the rest."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from killed_runs import never_ended
from loopback import Answer, Loopback, Request, completion
from rhetbench_players import PLAYERS, answer_of
from typer.testing import CliRunner

from dtomtrack.cli.main import app
from dtomtrack.errors import InputError
from dtomtrack.llm.settings import ClientSettings
from dtomtrack.runs.folder import read_manifest
from dtomtrack.scenarios.persuasion_npc.pack_files import builtin_packs, find_packs
from dtomtrack.suites.rhetbench.estimate import PlayEstimate, estimate_play
from dtomtrack.suites.rhetbench.planning import PlayConfig, config_for
from dtomtrack.suites.rhetbench.play_run import PlayRequest, run_pilot, run_play
from dtomtrack.suites.rhetbench.rehearsal import fewest_turns
from dtomtrack.suites.rhetbench.rules import load_rules
from dtomtrack.suites.rhetbench.simulation import simulate
from dtomtrack.suites.rhetbench.talking import Talking

_MODEL = "vllm/persuader"
_FEW = "open_mind,needle_finder,entrenched_exec,hair_trigger"


def request(out: Path, *subjects: str, scenarios: str = "core", samples: int = 1, **more: Any) -> PlayRequest:
    play = PlayConfig.model_validate({"samples": samples, **{k: more.pop(k) for k in ("classifier",) if k in more}})
    return PlayRequest(out, subjects or (_MODEL,), find_packs(scenarios.split(",")), play, **more)


def told(asked: PlayRequest) -> PlayEstimate:
    return estimate_play(asked)[0]


def mumbles(request_body: Request) -> Answer:
    """A model that says nothing."""
    return completion("Hm, well, I would not know what to say to that.")


def test_what_is_expected_are_the_calls_of_a_model_like_chance(tmp_path: Path) -> None:
    found = told(request(tmp_path, scenarios=_FEW, samples=3))
    (played,) = asyncio.run(run_play(request(tmp_path, "policy/random", scenarios=_FEW, samples=3, questions=False)))
    assert found.expected.calls == pytest.approx(sum(played.uses.values()), rel=0.2)
    assert found.expected.prompt_tokens > 100 * found.expected.calls
    assert 55 < found.expected.completion_tokens / found.expected.calls < 75, "280 characters, as published models"
    few = told(request(tmp_path, scenarios=_FEW, samples=3, talking=Talking(max_tokens=20)))
    assert few.expected.completion_tokens == 20 * found.expected.calls
    assert told(request(tmp_path, "policy/random", scenarios=_FEW, samples=3)).most.calls == 0


def test_a_model_that_classifies_is_estimated_beside_who_is_classified(tmp_path: Path) -> None:
    persuader, classifier = estimate_play(request(tmp_path, scenarios=_FEW, classifier="vllm/reader"))
    assert persuader.expected.calls == classifier.expected.calls > 0
    assert classifier.most.calls == 2 * persuader.most.calls, "each letter may have to be asked for twice"


def test_the_range_goes_from_the_quickest_end_to_the_last_turn_in_full_messages(tmp_path: Path) -> None:
    asked = request(tmp_path, samples=2, scenarios=_FEW, talking=Talking(max_tokens=50))
    found = told(asked)
    quickest = [fewest_turns(config_for(asked.play, pack, 0, 0)) for pack in asked.packs]
    assert found.least.calls == 2 * sum(quickest)
    assert found.most.calls == 2 * 4 * asked.play.turns
    assert found.most.completion_tokens == 50 * found.most.calls
    assert told(replace(asked, talking=Talking(max_tokens=500))).most.prompt_tokens > 5 * found.most.prompt_tokens


@pytest.mark.parametrize("policy", ["oracle", "do-nothing", "only-logical", "only-concession", "random", "adaptive"])
def test_nobody_is_done_in_fewer_turns(policy: str) -> None:
    rules = load_rules("dtomtrack")
    for pack in builtin_packs():
        config = config_for(PlayConfig(), pack, 0, 0)
        assert fewest_turns(config) <= len(simulate(rules, config.mind.mind(), policy, "x").turns)


@pytest.mark.parametrize("player", PLAYERS)
def test_the_range_holds_what_is_taken_and_a_pilot_foretells_the_rest(tmp_path: Path, player: str) -> None:
    prices = tmp_path / "prices.yaml"
    prices.write_text(f"{_MODEL}: {{input: 1, output: 2}}\n", encoding="utf-8")
    with Loopback(answer_of(PLAYERS[player]), keep=False) as server:
        asked = request(
            tmp_path / "out",
            scenarios=_FEW,
            samples=3,
            base_url=server.base_url,
            talking=Talking(max_tokens=100),
            client=ClientSettings(prices=prices),
            questions=False,
        )
        blind = told(asked)
        asyncio.run(run_pilot(asked, 8))
        calls = server.count
        rest = told(asked)
        asyncio.run(run_play(asked))
        taken = server.count - calls
    manifest = read_manifest(tmp_path / "out" / "vllm_persuader")
    assert manifest is not None
    assert blind.least.calls <= server.count == manifest.calls <= blind.most.calls
    assert blind.least.cost is not None and blind.most.cost is not None
    assert blind.least.cost <= manifest.cost <= blind.most.cost
    assert (blind.played, rest.played, rest.left) == (0, 8, 4)
    assert rest.least.calls <= taken <= rest.most.calls


def test_a_pilot_is_the_beginning_of_the_run(tmp_path: Path) -> None:
    with Loopback(mumbles) as server:
        asked = request(tmp_path / "pilot", samples=2, scenarios=_FEW, base_url=server.base_url)
        asyncio.run(run_pilot(asked, 3))
        asyncio.run(run_pilot(asked, 2))
        first = told(asked)
        asyncio.run(run_pilot(asked, 5))
        asyncio.run(run_play(asked))
        paid = server.count
        asyncio.run(run_play(replace(asked, out=tmp_path / "whole")))
        assert server.count == 2 * paid
    files = [tmp_path / name / "vllm_persuader" / "episodes.jsonl" for name in ("pilot", "whole")]
    assert files[0].read_bytes() == files[1].read_bytes()
    assert (first.played, first.left) == (3, 5)
    assert told(asked).most.calls == 0, "nothing is left"
    hotter = replace(asked, talking=Talking(temperature=1.0))
    assert told(hotter).played == 0, "what was played under other settings says nothing"


@pytest.mark.parametrize("torn", [b"{", b'{"index":3,"subject":"vllm/persuader"'])
def test_a_pilot_that_was_killed_while_it_wrote_is_estimated_and_goes_on(tmp_path: Path, torn: bytes) -> None:
    with Loopback(mumbles) as server:
        asked = request(tmp_path, samples=2, scenarios=_FEW, base_url=server.base_url)
        asyncio.run(run_pilot(asked, 3))
        never_ended(tmp_path / "vllm_persuader")
        with (tmp_path / "vllm_persuader" / "episodes.jsonl").open("ab") as file:
            file.write(torn)
        assert (told(asked).played, told(asked).left) == (3, 5)
        asyncio.run(run_pilot(asked, 4))
        assert (told(asked).played, told(asked).left) == (4, 4)


def test_what_helpers_took_is_foretold_too(tmp_path: Path) -> None:
    with Loopback(lambda body: completion("A" if "guided" in str(body) else "Please think it over.")) as server:
        asked = request(
            tmp_path, "policy/cycle", samples=2, scenarios=_FEW, base_url=server.base_url, classifier="vllm/reader"
        )
        asyncio.run(run_pilot(asked, 4))
        paid = server.count
        asked_again = estimate_play(asked)
        asyncio.run(run_play(asked))
        assert [one.expected.subject for one in asked_again] == ["vllm/reader, classifier of policy/cycle"]
        assert asked_again[0].least.calls <= server.count - paid <= asked_again[0].most.calls


@pytest.mark.parametrize(
    ("subjects", "episodes", "said"),
    [
        ((_MODEL,), 1, "--pilot 1: of the 8 episodes of this run, a pilot plays at least 2 and at most 7"),
        ((_MODEL,), 8, "at most 7"),
        (("policy/cycle",), 4, "no model takes part"),
    ],
)
def test_a_pilot_that_tells_nothing_is_refused(
    tmp_path: Path, subjects: tuple[str, ...], episodes: int, said: str
) -> None:
    with pytest.raises(InputError, match=said):
        asyncio.run(run_pilot(request(tmp_path, *subjects, samples=2, scenarios=_FEW), episodes))
    assert not list(tmp_path.iterdir())


def test_on_the_command_line(tmp_path: Path) -> None:
    with Loopback(mumbles) as server:
        command = ["play", "rhetbench", "-m", _MODEL, "--scenarios", _FEW, "--out", str(tmp_path / "out")]
        command += ["--base-url", server.base_url]
        blind = CliRunner().invoke(app, [*command, "--dry-run"])
        assert server.count == 0
        pilot = CliRunner().invoke(app, [*command, "--pilot", "4", "--quiet"])
        paid = server.count
        dry = CliRunner().invoke(app, [*command, "--dry-run"])
        assert server.count == paid > 0
    words = {name: " ".join(done.stdout.split()) for name, done in {"blind": blind, "pilot": pilot, "dry": dry}.items()}
    assert "expected at least at most" in words["blind"]
    assert "vllm/persuader, 12 episodes" in words["blind"]
    assert "--pilot 4 plays 4 of them, one with each character, keeps them" in words["blind"]
    assert "vllm/persuader, 8 episodes" in words["pilot"]
    assert "Foretold, with a 95 % interval, from the 4 episodes that are played and kept" in words["pilot"]
    assert dry.stdout == pilot.stdout


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--dry-run"], "--pilot plays, and --dry-run calls nobody"),
        (["--sweep"], "--pilot with --sweep"),
        (["--web"], "--web plays nothing; leave --pilot out"),
        (["--replay", "episodes.jsonl"], "--replay plays nothing; leave --pilot out"),
    ],
)
def test_what_does_not_go_with_a_pilot_is_one_sentence(tmp_path: Path, more: list[str], said: str) -> None:
    command = ["play", "rhetbench", "-m", _MODEL, "--out", str(tmp_path), "--pilot", "5", *more]
    done = CliRunner().invoke(app, command)
    assert isinstance(done.exception, InputError)
    assert said in str(done.exception)


def test_a_sweep_says_that_it_takes_several_times_as_much(tmp_path: Path) -> None:
    command = ["play", "rhetbench", "-m", _MODEL, "--scenarios", _FEW, "--out", str(tmp_path), "--sweep", "--dry-run"]
    assert "A sweep plays all of it under" in CliRunner().invoke(app, command).stdout
