"""Packs of goals of one's own: alternatives in forms, rivals of the goal, and what is wrong with them in a sentence."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from commands import run

from dtomtrack.errors import PackError
from dtomtrack.scenarios.persuasion.pack_files import check, find_goals
from dtomtrack.scenarios.persuasion.ways import Turns, ways_of

GOAL = find_goals("health")["health"]


def test_alternatives_stand_for_ways_of_saying_it_spread_among_the_others() -> None:
    ways = ways_of(("I'm [torn|in two minds][| here].", "Well."))
    assert sorted(ways) == ["I'm in two minds here.", "I'm in two minds.", "I'm torn here.", "I'm torn.", "Well."]
    assert ways[2] == "Well."


def test_neighbours_begin_elsewhere_and_no_form_comes_again_before_all_have_come() -> None:
    says = ("I buy for [five|six|seven|eight].", "My arms ache.")
    turns = Turns(0)
    first = [turns.way(says) for _ in range(2)]
    assert set(first) & set(ways_of(says[1:])) and set(first) & set(ways_of(says[:1]))
    assert len({Turns(start).way(says) for start in range(5)}) == 5


def _brackets(form: str) -> Callable[[dict[str, Any]], None]:
    def change(pack: dict[str, Any]) -> None:
        pack["concerns"][0]["say"][0] = form

    return change


def _rivals(*rivals: str) -> Callable[[dict[str, Any]], None]:
    def change(pack: dict[str, Any]) -> None:
        pack["rivals"] = list(rivals)

    return change


WRONG = [
    (_brackets("I [freeze|shiver."), "a bracket is not closed"),
    (_brackets("I [freeze|[really|] shiver]."), "within another"),
    (_brackets("I [really] freeze."), r"\[really\] holds one way only; write \[really\|\]"),
    (_brackets("I " + "[a|b]" * 8 + "."), "stands for 256 ways, and may for 200"),
    (_rivals("swim", "row"), "rivals"),
    (_rivals("swim", "row", GOAL.target), "holds goal"),
    (_rivals("dive", "row a boat", "row a small boat"), "'row a small boat' holds goal 'row a boat'"),
    (_brackets("I [count me out|shiver]."), "'i count me out' holds 'count me out', which says something else"),
]


@pytest.mark.parametrize(("change", "message"), WRONG, ids=[message for _, message in WRONG])
def test_what_is_wrong_with_a_pack_is_one_sentence(
    tmp_path: Path, change: Callable[[dict[str, Any]], None], message: str
) -> None:
    pack = GOAL.model_dump(mode="json")
    change(pack)
    path = tmp_path / "mine.yaml"
    path.write_text(yaml.safe_dump(pack), encoding="utf-8")
    with pytest.raises(PackError, match=message) as caught:
        find_goals(str(path))
    assert all(line.startswith(str(path)) for line in str(caught.value).split("\n"))
    assert check(str(path), path.read_text(encoding="utf-8")) == str(caught.value).split("\n")


def test_a_pack_of_ones_own_is_read(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(yaml.safe_dump(GOAL.model_dump(mode="json")), encoding="utf-8")
    assert find_goals(str(path)) == {"health": GOAL}
    done = run("domains", "check", path)
    assert (done.returncode, done.stdout) == (0, f"{path}: a persuasion pack with nothing wrong\n")


def test_domains_check_names_line_and_field(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    text = yaml.safe_dump(GOAL.model_dump(mode="json"), sort_keys=False)
    path.write_text(text.replace("rivals:", "rivalries:"), encoding="utf-8")
    done = run("domains", "check", path)
    assert done.returncode == 2
    assert f"{path}:4: rivalries: there is no such field" in done.stderr
