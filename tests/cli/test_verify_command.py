"""``dtomtrack verify``: a dataset judged again, and a judge put to the test."""

from __future__ import annotations

import json
import shlex
import shutil
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest
from commands import ended, run
from competent_reader import CompetentReader
from loopback import Answer, Loopback, Request, completion
from whole_company import do_all

from dtomtrack import Dialogue, Question, generate
from dtomtrack.runs.folder import read_manifest
from dtomtrack.runs.lines import read_lines
from dtomtrack.scenarios.domain import Domain
from dtomtrack.suites.dtom.slot_result import SlotResult
from dtomtrack.suites.dtom.verdict_line import VerdictLine
from dtomtrack.verifiers.judging.calibration import FAULTS


@pytest.fixture
def server() -> Iterator[Loopback]:
    """A model that reads updates well, and gives every question the best grade."""
    with Loopback(do_all) as running:
        yield running


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three dialogues."""
    folder = tmp_path_factory.mktemp("verify") / "out"
    generate("restaurant", n=3, out=folder)
    return folder


@pytest.fixture
def dataset(made: Path, tmp_path: Path) -> Path:
    """The same for the test's own."""
    return Path(shutil.copytree(made, tmp_path / "out"))


def verify(folder: Path, base_url: str, *more: str) -> subprocess.CompletedProcess[str]:
    command = [
        sys.executable,
        "-m",
        "dtomtrack",
        "verify",
        str(folder),
        "--model",
        "vllm/judge",
        "--base-url",
        base_url,
    ]
    return ended([*command, *more])


def test_verdicts_stand_beside_the_dataset_which_stays_as_it_is(dataset: Path, server: Loopback) -> None:
    before = {path.name: path.read_bytes() for path in dataset.iterdir()}
    done = verify(dataset, server.base_url)
    assert (done.returncode, done.stderr) == (0, "")
    assert "dialogues" in done.stdout and "pre_update" in done.stdout
    lines = list(read_lines(dataset / "verify" / "vllm_judge" / "verdicts.jsonl", VerdictLine))
    assert [line.outcome for line in lines if line.kind == "dialogue"] == ["accept"] * 3
    assert len(lines) == 3 + before["questions.jsonl"].count(b"\n")
    assert all((dataset / name).read_bytes() == content for name, content in before.items())


def test_data_in_parquet_is_judged_as_lines_are(dataset: Path, tmp_path: Path, server: Loopback) -> None:
    pytest.importorskip("pyarrow")
    generate("restaurant", n=3, out=tmp_path / "parts", format="parquet")
    said = set()
    for folder in (dataset, tmp_path / "parts"):
        assert verify(folder, server.base_url, "--limit", "2").returncode == 0
        assert verify(folder, server.base_url).returncode == 0
        said.add((folder / "verify" / "vllm_judge" / "verdicts.jsonl").read_bytes())
    assert len(said) == 1


def test_the_same_again_asks_nothing(dataset: Path, server: Loopback) -> None:
    verify(dataset, server.base_url)
    asked = server.count
    done = verify(dataset, server.base_url)
    assert done.returncode == 0
    assert server.count == asked
    assert f"{asked} replies from the journal" in done.stdout


def test_a_calibration_goes_into_manifest_and_card(dataset: Path, server: Loopback) -> None:
    done = verify(dataset, server.base_url, "--calibrate", "--limit", "2")
    assert done.returncode == 0
    manifest = read_manifest(dataset)
    assert manifest is not None
    (found,) = manifest.calibration
    assert (found.model, found.dialogues) == ("vllm/judge", 2)
    assert [score.fault for score in found.scores] == list(FAULTS)
    by_fault = {score.fault: score for score in found.scores}
    assert by_fault["remove_update"].recall == 1.0
    assert by_fault["swap_gold"].recall == 0.0
    assert "| remove_update | 2 | 2 | 0 | 0 | 1.00 | 1.00 |" in (dataset / "README.md").read_text(encoding="utf-8")
    assert "swap_gold" in done.stdout


def graded(dataset: Path, server: Loopback, *more: str) -> tuple[dict[str | None, int], dict[str, object]]:
    """Verdicts on questions by criterion, and the configuration."""
    assert verify(dataset, server.base_url, *more).returncode == 0
    folder = dataset / "verify" / "vllm_judge"
    lines = read_lines(folder / "verdicts.jsonl", VerdictLine)
    criteria = Counter(line.criterion for line in lines if line.kind == "question" and line.outcome == "reject")
    return criteria, json.loads((folder / "config.json").read_bytes())


def test_each_criterion_may_have_a_threshold_of_its_own(dataset: Path) -> None:
    """Of a judge that gives every question a grade of 0.5."""

    def lukewarm(request: Request) -> Answer:
        return completion("C") if "A question" in request["messages"][-1]["content"] else do_all(request)

    with Loopback(lukewarm) as server:
        rejected, config = graded(dataset, server, "--threshold", ".5")
        assert not rejected
        assert config == {
            "model": "vllm/judge",
            "limit": None,
            "thresholds": {"correctness": 0.5, "soundness": 0.5, "quality": 0.5},
        }
        asked = server.count
        rejected, config = graded(dataset, server, "--threshold", ".5", "--threshold", "soundness=.55")
        assert set(rejected) == {"soundness"}
        assert config["thresholds"] == {"correctness": 0.5, "soundness": 0.55, "quality": 0.5}
        assert server.count == asked, "the same replies are graded by other thresholds"
        assert set(graded(dataset, server)[0]) == {"correctness"}


def test_a_calibration_prints_the_command_with_the_best_thresholds(dataset: Path, restaurant: Domain) -> None:
    asked = defaultdict[int, list[Question]](list)
    for question in read_lines(dataset / "questions.jsonl", Question):
        asked[question.slot].append(question)
    slots = [
        SlotResult(one.slot, one, tuple(asked[one.slot]), ())
        for one in read_lines(dataset / "dialogues.jsonl", Dialogue)
    ]
    with Loopback(CompetentReader(restaurant, slots)) as server:
        done = verify(dataset, server.base_url, "--calibrate")
        printed = done.stdout.partition("with the best thresholds:\n")[2].splitlines()[0]
        words = shlex.split(printed)
        assert words[:3] == ["dtomtrack", "verify", str(dataset)]
        assert "--threshold correctness=0.5" in printed
        again = run(*words[1:])
        assert (again.returncode, again.stderr) == (0, "")
    manifest = read_manifest(dataset)
    assert manifest is not None
    assert manifest.calibration[0].thresholds == {"correctness": 0.6, "soundness": 0.6, "quality": 0.6}
    config = json.loads((dataset / "verify" / "vllm_judge" / "config.json").read_bytes())
    assert config["thresholds"]["correctness"] == 0.5


def test_a_verifier_that_gives_no_letter_is_told_apart_from_one_that_rejects(dataset: Path) -> None:
    with Loopback(lambda _: completion("I'd rather not say.")) as server:
        done = verify(dataset, server.base_url, "--limit", "1")
    assert done.returncode == 0
    lines = read_lines(dataset / "verify" / "vllm_judge" / "verdicts.jsonl", VerdictLine)
    assert {line.outcome for line in lines} == {"error"}


@pytest.mark.parametrize(
    ("more", "status", "said"),
    [
        (("--limit", "0"), 2, "limit is 0"),
        (("--threshold", "2"), 2, "threshold is 2"),
        (("--threshold", "quality=2"), 2, "threshold is quality=2; it has to be from 0 to 1"),
        (("--threshold", "naturalness=.5"), 2, "'naturalness'; there are correctness, soundness, quality"),
        (("--threshold", "much"), 2, "--threshold much: give a grade from 0 to 1, or CRITERION=GRADE"),
        (("--concurrency", "0"), 2, "concurrency is 0"),
        (("--model", "scripted"), 2, "only a language model can verify again"),
        (("--model", "nobody/x"), 2, "write PROVIDER/NAME"),
        (("--timeout", "0"), 2, "timeout is 0"),
    ],
)
def test_bad_input_is_one_sentence(dataset: Path, more: tuple[str, ...], status: int, said: str) -> None:
    done = verify(dataset, "http://127.0.0.1:9", *more)
    assert done.returncode == status
    assert said in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_folder_that_is_no_finished_dataset_is_named(dataset: Path, tmp_path: Path, server: Loopback) -> None:
    done = verify(tmp_path / "nothing", server.base_url)
    assert (done.returncode, "there is no such folder" in done.stderr) == (2, True)
    manifest = json.loads((dataset / "manifest.json").read_text(encoding="utf-8"))
    (dataset / "manifest.json").write_text(json.dumps({**manifest, "status": "interrupted"}), encoding="utf-8")
    done = verify(dataset, server.base_url)
    assert (done.returncode, "is not finished" in done.stderr) == (2, True)
