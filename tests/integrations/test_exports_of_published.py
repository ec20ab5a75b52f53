"""Exports of PersuasiveToM and RecToM, of 2 to 16 options and of sets, in the hands of the tools that they are for.

`make test-integrations` installs the tools; without them these tests fail.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from loopback import Answer, Loopback, Request, completion
from persuasion_files import persuasion_files, write_files
from real_tools import as_lines, inspect_eval, lines, lm_eval, loaded
from rectom_release import write_release

from dtomtrack.library import export_dataset
from dtomtrack.suites.published.importing import import_published

SIZES = {
    "persuasivetom": {"one": {2, 3, 4, 6}},
    "rectom": {"one": {2, 7}, "any": {4, 5, 10, 16}},
}
"""How many options items have, where one is right and where several may be."""
WRONG, UNREAD = 5, 7
"""Every so many items are answered wrongly, or with nothing that can be read."""


@pytest.fixture(params=list(SIZES), scope="module")
def dataset(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An import of files in the form of each benchmark's."""
    suite: str = request.param
    home = tmp_path_factory.mktemp(suite)
    if suite == "rectom":
        source = write_release(home / "clone")
    else:
        source = write_files(home / "clone", persuasion_files(dialogues=2))
    import_published(suite, source, home / suite)
    return home / suite


def examinee(samples: list[dict[str, Any]]) -> Callable[[Request], Answer]:
    """Who knows what is right in each prompt, and says so of most."""
    replies = {sample["input"]: _reply(number, sample) for number, sample in enumerate(samples)}

    def answer(request: Request) -> Answer:
        (message,) = request["messages"]
        return completion(replies[message["content"]])

    return answer


def _reply(number: int, sample: Mapping[str, Any]) -> str:
    if number % UNREAD == 0:
        return "That can't be said."
    right = sample["target"]
    if number % WRONG == 0:
        right = ["B" if right == ["A"] else "A"]
    return ", ".join(right)


def test_inspect_scores_every_type_as_it_was_answered(dataset: Path, tmp_path: Path) -> None:
    exported = export_dataset(dataset, "inspect", tmp_path / "out")
    samples = lines(tmp_path / "out" / "questions.jsonl")
    found: dict[str, set[int]] = {}
    for sample in samples:
        found.setdefault(sample["metadata"]["select"], set()).add(len(sample["choices"]))
    assert found == SIZES[dataset.name]
    with Loopback(examinee(samples)) as server:
        log = inspect_eval(exported, server, tmp_path)
    assert log["status"] == "success"
    expected = ["N" if n % UNREAD == 0 else "I" if n % WRONG == 0 else "C" for n in range(len(samples))]
    assert [log["values"][sample["id"]] for sample in samples] == expected
    counts = Counter(expected)
    assert log["metrics"]["accuracy"] == pytest.approx(counts["C"] / len(samples))
    assert log["metrics"]["unparsed"] == pytest.approx(counts["N"] / len(samples))
    assert {sample["metadata"]["type"] for sample in samples} <= log["metrics"].keys()


def test_lm_eval_compares_as_many_letters_as_an_item_has(dataset: Path, tmp_path: Path) -> None:
    exported = export_dataset(dataset, "lm-eval", tmp_path / "out")
    data = {row["id"]: row for path in (tmp_path / "out" / "data").glob("*.jsonl") for row in lines(path)}
    task = exported.use[exported.use.index("--tasks") + 1]
    results, samples = lm_eval(task, tmp_path / "out", tmp_path)
    assert {sample["doc"]["id"] for sample in samples} == data.keys()
    assert len(samples) == len(data)
    for sample in samples:
        row = data[sample["doc"]["id"]]
        if isinstance(row["gold"], list):
            continue
        assert [call["arg_1"] for call in sample["arguments"].values()] == [f" {letter}" for letter in row["letters"]]
        scores = [float(score) for score, _ in sample["filtered_resps"]]
        assert sample["acc"] == float(scores.index(max(scores)) == row["gold"])
    right = sum(sample["acc"] for sample in samples)
    assert results[task]["acc,none"] == pytest.approx(right / len(samples))


def test_datasets_loads_what_was_exported(dataset: Path, tmp_path: Path) -> None:
    export_dataset(dataset, "huggingface", tmp_path / "out")
    found = loaded(tmp_path / "out", tmp_path)
    written = lines(dataset / "questions.jsonl")
    assert found["default"] == len(written)
    for row, line in zip(found["rows"]["questions"], written, strict=True):
        assert json.dumps(line["question"], ensure_ascii=False) in row.pop("prompt")
        assert as_lines(row, line) == line
    dialogues = lines(dataset / "dialogues.jsonl")
    for row, line in zip(found["rows"]["dialogues"], dialogues, strict=True):
        assert as_lines(row, line) == line
