"""Annotations of NegotiationToM and RecToM as trajectories; the files are our own, in their forms."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest
from rectom_release import DIALOGUES, FILES, write_iard, write_release
from typer.testing import CliRunner

from dtomtrack.cli.main import app
from dtomtrack.errors import InputError
from dtomtrack.items.item import Item
from dtomtrack.suites.trajectories.importing import import_trajectories
from dtomtrack.suites.trajectories.suite import SUITE

SAID = (
    "agent_1: Hm.",
    "agent_2: Water, please!",
    "agent_2: Or else...",
    "agent_1: No food.",
    "agent_2: Firewood.",
    "agent_1: All right.",
)
NOTHING = {
    f"agent{agent}_{kind}_{place}": "Not Given"
    for agent in "12"
    for kind in ("desire", "belief")
    for place in ("high", "medium", "low")
}


def exchange(number: int, lines: int, **cells: str) -> dict[str, object]:
    return {"dialogue_id": f"7-{number}", "dialogue": SAID[:lines], "intents": [], **NOTHING, **cells}


EXCHANGES = (
    exchange(0, 2, agent2_desire_high="Water", agent1_belief_high="Water", agent2_desire_low="Food"),
    # agent 1 has said nothing in this one
    exchange(
        1,
        3,
        agent2_desire_high="Water",
        agent2_desire_low="Food",
        **{name: "None" for name in NOTHING if name.startswith("agent1")},
    ),
    exchange(2, 6, agent2_desire_high="Firewood", agent1_belief_high="Firewood", agent1_desire_low="Food"),
)


def negotiation(folder: Path, *exchanges: Mapping[str, object]) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "NegotiationToM.json").write_text(json.dumps(exchanges or EXCHANGES), encoding="utf-8")
    return folder


def right(item: Item) -> str:
    return item.options[min(item.gold)]


def asked(out: Path, dialogue: str) -> dict[tuple[str, str, int | None], str]:
    """The right answers about a dialogue, by type, question and turn."""
    own = (one for one in SUITE.items(out) if one.cluster == dialogue)
    return {(one.groups["type"], one.question, one.turn): right(one) for one in own}


def test_a_negotiation_is_asked_about_what_both_want_and_take_the_other_to_want(tmp_path: Path) -> None:
    manifest = import_trajectories(negotiation(tmp_path / "files"), tmp_path / "out")
    assert manifest.config["form"] == "negotiationtom"
    assert manifest.config["changes"] == {"Water to Firewood": 1}
    found = asked(tmp_path / "out", "7")
    most = '"Which item is it that agent_2 wants most?"'
    # from the agent's own words on
    assert found[("pre_update", f"Just before turn 4, what was the answer to {most}?", 4)] == "Water"
    assert found[("post_update", f"Right after turn 4, what was the answer to {most}?", 4)] == "Firewood"
    # agent 1 was silent in the second exchange, of which nothing is annotated: it goes on to believe what it did
    assert found[("second_order", f"At turn 3, what was the answer to {most} in the eyes of agent_1?", 3)] == "Water"
    assert not any("agent_1 wants most" in question for _, question, _ in found)


def test_what_is_not_given_any_more_is_not_asked_about(tmp_path: Path) -> None:
    later = exchange(1, 4), exchange(2, 5, agent2_desire_high="Firewood")
    manifest = import_trajectories(negotiation(tmp_path / "files", EXCHANGES[0], *later), tmp_path / "out")
    assert manifest.config["changes"] == {}


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"dialogue_id": "7"}, r"item 1: dialogue_id"),
        ({"dialogue": ["Water, please!"]}, r"item 1: line 1: begins with no speaker"),
        ({"agent2_belief_low": None}, r"item 1: the field agent2_belief_low is missing"),
        ({"dialogue": ["agent_1: Other words."]}, r"item 1: says otherwise than a later record of dialogue 7"),
        ({"dialogue": []}, r"item 1: dialogue"),
    ],
)
def test_a_wrong_record_is_named(tmp_path: Path, wrong: Mapping[str, object], message: str) -> None:
    folder = negotiation(tmp_path / "files", {**EXCHANGES[0], **wrong}, EXCHANGES[2])
    with pytest.raises(InputError, match=message):
        import_trajectories(folder, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_what_is_still_packed_is_told(tmp_path: Path) -> None:
    (tmp_path / "clone").mkdir()
    (tmp_path / "clone" / "NegotiationToM.zip").write_bytes(b"PK")
    for source in (tmp_path / "clone", tmp_path / "clone" / "NegotiationToM.zip"):
        with pytest.raises(InputError, match="still packed; unpack it with the password that its README names"):
            import_trajectories(source, tmp_path / "out")
    with pytest.raises(InputError, match=r"holds no NegotiationToM\.json"):
        import_trajectories(write_release(tmp_path / "other"), tmp_path / "out", form="negotiationtom")
    with pytest.raises(InputError, match="nothing in it says what anybody wants"):
        import_trajectories(negotiation(tmp_path / "empty", exchange(0, 2)), tmp_path / "out")


def test_films_are_asked_about_from_the_line_that_settles_them(tmp_path: Path) -> None:
    manifest = import_trajectories(write_release(tmp_path / "rectom"), tmp_path / "out")
    assert manifest.config["form"] == "rectom"
    records = json.loads((tmp_path / "rectom" / FILES["belief"]).read_text(encoding="utf-8"))
    lines = list(SUITE.items(tmp_path / "out"))
    assert lines
    for line in lines:
        assert line.groups["type"] == "second_order"
        (record,) = (one for one in records if one["dialogue_id"] == line.cluster)
        assert line.turn is not None
        assert line.turn >= record["utterance_pos"] - 1
        assert right(line) == record["choices"][record["answer"][0]]
        assert "in the eyes of RECOMMENDER" in line.question


def accepting(path: Path, accepted: Mapping[str, list[int]]) -> Path:
    content = json.loads(write_iard(path).read_text(encoding="utf-8"))
    for name in content:
        content[name]["accepted_recommendation"] = accepted.get(name, [])
    # a second film in the third line, so that it is another that is taken up there
    first = content["701"]["dialogue_info"]["S5"]
    first["utterance_text"] += " @82 <Marble Ferry>"
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


def test_when_a_seeker_made_up_their_mind_and_which_came_first(tmp_path: Path) -> None:
    release = write_release(tmp_path / "rectom")
    for file in FILES.values():
        path = release / file
        path.write_text(path.read_text("utf-8").replace(LAST, f"{LAST} Marble Ferry"), encoding="utf-8")
    iard = accepting(tmp_path / "iard.json", {"701": [3, 5], "702": [3]})
    manifest = import_trajectories(release, tmp_path / "out", iard=iard)
    assert manifest.config["changes"] == {"Granite Choir to Marble Ferry": 1, "nothing yet to Granite Choir": 2}
    found = asked(tmp_path / "out", "701")
    question = '"Which recommendation has the seeker taken up last?"'
    when = f'At which turn, if any, did the answer to {question} change from "nothing yet" to "Granite Choir"?'
    assert found[("update_detection", when, None)] == "At turn 2"
    before = f"Just before turn 4, what was the answer to {question}?"
    assert found[("pre_update", before, 4)] == "Granite Choir"
    # that nothing is taken up yet is never the answer to a question about before
    told = {kind: answer for (kind, text, _), answer in found.items() if question in text}
    assert "nothing yet" not in told.values()
    lines = [one for one in SUITE.items(tmp_path / "out") if one.groups["topic"] == "taken up"]
    never = [one for one in lines if right(one) == "At no turn"]
    assert len(never) == len({one.cluster for one in never})
    assert not {"701", "702"} & {one.cluster for one in never}


LAST = DIALOGUES["701"][4].text


def test_iard_belongs_to_rectom_alone(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="--iard is for RecToM, and this is read as negotiationtom"):
        import_trajectories(negotiation(tmp_path / "files"), tmp_path / "out", iard=tmp_path / "iard.json")


def test_both_on_the_command_line(tmp_path: Path) -> None:
    iard = write_iard(tmp_path / "iard.json")
    for name, more in (("negotiation", []), ("rectom", ["--iard", str(iard)])):
        source = negotiation(tmp_path / name) if name == "negotiation" else write_release(tmp_path / name)
        result = CliRunner().invoke(app, ["trajectories", str(source), "--out", str(tmp_path / f"{name}-out"), *more])
        assert result.exit_code == 0, result.output
        assert "conversations" in result.output
