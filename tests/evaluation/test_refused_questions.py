"""A server that won't answer one question costs that question, not the evaluation."""

from __future__ import annotations

from pathlib import Path

import pytest
from loopback import Answer, Loopback, Request, completion

from dtomtrack import evaluate, generate
from dtomtrack.beliefs.question import Question
from dtomtrack.errors import ModelError
from dtomtrack.evaluation.answer_folder import read_config
from dtomtrack.evaluation.records import Answer as Answered
from dtomtrack.runs.lines import read_lines

REFUSED = Answer(b'{"error": {"message": "the prompt is too odd", "type": "invalid_request_error"}}', status=400)


@pytest.fixture
def dataset(tmp_path: Path) -> Path:
    """Two dialogues."""
    generate("restaurant", n=2, out=tmp_path / "out")
    return tmp_path / "out"


def test_a_question_that_the_server_refuses_is_an_error_and_no_end(dataset: Path) -> None:
    odd = next(read_lines(dataset / "questions.jsonl", Question))

    def answer(request: Request) -> Answer:
        return REFUSED if odd.question in request["messages"][0]["content"] else completion("A")

    with Loopback(answer) as server:
        (found,) = evaluate(dataset, ["vllm/some"], base_url=server.base_url)
    answers = list(read_lines(dataset / "eval" / "vllm_some" / "answers.jsonl", Answered))
    refused = [one for one in answers if one.outcome == "error"]
    assert odd.id in {one.question_id for one in refused}
    assert all("the prompt is too odd" in (one.reason or "") for one in refused)
    assert found.outcomes["error"] == len(refused) < len(answers)
    assert found.micro.items == len(answers) - len(refused)


def test_a_server_that_refuses_everything_stops_the_run(dataset: Path) -> None:
    with Loopback(lambda _: REFUSED) as server, pytest.raises(ModelError, match="the prompt is too odd"):
        evaluate(dataset, ["vllm/some"], base_url=server.base_url)


@pytest.mark.parametrize("workers", [1, 2])
def test_what_it_refused_is_asked_again_once_it_is_mended(dataset: Path, workers: int) -> None:
    answers = [REFUSED]
    with Loopback(lambda _: answers[-1]) as server:
        with pytest.raises(ModelError, match="the prompt is too odd"):
            evaluate(dataset, ["vllm/some"], base_url=server.base_url, workers=workers)
        answers.append(completion("A"))
        (found,) = evaluate(dataset, ["vllm/some"], base_url=server.base_url)
    assert found.outcomes["error"] == 0


def test_a_kill_while_an_evaluation_is_shortened_leaves_it_so(dataset: Path) -> None:
    with Loopback(lambda _: completion("A")) as server:
        evaluate(dataset, ["vllm/some"], base_url=server.base_url)
        folder = dataset / "eval" / "vllm_some"
        (folder / "metrics.json").unlink()
        config = read_config(folder)
        assert config is not None
        (folder / "config.json").write_text(config.model_copy(update={"limit": 1}).model_dump_json())
        (found,) = evaluate(dataset, ["vllm/some"], base_url=server.base_url, limit=1)
    answers = list(read_lines(folder / "answers.jsonl", Answered))
    assert found.answers == len(answers) > 0
    assert len({one.question_id.rpartition("-q")[0] for one in answers}) == 1


def test_text_does_not_stand_in_for_probabilities(dataset: Path) -> None:
    with Loopback(lambda _: completion("A")) as server:
        (found,) = evaluate(dataset, ["vllm/some"], base_url=server.base_url, mode="logprobs")
    assert found.outcomes["unparsed"] == found.answers
