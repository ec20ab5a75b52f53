"""Few-shot prompting: examples come from other dialogues, by the seed alone, and are counted and recorded."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from competent_reader import weighed
from examinee import MODEL, answers_in
from loopback import Answer as Reply
from loopback import Loopback, Request, completion
from typer.testing import CliRunner

from dtomtrack.cli.main import app
from dtomtrack.errors import InputError
from dtomtrack.evaluation.estimate import estimate_evaluation
from dtomtrack.evaluation.evaluate import run_evaluation
from dtomtrack.evaluation.prompting import prompt_text
from dtomtrack.evaluation.records import AskConfig, Metrics
from dtomtrack.evaluation.request import EvaluateOptions, request_evaluation
from dtomtrack.items.item import Item
from dtomtrack.items.presented import PresentedItem
from dtomtrack.runs.engines import open_engine
from dtomtrack.runs.run import run
from dtomtrack.suites.generating import GenerationRequest, generating_suite
from dtomtrack.suites.rectom.suite import SUITE

N = 5


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("recommending") / "data"
    job = generating_suite("rectom").job(GenerationRequest("films", N))
    asyncio.run(run(job, open_engine("local", 1), n=N, out=out))
    return out


@pytest.fixture
def data(made: Path, tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    folder.mkdir()
    for file in made.iterdir():
        (folder / file.name).write_bytes(file.read_bytes())
    return folder


def evaluated(data: Path, server: Loopback, **options: object) -> Metrics:
    given: EvaluateOptions = {"base_url": server.base_url, **options}  # type: ignore[typeddict-item]
    (found,) = asyncio.run(run_evaluation(request_evaluation(SUITE, data, MODEL, **given)))
    return found


def by_prompt(items: Iterator[Item]) -> dict[str, Item]:
    """Items by what is asked."""
    config = AskConfig(subject=MODEL, questions="-", context=SUITE.conditions[0])
    return {prompt_text(PresentedItem(item), config): item for item in items}


def asked_items(request: Request, known: dict[str, Item]) -> list[tuple[Item, str]]:
    """The items of a request's prompts, each with the answer that stands behind it; the last has none."""
    texts = [one["content"] for one in request["messages"]]
    return [(known[asked], answer) for asked, answer in zip(texts[::2], [*texts[1::2], ""], strict=True)]


def test_examples_are_of_the_type_from_other_dialogues_and_with_the_right_answer(data: Path) -> None:
    with Loopback(lambda _: completion("A")) as server:
        found = evaluated(data, server, shots=3, limit=1)
        requests = list(server.requests)
    known = by_prompt(SUITE.items(data))
    assert len(requests) == found.answers
    for request in requests:
        roles = [one["role"] for one in request["messages"]]
        assert roles == ["user", "assistant"] * 3 + ["user"]
        *examples, (asked, _) = asked_items(request, known)
        clusters = [item.cluster for item, _ in examples]
        assert asked.cluster not in clusters
        assert len(set(clusters)) == 3
        for item, answer in examples:
            assert item.groups["type"] == asked.groups["type"]
            assert answer == ", ".join(sorted("ABCDEFGHIJKLMNOP"[place] for place in item.gold))


def test_a_right_answer_after_examples_counts_and_the_folder_tells_how_many(data: Path) -> None:
    known = by_prompt(SUITE.items(data))

    def right(request: Request) -> Reply:
        asked, _ = asked_items(request, known)[-1]
        return completion(", ".join(sorted("ABCDEFGHIJKLMNOP"[place] for place in asked.gold)))

    with Loopback(right) as server:
        found = evaluated(data, server, shots=2, limit=2)
    assert found.micro.accuracy.value == 1.0
    (folder,) = (data / "eval").iterdir()
    assert folder.name.endswith(".shots2")
    assert json.loads((folder / "config.json").read_text(encoding="utf-8"))["shots"] == 2


def test_the_seed_alone_decides_which(data: Path) -> None:
    asked = []
    for seed in (0, 0, 1):
        with Loopback(lambda _: completion("A")) as server:
            evaluated(data, server, shots=2, limit=1, seed=seed)
            asked.append(sorted(json.dumps(one["messages"]) for one in server.requests))
        for file in sorted((data / "eval").rglob("*"), reverse=True):
            file.unlink() if file.is_file() else file.rmdir()
    assert asked[0] == asked[1]
    assert asked[0] != asked[2]


def test_an_estimate_counts_what_examples_take(data: Path) -> None:
    plain, shown = (
        estimate_evaluation(request_evaluation(SUITE, data, MODEL, base_url="http://127.0.0.1:9", shots=shots))[0]
        for shots in (0, 4)
    )
    assert plain.calls == shown.calls
    assert shown.prompt_tokens == pytest.approx(5 * plain.prompt_tokens, rel=0.15)


def test_examples_in_json_and_option_by_option(data: Path) -> None:
    with Loopback(lambda _: completion('{"answer": "A"}')) as server:
        evaluated(data, server, shots=1, limit=1, mode="json")
        answers = [json.loads(one["messages"][1]["content"])["answer"] for one in server.requests]
    assert {type(one) for one in answers} == {str, list}
    with Loopback(lambda _: weighed({"Y": 0.6, "N": 0.4}, text="Y")) as server:
        evaluated(data, server, shots=1, limit=1, mode="each")
        told = [one["messages"][1]["content"] for one in server.requests]
    assert set(told) == {"Y", "N"}
    assert 0.35 < told.count("Y") / len(told) < 0.65


def test_too_few_other_dialogues_are_told(data: Path) -> None:
    with Loopback(lambda _: completion("A")) as server:
        with pytest.raises(InputError, match=f"of {N} dialogues in all; give a smaller number"):
            evaluated(data, server, shots=N)
        assert server.count == 0
    assert not (data / "eval").exists()


def test_examples_have_no_reasoning_and_baselines_no_examples(data: Path) -> None:
    with pytest.raises(InputError, match="answers alone"):
        request_evaluation(SUITE, data, MODEL, base_url="http://127.0.0.1:9", prompt="cot", shots=1)
    with pytest.raises(InputError, match="shots: baselines take no such option"):
        request_evaluation(SUITE, data, "baseline/random", shots=1)
    with pytest.raises(InputError, match="shots is -1"):
        request_evaluation(SUITE, data, MODEL, shots=-1)


def test_shots_on_the_command_line(data: Path) -> None:
    with Loopback(lambda _: completion("A")) as server:
        command = ["evaluate", str(data), "-m", MODEL, "--base-url", server.base_url, "--shots", "2", "--limit", "1"]
        dry = CliRunner().invoke(app, [*command, "--dry-run"])
        assert (dry.exit_code, server.count) == (0, 0)
        assert CliRunner().invoke(app, [*command, "-q"]).exit_code == 0
    (folder,) = (data / "eval").iterdir()
    assert len(answers_in(folder)) == server.count
