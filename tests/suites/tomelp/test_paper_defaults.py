"""Plays by the paper's defaults beside ours: what a judge failed to judge is 0 there, and nothing here."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path

import pytest
from loopback import Answer, Loopback, Request, completion
from route_persuader import persuade_text
from route_plays import plays, scenes
from typer.testing import CliRunner

from dtomtrack.cli.main import app
from dtomtrack.errors import InputError
from dtomtrack.evaluation.bounded import Estimate
from dtomtrack.suites.tomelp.metrics import PlayMetrics
from dtomtrack.suites.tomelp.rescoring import BY_DEFAULT, rescored_plays

MODEL = "vllm/persuader"


def by_halves(request: Request) -> Answer:
    """Persuades, and as a judge answers every other question."""
    asked = request["messages"][0]["content"].encode()
    silent = request["model"] == "judge" and hashlib.sha256(asked).digest()[0] % 2 == 0
    return completion("I would rather not say." if silent else persuade_text(request))


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two scenes, played before a judge that fails half of the time."""
    folder = scenes(tmp_path_factory.mktemp("judged") / "data", 2)
    with Loopback(by_halves) as server:
        plays(folder, MODEL, judge="vllm/judge", perturb="all", base_url=server.base_url)
    return folder


@pytest.fixture
def data(judged: Path, tmp_path: Path) -> Path:
    """The same, to be rescored."""
    return shutil.copytree(judged, tmp_path / "data")


def value(estimate: Estimate) -> float:
    assert estimate.interval.value is not None
    return estimate.interval.value


def attitude(metrics: PlayMetrics) -> Estimate:
    found = metrics.figures("inferred")
    assert found is not None
    return found.scores["attitude"]


def test_failed_verdicts_are_nought_by_default_and_nothing_by_our_rules(data: Path) -> None:
    (found,) = rescored_plays(data)
    ours, default = attitude(found.ours), attitude(found.by_default)
    assert 0 < ours.scores < default.scores
    assert value(default) == pytest.approx(value(ours) * ours.scores / default.scores, abs=1e-5)
    assert found.by_default.consistency.scores > found.ours.consistency.scores
    assert found.by_default.unjudged == found.ours.unjudged
    stored = PlayMetrics.model_validate_json((data / "play" / "vllm_persuader" / BY_DEFAULT).read_bytes())
    assert stored == found.by_default


def test_our_figures_are_those_of_the_play(data: Path) -> None:
    (found,) = rescored_plays(data, "vllm_persuader")
    assert found == next(rescored_plays(data, MODEL))
    played = PlayMetrics.model_validate_json((data / "play" / "vllm_persuader" / "metrics.json").read_bytes())
    assert found.ours == played.model_copy(update={"learned": ()})


def test_both_stand_side_by_side(data: Path) -> None:
    done = CliRunner().invoke(app, ["rescore", str(data), "--paper-defaults"], env={"COLUMNS": "80"})
    assert done.exit_code == 0, done.output
    assert "by default" in done.stdout
    assert "Pred. acc. (judge told the route)" in done.stdout
    assert max(map(len, done.stdout.split("\n"))) <= 80
    assert "verdicts could not be had" in done.stderr


def test_plays_and_evaluations_are_not_rescored_at_once(data: Path) -> None:
    done = CliRunner().invoke(app, ["rescore", str(data), "--paper-defaults", "--parser", "published"])
    assert isinstance(done.exception, InputError) or done.exit_code == 2
    assert not (data / "play" / "vllm_persuader" / BY_DEFAULT).exists()


def test_who_has_not_played_is_told(data: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="vllm/nobody: has not played"):
        list(rescored_plays(data, "vllm/nobody"))
    done = CliRunner().invoke(app, ["rescore", str(scenes(tmp_path / "other", 1)), "--paper-defaults"])
    assert done.exit_code == 2 or isinstance(done.exception, InputError)
