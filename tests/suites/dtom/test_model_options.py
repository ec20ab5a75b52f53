"""What may be said of models, and what is refused because it was meant otherwise."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from commands import ended
from loopback import Answer, Loopback, Request, completion
from model_folder import command
from performer import perform
from whole_company import do_all

from dtomtrack import generate
from dtomtrack.beliefs.rejection import Rejection
from dtomtrack.errors import InputError
from dtomtrack.runs.folder import read_manifest
from dtomtrack.runs.lines import read_lines

GENERATE = [sys.executable, "-m", "dtomtrack", "generate", "--quiet"]


@pytest.mark.parametrize(
    "idle",
    [
        ("--temperature", "0.5"),
        ("--max-cost", "1"),
        ("--base-url", "http://127.0.0.1:9"),
        ("--scenarios", "model"),
        ("--actor-style", "two-call"),
        ("--prices", "prices.yaml"),
    ],
)
def test_an_option_of_models_without_a_model_is_refused(tmp_path: Path, idle: tuple[str, str]) -> None:
    ran = ended([*GENERATE, "--n", "1", "--out", str(tmp_path / "out"), *idle])
    assert ran.returncode == 2
    assert f"{idle[0]}: no language model takes part" in ran.stderr
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("difficulty", ["apart", "group"])
def test_free_actors_do_not_play_what_is_planned(tmp_path: Path, difficulty: str) -> None:
    refused = "--actor-style free: who is there and who hears what is planned where minds come apart"
    with pytest.raises(InputError, match=refused):
        generate(
            "restaurant", n=1, out=tmp_path / "out", actor_model="vllm/a", actor_style="free", difficulty=difficulty
        )
    assert not (tmp_path / "out").exists()


def test_one_address_is_not_for_two_providers(tmp_path: Path) -> None:
    stages = ("--actor-model", "vllm/a", "--verifier-model", "ollama/b", "--base-url", "http://127.0.0.1:9/v1")
    ran = ended([*GENERATE, "--n", "1", "--out", str(tmp_path / "out"), *stages])
    assert ran.returncode == 2
    assert "--base-url is one address for ollama and vllm: give --scenario-base-url" in ran.stderr


def test_each_stage_may_have_an_address_of_its_own(tmp_path: Path) -> None:
    with Loopback(perform) as actors, Loopback(perform) as others:
        stages = ("--actor-model", "vllm/a", "--actor-base-url", actors.base_url)
        ran = ended([*GENERATE, "--n", "1", "--out", str(tmp_path / "out"), *stages, "--base-url", others.base_url])
    assert (ran.returncode, ran.stderr) == (0, "")
    assert actors.count and not others.count


def test_a_run_that_came_to_nothing_does_not_keep_its_folder(tmp_path: Path) -> None:
    out = tmp_path / "out"
    mistaken = ended([*GENERATE, "--n", "1", "--out", str(out), "--actor-model", "gguf/nowhere.gguf"])
    assert mistaken.returncode == 2
    with Loopback(perform) as server:
        ran = ended(command(server, out, "--quiet", n=1))
    assert (ran.returncode, ran.stderr) == (0, "")
    manifest = read_manifest(out)
    assert manifest is not None
    assert (manifest.status, manifest.models["actors"]) == ("complete", "openai/x")


def test_a_folder_with_paid_replies_is_kept_for_its_run(tmp_path: Path) -> None:
    out = tmp_path / "out"
    with Loopback(perform) as server:
        stopped = ended(command(server, out, "--max-tokens-total", "3000", n=40))
        assert stopped.returncode == 1
        assert server.count
        other = ended(command(server, out, "--temperature", "0.1", n=40))
    assert other.returncode == 2
    assert "holds another run (temperature 0.7 there, 0.1 here)" in other.stderr


def test_runs_with_and_without_a_model_have_folders_of_their_own(tmp_path: Path) -> None:
    assert ended([*GENERATE, "--n", "1"], cwd=tmp_path).returncode == 0
    with Loopback(perform) as server:
        model = ("--actor-model", "vllm/meta/x", "--base-url", server.base_url)
        assert ended([*GENERATE, "--n", "1", *model], cwd=tmp_path).returncode == 0
    assert {path.name for path in (tmp_path / "out").iterdir()} == {"restaurant-0", "restaurant-0-vllm_meta_x"}


def test_one_address_is_not_for_two_providers_beside_a_stage_with_its_own(tmp_path: Path) -> None:
    stages = ("--scenario-model", "vllm/a", "--actor-model", "vllm/a", "--verifier-model", "ollama/b")
    addresses = ("--actor-base-url", "http://127.0.0.1:9/v1", "--base-url", "http://127.0.0.1:9/v1")
    ran = ended([*GENERATE, "--n", "1", "--out", str(tmp_path / "out"), *stages, *addresses])
    assert ran.returncode == 2
    assert "--base-url is one address for ollama and vllm: give --scenario-base-url" in ran.stderr


def test_each_criterion_may_have_a_threshold_of_its_own(tmp_path: Path) -> None:
    """Of a verifier that gives every question a grade of 0.5."""

    def lukewarm(request: Request) -> Answer:
        return completion("C") if "A question" in request["messages"][-1]["content"] else do_all(request)

    def made(*thresholds: str) -> tuple[set[str], object]:
        out = tmp_path / f"{len(list(tmp_path.iterdir()))}"
        stages = ("--verifier-model", "vllm/b", "--base-url", server.base_url, *thresholds)
        ran = ended([*GENERATE, "--n", "1", "--max-attempts", "1", "--out", str(out), *stages])
        assert ran.returncode in {0, 1}, ran.stderr
        manifest = read_manifest(out)
        assert manifest is not None
        graded = [one for one in read_lines(out / "rejected.jsonl", Rejection) if one.grade is not None]
        models = manifest.config["models"]
        assert isinstance(models, dict)
        return {one.reason for one in graded}, models.get("thresholds")

    with Loopback(lukewarm) as server:
        assert made("--threshold", ".5") == (set(), None)
        grades = {"correctness": 0.5, "soundness": 0.55, "quality": 0.5}
        reasons, told = made("--threshold", ".5", "--threshold", "soundness=.55")
        assert (reasons, told) == ({"the model does not find that exactly one option can be told to be right"}, grades)


@pytest.mark.parametrize("preset", ["apart", "group"])
def test_no_model_writes_scenarios_where_minds_come_apart(preset: str, tmp_path: Path) -> None:
    command = [*GENERATE, "--difficulty", preset, "--n", "2", "--out", str(tmp_path / "out")]
    idle = ended([*command, "-m", "vllm/b", "--scenario-model", "vllm/a"])
    assert (idle.returncode, idle.stderr) == (
        2,
        "dtomtrack: --scenario-model: where minds come apart the plan is the program's, and no model writes scenarios: "
        "leave it out, as --model and --actor-model write the words, or use --difficulty paper\n",
    )
    dry = ended([*command, "-m", "vllm/b", "--scenario-style", "planned", "--dry-run"])
    assert dry.returncode == 0
    assert "none is asked for scenarios, and --scenario-style moves nothing." in " ".join(dry.stdout.split())
    assert not list(tmp_path.iterdir())


def test_a_threshold_of_nothing_that_is_graded_is_refused(tmp_path: Path) -> None:
    ran = ended([*GENERATE, "-m", "vllm/b", "--out", str(tmp_path / "out"), "--threshold", "beauty=.5"])
    assert (ran.returncode, ran.stderr) == (
        2,
        "dtomtrack: --threshold beauty=.5: no criterion 'beauty'; there are correctness, soundness, quality\n",
    )
