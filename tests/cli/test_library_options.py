"""The library refuses options that it doesn't have, and says what to call where an event loop runs."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import pytest

import dtomtrack
from dtomtrack import InputError

WRONG: list[tuple[dict[str, Any], str]] = [
    ({"tunrs": 20}, "option 'tunrs': there is none of this name; did you mean turns?"),
    ({"modle": "openai/gpt-4o"}, "option 'modle': there is none of this name; did you mean model?"),
    ({"turns": "20"}, "turns is '20'; it has to be a whole number"),
    ({"n": "many"}, "n is 'many'; it has to be a whole number"),
    ({"seed": True}, "seed is True; it has to be a whole number"),
    ({"concurrency": 1.5}, "concurrency is 1.5; it has to be a whole number or None"),
    ({"seed": -1}, "seed is -1; it has to be from 0 to 9,223,372,036,854,775,807"),
    ({"seed": 2**70}, f"seed is {2**70}; it has to be from 0 to 9,223,372,036,854,775,807"),
    ({"turns": 401}, "turns is 401; it has to be from 6 to 400"),
    ({"engine": "abacus"}, "engine is 'abacus'; it has to be one of 'local', 'processes', 'ray'"),
]


@pytest.mark.parametrize(("options", "message"), WRONG, ids=lambda one: "" if isinstance(one, str) else str(one))
def test_a_wrong_option_of_generate_is_refused(tmp_path: Path, options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as caught:
        dtomtrack.generate("restaurant", **{"n": 1, "out": tmp_path / "out", **options})
    assert str(caught.value) == message
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("options", [{"format": "parquet"}, {"workers": 2}, {"engine": "ray"}, {"ray_address": "auto"}])
def test_options_that_dialogues_have_no_use_for_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(InputError, match=f"^{next(iter(options))}: dialogues takes no such option"):
        dtomtrack.dialogues("restaurant", n=1, **options)


def test_an_unknown_option_of_audit_benchmark_is_refused() -> None:
    with pytest.raises(InputError, match="option 'groping': there is none of this name; did you mean grouping"):
        dtomtrack.audit_benchmark([], groping="type")  # type: ignore[call-arg]
    with pytest.raises(InputError, match="seed is 'x'; it has to be a whole number"):
        dtomtrack.audit_benchmark([], seed="x")  # type: ignore[arg-type]


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
