"""Packs that a language model writes: a stand-in gives the words of built-in ones, or what can't be used."""

from __future__ import annotations

import json
from pathlib import Path
from subprocess import CompletedProcess

import pytest
from commands import run
from loopback import Answer, Loopback, Request, completion

from dtomtrack.scenarios.persuasion.pack_files import find_goals, read_goal
from dtomtrack.scenarios.recommendation.pack import load_pack

GOAL = find_goals("health")["health"]
FILMS = load_pack("films")


def written(folder: Path, suite: str, address: str, brief: str = "swimming") -> CompletedProcess[str]:
    model = ("--model", "vllm/x", "--base-url", address)
    return run("domains", "write", folder / "pool.yaml", "--suite", suite, "--brief", brief, *model)


def generated(folder: Path, suite: str, n: int) -> CompletedProcess[str]:
    pack = folder / "pool.yaml"
    return run("generate", "--suite", suite, "--domain", pack, "--n", str(n), "--out", folder / "out", "-q")


def persuading(request: Request) -> Answer:
    """The words of the built-in pack, in the order in which they are asked for."""
    if "fifteen ways" in request["messages"][0]["content"]:
        strategies = [{"label": one.label, "say": one.say[:3]} for one in GOAL.strategies]
        return completion(json.dumps({"strategies": strategies}))
    worries = [{"clause": one.clause, "say": one.say[:3]} for one in GOAL.concerns]
    return completion(
        json.dumps({"target": GOAL.target, "rivals": GOAL.rivals, "context": GOAL.context, "worries": worries})
    )


def recommending(request: Request) -> Answer:
    titles = [f"The {name} Meadow" for name in _names(40)]
    words = {"thing": "film", "things": "films", "use": "watch", "used": "watched"}
    return completion(json.dumps({**words, **FILMS.qualities, "titles": titles}))


def _names(count: int) -> list[str]:
    return [f"{'ABCDEFGH'[number // 5]}{'aeiou'[number % 5]}rn" for number in range(count)]


def test_a_written_goal_is_a_pack_that_conversations_are_made_of(tmp_path: Path) -> None:
    with Loopback(persuading) as server:
        done = written(tmp_path, "persuasivetom", server.base_url)
        assert (done.returncode, server.count) == (0, 2), done.stderr
    text = (tmp_path / "pool.yaml").read_text(encoding="utf-8")
    assert text.startswith("# Written by vllm/x; nobody has checked it.\n")
    pack = read_goal("pool.yaml", text)
    assert [one.say for one in pack.strategies] == [one.say[:3] for one in GOAL.strategies]
    assert [len(one.addresses) for one in pack.strategies] == [2] * 5 + [0] * 10
    suite = (
        "--suite",
        "persuasivetom",
        "--domain",
        tmp_path / "pool.yaml",
        "--n",
        "3",
        "--out",
        tmp_path / "out",
        "-q",
    )
    made = run("generate", *suite)
    assert made.returncode == 0, made.stderr


def test_a_written_catalogue_is_a_pack_in_which_qualities_are_balanced(tmp_path: Path) -> None:
    with Loopback(recommending) as server:
        done = written(tmp_path, "rectom", server.base_url)
        assert (done.returncode, server.count) == (0, 1), done.stderr
    pack = load_pack(str(tmp_path / "pool.yaml"))
    for dimension in ("kind", "mood", "trait"):
        values = [getattr(one, dimension) for one in pack.catalogue]
        assert {values.count(quality) for quality in pack.dimension(dimension)} == {8}
    made = generated(tmp_path, "rectom", 2)
    assert made.returncode == 0, made.stderr


def test_what_cannot_be_used_is_asked_for_once_more_and_then_told(tmp_path: Path) -> None:
    words = json.loads(FILMS.model_dump_json(include={"thing", "things", "use", "used"}))
    words |= dict(FILMS.qualities) | {"kind": ("dark", "darker", "odd", "old", "new")} | {"titles": _names(40)}
    with Loopback(lambda _: completion(json.dumps(words))) as server:
        done = written(tmp_path, "rectom", server.base_url)
        assert server.count == 2
    assert done.returncode == 1
    assert "nobody could tell them apart" in done.stderr and "another --seed" in done.stderr
    assert not (tmp_path / "pool.yaml").exists()


@pytest.mark.parametrize(
    ("suite", "brief", "message"),
    [("dtom", "x", "packs are written for persuasivetom and rectom"), ("rectom", " ", "the brief is empty")],
)
def test_what_cannot_be_written_is_one_sentence(tmp_path: Path, suite: str, brief: str, message: str) -> None:
    done = written(tmp_path, suite, "http://127.0.0.1:9/v1", brief)
    assert (done.returncode, message in done.stderr, done.stderr.count("\n")) == (2, True, 1)
    assert not list(tmp_path.iterdir())
