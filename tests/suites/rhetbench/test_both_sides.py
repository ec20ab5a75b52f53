"""A model that has played, and was asked about the episodes as a spectator, stands in the page on both sides."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from loopback import Answer, Loopback, Request, completion

from dtomtrack.library import evaluate, make_report
from dtomtrack.scenarios.persuasion_npc.pack_files import find_packs
from dtomtrack.suites.registry import suite_of
from dtomtrack.suites.rhetbench.planning import PlayConfig
from dtomtrack.suites.rhetbench.play_run import PlayRequest, run_play

_MODEL = "vllm/both"
_FEW = ("open_mind", "needle_finder", "entrenched_exec", "cold_skeptic", "high_bar")


def _says(request: Request) -> Answer:
    """Argues where it is to argue, and says A where it is asked."""
    asked = "A. " in json.dumps(request["messages"]) or "A)" in json.dumps(request["messages"])
    return completion("A" if asked else "A friend of mine told me how she did it.")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of a model and a policy; the model and a baseline have answered."""
    out = tmp_path_factory.mktemp("both") / "run"
    with Loopback(_says) as server:
        asked = PlayRequest(
            out, (_MODEL, "policy/first-positive"), find_packs(_FEW), PlayConfig(), base_url=server.base_url
        )
        asyncio.run(run_play(asked))
        evaluate(out, _MODEL, base_url=server.base_url)
        evaluate(out, "baseline/random")
    return out


def test_the_model_has_a_row_with_both(folder: Path) -> None:
    section = next(one for one in suite_of(folder).sections(folder) if one.id == "both-sides")
    (table,) = section.tables
    ((name, cells),) = table.rows
    assert name == _MODEL
    assert len(cells) == len(table.columns)
    metrics = json.loads((folder / "eval" / "vllm_both" / "metrics.json").read_text(encoding="utf-8"))
    played = json.loads((folder / "vllm_both" / "metrics.json").read_text(encoding="utf-8"))
    by_column = dict(zip(table.columns, cells, strict=True))
    assert by_column["Spectator: right, %"].text == f"{100 * metrics['micro']['accuracy']['value']:.1f}"
    assert by_column["Player: won by turn 10, %"].text == f"{100 * played['win_by_10']['value']:.1f}"
    own = by_column["Spectator: right on its own episodes, %"]
    assert own.small.endswith(" questions")
    assert int(own.small.rsplit(" ", 2)[-2]) < metrics["micro"]["items"]


@pytest.mark.usefixtures("undrawn")
def test_it_stands_in_the_page(folder: Path) -> None:
    text = make_report(folder, audit=False).page.read_text(encoding="utf-8")
    assert "Player and spectator</h2>" in text
    assert "Spectator: what the persuader could know, %" in text


def test_who_did_one_of_the_two_has_none(folder: Path, tmp_path: Path) -> None:
    asyncio.run(run_play(PlayRequest(tmp_path, ("policy/cycle",), find_packs(_FEW), PlayConfig())))
    evaluate(tmp_path, "baseline/random")
    assert [one.id for one in suite_of(tmp_path).sections(tmp_path)] == ["leaderboard", "adaptation"]
