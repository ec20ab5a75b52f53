"""The folder of a run is a dataset: it is listed, reported and exported like any other."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import pytest
from loopback import Loopback, completion
from report_pages import dialogues_of, overview_of, page_of

from dtomtrack.errors import DatasetError, WriteError
from dtomtrack.library import evaluate, export_dataset, make_report
from dtomtrack.runs.folder import read_manifest
from dtomtrack.runs.locks import writing
from dtomtrack.scenarios.persuasion_npc.pack_files import find_packs
from dtomtrack.suites.registry import suite_names, suite_of
from dtomtrack.suites.rhetbench.planning import PlayConfig
from dtomtrack.suites.rhetbench.play_run import PlayRequest, run_play
from dtomtrack.suites.rhetbench.talking import Talking

FILES = ("dialogues.jsonl", "questions.jsonl", "README.md")


PACKS = find_packs(["open_mind", "cold_skeptic", "needle_finder", "high_bar", "entrenched_exec", "hair_trigger"])


def request(out: Path, *subjects: str, drift: Literal["none", "once"] = "none", seed: int = 0) -> PlayRequest:
    return PlayRequest(out, subjects, PACKS, PlayConfig(samples=1, drift=drift, seed=seed))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of three policies, under which something else works from a hidden turn on."""
    out = tmp_path_factory.mktemp("run") / "run"
    asyncio.run(run_play(request(out, "policy/cycle", "policy/win-stay", "policy/do-nothing", drift="once")))
    return out


def test_it_is_known_whose_it_is(folder: Path) -> None:
    assert "rhetbench" in suite_names()
    assert suite_of(folder).name == "rhetbench"


def test_subjects_may_come_in_any_order_and_in_several_runs(folder: Path, tmp_path: Path) -> None:
    for subject in ("policy/win-stay", "policy/do-nothing", "policy/cycle"):
        asyncio.run(run_play(request(tmp_path, subject, drift="once")))
    assert {name: (tmp_path / name).read_bytes() for name in FILES[:2]} == {
        name: (folder / name).read_bytes() for name in FILES[:2]
    }


def test_subjects_of_another_plan_are_refused_before_anything_is_played(folder: Path) -> None:
    with pytest.raises(DatasetError, match=r"policy/cycle has played other episodes there \(seed 0, not 1\)"):
        asyncio.run(run_play(request(folder, "policy/random", drift="once", seed=1)))
    other = replace(request(folder, "policy/random", drift="once"), packs=find_packs(["open_mind"]))
    with pytest.raises(DatasetError, match="other scenarios, or other versions of them"):
        asyncio.run(run_play(other))
    assert not (folder / "policy_random").exists()


def test_scenarios_in_another_order_are_another_run(tmp_path: Path) -> None:
    few = [find_packs([one])[0] for one in ("open_mind", "cold_skeptic", "needle_finder")]
    wanted = replace(request(tmp_path, "policy/cycle"), packs=few)
    asyncio.run(run_play(wanted))
    with pytest.raises(DatasetError, match="the same scenarios in another order"):
        asyncio.run(run_play(replace(wanted, packs=few[::-1])))
    assert wanted.job("policy/cycle").config != replace(wanted, packs=few[::-1]).job("policy/cycle").config


@pytest.mark.parametrize(
    ("talking", "told"),
    [
        (Talking(taxonomy="untold"), "taxonomy told, not untold"),
        (Talking(temperature=1.0), "temperature 0.0, not 1.0"),
        (Talking(max_tokens=16), "max_tokens 1024, not 16"),
    ],
)
def test_models_that_are_asked_otherwise_are_not_compared(tmp_path: Path, talking: Talking, told: str) -> None:
    with Loopback(lambda _: completion("Please think it over.")) as server:
        wanted = replace(request(tmp_path, "vllm/a"), packs=find_packs(["open_mind"]), base_url=server.base_url)
        asyncio.run(run_play(wanted))
        asyncio.run(run_play(replace(wanted, subjects=("vllm/b", "policy/cycle"))))
        with pytest.raises(DatasetError, match=f"vllm/a was asked otherwise there .{told}"):
            asyncio.run(run_play(replace(wanted, subjects=("vllm/c",), talking=talking)))
        asyncio.run(run_play(replace(wanted, subjects=("policy/random",), talking=talking)))


@pytest.mark.parametrize("part", ["base_url", "classifier_base_url", "verbalizer_base_url"])
def test_models_at_another_address_make_another_run(tmp_path: Path, part: str) -> None:
    wanted = replace(request(tmp_path, "vllm/a"), play=PlayConfig(samples=1, classifier="vllm/b", verbalizer="vllm/c"))
    addresses: list[dict[str, Any]] = [{part: f"http://127.0.0.1:{port}/v1"} for port in (1, 2)]
    one, other = (replace(wanted, **address) for address in addresses)
    assert one.job("vllm/a").config != other.job("vllm/a").config


def test_who_is_stopped_between_two_files_leaves_nothing_that_passes_for_finished(tmp_path: Path) -> None:
    out = tmp_path / "run"
    asyncio.run(run_play(request(out, "policy/cycle")))
    questions, before = out / "questions.jsonl", (out / "questions.jsonl").read_bytes()
    questions.unlink()
    (questions / "in the way").mkdir(parents=True)
    with pytest.raises(WriteError, match="can't be written"):
        asyncio.run(run_play(request(out, "policy/win-stay")))
    (questions / "in the way").rmdir()
    questions.rmdir()
    # as a kill would have left it: dialogues of both, questions of one
    questions.write_bytes(before)
    with pytest.raises(DatasetError, match="is not finished"):
        evaluate(out, "baseline/random")
    asyncio.run(run_play(request(out, "policy/win-stay")))
    asyncio.run(run_play(request(tmp_path / "whole", "policy/cycle", "policy/win-stay")))
    assert [(out / name).read_bytes() for name in FILES[:2]] == [
        (tmp_path / "whole" / name).read_bytes() for name in FILES[:2]
    ]
    assert evaluate(out, "baseline/random")


def test_two_runs_do_not_write_one_dataset_at_once(tmp_path: Path) -> None:
    asyncio.run(run_play(request(tmp_path, "policy/cycle")))
    before = {name: (tmp_path / name).read_bytes() for name in FILES}
    with writing(tmp_path), pytest.raises(DatasetError, match="another run is writing this folder"):
        asyncio.run(run_play(request(tmp_path, "policy/win-stay")))
    assert {name: (tmp_path / name).read_bytes() for name in FILES} == before
    asyncio.run(run_play(request(tmp_path, "policy/win-stay")))
    asyncio.run(run_play(request(tmp_path, "policy/cycle")))
    assert {item.groups["persuader"] for item in suite_of(tmp_path).items(tmp_path)} == {
        "policy/cycle",
        "policy/win-stay",
    }


def test_without_questions_it_is_no_dataset(tmp_path: Path) -> None:
    asyncio.run(run_play(replace(request(tmp_path, "policy/cycle"), questions=False)))
    assert [one.name for one in tmp_path.iterdir()] == ["policy_cycle"]


def test_the_page_has_leaderboard_figures_and_episodes(folder: Path) -> None:
    written = make_report(folder, audit=False, dialogues=9)
    page = page_of(folder)
    text = written.page.read_text(encoding="utf-8")
    assert {one.name for one in written.figures} >= {"win-curves.svg", "strategy-use.svg", "agreement-and-rapport.png"}
    assert text.index("policy/win-stay</th>") < text.index("policy/cycle</th>") < text.index("policy/do-nothing</th>")
    assert "After the change" in text
    titles, shown = [one["title"] for one in overview_of(page)["dialogues"]], dialogues_of(page)
    assert len(shown) == 9
    assert {one.rsplit(", ", 1)[1] for one in titles} == {
        "policy/cycle",
        "policy/do-nothing",
        "policy/win-stay",
    }
    notes = [line["note"] for line in shown[0]["lines"][1:]]
    assert notes[0].startswith("heard as logical")
    assert all("agreement" in note and "rapport" in note for note in notes[1::2])


def test_differences_are_of_the_row_minus_the_column(folder: Path) -> None:
    table = suite_of(folder).sections(folder)[0].tables[1]
    assert table.rows[0][0] == "policy/win-stay"
    assert table.columns[-1] == "policy/do-nothing"
    assert table.rows[0][1][-1].text.startswith("+")
    assert table.rows[-1][1][0].text.startswith("\N{MINUS SIGN}")


@pytest.mark.parametrize("form", ["inspect", "lm-eval", "parquet", "huggingface"])
def test_it_is_exported(folder: Path, tmp_path: Path, form: Literal["inspect", "lm-eval", "parquet"]) -> None:
    assert any(export_dataset(folder, form, tmp_path / "out").path.rglob("*"))


def test_its_manifest_says_who_played_what(folder: Path) -> None:
    manifest = read_manifest(folder)
    assert manifest is not None
    assert manifest.config["subjects"] == ["policy/cycle", "policy/do-nothing", "policy/win-stay"]
    assert manifest.counts.totals["episodes"] == 3 * len(PACKS)
