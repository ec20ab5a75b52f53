"""The whole way of an imported and of a generated set: answers, samples, failing calls, exports, the command line."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from commands import run
from examinee import MODEL, answers_in, asked_question, prompt_of
from loopback import Answer as Reply
from loopback import Loopback, Request, completion
from persuasion_files import persuasion_files, write_files

from dtomtrack.export.exporting import ExportFormat
from dtomtrack.items.item import Item
from dtomtrack.library import evaluate, export_dataset
from dtomtrack.suites.generating import GenerationRequest, generating_suite
from dtomtrack.suites.persuasivetom.suite import SUITE
from dtomtrack.suites.published.importing import import_published

_OPTION = re.compile(r"^([A-Z])\) (\".*\")$", re.MULTILINE)


@pytest.fixture
def published(tmp_path: Path) -> Path:
    import_published("persuasivetom", write_files(tmp_path / "clone", persuasion_files(dialogues=2)), tmp_path / "data")
    return tmp_path / "data"


class GoldStandIn:
    """Answers the gold, whichever way the options stand; it knows the items by what they show."""

    def __init__(self, items: list[Item]) -> None:
        self._golds = {self._key(item.question, self._said(item), item.options): item for item in items}

    @staticmethod
    def _said(item: Item) -> str:
        return "" if item.context is None else item.context.text("utterances")

    @staticmethod
    def _key(question: str, said: str, options: tuple[str, ...]) -> tuple[str, str, tuple[str, ...]]:
        return question, said.split("\n\n", 1)[-1].strip(), tuple(sorted(options))

    def __call__(self, request: Request) -> Reply:
        prompt = prompt_of(request)
        options = {letter: json.loads(text) for letter, text in _OPTION.findall(prompt)}
        said = prompt.split("\n\nQuestion:", 1)[0]
        item = self._golds[self._key(asked_question(request), said, tuple(options.values()))]
        (right,) = (item.options[position] for position in item.gold)
        return completion(next(letter for letter, text in options.items() if text == right))


def test_a_stand_in_that_answers_the_gold_is_right_everywhere(published: Path) -> None:
    items = list(SUITE.items(published))
    with Loopback(GoldStandIn(items)) as server:
        (metrics,) = evaluate(published, MODEL, base_url=server.base_url, permutations=6)
    assert metrics.answers == sum(len(item.options) for item in items)
    assert {group.name: group.accuracy.value for group in metrics.groups["type"]} == dict.fromkeys(
        [group.name for group in metrics.groups["type"]], 1.0
    )
    whole = [one for one in metrics.further if one.name.startswith("consistency_")]
    assert len(whole) == 6 and {one.estimate.value for one in whole} == {1.0}


def test_failing_calls_lose_nothing_and_samples_are_paid_once(published: Path) -> None:
    """Calls fail at first, of each question one; what was answered is never asked again."""
    failed = set[str]()

    def faulty(request: Request) -> Reply:
        if (prompt := prompt_of(request)) in failed:
            return completion("A")
        failed.add(prompt)
        return Reply(b"{}", status=503, headers={"Retry-After": "0.01"})

    with Loopback(faulty) as server:
        (metrics,) = evaluate(published, MODEL, base_url=server.base_url, repeats=3)
        answered = metrics.calls
        evaluate(published, MODEL, base_url=server.base_url, repeats=3)
    assert metrics.answers == answered == 3 * metrics.questions
    assert len(failed) >= metrics.questions / 2
    assert metrics.outcomes["error"] == 0
    assert len(answers_in(published / "eval" / "vllm_examinee.repeats3")) == 3 * metrics.questions


def test_items_of_two_to_six_options_are_exported(published: Path, tmp_path: Path) -> None:
    sizes = {len(item.options) for item in SUITE.items(published)}
    assert sizes == {2, 3, 4, 6}
    forms: tuple[ExportFormat, ...] = ("inspect", "lm-eval")
    for form in forms:
        export_dataset(published, form, tmp_path / form)
        assert any((tmp_path / form).iterdir())


def test_the_command_line_says_what_was_read_and_refuses_in_a_sentence(tmp_path: Path) -> None:
    source = write_files(tmp_path / "clone", persuasion_files(dialogues=2))
    done = run("import", "persuasivetom", source, "--out", tmp_path / "data")
    assert done.returncode == 0, done.stderr
    assert "74 items in 2 clusters over 2 contexts" in done.stdout
    assert "is not the file of the official release" in done.stdout
    refused = run("import", "persuasivetom", tmp_path, "--out", tmp_path / "no" / "data")
    assert (refused.returncode, (tmp_path / "no").exists()) == (2, False)
    made = run("generate", "--suite", "persuasivetom", "--n", "3", "--out", tmp_path / "made")
    assert made.returncode == 0, made.stderr
    suite = ("--suite", "persuasivetom")
    idle = (*suite, "--difficulty", "hard"), (*suite, "--turns", "30"), (*suite, "--dial", "topics=2")
    for wrong in (("--suite", "items"), ("--suite", "nothing"), (*suite, "--domain", "moon"), *idle):
        found = run("generate", *wrong, "--n", "1", "--out", tmp_path / "wrong")
        assert found.returncode == 2 and len(found.stderr.strip().splitlines()) == 1
        assert not (tmp_path / "wrong").exists()


def test_a_generated_job_says_that_no_model_took_part() -> None:
    job = generating_suite("persuasivetom").job(GenerationRequest(domain="all", n=1))
    assert set(job.stages.values()) == {"scripted", "rules"}
    assert job.client is None
