"""Some of the items: the first dialogues, drawn ones, types; and evaluations that were stopped, as they are."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from pathlib import Path
from random import Random

import pytest
from examinee import MODEL, answers_in, files_of, prompt_of
from loopback import Loopback, completion

from dtomtrack import compare, evaluate, generate, import_items, load, make_report
from dtomtrack.errors import BudgetError, InputError
from dtomtrack.library import rescore

pytestmark = pytest.mark.usefixtures("undrawn")

EXAMINEE = "vllm_examinee"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Eight dialogues."""
    folder = tmp_path_factory.mktemp("made") / "data"
    generate("medical", n=8, out=folder)
    return folder


@pytest.fixture
def data(made: Path, tmp_path: Path) -> Path:
    """The same in a folder to write to."""
    return Path(shutil.copytree(made, tmp_path / "data"))


def dialogues_of(evaluation: Path) -> list[str]:
    """The dialogues that are asked about, in order."""
    return list(dict.fromkeys(one.dialogue_id for one in answers_in(evaluation)))


# -- the first ---------------------------------------------------------------------------------------------------------


def test_fewer_dialogues_of_a_finished_evaluation_are_read_from_its_answers(data: Path) -> None:
    said: list[str] = []
    with Loopback(lambda _: completion("B")) as server:
        (all_of_them,) = evaluate(data, MODEL, base_url=server.base_url)
        before = files_of(data / "eval" / EXAMINEE)
        (few,) = evaluate(data, MODEL, base_url=server.base_url, limit=2, warn=said.append)
        assert server.count == all_of_them.answers
        shutil.copytree(data, data.with_name("fresh"), ignore=shutil.ignore_patterns("eval"))
        (fresh,) = evaluate(data.with_name("fresh"), MODEL, base_url=server.base_url, limit=2)
    assert files_of(data / "eval" / EXAMINEE) == before
    assert few.micro == fresh.micro
    assert few.groups == fresh.groups
    (sentence,) = said
    assert "holds all these answers already" in sentence


def stopped(data: Path, server: Loopback) -> Path:
    """An evaluation whose money was spent half way."""
    with pytest.raises(BudgetError):
        evaluate(data, MODEL, base_url=server.base_url, max_tokens=20, max_tokens_total=1_500, concurrency=1)
    folder = data / "eval" / f"{EXAMINEE}.max20"
    assert len(dialogues_of(folder)) > 1
    return folder


def test_a_stopped_evaluation_can_be_shortened_and_gone_on_with(data: Path) -> None:
    with Loopback(lambda _: completion("B")) as server:
        folder = stopped(data, server)
        paid = server.count
        (short,) = evaluate(data, MODEL, base_url=server.base_url, max_tokens=20, limit=1)
        assert server.count == paid
        assert dialogues_of(folder) == [load(data).dialogues[0].id]  # type: ignore[attr-defined]
        assert short.answers == len(answers_in(folder))
        (whole,) = evaluate(data, MODEL, base_url=server.base_url, max_tokens=20)
        # what was cut off is in the journal
        assert server.count == whole.answers


def test_a_stopped_evaluation_is_reported_and_rescored_as_it_is(data: Path) -> None:
    with Loopback(lambda _: completion("B")) as server:
        folder = stopped(data, server)
        calls = server.count
    evaluate(data, "baseline/random")
    there = len(answers_in(folder))
    with (folder / "answers.jsonl").open("ab") as file:
        file.write(b'{"question_id": "torn')
    written = make_report(data, audit=False)
    assert written.unfinished == (folder.name,)
    assert f"{MODEL} · stopped" in written.subjects
    page = written.page.read_text(encoding="utf-8")
    assert "Not all were asked the same questions" in page
    (one,) = rescore(data, folder.name)
    assert one.metrics is not None
    assert (one.answers, one.metrics.answers) == (there, there)
    assert one.metrics.missing == len(load(data).questions) - there
    assert one.metrics.calls == calls
    assert not (folder / "metrics.json").exists()


@pytest.mark.parametrize(("limit", "differ"), [(1_000, False), (3, True)])
def test_a_limit_above_all_asks_the_same_questions(data: Path, limit: int, differ: bool) -> None:
    evaluate(data, "baseline/random", limit=limit)
    evaluate(data, "baseline/recency")
    page = make_report(data, audit=False).page.read_text(encoding="utf-8")
    assert ("Not all were asked the same questions" in page) is differ


def test_progress_has_a_total_with_a_limit(data: Path) -> None:
    wanted = set()
    (found,) = evaluate(data, "baseline/random", limit=2, permutations=3, report=lambda one: wanted.add(one.wanted))
    assert wanted == {found.answers}


@pytest.fixture
def recurring(tmp_path: Path) -> Path:
    """Twenty questions on five stories, which come round again with each kind of question."""
    records = [
        {"id": f"{kind}-{story}", "question": f"{kind} of {story}?", "choices": ["a", "b"], "answer": 0, "story": story}
        for kind in ("belief", "desire", "plan", "fear")
        for story in ("s0", "s1", "s2", "s3", "s4")
    ]
    (tmp_path / "mine.jsonl").write_text("".join(json.dumps(one) + "\n" for one in records), encoding="utf-8")
    import_items(tmp_path / "mine.jsonl", tmp_path / "stories", "options=choices,gold=answer,cluster=story")
    return tmp_path / "stories"


def test_limits_compose_where_dialogues_recur_in_the_file(recurring: Path) -> None:
    with Loopback(lambda request: completion(Random(prompt_of(request)).choice("AB"))) as server:
        for limit, asked in ((2, 8), (3, 12), (5, 20), (1, 20)):
            (found,) = evaluate(recurring, MODEL, base_url=server.base_url, limit=limit)
            assert (found.answers, server.count) == (4 * limit, asked)
        (whole,) = evaluate(recurring, MODEL, base_url=server.base_url)
        (again,) = rescore(recurring)
        (fresh,) = evaluate(recurring, MODEL, base_url=server.base_url, out=recurring / "fresh")
    assert (again.answers, again.changed, again.metrics) == (20, 0, whole)
    assert fresh == whole


def test_a_stopped_evaluation_is_shortened_where_dialogues_recur(recurring: Path) -> None:
    with Loopback(lambda _: completion("B")) as server:
        with pytest.raises(BudgetError):
            evaluate(recurring, MODEL, base_url=server.base_url, max_tokens=20, max_tokens_total=150, concurrency=1)
        paid = server.count
        assert paid > 2
        (short,) = evaluate(recurring, MODEL, base_url=server.base_url, max_tokens=20, limit=1)
    assert short.answers == 4
    assert dialogues_of(recurring / "eval" / f"{EXAMINEE}.max20") == ["s0"]


# -- drawn ones and types ----------------------------------------------------------------------------------------------


def test_drawn_dialogues_are_whole_seeded_and_hold_smaller_draws(data: Path) -> None:
    (few,) = evaluate(data, "baseline/random", sample=3)
    folder = data / "eval" / "baseline_random.sample"
    first = dialogues_of(folder)
    evaluate(data, "baseline/random", sample=5)
    assert dialogues_of(folder)[:3] == first
    evaluate(data, "baseline/random", sample=5, seed=1)
    other = dialogues_of(data / "eval" / "baseline_random.sample1")
    assert other != dialogues_of(folder)
    sizes = Counter(one.dialogue_id for one in load(data).questions)  # type: ignore[attr-defined]
    assert few.answers == sum(sizes[one] for one in first)
    assert Counter(one.dialogue_id for one in answers_in(folder)) == {one: sizes[one] for one in dialogues_of(folder)}


def test_a_baseline_and_a_model_get_the_same_draw(data: Path) -> None:
    with Loopback(lambda _: completion("B")) as server:
        evaluate(data, ["baseline/random", MODEL], base_url=server.base_url, sample=2, seed=4)
    one, other = (dialogues_of(path) for path in sorted((data / "eval").iterdir()))
    assert one == other


def test_types_are_asked_alone(data: Path) -> None:
    (found,) = evaluate(data, "baseline/random", types=["temporal", "pre_update"])
    assert {group.name for group in found.groups["type"]} == {"temporal", "pre_update"}
    (drawn,) = evaluate(data, "baseline/random", types="temporal", sample=2)
    assert drawn.micro.dialogues == 2
    with pytest.raises(InputError, match=r"type 'temporary': .* there are .*temporal"):
        evaluate(data, "baseline/random", types=["temporary"])
    with pytest.raises(InputError, match="choose one"):
        evaluate(data, "baseline/random", limit=1, sample=2)


# -- folders of one's own ----------------------------------------------------------------------------------------------


def test_a_dataset_is_evaluated_and_reported_without_being_written(data: Path, tmp_path: Path) -> None:
    before = contents(data)
    results = tmp_path / "results"
    evaluate(data, ["baseline/random", "baseline/longest"], out=results)
    assert {path.name for path in results.iterdir()} == {"baseline_random", "baseline_longest"}
    written = make_report(data, out=tmp_path / "deep" / "page", evaluations=results, audit=False)
    assert written.page == tmp_path / "deep" / "page" / "report.html"
    assert set(written.subjects) == {"baseline/random", "baseline/longest"}
    assert len(compare(data, evaluations=results).pairs) == 1
    assert len(rescore(data, evaluations=results)) == 2
    assert contents(data) == before
    with pytest.raises(InputError, match="there is no such folder"):
        make_report(data, evaluations=tmp_path / "nowhere", audit=False)


def contents(folder: Path) -> dict[str, bytes]:
    """All files but the lock, which readers share."""
    files = (path for path in sorted(folder.rglob("*")) if path.is_file() and path.name != ".lock")
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def test_conditions_of_one_subject_stand_together(data: Path) -> None:
    with Loopback(lambda request: completion("A" if "model-one" in str(request["model"]) else "B")) as server:
        for model in ("vllm/model-one", "vllm/model-two"):
            evaluate(data, model, base_url=server.base_url)
            evaluate(data, model, base_url=server.base_url, context="none", limit=3)
    subjects = make_report(data, audit=False).subjects
    names = [label.split(" ·")[0] for label in subjects]
    assert names in (["vllm/model-one"] * 2 + ["vllm/model-two"] * 2, ["vllm/model-two"] * 2 + ["vllm/model-one"] * 2)


@pytest.mark.parametrize("out", ["file", "file/below"])
def test_answers_cannot_go_where_a_file_is(out: str, tmp_path: Path) -> None:
    generate("restaurant", n=1, out=tmp_path / "data")
    (tmp_path / "file").write_text("mine", encoding="utf-8")
    with pytest.raises(InputError, match=r"file: is a file, so answers can't go to .*; name a folder"):
        evaluate(tmp_path / "data", "baseline/recency", out=tmp_path / out)
    assert (tmp_path / "file").read_text(encoding="utf-8") == "mine"
