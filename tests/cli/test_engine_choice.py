"""Who fills the slots of a run where nobody says, and that the bytes are the same."""

from __future__ import annotations

from pathlib import Path

import pytest
from commands import run

from dtomtrack.api import make_job
from dtomtrack.cli import engine_choice
from dtomtrack.cli.engine_choice import chosen_engine, import_early
from dtomtrack.cli.generate_options import EngineFlags
from dtomtrack.runs.engines.local import LocalEngine
from dtomtrack.runs.engines.processes import ProcessEngine
from dtomtrack.runs.job import Job
from dtomtrack.suites.generating import GenerationRequest, generating_suite

SCRIPTED = ("dtom", "persuasivetom", "rectom")


def job_of(suite: str, n: int, **models: object) -> Job:
    if suite == "dtom":
        return make_job("restaurant", n=n, **models)  # type: ignore[arg-type]
    return generating_suite(suite).job(GenerationRequest("all", n, models=models))


@pytest.fixture(autouse=True)
def _cores(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a machine of three cores."""
    monkeypatch.setattr("os.cpu_count", lambda: 3)


@pytest.mark.parametrize("suite", SCRIPTED)
def test_many_dialogues_of_scripts_are_made_in_processes_and_few_in_one(suite: str) -> None:
    assert isinstance(chosen_engine(EngineFlags(), job_of(suite, 48), 48), LocalEngine)
    assert isinstance(chosen_engine(EngineFlags(), job_of(suite, 49), 49), ProcessEngine)
    assert isinstance(chosen_engine(EngineFlags(workers=1), job_of(suite, 49), 49), LocalEngine)
    assert isinstance(chosen_engine(EngineFlags(engine="local"), job_of(suite, 49), 49), LocalEngine)


@pytest.mark.parametrize("suite", SCRIPTED)
def test_models_are_waited_for_in_one_process_unless_many_calls_are_made_at_once(suite: str) -> None:
    server = {"model": "vllm/x", "base_url": "http://127.0.0.1:1/v1"}
    job = job_of(suite, 500, **server)
    assert isinstance(chosen_engine(EngineFlags(), job, 500), LocalEngine)
    assert isinstance(chosen_engine(EngineFlags(workers=2), job, 500), ProcessEngine)
    busy = job_of(suite, 500, **server, concurrency=64)
    assert isinstance(chosen_engine(EngineFlags(), busy, 199), LocalEngine)
    assert isinstance(chosen_engine(EngineFlags(), busy, 200), ProcessEngine)
    assert isinstance(chosen_engine(EngineFlags(workers=1), busy, 500), LocalEngine)
    in_process = job_of(suite, 500, model="langchain/openai:x", concurrency=64)
    assert isinstance(chosen_engine(EngineFlags(), in_process, 500), LocalEngine)


@pytest.mark.parametrize("suite", ["rhetbench", "tomelp"])
def test_characters_and_scenes_which_take_a_second_are_made_in_one_process(suite: str) -> None:
    assert isinstance(chosen_engine(EngineFlags(), job_of(suite, 500), 500), LocalEngine)


@pytest.mark.parametrize(
    ("line", "early"),
    [
        ("generate", True),
        ("generate --domain team,family --difficulty=hard --n 49 --seed 3 -q", True),
        ("generate --n=10000000000000000000000000 --dial order=2", True),
        ("generate --n 48", False),
        ("generate -n=48", False),
        ("generate --n many", False),
        ("generate --n 500 --workers 1", False),
        ("generate --n 500 -m vllm/x", False),
        ("generate --suite rectom", False),
        ("generate --n 500 --help", False),
        ("evaluate generate --n 500", False),
        ("", False),
    ],
)
def test_before_a_command_line_is_read_workers_are_got_ready_where_it_plainly_asks_for_them(
    line: str, early: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    imported: list[str] = []
    monkeypatch.setattr(engine_choice, "import_ahead", lambda *modules: imported.extend(modules))
    import_early(line.split())
    assert bool(imported) is early
    monkeypatch.setattr("os.cpu_count", lambda: 1)
    imported.clear()
    import_early(line.split())
    assert imported == []


@pytest.mark.parametrize("suite", ["persuasivetom", "rectom", "tomelp"])
def test_another_suite_gives_the_same_bytes_in_processes(suite: str, tmp_path: Path) -> None:
    for workers in ("1", "2"):
        out = str(tmp_path / workers)
        done = run("generate", "--suite", suite, "--n", "16", "--workers", workers, "--quiet", "--out", out)
        assert (done.returncode, done.stderr) == (0, "")
    files = sorted(path.name for path in (tmp_path / "1").glob("*.jsonl") if path.name != "progress.jsonl")
    assert len(files) > 1
    for name in files:
        assert (tmp_path / "1" / name).read_bytes() == (tmp_path / "2" / name).read_bytes(), name
