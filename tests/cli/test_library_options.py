"""The library refuses options that it doesn't have, and says what to call where an event loop runs."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import dtomtrack
from dtomtrack import InputError

WRONG: list[tuple[dict[str, Any], str]] = [
    ({"tunrs": 20}, "option 'tunrs': there is none of this name; did you mean turns?"),
    ({"modle": "openai/gpt-4o"}, "option 'modle': there is none of this name; did you mean model?"),
    ({"turns": "20"}, "turns is '20'; it has to be a whole number or a list"),
    ({"n": "many"}, "n is 'many'; it has to be a whole number"),
    ({"seed": True}, "seed is True; it has to be a whole number"),
    ({"concurrency": 1.5}, "concurrency is 1.5; it has to be a whole number or None"),
    ({"seed": -1}, "seed is -1; it has to be from 0 to 9,223,372,036,854,775,807"),
    ({"seed": 2**70}, f"seed is {2**70}; it has to be from 0 to 9,223,372,036,854,775,807"),
    ({"turns": 401}, "turns is 401; it has to be from 6 to 400"),
    ({"difficulty": 3}, "difficulty is 3; it has to be Difficulty or a text"),
    ({"scenarios": None}, "scenarios is None; it has to be a list"),
    ({"scenarios": "none"}, "scenarios is 'none'; it has to be a list"),
    ({"model": 5}, "model is 5; it has to be a text or ChatModel"),
    ({"out": None}, "out is None; it has to be a path"),
    ({"out": ""}, "out is empty; name a path, or . for the folder that you are in"),
    ({"domains": b"travel"}, "the domain b'travel' is none; give a name, the path of a pack, or a pack"),
    ({"domains": None}, "the domain None is none; give a name, the path of a pack, or a pack"),
    ({"domains": ["travel", 5]}, "the domain 5 is none; give a name, the path of a pack, or a pack"),
    ({"engine": "abacus"}, "engine is 'abacus'; it has to be one of 'local', 'processes', 'ray'"),
]


@pytest.mark.parametrize(("options", "message"), WRONG, ids=lambda one: "" if isinstance(one, str) else str(one))
def test_a_wrong_option_of_generate_is_refused(tmp_path: Path, options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as caught:
        dtomtrack.generate(**{"domains": "restaurant", "n": 1, "out": tmp_path / "out", **options})
    assert str(caught.value) == message
    assert not (tmp_path / "out").exists()


def test_scenarios_that_come_one_by_one_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"scenarios is <tuple_iterator .* it has to be a list"):
        dtomtrack.generate("restaurant", n=1, out=tmp_path / "out", scenarios=iter(()))  # type: ignore[arg-type]


def test_a_pack_goes_by_its_path_of_either_type(tmp_path: Path) -> None:
    pack = Path(__file__).parents[2] / "examples" / "bike_workshop.yaml"
    for name, given in (("path", pack), ("text", str(pack))):
        dtomtrack.generate(given, n=1, out=tmp_path / name)
    assert (tmp_path / "path" / "dialogues.jsonl").read_bytes() == (tmp_path / "text" / "dialogues.jsonl").read_bytes()


ON_DATASETS: list[tuple[Callable[[Any], object], str]] = [
    (lambda _: dtomtrack.load(None), "folder is None; it has to be a path"),  # type: ignore[arg-type]
    (lambda _: dtomtrack.evaluate(5, "baseline/random"), "folder is 5; it has to be a path"),  # type: ignore[arg-type]
    (lambda data: dtomtrack.evaluate(data, 5), "model 5: is neither a name nor a ChatModel"),  # type: ignore[arg-type]
    (lambda data: dtomtrack.evaluate(data, "baseline/random", out=5), "out is 5; it has to be"),  # type: ignore[arg-type]
    (lambda data: dtomtrack.evaluate(data, "baseline/random", out=""), "out is empty; name a path, or . for the"),
    (lambda data: dtomtrack.evaluate(data, b"baseline/random"), "model b'baseline/random': is neither a name nor"),  # type: ignore[arg-type]
    (lambda data: dtomtrack.evaluate(data, "baseline/random", types=5), "types is 5; it has to be a text or a"),  # type: ignore[arg-type]
    (lambda data: dtomtrack.make_report(data, dialogues="3"), "dialogues is '3'; it has to be a whole"),  # type: ignore[arg-type]
    (lambda data: dtomtrack.make_report(data, out=5), "out is 5; it has to be a path"),  # type: ignore[arg-type]
    (lambda data: dtomtrack.make_report(data, audti=False), "option 'audti': there is none of this name"),  # type: ignore[call-arg]
    (lambda data: dtomtrack.compare(data, evaluation=data), "option 'evaluation': there is none of this name; did you"),  # type: ignore[call-arg]
    (lambda data: dtomtrack.rescore(data, parsr="dtomtrack"), "option 'parsr': there is none of this name"),  # type: ignore[call-arg]
    (lambda data: dtomtrack.load(data, strict=True), "option 'strict': there are folder"),  # type: ignore[call-arg]
    (lambda data: dtomtrack.load(data).to_frame("question"), "has no 'question'; did you mean questions?"),
    (
        lambda data: dtomtrack.load(data).to_frame("foo"),
        "has no 'foo'; there are dialogues, questions, metrics, answers",
    ),
    (lambda data: dtomtrack.load(data).records("metrics"), "has no 'metrics'; there are dialogues, questions"),
    (lambda data: dtomtrack.load(data).to_frame(subjct="x"), "option 'subjct': there is none of this name"),  # type: ignore[call-arg]
    (lambda _: dtomtrack.audit_benchmark(b"mine.jsonl"), "benchmark is b'mine.jsonl'; it has to be a path or records"),  # type: ignore[arg-type]
    (lambda data: dtomtrack.compare(data, "baseline/nobody"), "there is no evaluation of 'baseline/nobody'"),
    (lambda data: dtomtrack.import_items(None, data), "source is None; it has to be a path"),  # type: ignore[arg-type]
]


@pytest.mark.parametrize(("ask", "message"), ON_DATASETS, ids=[message for _, message in ON_DATASETS])
def test_what_has_another_type_is_refused_in_a_sentence(
    tmp_path: Path, ask: Callable[[Any], object], message: str
) -> None:
    dtomtrack.generate("restaurant", n=1, out=tmp_path)
    dtomtrack.evaluate(tmp_path, "baseline/recency")
    with pytest.raises(InputError) as caught:
        ask(tmp_path)
    assert message in str(caught.value)


def test_subjects_may_come_one_by_one_and_go_where_they_usually_do(tmp_path: Path) -> None:
    dtomtrack.generate("restaurant", n=1, out=tmp_path)
    found = dtomtrack.evaluate(tmp_path, (f"baseline/{name}" for name in ("recency", "random")), out=None)
    assert [one.config.subject for one in found] == ["baseline/recency", "baseline/random"]
    assert dtomtrack.load(tmp_path).subjects == ("baseline_random", "baseline_recency")


@pytest.mark.parametrize("options", [{"format": "parquet"}, {"workers": 2}, {"engine": "ray"}, {"ray_address": "auto"}])
def test_options_that_dialogues_have_no_use_for_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(InputError, match=f"^{next(iter(options))}: dialogues takes no such option"):
        dtomtrack.dialogues("restaurant", n=1, **options)


def test_an_unknown_option_of_audit_benchmark_is_refused() -> None:
    with pytest.raises(InputError, match="option 'groping': there is none of this name; did you mean grouping"):
        dtomtrack.audit_benchmark([], groping="type")  # type: ignore[call-arg]
    with pytest.raises(InputError, match="seed is 'x'; it has to be a whole number"):
        dtomtrack.audit_benchmark([], seed="x")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("benchmark", "mapping", "message"),
    [
        (None, None, "benchmark is None; it has to be a path or records"),
        ([{"q": "Who?"}], 3, "mapping is 3; it has to be a text or a mapping"),
        ([1, 2], None, "record 1: is 1; it has to be a mapping from fields to values"),
        ([{"q": "Who?"}], {"question": 3}, "mapping is {'question': 3}; it has to be names of parts and of fields"),
    ],
)
def test_what_is_no_benchmark_is_refused_by_audit_benchmark(benchmark: Any, mapping: Any, message: str) -> None:
    with pytest.raises(InputError) as caught:
        dtomtrack.audit_benchmark(benchmark, mapping)
    assert str(caught.value) == message


def test_an_unknown_option_of_evaluate_is_refused(tmp_path: Path) -> None:
    dtomtrack.generate("restaurant", n=1, out=tmp_path)
    with pytest.raises(InputError, match="option 'foo': there are prompt, context"):
        dtomtrack.evaluate(tmp_path, "baseline/random", foo=1)  # type: ignore[call-arg]


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"seed": 3}, "seed"),
        ({"prompt": "cot", "mode": "json"}, "prompt, mode"),
        ({"context": "none"}, "context"),
        ({"prices": "prices.yaml"}, "prices"),
        ({"base_url": "http://127.0.0.1:1/v1"}, "base-url"),
    ],
    ids=lambda one: "" if isinstance(one, dict) else one,
)
def test_options_that_baselines_do_not_take_are_refused(tmp_path: Path, options: dict[str, Any], named: str) -> None:
    dtomtrack.generate("restaurant", n=1, out=tmp_path)
    with pytest.raises(InputError, match=f"^{named}: baselines take no such option"):
        dtomtrack.evaluate(tmp_path, "baseline/random", **options)
    assert not (tmp_path / "eval").exists()


def test_options_that_baselines_take_are_honoured(tmp_path: Path) -> None:
    dtomtrack.generate("restaurant", n=2, out=tmp_path)
    (metrics,) = dtomtrack.evaluate(tmp_path, "baseline/first-letter", permutations=4, limit=1, context="utterances")
    assert metrics.micro.accuracy.value == pytest.approx(0.25)


async def test_where_an_event_loop_runs_the_call_to_make_is_named(tmp_path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(InputError, match=r"write `await dtomtrack\.agenerate"):
            dtomtrack.generate("restaurant", n=1, out=tmp_path)
        with pytest.raises(InputError, match=r"write `await dtomtrack\.aevaluate"):
            dtomtrack.evaluate(tmp_path, "baseline/random")
        with pytest.raises(InputError, match="write `async for one in dialogues"):
            list(dtomtrack.dialogues("restaurant", n=1))


def test_dialogues_come_with_a_plain_loop_too() -> None:
    found = [one.dialogue.id for one in dtomtrack.dialogues("restaurant", n=3)]
    assert found == [f"restaurant-0-{slot:06}" for slot in range(3)]


def test_a_plain_loop_may_be_left_early() -> None:
    for one in dtomtrack.dialogues("restaurant", n=100):
        assert one.questions
        break


async def test_dialogues_of_a_plain_and_of_an_asynchronous_loop_are_the_same() -> None:
    found = [one.dialogue.id async for one in dtomtrack.dialogues("travel", n=2)]
    assert found == ["travel-0-000000", "travel-0-000001"]
