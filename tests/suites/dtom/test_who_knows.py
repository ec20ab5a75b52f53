"""Questions of which any number of options are right, inside a dataset of DToM-Track: everything takes them."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
from examinee import MODEL, prompt_of
from loopback import Answer as Reply
from loopback import Loopback, Request, completion
from report_datasets import made
from report_pages import page_of

from dtomtrack.auditing import audit_benchmark
from dtomtrack.beliefs.dialogue import Dialogue
from dtomtrack.beliefs.question import Question
from dtomtrack.library import evaluate, export_dataset, make_report, rescore
from dtomtrack.runs.lines import read_lines, to_lines

__all__ = ["made"]

ANSWERS = ("AB", "A", "B", "ABC", "ACE")


def who_knows(dialogue: Dialogue, first: Question, answer: str) -> Question:
    """Who of five knows what somebody now plans?"""
    names = (*dialogue.scenario.names, "Ada", "Bo", "Cleo")[:5]
    options = dict(zip("ABCDE", names, strict=True))
    return Question.model_validate(
        first.model_dump()
        | {
            "id": f"{dialogue.id}-q90",
            "type": "information_access",
            "order": 1,
            "about": None,
            "turn": 5,
            "question": f"Who knew at turn 5 what {names[0]} wanted?",
            "options": options,
            "option_roles": {letter: "gold" if letter in answer else "not_reached" for letter in options},
            "answer": answer,
            "select": "any",
            "factors": first.factors.model_dump() | {"asks": "who_knows", "differs": "apart", "apart": "aside"},
            "divergence": "aside-5",
        }
    )


@pytest.fixture(scope="module")
def dataset(made: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A dozen dialogues, each with one such question behind the others."""
    folder = Path(shutil.copytree(made, tmp_path_factory.mktemp("who") / "knows"))
    questions = list(read_lines(folder / "questions.jsonl", Question))
    wanted = []
    for number, dialogue in enumerate(read_lines(folder / "dialogues.jsonl", Dialogue)):
        own = [one for one in questions if one.dialogue_id == dialogue.id]
        wanted += [*own, who_knows(dialogue, own[0], ANSWERS[number % len(ANSWERS)])]
    (folder / "questions.jsonl").write_bytes(to_lines(wanted))
    return folder


def names_all(request: Request) -> Reply:
    """A model that answers A, and all but D where any number may be right."""
    asked = prompt_of(request)
    return completion("A, B, C and E" if "Who knew at turn 5" in asked else "A")


def test_they_are_evaluated_and_rescored_as_sets(dataset: Path) -> None:
    (everyone,) = evaluate(dataset, "baseline/everyone")
    access = next(one for one in everyone.groups["type"] if one.name == "information_access")
    assert access.items >= 12
    assert access.chance < 0.25
    with Loopback(names_all) as server:
        (found,) = evaluate(dataset, MODEL, base_url=server.base_url)
    assert found.outcomes["unparsed"] == found.outcomes["error"] == 0
    jaccard = found.measure("jaccard")
    assert jaccard is not None
    assert jaccard.items >= 12
    assert jaccard.estimate.value is not None
    assert jaccard.estimate.value > 0.3
    assert [one.changed for one in rescore(dataset)] == [0, 0]


@pytest.mark.usefixtures("undrawn")
def test_they_stand_on_the_page_and_in_the_audit(dataset: Path) -> None:
    evaluate(dataset, ["baseline/everyone", "baseline/present"])
    make_report(dataset, audit=False)
    page = page_of(dataset)
    assert re.search(r"<th[^>]*>(?:<[^>]*>|\s)*Information access", page.source)
    assert "exactly their set" in page.source
    assert "Agreement of sets (Jaccard)" in page.source
    asked = sum(1 for _ in read_lines(dataset / "questions.jsonl", Question))
    assert asked in {row.items for row in audit_benchmark(dataset).rows if row.group == "all"}


@pytest.mark.parametrize("form", ["inspect", "lm-eval", "huggingface", "parquet"])
def test_they_are_exported(dataset: Path, tmp_path: Path, form: str) -> None:
    pytest.importorskip("pyarrow")
    out = tmp_path / "out"
    export_dataset(dataset, form, out)  # type: ignore[arg-type]
    assert _questions(out, form) == {"who": 12, "golds": {tuple(one) for one in ANSWERS}}


def _questions(out: Path, form: str) -> dict[str, object]:
    """How many there are in an export, and their golds."""
    if form in {"huggingface", "parquet"}:
        import pyarrow.parquet as parquet

        path = next(path for path in out.rglob("*.parquet") if "questions" in str(path))
        rows = [row for row in parquet.read_table(path).to_pylist() if "Who knew at turn 5" in row["question"]]
        return {"who": len(rows), "golds": {tuple(row["answer"]) for row in rows}}
    field = "target" if form == "inspect" else "gold"
    lines = [json.loads(line) for path in out.rglob("*.jsonl") for line in path.read_text("utf-8").split("\n") if line]
    asked = [line for line in lines if "Who knew at turn 5" in json.dumps(line)]
    return {"who": len(asked), "golds": {tuple(line[field]) for line in asked}}
