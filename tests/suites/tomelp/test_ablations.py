"""Parts of the design taken away: what changes is what was planted, and nothing else is asked for or moved."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from loopback import Answer, Loopback, Request, completion
from route_persuader import persuade, persuade_text
from route_plays import played, plays, scenes

from dtomtrack.errors import InputError
from dtomtrack.evaluation.bounded import Estimate
from dtomtrack.library import make_report
from dtomtrack.scenarios.route.terms import ABLATIONS, Ablation, Cell, cells
from dtomtrack.suites.tomelp.call_product import call_product
from dtomtrack.suites.tomelp.effect_tables import ablation_table, together
from dtomtrack.suites.tomelp.metrics import AblationEffect, PlayMetrics
from dtomtrack.suites.tomelp.play_run import given_ablations

MODEL, JUDGE = "vllm/persuader", "openai/judge"


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Ten scenes that two scripted subjects have played, whole and without each part."""
    folder = scenes(tmp_path_factory.mktemp("scenes") / "data", 10)
    plays(folder, "policy/heedful", "policy/faithful", perturb="all", ablations=ABLATIONS)
    return folder


@pytest.fixture(scope="module")
def found(data: Path) -> dict[str, PlayMetrics]:
    """The metrics of both."""
    names = ("heedful", "faithful")
    return {
        name: PlayMetrics.model_validate_json((data / "play" / f"policy_{name}" / "metrics.json").read_bytes())
        for name in names
    }


def effect(metrics: PlayMetrics, *what: str) -> AblationEffect:
    """The effect with this ablation, disturbance, variant and score."""
    return next(one for one in metrics.ablations if (one.ablation, one.disturbance, one.variant, one.score) == what)


def ends(one: Estimate) -> tuple[float, float]:
    assert one.interval.low is not None
    assert one.interval.high is not None
    return one.interval.low, one.interval.high


# -- what was planted ------------------------------------------------------------------------------------------------


def test_without_warnings_who_heeds_them_is_misled(data: Path, found: dict[str, PlayMetrics]) -> None:
    for disturbance in ("misleading", "conflict"):
        assert ends(effect(found["heedful"], "unwarned", disturbance, "inferred", "attitude").estimate)[1] < -0.5
    assert ends(effect(found["heedful"], "unwarned", "noise", "inferred", "attitude").estimate) == (0.0, 0.0)
    own = [one for state in played(data, "policy/heedful") for one in state.replies if one.ablation == "unwarned"]
    claims = [one for one in own if "totally useless" in (one.text or "")]
    assert len(claims) == len(own) / 3
    assert not [one for one in claims if "is not true" in (one.text or "")]
    assert all(one.verdicts.evidence is None or one.verdicts.evidence[3] == 0 for one in claims)
    for disturbance in ("misleading", "conflict", "noise"):
        assert ends(effect(found["faithful"], "unwarned", disturbance, "inferred", "attitude").estimate) == (0.0, 0.0)


def test_without_counterpoints_there_is_less_evidence(data: Path, found: dict[str, PlayMetrics]) -> None:
    assert ends(effect(found["faithful"], "no-counterpoints", "clean", "no_tom", "evidence").estimate)[1] < 0
    own = [one for state in played(data, "policy/faithful") for one in state.replies]
    assert not [one for one in own if one.ablation == "no-counterpoints" and "[C" in (one.text or "")]


def test_without_tags_rules_find_no_evidence(found: dict[str, PlayMetrics]) -> None:
    assert ends(effect(found["faithful"], "tags-stripped", "clean", "inferred", "evidence").estimate)[1] < -1


def test_rules_read_the_route_without_looking_at_tags(found: dict[str, PlayMetrics]) -> None:
    assert ends(effect(found["faithful"], "tags-shown", "clean", "inferred", "predicted").estimate) == (0.0, 0.0)


def test_swapped_listeners_swap_what_moves_them(found: dict[str, PlayMetrics]) -> None:
    swapped = effect(found["faithful"], "elaboration-swapped", "clean", "no_tom", "attitude")
    assert ends(swapped.of("high_cog", "central"))[1] < 0 < ends(swapped.of("low_cog", "central"))[0]
    assert ends(swapped.of("low_cog", "peripheral"))[1] < 0 < ends(swapped.of("high_cog", "peripheral"))[0]


def test_a_judge_that_goes_by_tags_is_found_out(tmp_path: Path) -> None:
    data = scenes(tmp_path / "data", 1)

    def by_tags(request: Request) -> Answer:
        text = request["messages"][0]["content"]
        if "mainly try to persuade" in text:
            return completion("A" if "u005bF" in text or "u005bC" in text else "B")
        return persuade(request)

    with Loopback(by_tags) as server:
        (one,) = plays(data, MODEL, judge=JUDGE, ablations=("tags-shown",), base_url=server.base_url)
        asked = len(server.requests)
    assert effect(one, "tags-shown", "clean", "no_tom", "predicted").estimate.interval.value == 1.0
    assert asked == call_product(one.states, ("no_tom", "inferred"), (), ("tags-shown",)).all


# -- nothing else ----------------------------------------------------------------------------------------------------


def test_the_whole_design_scores_as_it_does_alone(data: Path, found: dict[str, PlayMetrics], tmp_path: Path) -> None:
    (alone,) = plays(data, "policy/faithful", perturb="all", out=tmp_path)
    beside = found["faithful"].model_copy(update={"ablations": (), "replies": alone.replies, "asked": alone.asked})
    assert beside == alone


def test_writers_are_shown_what_their_cell_has(tmp_path: Path) -> None:
    data = scenes(tmp_path / "data", 1)
    chosen = ("unwarned", "no-counterpoints", "tags-stripped")
    with Loopback(persuade) as server:
        plays(data, MODEL, judge=JUDGE, perturb="all", ablations=chosen, base_url=server.base_url)
        asked = [(one["model"], one["messages"][0]["content"]) for one in server.requests]
    states = len(played(data, MODEL))
    writing = [text for who, text in asked if who == "persuader" and "its field reply_text" in text]
    central = [text for text in writing if '\n[F1] "' in text]
    assert sum("you must correct it" in text for text in writing) == 8 * states
    assert sum("A claim that has been made" in text for text in writing) == 16 * states
    assert sum('\n[C1] "' not in text for text in central) == 4 * states
    outcomes = [text for who, text in asked if who == "judge" and "attitude_change" in text and "bears on it" in text]
    assert sum("u005bF" not in text and "u005bC" not in text for text in outcomes) == 4 * states


def test_the_product_counts_what_is_asked(tmp_path: Path) -> None:
    data = scenes(tmp_path / "data", 1)
    chosen: tuple[Ablation, ...] = ("tags-shown", "tags-stripped", "unwarned", "no-counterpoints")
    with Loopback(numbered) as server:
        (one,) = plays(data, MODEL, judge=JUDGE, perturb="all", ablations=chosen, base_url=server.base_url)
        asked = len(server.requests)
    calls = call_product(one.states, ("no_tom", "inferred"), ("conflict", "noise", "misleading"), chosen)
    assert asked == calls.all == one.calls


def numbered(request: Request) -> Answer:
    """Central replies have tags, so that texts with and without them differ."""
    text = persuade_text(request)
    if '"reply_text"' in text and "[F1]" not in text:
        told = json.loads(text)
        return completion(json.dumps({**told, "reply_text": f"{told['reply_text']} Good."}))
    return completion(text)


def test_cells_come_once_and_those_of_the_whole_design_first() -> None:
    own = list(cells(("no_tom", "inferred"), ("conflict",), ABLATIONS))
    assert len(own) == len(set(own)) == len({str(one) for one in own})
    assert all(one.ablation == "none" for one in own[:16])
    assert all(one.whole in own for one in own)
    assert str(Cell("high_cog", "central", "no_tom")) == "high_cog central no_tom clean"


@pytest.mark.usefixtures("undrawn")
def test_effects_are_on_the_page(data: Path) -> None:
    make_report(data, audit=False)
    table = (data / "report" / "tomelp-ablations.md").read_text(encoding="utf-8")
    assert "policy/heedful, tom\\_aware, unwarned, misleading" in table
    fidelity = (data / "report" / "tomelp-fidelity.md").read_text(encoding="utf-8")
    assert "can't be told" in fidelity


def test_p_values_hold_for_all_of_a_table(found: dict[str, PlayMetrics]) -> None:
    assert together([0.02, None, 0.01]) == [0.02, None, 0.02]
    cells_of_table = [cell for row in ablation_table(list(found.values())).rows for cell in row.cells]
    shown = [float(note.split()[1]) for cell in cells_of_table for note in cell.notes]
    alone = [p for one in found.values() for own in one.ablations if (p := own.estimate.p_value) is not None]
    assert len(shown) == len(alone)
    assert min(shown) == pytest.approx(min(1.0, len(alone) * min(alone)), rel=0.06)


def test_what_cannot_be_taken_away_is_told_before_anything_is_played(data: Path, tmp_path: Path) -> None:
    for more, said in (
        ({"ablations": ("unwarned",)}, "give --perturb all"),
        ({"ablations": ("elaboration-swapped",), "judge": "vllm/judge"}, "judge by rules"),
    ):
        with pytest.raises(InputError, match=said):
            plays(data, "policy/faithful", out=tmp_path, **more)
    with pytest.raises(InputError, match="'all'; --ablate takes tags-shown"):
        given_ablations(["all"])
    assert not list(tmp_path.iterdir())
