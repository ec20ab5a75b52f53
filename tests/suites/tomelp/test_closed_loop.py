"""The closed loop: a listener whose way of listening is hidden, attitude observed, in RhetBench's workflow."""

from __future__ import annotations

import asyncio
import json
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from loopback import Answer, Loopback, Request, completion
from route_plays import quick, scenes
from typer.testing import CliRunner

from dtomtrack.cli.main import app, main
from dtomtrack.errors import DatasetError, InputError
from dtomtrack.evaluation.bounded import Estimate
from dtomtrack.report.plays import Plays
from dtomtrack.runs.engines import open_engine
from dtomtrack.runs.lines import read_lines
from dtomtrack.scenarios.route.pack_files import builtin_topics
from dtomtrack.suites.tomelp.loop.giving import listens_to
from dtomtrack.suites.tomelp.loop.listener import ElmListener, ListenerSetting, best_route
from dtomtrack.suites.tomelp.loop.metrics import LoopMetrics
from dtomtrack.suites.tomelp.loop.playing import Setting
from dtomtrack.suites.tomelp.loop.records import LoopEpisode
from dtomtrack.suites.tomelp.loop.reporting import loop_tables
from dtomtrack.suites.tomelp.loop.run import LoopRequest, count_calls, run_loops
from dtomtrack.suites.tomelp.reporting import plays_in
from dtomtrack.suites.tomelp.states import StateFile

MODEL = "vllm/persuader"


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Twelve scenes."""
    return scenes(tmp_path_factory.mktemp("loop") / "data", 12)


def loops(folder: Path, *subjects: str, **more: Any) -> tuple[LoopMetrics, ...]:
    return asyncio.run(run_loops(LoopRequest(folder, subjects, client=quick(), **more)))


def episodes(folder: Path, subject: str) -> list[LoopEpisode]:
    return list(read_lines(folder / subject.replace("/", "_") / "loops.jsonl", LoopEpisode))


def value(estimate: Estimate) -> float:
    assert estimate.interval.value is not None
    return estimate.interval.value


def change(metrics: LoopMetrics, variant: Any = "no_tom") -> float:
    found = metrics.figures(variant)
    assert found is not None
    return value(found.change)


def listener(need: float, turns: int = 6) -> ElmListener:
    pack = builtin_topics()["bike_commute"]
    opening = pack.concerns[0].wordings[0]
    return ElmListener(pack, ListenerSetting(need, pack.concerns[0].id, opening, -0.4, "test"), turns)


def hear(one: ElmListener, *messages: str) -> Any:
    memory: object | None = None
    for message in messages:
        memory = asyncio.run(one.hear(memory, message)).memory
    return memory


EVIDENCE = (
    "You'd stay dry under a cape with overshoes, and the bus carries bicycles when it's pouring [C1]. The records have "
    "just 38 mornings in the year on which Lundby got rain at that hour [F1]. We've a drying room by the boiler here, "
    "with 6 lockers in it [F2]."
)
CUES = "The company doctor tells everybody to cycle. The whole packing department comes by bicycle now."


# -- the listener ----------------------------------------------------------------------------------------------------


def test_evidence_moves_who_weighs_it_and_cues_who_goes_by_them() -> None:
    high, low = listener(1.0), listener(0.0)
    assert hear(high, EVIDENCE).attitude > hear(low, EVIDENCE).attitude + 0.1
    assert hear(low, CUES).attitude > hear(high, CUES).attitude + 0.1
    taken = {need: [hear(listener(need), text).turns[0].taken for text in (EVIDENCE, CUES)] for need in (0.0, 0.5, 1.0)}
    assert taken == {0.0: ["passed_over", "felt"], 0.5: ["half", "half"], 1.0: ["weighed", "shrugged_off"]}
    assert [best_route(need) for need in (0.0, 0.5, 1.0)] == ["peripheral", None, "central"]


def test_saying_it_again_does_not_help() -> None:
    once, twice = hear(listener(0.75), CUES), hear(listener(0.75), CUES, CUES)
    assert twice.attitude < once.attitude


def test_a_message_with_nothing_in_it_costs_a_little() -> None:
    for text in ("", "Let us think it over together.", "\x00\u202e" * 50, "w " * 60_000):
        assert hear(listener(0.5), text).attitude == pytest.approx(-0.45)


def test_who_says_a_false_claim_loses_the_listener() -> None:
    after = hear(listener(1.0), "Experts have already proven this method is totally useless and harmful.")
    assert after.turns[0].taken == "misled"
    assert after.attitude == pytest.approx(-0.55)


def test_who_corrects_a_false_claim_or_names_experts_keeps_the_listener() -> None:
    claim = "Experts have already proven this method is totally useless and harmful."
    again = "Experts have proven, they say, how useless and dangerous and totally harmful this method is for everybody."
    after = hear(listener(1.0), f"{claim} That is wrong.", f"{again} That is wrong.")
    assert all(turn.taken != "misled" for turn in after.turns)
    assert hear(listener(0.0), "Experts have already proven that this method works.").turns[0].taken != "misled"


def test_doubts_are_voiced_one_after_another_and_never_in_the_same_words_in_a_row() -> None:
    pack = builtin_topics()["bike_commute"]
    after = hear(listener(0.0), *(["Hm."] * 6))
    wordings = [turn.reply for turn in after.turns]
    assert all(one != other for one, other in pairwise(wordings))
    assert len({turn.doubt for turn in after.turns}) == 1
    settled = hear(listener(1.0), EVIDENCE)
    assert settled.turns[0].settled
    assert settled.doubts[0] != pack.concerns[0].id


# -- subjects --------------------------------------------------------------------------------------------------------


def test_who_finds_out_how_the_listener_decides_goes_further(data: Path, tmp_path: Path) -> None:
    names = ("evidence", "cues", "adaptive", "oracle", "generic")
    found = dict(zip(names, loops(data, *(f"policy/{name}" for name in names), limit=6, out=tmp_path), strict=True))
    assert change(found["adaptive"]) > max(change(found["evidence"]), change(found["cues"])) + 0.2
    assert change(found["oracle"]) > change(found["generic"]) + 0.5
    of_nothing = found["generic"].figures("no_tom")
    assert of_nothing is not None
    assert of_nothing.fit.scores < 6, "who says nothing takes no route"
    assert change(found["adaptive"], "inferred") > change(found["adaptive"])
    figures = found["adaptive"].figures("no_tom")
    assert figures is not None
    assert value(figures.changed_over) > 0.8
    assert figures.course[0] < 0 < figures.course[-1]
    low, high = (value(found["evidence"].variants[0].by_need[place].change) for place in (0, -1))
    assert high > low + 0.5


def test_states_of_somebody_else_help_nobody(data: Path, tmp_path: Path) -> None:
    (found,) = loops(data, "policy/cues", given=("gold", "shuffled"), out=tmp_path)
    gold, shuffled = found.contrast("gold", "no_tom"), found.contrast("shuffled", "no_tom")
    assert gold is not None
    assert gold.estimate.interval.low is not None
    assert gold.estimate.interval.low > 0.2
    assert shuffled is not None
    assert abs(value(shuffled.estimate)) < 0.1


@pytest.mark.parametrize("need", [0.0, 0.25, 0.4, 0.5, 0.58, 0.75, 1.0])
def test_shuffled_states_are_of_somebody_who_decides_in_another_way(need: float, data: Path) -> None:
    states = list(StateFile(data))
    setting = Setting(0, builtin_topics()[states[0].topic], states[0], need, -0.4, "shuffled", 6)
    given = {giving([]).listens_to for state in states if (giving := setting.giving(state)) is not None}
    assert listens_to(need) not in given
    assert len(given) == (2 if need in {0.5, 0.58} else 1)


def test_scenes_of_one_topic_have_no_states_that_stay_wrong(tmp_path: Path) -> None:
    folder = scenes(tmp_path / "data", 4, topics="solar_roof")
    with pytest.raises(InputError, match="no other scene has states that are wrong here"):
        loops(folder, "policy/cues", given=("shuffled",))


def test_attitude_is_observed_and_all_listeners_of_a_scene_begin_alike(data: Path, tmp_path: Path) -> None:
    loops(data, "policy/evidence", limit=4, out=tmp_path)
    found = episodes(tmp_path, "policy/evidence")
    assert len(found) == 4 * 5 * 2
    for scene in {one.scene for one in found}:
        assert len({one.start for one in found if one.scene == scene}) == 1
    assert all(one.agreed or len(one.turns) == 6 for one in found)


# -- a model ---------------------------------------------------------------------------------------------------------


def talks(request: Request) -> Answer:
    """Says a cue, and infers that everybody goes by cues."""
    if request.get("response_format"):
        inferred = {"belief": "rain soaks", "desire": "dry clothes", "intent": "will drive", "listens_to": "cues"}
        return completion(json.dumps(inferred))
    return completion(CUES)


def test_a_model_is_told_nothing_of_what_is_hidden(tmp_path: Path) -> None:
    folder = scenes(tmp_path / "data", 2)
    with Loopback(talks) as server:
        (found,) = loops(folder, MODEL, base_url=server.base_url, needs=(0.0, 1.0))
        prompts = [json.dumps(request["messages"]) for request in server.requests]
    assert found.calls == len(prompts)
    for word in ("need for cognition", "high_cog", "low_cog", "attitude", "believes_", "wants_", "The listener"):
        assert not any(word in text for text in prompts), word
    inferred = found.figures("inferred")
    assert inferred is not None
    assert value(inferred.need_right) == pytest.approx(0.5, abs=0.2)
    said = [one for one in episodes(folder / "loops", MODEL) if one.variant == "inferred"]
    assert all(turn.inferred and turn.inferred.listens_to == "cues" for one in said for turn in one.turns)


def test_inferences_that_cannot_be_used_are_counted_and_the_turn_goes_on(tmp_path: Path) -> None:
    folder = scenes(tmp_path / "data", 1)

    def mute(request: Request) -> Answer:
        return completion("no") if request.get("response_format") else completion(CUES)

    with Loopback(mute) as server:
        (found,) = loops(folder, MODEL, base_url=server.base_url, needs=(1.0,))
    inferred = found.figures("inferred")
    assert inferred is not None
    assert inferred.uninferred == 6
    assert inferred.need_right.interval.value is None


def test_messages_that_were_refused_or_cut_are_counted(tmp_path: Path) -> None:
    folder = scenes(tmp_path / "data", 1)
    finishes = iter(["content_filter", "length"])

    def ends_early(_: Request) -> Answer:
        return completion(CUES, finish=next(finishes, "stop"))

    with Loopback(ends_early) as server:
        (found,) = loops(folder, MODEL, base_url=server.base_url, needs=(1.0,), given=())
    assert [(one.cut, one.withheld) for one in found.variants] == [(1, 1)]
    (episode,) = episodes(folder / "loops", MODEL)
    assert [turn.flag for turn in episode.turns[:3]] == ["withheld", "cut", None]
    (reached, *_) = loop_tables([found])
    assert f"{MODEL}: 1 cut at the most tokens, 1 refused or filtered" in reached.caption


def test_no_more_calls_are_made_than_were_reckoned(tmp_path: Path) -> None:
    folder = scenes(tmp_path / "data", 1)

    def mute(request: Request) -> Answer:
        return completion("no" if request.get("response_format") else "Hm.")

    request = LoopRequest(folder, (MODEL,), needs=(1.0,), client=quick())
    with Loopback(mute) as server:
        (found,) = loops(folder, MODEL, base_url=server.base_url, needs=(1.0,))
    assert count_calls(request) == (2, found.calls)


def test_the_same_bytes_whatever_goes_on_at_once(tmp_path: Path) -> None:
    found = []
    for number, engine in enumerate((open_engine("local"), open_engine("processes", 2))):
        folder = scenes(tmp_path / str(number), 2)
        with Loopback(talks) as server:
            loops(folder, MODEL, base_url=server.base_url, engine=engine)
        found.append((folder / "loops" / "vllm_persuader" / "loops.jsonl").read_bytes())
    assert found[0] == found[1]


def test_subjects_that_talked_under_other_settings_are_told_apart(tmp_path: Path) -> None:
    folder = scenes(tmp_path / "data", 2)
    same = [loops(folder, f"policy/{name}", needs=(0.0,))[0] for name in ("cues", "evidence")]
    (other,) = loops(folder, "policy/adaptive", needs=(0.0, 1.0), turns=2, seed=1, limit=1)
    assert "can't be compared" not in loop_tables(same)[0].caption
    caption = loop_tables([*same, other])[0].caption
    assert "policy/cues: scenes 2, needs 0, turns 6, seed 0" in caption
    assert "policy/adaptive: scenes 1, needs 0, 1, turns 2, seed 1" in caption


# -- page and command line -------------------------------------------------------------------------------------------


def test_the_page_has_tables_and_figures_of_the_loop(tmp_path: Path) -> None:
    folder = scenes(tmp_path / "data", 10)
    loops(folder, "policy/adaptive")
    plays = plays_in(folder)
    assert isinstance(plays, Plays)
    assert {"tomelp-closed-loop", "tomelp-closed-loop-states"} <= {table.name for table in plays.tables}
    assert {"loop-attitude", "loop-need"} <= {figure.name for figure in plays.figures}
    assert "no models: policy/adaptive" in plays.about


def test_the_command_line_plays_and_counts(data: Path, tmp_path: Path) -> None:
    command = ["play", "tomelp", str(data), "--closed-loop", "--need", "0,1", "--limit", "2", "--out", str(tmp_path)]
    done = CliRunner().invoke(app, command)
    assert done.exit_code == 0, done.output
    assert "policy/adaptive: 2 scenes, 8 conversations" in done.output
    dry = CliRunner().invoke(app, [*command, "-m", MODEL, "--dry-run"])
    assert "8 conversations with each model; at most 96 calls" in dry.output


@pytest.mark.parametrize(
    ("more", "why"),
    [
        (["--need", "2"], "between 0 and 1"),
        (["--need", "high"], "numbers from 0 to 1"),
        (["--turns", "0"], "turns"),
        (["-m", "policy/faithful"], "there are evidence, cues"),
        (["--perturb", "all"], "leave it out in the closed loop"),
        (["--tom", "mind"], "no mental states 'mind'"),
        (["--limit", "0"], "from 1 to 1,000,000,000"),
        (["-m", "policy/cues", "-m", "policy/cues"], "given twice"),
        (["--topics", "nowhere.yaml"], "no topic 'nowhere.yaml'"),
    ],
)
def test_bad_input_is_one_sentence(
    data: Path, more: list[str], why: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["dtomtrack", "play", "tomelp", str(data), "--closed-loop", *more])
    with pytest.raises(SystemExit) as stopped:
        main()
    told = capsys.readouterr().err
    assert stopped.value.code == 2
    assert why in told
    assert "Traceback" not in told


def test_other_states_or_packs_are_told(tmp_path: Path) -> None:
    folder = scenes(tmp_path / "data", 2)
    loops(folder, "policy/cues", needs=(0.0,))
    with pytest.raises(DatasetError, match="another run"):
        loops(folder, "policy/cues", needs=(1.0,))
    manifest = folder / "manifest.json"
    told = json.loads(manifest.read_text(encoding="utf-8"))
    told["config"]["topics"]["bike_commute"] = "0" * 64
    manifest.write_text(json.dumps(told), encoding="utf-8")
    with pytest.raises(InputError, match="name its pack by --topics"):
        loops(folder, "policy/cues", out=tmp_path / "other")
