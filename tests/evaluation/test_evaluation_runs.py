"""Whole evaluations: what they write, and that one which was stopped ends like one which was not."""

from __future__ import annotations

import asyncio
import json
import shutil
import signal
import sys
import threading
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from asking import KEY, refused
from commands import ended, run
from competent_reader import weighed
from examinee import MODEL, answers_in, files_of, prompt_of, write_dataset, write_slots
from killed_runs import killed
from loopback import Answer as Reply
from loopback import Loopback, Request, completion
from model_folder import journaled, seeds

from dtomtrack.api import generate
from dtomtrack.errors import BudgetError, DatasetError, ModelError, ModelSpecError
from dtomtrack.evaluation.estimate import estimate_evaluation
from dtomtrack.evaluation.evaluate import EvaluateProgress
from dtomtrack.evaluation.records import Metrics
from dtomtrack.evaluation.request import request_evaluation
from dtomtrack.library import aevaluate, evaluate
from dtomtrack.llm.chat import ChatReply, ChatRequest, Usage
from dtomtrack.suites.dtom.slot_result import SlotResult
from dtomtrack.suites.dtom.suite import SUITE

Slots = dict[str, list[SlotResult]]
EXAMINEE = "vllm_examinee"


def replying(request: Request) -> Reply:
    """Different letters for different prompts, at times none."""
    drawn = Random(prompt_of(request)).random()
    return completion("no idea" if drawn < 0.1 else "ABCD"[int(drawn * 1000) % 4])


@pytest.fixture
def data(tmp_path: Path, slots: Slots) -> Path:
    """Eight dialogues."""
    return write_slots(tmp_path / "data", slots["medical"][:8])


def copy(data: Path, name: str) -> Path:
    shutil.copytree(data, data.with_name(name))
    return data.with_name(name)


def asked(server: Loopback) -> list[int]:
    """The seeds of all requests."""
    return [int(request["seed"]) for request in server.requests]


# -- what comes of it ------------------------------------------------------------------------------------------------


def test_answers_stand_in_the_order_of_the_questions(data: Path, slots: Slots) -> None:
    questions = [question for slot in slots["medical"][:8] for question in slot.questions]
    with Loopback(replying) as server:
        (found,) = evaluate(data, MODEL, base_url=server.base_url, concurrency=8)
        assert server.count == len(questions)
        assert len(set(asked(server))) == len(questions)
    answers = answers_in(data / "eval" / EXAMINEE)
    assert [answer.question_id for answer in answers] == [question.id for question in questions]
    assert found.outcomes == {"correct": 0, "wrong": 0, "unparsed": 0, "error": 0} | Counter(
        answer.outcome for answer in answers
    )
    assert found.outcomes["unparsed"] > 0
    assert (found.calls, found.tokens) == (len(questions), 18 * len(questions))
    assert Metrics.model_validate_json((data / "eval" / EXAMINEE / "metrics.json").read_bytes()) == found
    for answer, question in zip(answers, questions, strict=True):
        assert (answer.answer == question.answer) == (answer.outcome == "correct")


def test_several_subjects_one_after_another(data: Path) -> None:
    found = evaluate(data, ["baseline/oracle", "baseline/first-letter"], permutations=2)
    assert [one.config.subject for one in found] == ["baseline/oracle", "baseline/first-letter"]
    assert found[0].micro.accuracy.value == 1.0
    assert sorted(path.name for path in (data / "eval").iterdir()) == [
        "baseline_first-letter.x2",
        "baseline_oracle.x2",
    ]


def test_ways_of_asking_have_folders_of_their_own(data: Path) -> None:
    with Loopback(replying) as server:
        for options in ({}, {"context": "none"}, {"prompt": "cot", "mode": "json"}, {"seed": 3, "permutations": 4}):
            evaluate(data, MODEL, base_url=server.base_url, limit=1, **options)
    names = sorted(path.name for path in (data / "eval").iterdir())
    assert names == [EXAMINEE, f"{EXAMINEE}.cot.json", f"{EXAMINEE}.none", f"{EXAMINEE}.x4.seed3"]


def test_a_name_leads_nowhere_else(data: Path) -> None:
    with Loopback(replying) as server:
        evaluate(data, "vllm/../../../x", base_url=server.base_url, limit=1)
    (folder,) = (data / "eval").iterdir()
    assert folder.parent == data / "eval"
    assert (folder / "answers.jsonl").is_file()


def test_samples_are_asked_with_seeds_of_their_own(data: Path) -> None:
    told: list[EvaluateProgress] = []
    with Loopback(replying) as server:
        options = {"base_url": server.base_url, "repeats": 3, "temperature": 0.7}
        found, by_rule = evaluate(data, [MODEL, "baseline/random"], report=told.append, **options)  # type: ignore[arg-type]
        assert server.count == len(set(asked(server))) == found.answers == 3 * found.questions
    assert (found.config.repeats, by_rule.config.repeats, by_rule.answers) == (3, 1, found.questions)
    assert {(one.subject, one.wanted) for one in told} == {(MODEL, found.answers), ("baseline/random", found.questions)}
    answers = answers_in(data / "eval" / f"{EXAMINEE}.repeats3.t0.7")
    assert [answer.repeat for answer in answers[:6]] == [0, 1, 2, 0, 1, 2]
    assert found.measure("samples") is not None


def test_concurrency_changes_no_byte(data: Path) -> None:
    with Loopback(replying) as server:
        for concurrency in (1, 32):
            evaluate(copy(data, str(concurrency)), MODEL, base_url=server.base_url, concurrency=concurrency)
    assert files_of(data.with_name("1") / "eval" / EXAMINEE) == files_of(data.with_name("32") / "eval" / EXAMINEE)


class Own:
    """A model of the caller's."""

    name = "my model"

    def __init__(self) -> None:
        self.asked = 0

    async def chat(self, request: ChatRequest) -> ChatReply:
        self.asked += 1
        return ChatReply("Answer: D", "stop", Usage(5, 2))


async def test_a_model_of_ones_own(data: Path) -> None:
    own = Own()
    told: list[EvaluateProgress] = []
    (found,) = await aevaluate(data, own, report=told.append)
    assert found.config.subject == "my model"
    assert found.answers == own.asked == told[-1].done == told[-1].wanted
    assert found.tokens == 7 * own.asked
    assert {answer.shown for answer in answers_in(data / "eval" / "my_model")} == {"D"}


# -- stopped and given again -----------------------------------------------------------------------------------------


def failing_after(calls: int) -> Callable[[Request], Reply]:
    """A server that takes the key so many times."""
    left = iter(range(calls))
    return lambda request: replying(request) if next(left, None) is not None else refused(401)


def test_what_was_answered_before_a_model_gives_up_is_kept(data: Path) -> None:
    answer: Callable[[Request], Reply] = replying
    with Loopback(lambda request: answer(request)) as server:
        evaluate(data, MODEL, base_url=server.base_url, concurrency=1)
        seen = server.count
        reference = files_of(data / "eval" / EXAMINEE)
        again = copy(data, "again")
        shutil.rmtree(again / "eval")
        answer = failing_after(23)
        with pytest.raises(ModelError, match="key was refused"):
            evaluate(again, MODEL, base_url=server.base_url, concurrency=1)
        assert len(answers_in(again / "eval" / EXAMINEE)) == 23
        assert not (again / "eval" / EXAMINEE / "metrics.json").exists()
        answer = replying
        before = server.count
        evaluate(again, MODEL, base_url=server.base_url, concurrency=1)
        assert server.count - before == seen - 23
        assert files_of(again / "eval" / EXAMINEE) == reference


def test_a_finished_evaluation_asks_nothing_again(data: Path) -> None:
    with Loopback(replying) as server:
        first = evaluate(data, MODEL, base_url=server.base_url)
        seen, before = server.count, files_of(data / "eval" / EXAMINEE)
        assert evaluate(data, MODEL, base_url=server.base_url) == first
        assert server.count == seen
    assert files_of(data / "eval" / EXAMINEE) == before


def test_a_torn_line_is_cut_off(data: Path) -> None:
    answers = data / "eval" / EXAMINEE / "answers.jsonl"
    with Loopback(replying) as server:
        evaluate(data, MODEL, base_url=server.base_url)
        seen, before = server.count, files_of(answers.parent)
        whole = answers.read_bytes()
        for kept in (0, 10, len(whole) // 2, len(whole) - 1):
            answers.write_bytes(whole[:kept])
            evaluate(data, MODEL, base_url=server.base_url)
            assert files_of(answers.parent) == before
        assert server.count == seen


def evaluating(data: Path, server: Loopback, *more: str) -> list[str]:
    command = [sys.executable, "-m", "dtomtrack", "evaluate", str(data), "--model", MODEL]
    return [*command, "--base-url", server.base_url, "--concurrency", "8", "--quiet", *more]


def test_a_killed_evaluation_ends_in_the_same_bytes_and_asks_nothing_twice(data: Path) -> None:
    again = copy(data, "again")
    own = again / "eval" / EXAMINEE
    stored: set[int] = set()
    rng = Random(3)
    with Loopback(replying) as server:
        assert ended(evaluating(data, server)).returncode == 0
        once = server.count
        for _ in range(4):
            seen = server.count
            assert killed(evaluating(again, server), server, own, rng.randrange(12, 20)) == (-signal.SIGKILL, "")
            assert not stored & set(asked(server)[seen:])
            stored = seeds(journaled(own))
        assert 4 * 6 <= len(stored) < once
        seen = server.count
        assert ended(evaluating(again, server)).returncode == 0
        assert not stored & set(asked(server)[seen:])
        assert server.count - seen == once - len(stored)
    assert files_of(own) == files_of(data / "eval" / EXAMINEE)


def test_more_dialogues_later_are_the_same_as_at_once(data: Path) -> None:
    with Loopback(replying) as server:
        evaluate(data, MODEL, base_url=server.base_url)
        seen = server.count
        later = copy(data, "later")
        shutil.rmtree(later / "eval")
        (few,) = evaluate(later, MODEL, base_url=server.base_url, limit=2)
        assert few.config.limit == 2
        assert few.answers < seen
        evaluate(later, MODEL, base_url=server.base_url)
        assert server.count == 2 * seen
        evaluate(later, MODEL, base_url=server.base_url, limit=2)
        assert server.count == 2 * seen
    assert files_of(later / "eval" / EXAMINEE) == files_of(data / "eval" / EXAMINEE)


def test_a_budget_stops_a_run_that_a_larger_one_finishes(data: Path) -> None:
    with Loopback(replying) as server:
        options = {"base_url": server.base_url, "max_tokens": 20, "concurrency": 4}
        with pytest.raises(BudgetError, match="raise it to go on"):
            evaluate(data, MODEL, max_tokens_total=1_500, **options)  # type: ignore[arg-type]
        some = server.count
        # a reply may come ahead of its turn: then it is in the journal
        assert 0 < len(answers_in(data / "eval" / f"{EXAMINEE}.max20")) <= some
        (found,) = evaluate(data, MODEL, max_tokens_total=1_000_000, **options)  # type: ignore[arg-type]
        assert found.calls == found.answers == server.count


# -- what is said on the way -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("limit", [1, 8])
def test_a_model_that_answers_nothing_is_told_once(data: Path, limit: int) -> None:
    said: list[str] = []
    with Loopback(lambda _: completion("Hmm.")) as server:
        (found,) = evaluate(data, MODEL, base_url=server.base_url, limit=limit, warn=said.append)
    assert found.outcomes["unparsed"] == found.answers
    (warning,) = said
    assert "holds an answer that can be read" in warning
    assert "--mode logprobs" in warning


def test_a_model_that_answers_something_is_not_warned_of(data: Path) -> None:
    said: list[str] = []
    with Loopback(replying) as server:
        evaluate(data, MODEL, base_url=server.base_url, warn=said.append)
    assert not said


@pytest.mark.parametrize("options", [{}, {"permutations": 2, "limit": 3, "mode": "logprobs"}])
def test_an_estimate_counts_the_calls_and_calls_nobody(data: Path, options: dict[str, Any]) -> None:
    with Loopback(replying) as server:
        request = request_evaluation(SUITE, data, [MODEL, "baseline/random"], base_url=server.base_url, **options)
        expected, free = estimate_evaluation(request)
        assert server.count == 0
        assert not (data / "eval").exists()
        evaluate(data, MODEL, base_url=server.base_url, **options)
        assert expected.calls == server.count
        told = sum(len(prompt_of(one)) for one in server.requests) / 4
    assert expected.prompt_tokens == pytest.approx(told, rel=0.05)
    assert (expected.cost, free.calls, free.cost) == (0.0, 0, 0.0)


def test_the_command_line_shows_what_came_of_it(data: Path, tmp_path: Path) -> None:
    with Loopback(replying) as server:
        command = [one for one in evaluating(data, server, "--log", str(tmp_path / "log")) if one != "--quiet"]
        done = ended([*command, "-m", "baseline/random"], env={"COLUMNS": "100"})
    assert done.returncode == 0, done.stderr
    for word in (
        "pre_update",
        "false_belief",
        "chance",
        "unparsed",
        "Recency gap",
        "Accuracy, clustered by topic",
        "micro",
        "baseline/random",
    ):
        assert word in done.stdout
    assert not done.stderr
    log = (tmp_path / "log").read_text(encoding="utf-8")
    assert log.count("\n") == server.count
    assert "Turn 0" not in log


def test_the_command_line_says_how_to_go_on(data: Path) -> None:
    with Loopback(lambda _: refused(401)) as server:
        stopped = ended(evaluating(data, server))
    assert stopped.returncode == 1
    assert "the key was refused" in stopped.stderr
    assert f"Go on with:\n  dtomtrack evaluate {data}" in stopped.stderr
    assert "Traceback" not in stopped.stderr


def test_the_command_line_warns_and_goes_on(data: Path) -> None:
    with Loopback(lambda _: completion("Hmm.")) as server:
        done = ended(evaluating(data, server))
    assert done.returncode == 0
    assert done.stderr.count("none of the first 50 replies") == 1


def test_a_dry_run_on_the_command_line(data: Path) -> None:
    with Loopback(replying) as server:
        done = ended(evaluating(data, server, "--dry-run"))
        assert done.returncode == 0, done.stderr
        assert server.count == 0
    assert MODEL in done.stdout
    assert "prompt tokens" in done.stdout
    assert "of 8 dialogues: with a probability of 80%, a difference of" in done.stdout
    assert "Taken for granted: exactly one of the two is right on 30% of the items" in done.stdout


def test_an_unknown_context_is_one_sentence_on_the_command_line(data: Path) -> None:
    done = run("evaluate", data, "-m", "baseline/random", "--context", "all")
    assert done.returncode == 2
    assert done.stderr.startswith("dtomtrack: context is 'all'; it has to be one of utterances, none, own-thoughts")
    assert done.stderr.count("\n") == 1


def test_probabilities_and_samples_are_told_on_the_command_line(data: Path) -> None:
    def sure(_: Request) -> Reply:
        return weighed({"A": 0.7, "B": 0.3}, text="A")

    with Loopback(sure) as server:
        command = [one for one in evaluating(data, server, "--mode", "logprobs") if one != "--quiet"]
        more = ["--repeats", "2", "--permutations", "4", "--limit", "2"]
        done = ended([*command, *more], env={"COLUMNS": "100"})
    assert done.returncode == 0, done.stderr
    for word in (
        "Calibration: ECE 0.4",
        "Brier",
        "Accuracy over samples: ",
        "standard deviation 0.0%",
        "all rotations",
    ):
        assert word in done.stdout


# -- bad input -------------------------------------------------------------------------------------------------------


def test_answers_to_other_questions_are_told_apart(data: Path, slots: Slots) -> None:
    evaluate(data, "baseline/random")
    before = files_of(data / "eval" / "baseline_random")
    write_slots(data, slots["medical"][1:9])
    with pytest.raises(DatasetError, match="answers to other questions"):
        evaluate(data, "baseline/random")
    assert files_of(data / "eval" / "baseline_random") == before


def test_another_server_is_another_evaluation(data: Path) -> None:
    for _ in range(2):
        with Loopback(replying) as server:
            if (data / "eval").exists():
                with pytest.raises(DatasetError, match=r"address http://127\.0\.0\.1:\d+/v1 there"):
                    evaluate(data, MODEL, base_url=server.base_url, limit=1)
            else:
                evaluate(data, MODEL, base_url=server.base_url, limit=1)


def test_a_server_that_nobody_answered_at_can_be_named_rightly_later(data: Path) -> None:
    with Loopback(lambda _: refused(404, "no such model")) as server, pytest.raises(ModelError, match="no such model"):
        evaluate(data, MODEL, base_url=server.base_url, limit=1)
    with Loopback(replying) as server:
        (found,) = evaluate(data, MODEL, base_url=server.base_url, limit=1)
    assert found.calls == found.answers


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda lines: [*lines[:2], "{}", *lines[2:]], r"answers.jsonl:3: question_id"),
        (lambda lines: [lines[1], lines[0], *lines[2:]], r"answers.jsonl:1: answers .*-q01' .* where .*-q00'"),
        (lambda lines: [*lines, lines[0]], r"more answers than questions"),
    ],
)
def test_answers_that_are_not_its_own_are_told(data: Path, change: Callable[[list[str]], list[str]], told: str) -> None:
    evaluate(data, "baseline/random")
    answers = data / "eval" / "baseline_random" / "answers.jsonl"
    lines = answers.read_text(encoding="utf-8").rstrip("\n").split("\n")
    answers.write_text("\n".join(change(lines)) + "\n", encoding="utf-8")
    with pytest.raises(DatasetError, match=told):
        evaluate(data, "baseline/random")


@pytest.mark.parametrize("name", ["questions.jsonl", "dialogues.jsonl"])
def test_a_line_that_does_not_validate_is_told_with_its_number_and_answers_are_kept(data: Path, name: str) -> None:
    lines = (data / name).read_text(encoding="utf-8").rstrip("\n").split("\n")
    lines[5] = lines[5].replace('"id"', '"name"', 1)
    (data / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    with Loopback(replying) as server, pytest.raises(DatasetError, match=rf"{name}:6: "):
        evaluate(data, MODEL, base_url=server.base_url, concurrency=1)
    assert len(answers_in(data / "eval" / EXAMINEE)) >= 1


def test_a_question_without_its_dialogue_is_told(data: Path, slots: Slots) -> None:
    filled = slots["medical"][:3]
    dialogues = [slot.dialogue for slot in filled if slot.dialogue is not None]
    write_dataset(data, dialogues[:2], [question for slot in filled for question in slot.questions])
    with pytest.raises(DatasetError, match=rf"questions.jsonl:\d+: dialogue '{dialogues[2].id}' is not in"):
        evaluate(data, "baseline/random")


def test_a_folder_that_is_no_dataset_is_told(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match="there is no such folder"):
        evaluate(tmp_path / "nowhere", "baseline/random")
    with pytest.raises(DatasetError, match=r"holds no dataset \(there is no dialogues.jsonl\)"):
        evaluate(tmp_path, "baseline/random")


def test_manifests_of_unfinished_and_newer_datasets_are_told(tmp_path: Path) -> None:
    data = tmp_path / "made"
    generate("restaurant", n=1, out=data)
    manifest = json.loads((data / "manifest.json").read_bytes())
    for change, told in (({"format_version": 99}, "is of format 99"), ({"status": "running"}, "is not finished")):
        (data / "manifest.json").write_text(json.dumps(manifest | change), encoding="utf-8")
        with pytest.raises(DatasetError, match=told):
            evaluate(data, "baseline/random")
    (data / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    assert evaluate(data, "baseline/oracle")[0].micro.accuracy.value == 1.0


@pytest.mark.filterwarnings("ignore::dtomtrack.runs.edited.EditedDatasetWarning")
def test_a_dataset_that_lost_something_is_told_as_what_it_is(tmp_path: Path) -> None:
    generate("restaurant", n=1, out=tmp_path)
    manifest, questions = tmp_path / "manifest.json", tmp_path / "questions.jsonl"
    whole = manifest.read_bytes()
    manifest.write_bytes(whole[:300])
    with pytest.raises(DatasetError, match=r"manifest\.json: .*was it cut off or edited\?"):
        evaluate(tmp_path, "baseline/random")
    manifest.write_bytes(whole)
    without_sums = {key: value for key, value in json.loads(whole).items() if key != "files"}
    manifest.write_text(json.dumps(without_sums), encoding="utf-8")
    evaluate(tmp_path, "baseline/oracle")
    lines = questions.read_bytes().splitlines(keepends=True)
    questions.write_bytes(b"".join(lines[1:]))
    with pytest.raises(
        DatasetError, match=rf"holds {len(lines) - 1} questions, and the manifest tells of {len(lines)}"
    ):
        evaluate(tmp_path, "baseline/random")
    manifest.write_bytes(whole)
    questions.write_bytes(b"")
    with pytest.raises(DatasetError, match=r"questions\.jsonl: holds no questions to ask"):
        evaluate(tmp_path, "baseline/random")
    questions.unlink()
    questions.mkdir()
    with pytest.raises(DatasetError, match=r"questions\.jsonl: is a folder; it has to be a file"):
        evaluate(tmp_path, "baseline/random")


async def test_two_runs_do_not_write_one_evaluation(data: Path) -> None:
    loop, asked, others_are_done = asyncio.get_running_loop(), asyncio.Event(), threading.Event()

    def held_back(request: Request) -> Reply:
        loop.call_soon_threadsafe(asked.set)
        others_are_done.wait()
        return replying(request)

    with Loopback(held_back) as server:
        first = asyncio.ensure_future(aevaluate(data, MODEL, base_url=server.base_url))
        await asked.wait()
        try:
            with pytest.raises(DatasetError, match="another run is writing this folder"):
                await aevaluate(data, MODEL, base_url=server.base_url)
            # another subject may be evaluated meanwhile
            assert await aevaluate(data, "baseline/random")
        finally:
            others_are_done.set()
        assert (await first)[0].answers == server.count


def test_a_missing_key_is_told(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(ModelSpecError, match="OPENAI_API_KEY"):
        evaluate(data, "openai/gpt-4o-mini")


def test_the_key_is_in_no_file(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with Loopback(replying) as server:
        evaluate(data, "openai/x", base_url=server.base_url, limit=1)
        assert KEY in server.headers["Authorization"]
    assert not [path for path in data.rglob("*") if path.is_file() and KEY.encode() in path.read_bytes()]


def test_one_address_is_not_for_two_providers(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("OPENROUTER_API_KEY", KEY)
    with Loopback(replying) as server:
        with pytest.raises(ModelSpecError, match="--base-url is one address for openai and openrouter: evaluate them"):
            evaluate(data, ["openai/a", "baseline/random", "openrouter/b"], base_url=server.base_url)
        assert server.count == 0
    assert not (data / "eval").exists()
