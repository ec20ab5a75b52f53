"""Plays: planted subjects score as they were planted, and a run ends in the same bytes however it gets there."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest
from loopback import Answer, Loopback, Request, completion
from route_persuader import persuade, persuade_text
from route_plays import played, plays, quick, scenes

from dtomtrack.cli.tomelp_tables import show_plays
from dtomtrack.errors import DatasetError, InputError, ModelError
from dtomtrack.evaluation.bounded import Estimate
from dtomtrack.runs.engines import open_engine
from dtomtrack.scenarios.route.state import MIND_FIELDS
from dtomtrack.scenarios.route.terms import PERSONAS, ROUTES
from dtomtrack.suites.tomelp.call_product import call_product
from dtomtrack.suites.tomelp.measuring import PlayedBy, measure_play
from dtomtrack.suites.tomelp.metrics import Contrast, PlayMetrics, VariantFigures
from dtomtrack.suites.tomelp.model_subject import read_strategy
from dtomtrack.suites.tomelp.play_run import PlayRequest, given_states, scenes_played
from dtomtrack.suites.tomelp.played import ChosenStrategy
from dtomtrack.suites.tomelp.states import StateFile

MODEL, JUDGE = "vllm/persuader", "openai/judge"
FILES = ("plays.jsonl", "metrics.json")


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Twelve scenes."""
    return scenes(tmp_path_factory.mktemp("scenes") / "data", 12)


@pytest.fixture(scope="module")
def planted(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where subjects that were planted have played them; one is given each kind of mental states."""
    out = tmp_path_factory.mktemp("planted") / "play"
    plays(data, *(f"policy/{name}" for name in ("drift", "stuffing", "copy", "empty")), out=out)
    plays(data, "policy/faithful", given=("inferred", "gold", "shuffled"), out=out)
    plays(data, "policy/misled", perturb="with-null", out=out)
    return out


@pytest.fixture(scope="module")
def found(planted: Path) -> dict[str, PlayMetrics]:
    """Their metrics, by the name of the subject."""
    return {
        one.name.removeprefix("policy_"): PlayMetrics.model_validate_json((one / "metrics.json").read_bytes())
        for one in planted.iterdir()
    }


def figures(metrics: PlayMetrics, variant: Any = "inferred") -> VariantFigures:
    found = metrics.figures(variant)
    assert found is not None
    return found


def value(estimate: Estimate) -> float:
    assert estimate.interval.value is not None
    return estimate.interval.value


def score(metrics: PlayMetrics, name: str, variant: Any = "inferred") -> float:
    return value(figures(metrics, variant).scores[name])


def contrast(metrics: PlayMetrics, name: str, variant: Any, minus: Any) -> Contrast:
    found = metrics.contrast(name, variant, minus)
    assert found is not None
    return found


def files(folder: Path) -> dict[str, bytes]:
    return {name: (folder / name).read_bytes() for name in FILES}


# -- planted subjects ------------------------------------------------------------------------------------------------


def test_planted_subjects_score_as_they_were_planted(found: dict[str, PlayMetrics]) -> None:
    assert score(found["faithful"], "predicted") >= 0.95
    assert score(found["drift"], "substitution", "no_tom") >= 0.95
    assert score(found["stuffing"], "precision") <= 0.60
    assert score(found["stuffing"], "evidence") < score(found["faithful"], "evidence")
    assert score(found["copy"], "copied") >= 0.90
    assert score(found["faithful"], "copied") <= 0.10
    kept = {one.disturbance: one for one in figures(found["misled"]).retention}
    assert value(kept["misleading"].retained) <= 0.3
    assert value(kept["redraw"].retained) == 1.0
    assert kept["misleading"].beyond_null is not None
    assert value(kept["misleading"].beyond_null) <= -0.7
    gain = contrast(found["faithful"], "alignment", "inferred", "no_tom").estimate
    assert gain.interval.low is not None
    assert gain.interval.low > 0
    assert value(found["faithful"].strategy) == 1.0
    assert found["empty"].invalid == {"infer": 0, "choose": 0, "write": found["empty"].replies}
    assert score(found["empty"], "attitude") == 0.0


def test_a_bag_of_words_tells_routes_apart_where_they_are_kept(found: dict[str, PlayMetrics]) -> None:
    kept, left = (found[name].learned_of("no_tom") for name in ("faithful", "drift"))
    assert kept is not None
    assert left is not None
    assert value(kept.predicted) >= 0.8
    assert kept.agreement.kappa is not None
    assert kept.agreement.kappa >= 0.6
    assert value(left.predicted) <= 0.6


def test_what_the_states_are_worth(found: dict[str, PlayMetrics]) -> None:
    own = found["faithful"]
    assert value(contrast(own, "attitude", "gold", "inferred").estimate) == 0.0
    assert value(contrast(own, "attitude", "inferred", "shuffled").estimate) > 0.5
    interaction = contrast(own, "attitude", "inferred", "no_tom").interaction
    assert interaction is not None
    assert interaction.interval.low is not None
    assert all(value(one) == 1.0 for one in own.states_right.values())


def test_shuffled_states_are_never_the_right_ones(tmp_path: Path) -> None:
    data = scenes(tmp_path / "data", 12, topics="solar_roof")
    states = StateFile(data)
    for number, state in enumerate(states):
        other = states.elsewhere(number, 0)
        assert other.scene != state.scene
        for field in MIND_FIELDS:
            assert getattr(other.minds["persuadee"], field) != getattr(state.minds["persuadee"], field)


def test_without_wrong_states_there_is_no_shuffling(tmp_path: Path) -> None:
    data = scenes(tmp_path / "data", 2, topics="solar_roof")
    path = data / "states.jsonl"
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    for line in lines:
        line["minds"] = lines[0]["minds"]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    with pytest.raises(InputError, match=r"states\.jsonl:1: no other scene has states that are wrong here"):
        plays(data, "policy/faithful", given=("inferred", "shuffled"))
    assert not (data / "play").exists()


@pytest.mark.parametrize(
    ("strategies", "shift"), [("aabb", 0.0), ("abba", 1.0), ("aaab", 0.5), ("abcd", 1.0), ("aab-", 0.0)]
)
def test_listeners_are_compared_within_a_route(strategies: str, shift: float, data: Path, planted: Path) -> None:
    """Of the central route to either listener, then of the peripheral one."""
    first = next(iter(scenes_played(data, planted / "policy_faithful")))
    audiences = [(persona, route) for route in ROUTES for persona in PERSONAS]
    chosen = tuple(
        ChosenStrategy(persona=persona, route=route, strategy=None if name == "-" else name)
        for (persona, route), name in zip(audiences, strategies, strict=True)
    )
    scene = replace(first, played=first.played.model_copy(update={"chosen": chosen}))
    assert measure_play(PlayedBy("test", "rules"), [scene]).persona_shift.interval.value == shift


def test_retention_without_a_valid_instance_is_null(data: Path, tmp_path: Path) -> None:
    (found,) = plays(data, "policy/generic", perturb="all", limit=4, out=tmp_path)
    assert figures(found).robust.interval.value is None
    assert all(one.retained.interval.value is None for one in figures(found).retention)


def test_retention_that_is_null_is_told(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    show_plays(plays(data, "policy/empty", perturb="all", limit=2, out=tmp_path))
    assert "no_tom, inferred: no retention (null)" in " ".join(capsys.readouterr().out.split())


def test_few_scenes_give_no_interval(data: Path, tmp_path: Path) -> None:
    (found,) = plays(data, "policy/faithful", limit=9, out=tmp_path)
    assert found.scenes == 9
    assert figures(found).scores["attitude"].interval.low is None


# -- the product -----------------------------------------------------------------------------------------------------


def test_the_product_of_the_design() -> None:
    calls = call_product(1829, ("no_tom", "inferred"), ("conflict", "noise", "misleading"))
    assert (calls.a_state, calls.blind, calls.without_blind) == (104, 32, 190_216)
    assert calls.all == 190_216 + 1829 * 32


def test_a_model_is_asked_as_often_as_the_product_says(tmp_path: Path) -> None:
    data = scenes(tmp_path / "data", 1)
    with Loopback(persuade) as server:
        (found,) = plays(data, MODEL, judge=JUDGE, perturb="all", base_url=server.base_url)
        asked = len(server.requests)
    calls = call_product(found.states, ("no_tom", "inferred"), ("conflict", "noise", "misleading"))
    assert asked == calls.all == found.calls


# -- the same bytes --------------------------------------------------------------------------------------------------


def test_the_same_bytes_whatever_goes_on_at_once(tmp_path: Path) -> None:
    found = []
    for number, engine in enumerate((open_engine("local"), open_engine("processes", 2))):
        data = scenes(tmp_path / str(number), 3)
        with Loopback(persuade) as server:
            more = {"base_url": server.base_url, "client": quick(concurrency=1 + 8 * number)}
            plays(data, MODEL, judge="rules", perturb="all", engine=engine, **more)
        found.append((data / "play" / "vllm_persuader" / "plays.jsonl").read_bytes())
    assert found[0] == found[1]


def test_a_play_goes_on_where_it_stopped_and_pays_for_nothing_twice(tmp_path: Path) -> None:
    whole, cut = scenes(tmp_path / "whole", 3), scenes(tmp_path / "cut", 3)
    with Loopback(persuade) as server:
        plays(whole, MODEL, judge="rules", base_url=server.base_url)
        once = len(server.requests)
    left = iter(range(once // 2))

    def failing(request: Request) -> Answer:
        return persuade(request) if next(left, None) is not None else Answer(b"no", status=401)

    with Loopback(failing) as server, pytest.raises(ModelError):
        plays(cut, MODEL, judge="rules", base_url=server.base_url, client=quick(concurrency=1))
    manifest = json.loads((cut / "play" / "vllm_persuader" / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["status"] == "interrupted"
    assert 0 < manifest["calls"] <= once // 2


def test_a_play_of_other_states_does_not_go_into_the_same_folder(tmp_path: Path) -> None:
    data = scenes(tmp_path / "data", 2)
    plays(data, "policy/faithful")
    with pytest.raises(DatasetError, match="another run"):
        plays(data, "policy/faithful", perturb="all")


# -- outputs that can't be used --------------------------------------------------------------------------------------


def test_a_judge_that_always_fails_gives_null_and_not_nought(tmp_path: Path) -> None:
    data = scenes(tmp_path / "data", 1)

    def mute(request: Request) -> Answer:
        return completion(None if request["model"] == "judge" else persuade_text(request))

    with Loopback(mute) as server:
        (found,) = plays(data, MODEL, judge=JUDGE, base_url=server.base_url)
    assert found.invalid == {"infer": 0, "choose": 0, "write": 0}
    assert figures(found).scores["attitude"].interval.value is None
    assert figures(found).scores["predicted"].interval.value is None
    assert found.consistency.interval.value is None
    assert set(found.unjudged) == {"alignment", "blind", "consistency", "outcome"}
    assert figures(found).by_default["attitude"] == 0.0
    replies = [reply for one in played(data, MODEL) for reply in one.replies]
    assert all(reply.verdicts.attitude is None and reply.verdicts.unjudged for reply in replies)


def test_without_inferred_states_no_variant_is_tailored_to_them(tmp_path: Path) -> None:
    data = scenes(tmp_path / "data", 1)

    def blank(request: Request) -> Answer:
        infers = "persuadee" in str(request.get("response_format"))
        return completion("no idea") if infers else persuade(request)

    with Loopback(blank) as server:
        (found,) = plays(data, MODEL, judge=JUDGE, base_url=server.base_url, given=("inferred", "gold"))
    assert found.invalid["infer"] == found.asked["infer"]
    for variant in ("no_tom", "inferred", "gold"):
        assert score(found, "alignment", variant) == 0.0
    assert value(contrast(found, "alignment", "inferred", "no_tom").estimate) == 0.0
    assert "alignment" not in found.unjudged


@pytest.mark.parametrize(
    ("text", "finish", "why"),
    [
        ('{"reply_text": "It is a lo', "length", "was cut"),
        ("I won't.", "content_filter", "content filter"),
        ("Not JSON at all.", "stop", "no JSON object"),
        (json.dumps({"reply_text": "w " * 20_000}), "stop", "characters"),
        (json.dumps({"reply_text": "w " * 60_000}), "stop", "no JSON object"),
        (json.dumps({"reply_text": " "}), "stop", "reply_text"),
    ],
)
def test_a_reply_that_cannot_be_used_counts_nought_and_is_told(
    tmp_path: Path, text: str, finish: str, why: str
) -> None:
    data = scenes(tmp_path / "data", 1)

    def odd(request: Request) -> Answer:
        form = request.get("response_format") or {}
        writes = "reply_text" in json.dumps(form)
        return completion(text, finish) if writes else persuade(request)

    with Loopback(odd) as server:
        (found,) = plays(data, MODEL, judge="rules", base_url=server.base_url)
    assert found.invalid["write"] == found.replies
    assert score(found, "attitude") == 0.0
    assert all(why in (reply.invalid or "") for one in played(data, MODEL) for reply in one.replies)


@pytest.mark.parametrize("score_given", ["2", 2.0, 1])
def test_numbers_in_other_clothes_are_read(tmp_path: Path, score_given: object) -> None:
    found = _judged_with(tmp_path, [score_given])
    assert found.unjudged == {}
    assert score(found, "attitude") == float(score_given)  # type: ignore[arg-type]


def test_other_scores_are_no_verdict(tmp_path: Path) -> None:
    found = _judged_with(tmp_path, [3, True, "2/2", 1.5, -1, None, "two"])
    assert found.unjudged == {"outcome": found.replies}
    assert figures(found).scores["attitude"].interval.value is None


def _judged_with(tmp_path: Path, given: Sequence[object]) -> PlayMetrics:
    data, scores = scenes(tmp_path / "data", 1), cycle(given)

    def judge(request: Request) -> Answer:
        text = persuade_text(request)
        if '"attitude_change"' in text:
            return completion(json.dumps({**json.loads(text), "attitude_change": next(scores)}))
        return completion(text)

    with Loopback(judge) as server:
        (found,) = plays(data, MODEL, judge=JUDGE, base_url=server.base_url)
    return found


OPTIONS = ("Show the test reports", "Plan it account by account", "Count the steps", "Read the meter")


@pytest.mark.parametrize(
    ("said", "read"),
    [
        ("Show the test reports", OPTIONS[0]),
        ("  show THE test-reports. ", OPTIONS[0]),
        ("Show the test report", OPTIONS[0]),
        ("Count steps", None),
        ("Something else", None),
        ("", None),
    ],
)
def test_strategies_are_read_strictly_then_by_likeness(said: str, read: str | None) -> None:
    found = read_strategy(said, OPTIONS)
    assert (found if isinstance(found, str) else None) == read


def test_strategies_that_differ_in_a_sign_alone_are_told_apart_by_it() -> None:
    options = ("Costs - savings", "Costs, savings", "Count the steps", "Read the meter")
    assert [read_strategy(one, options) for one in options] == list(options)
    assert not isinstance(read_strategy("costs savings", options), str)


def test_a_judge_and_a_subject_of_one_label_keep_their_addresses(data: Path) -> None:
    servers = [f"http://localhost:{port}/v1" for port in (1, 2)]
    request = PlayRequest(data, (MODEL,), judge=MODEL, base_url=servers[0], judge_base_url=servers[1])
    assert request.job(MODEL).config.addresses == {MODEL: servers[0], f"judge {MODEL}": servers[1]}
    alike = PlayRequest(data, (MODEL,), judge=MODEL, base_url=servers[0], judge_base_url=servers[0])
    assert alike.job(MODEL).config.addresses == {MODEL: servers[0]}


# -- requests that can't be played -----------------------------------------------------------------------------------


def test_what_cannot_be_played_is_told_before_anything_is(data: Path, tmp_path: Path) -> None:
    for more, said in (
        ({"perturb": "storm"}, "no perturbation 'storm'"),
        ({"judge": "solomon"}, "no judge 'solomon'; name rules, or a model"),
        ({"judge": "oracle"}, "PROVIDER/NAME"),
        ({"limit": 0}, "limit is 0"),
    ):
        with pytest.raises(InputError, match=said):
            plays(data, "policy/faithful", out=tmp_path, **more)
    with pytest.raises(InputError, match="no policy 'saint'"):
        plays(data, "policy/saint", out=tmp_path)
    with pytest.raises(InputError, match="judge-base-url"):
        plays(data, MODEL, judge=JUDGE, base_url="http://localhost:1/v1", judge_base_url=None, out=tmp_path)
    with pytest.raises(InputError, match="let them play one after the other"):
        plays(data, MODEL, "openai/b", base_url="http://localhost:1/v1", out=tmp_path)
    with pytest.raises(InputError, match="given twice"):
        plays(data, "policy/drift", "policy/drift", out=tmp_path)
    with pytest.raises(InputError, match="no mental states 'all'"):
        given_states(["all"])
    assert given_states(["none"]) == ()
    assert not list(tmp_path.iterdir())
