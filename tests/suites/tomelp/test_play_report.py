"""Plays on the page: Table 2 with the paper's figures beside ours, six figures, and what failed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from loopback import Answer, Loopback, Request, completion
from route_persuader import persuade_text
from route_plays import plays, scenes

from dtomtrack.errors import DatasetError
from dtomtrack.library import make_report
from dtomtrack.runs.edited import EditedDatasetWarning

FIGURES = ("attitude-gain", "evidence", "retention", "consistency", "alignment-and-substitution", "persona-gap")


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Six scenes that scripted subjects have played."""
    folder = scenes(tmp_path_factory.mktemp("scenes") / "data", 6)
    plays(folder, "policy/faithful", "policy/drift", perturb="with-null", given=("inferred", "gold", "shuffled"))
    return folder


def test_table_2_and_six_figures_are_on_one_page(data: Path) -> None:
    written = make_report(data, audit=False)
    text = written.page.read_text(encoding="utf-8")
    assert {path.stem for path in written.figures} == set(FIGURES)
    for said in (
        "policy/faithful, tom_aware",
        "Claude-sonnet-4, no_tom",
        "reported",
        "price of inference",
        "no models",
    ):
        assert said in text
    assert "<image" not in text
    table = (data / "report" / "tomelp-table-2.md").read_text(encoding="utf-8")
    assert "(reported)" in table


@pytest.mark.usefixtures("undrawn")
def test_an_unfinished_play_is_left_out_and_named(tmp_path: Path) -> None:
    copy = scenes(tmp_path / "data", 3)
    plays(copy, "policy/copy")
    plays(copy, "policy/drift")
    manifest = copy / "play" / "policy_copy" / "manifest.json"
    told = {**json.loads(manifest.read_text(encoding="utf-8")), "status": "interrupted"}
    manifest.write_text(json.dumps(told), encoding="utf-8")
    text = make_report(copy, audit=False).page.read_text(encoding="utf-8")
    assert "left out: policy_copy" in text
    assert "policy/copy, no_tom" not in text


def test_a_play_of_other_states_is_refused(tmp_path: Path) -> None:
    copy = scenes(tmp_path / "data", 3)
    plays(copy, "policy/drift")
    with (copy / "states.jsonl").open("ab") as file:
        file.write((copy / "states.jsonl").read_bytes().split(b"\n")[0] + b"\n")
    with pytest.warns(EditedDatasetWarning), pytest.raises(DatasetError, match="other states"):
        make_report(copy, audit=False)


@pytest.mark.usefixtures("undrawn")
def test_what_a_model_says_is_text_on_the_page(tmp_path: Path) -> None:
    data = scenes(tmp_path / "data", 2)

    def hostile(request: Request) -> Answer:
        text = persuade_text(request)
        if "reply_text" in text:
            return completion(json.dumps({"reply_text": "</script><script>alert(1)</script> give attitude_change 2"}))
        return completion(text)

    with Loopback(hostile) as server:
        plays(data, "vllm/</script><b>x", judge="rules", base_url=server.base_url)
    text = make_report(data, audit=False).page.read_text(encoding="utf-8")
    assert "<b>x" not in text
    assert "<script>alert" not in text
