"""The JSON Schemas describe the files as they are: real lines pass, damaged ones fail."""

from __future__ import annotations

import asyncio
import copy
import json
from collections.abc import Mapping, Set
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest
from commands import run
from jsonschema import Draft202012Validator

from dtomtrack import evaluate, generate
from dtomtrack.beliefs.dialogue import Dialogue
from dtomtrack.beliefs.question import Question
from dtomtrack.beliefs.rejection import Rejection
from dtomtrack.evaluation.dates import Dates
from dtomtrack.evaluation.records import Answer, AskConfig, Metrics
from dtomtrack.records import Record
from dtomtrack.runs.manifest import Manifest, SlotEntry
from dtomtrack.runs.slots import slot_at
from dtomtrack.scenarios.domain import Domain
from dtomtrack.suites.dtom.slot_result import SlotResult
from dtomtrack.suites.dtom.verdict_line import VerdictLine
from dtomtrack.suites.registry import suite_named
from dtomtrack.suites.schemas import json_schemas
from dtomtrack.verifiers.faults import remove_update
from dtomtrack.verifiers.review import played, review

Line = dict[str, Any]

RECORDS: dict[str, type[Record]] = {
    "dialogues": Dialogue,
    "questions": Question,
    "rejected": Rejection,
    "progress": SlotEntry,
    "verdicts": VerdictLine,
    "manifest": Manifest,
    "answers": Answer,
    "metrics": Metrics,
    "config": AskConfig,
    "dates": Dates,
}
FILES = list(RECORDS)
LEFT_OUT: Mapping[str, Set[str]] = {"questions": {"divergence", "select", "through"}}
"""Fields that a line leaves out where they say nothing."""
VERDICTS = (
    VerdictLine(id="restaurant-0-000000", kind="dialogue", outcome="accept"),
    VerdictLine(id="restaurant-0-000000-q00", kind="question", outcome="reject", criterion="soundness", grade=0.25),
)


@pytest.fixture(scope="module")
def lines(
    tmp_path_factory: pytest.TempPathFactory, restaurant: Domain, slots: dict[str, list[SlotResult]]
) -> dict[str, list[Line]]:
    """By file, the lines of a small dataset; what it rejected is provoked by removing an update."""
    out = tmp_path_factory.mktemp("schemas") / "out"
    generate("restaurant", n=4, out=out)
    found = {name: read(out / f"{name}.jsonl") for name in ("dialogues", "questions", "rejected", "progress")}
    found["verdicts"] = [json.loads(one.model_dump_json()) for one in VERDICTS]
    evaluate(out, "baseline/recency")
    evaluation = out / "eval" / "baseline_recency"
    found["answers"] = read(evaluation / "answers.jsonl")
    for name in ("metrics", "config", "dates"):
        found[name] = [json.loads((evaluation / f"{name}.json").read_text(encoding="utf-8"))]
    found["manifest"] = [json.loads((out / "manifest.json").read_text(encoding="utf-8"))]
    found["rejected"] += [json.loads(one.model_dump_json()) for one in rejections(restaurant, slots["restaurant"][0])]
    return found


def read(path: Path) -> list[Line]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]


def rejections(domain: Domain, slot: SlotResult) -> list[Rejection]:
    assert slot.dialogue is not None
    scenario = slot.dialogue.scenario
    reader = domain.reader([one.name for one in scenario.agents])
    turns = remove_update(slot.dialogue.turns, scenario.updates[0])
    reviewed = asyncio.run(review(played(scenario, turns, reader, slot_at(0, 0, ["restaurant"]), 0, "scripted")))
    question = Rejection(
        slot=0,
        attempt=0,
        generator="scripted",
        stage="question_verification",
        reason="it says its answer",
        question=slot.questions[0],
    )
    last = Rejection(slot=0, attempt=4, generator="scripted", stage="slot", reason="attempts used up", detail="5 of 5")
    return [*reviewed.rejections, question, last]


def dtom_schemas() -> dict[str, dict[str, Any]]:
    return json_schemas(suite_named("dtom"))


def validator(name: str) -> Draft202012Validator:
    return Draft202012Validator(dtom_schemas()[f"{name}.schema.json"])


def test_there_is_a_schema_for_every_file() -> None:
    assert set(dtom_schemas()) == {f"{name}.schema.json" for name in FILES}


@pytest.mark.parametrize("name", FILES)
def test_a_schema_is_itself_valid_and_says_which_draft_it_is(name: str) -> None:
    schema = dtom_schemas()[f"{name}.schema.json"]
    Draft202012Validator.check_schema(schema)
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert json.loads(json.dumps(schema)) == schema


@pytest.mark.parametrize("name", FILES)
def test_real_lines_pass(name: str, lines: dict[str, list[Line]]) -> None:
    assert lines[name]
    check = validator(name)
    for line in lines[name]:
        assert not [error.message for error in check.iter_errors(line)]


@pytest.mark.parametrize("name", FILES)
def test_a_line_with_an_unknown_field_fails(name: str, lines: dict[str, list[Line]]) -> None:
    assert not validator(name).is_valid({**lines[name][0], "zebra": 1})


@pytest.mark.parametrize("name", FILES)
def test_a_line_without_one_of_its_fields_fails(name: str, lines: dict[str, list[Line]]) -> None:
    check = validator(name)
    whole = lines[name][-1]
    for field in whole.keys() - LEFT_OUT.get(name, set()):
        assert not check.is_valid({key: whole[key] for key in whole if key != field})


@pytest.mark.parametrize(
    ("name", "path", "value"),
    [
        ("dialogues", ["slot"], -1),
        ("dialogues", ["scenario", "topics", 0, "values"], ["only one"]),
        ("dialogues", ["scenario", "updates", 0, "turn"], 3),
        ("dialogues", ["scenario", "agents", 0, "personality", "openness"], 1.5),
        ("dialogues", ["turns", 0, "index"], "first"),
        ("dialogues", ["turns", 2, "zebra"], 1),
        ("dialogues", ["beliefs", 0, "mental_state"], "hunger"),
        ("dialogues", ["provenance", "attempt"], None),
        ("questions", ["type"], "guess"),
        ("questions", ["answer"], "b"),
        ("questions", ["order"], 0),
        ("questions", ["options", "A"], 7),
        ("questions", ["options", "e"], "A fifth option"),
        ("questions", ["option_roles", "A"], "decoy"),
        ("questions", ["factors", "asks"], "why"),
        ("rejected", ["stage"], ""),
        ("rejected", ["attempt"], -1),
        ("manifest", ["status"], "asleep"),
        ("manifest", ["config"], 61),
        ("manifest", ["config", "turns"], 401),
        ("manifest", ["config", "zebra"], 1),
        ("answers", ["outcome"], "perhaps"),
        ("answers", ["answer"], "a"),
        ("metrics", ["micro", "unparsed"], 2),
        ("config", ["permutations"], 27),
        ("manifest", ["counts", "dialogues"], -1),
        ("progress", ["sizes", "dialogues.jsonl"], "big"),
    ],
)
def test_a_line_with_a_wrong_value_fails(
    name: str, path: list[str | int], value: object, lines: dict[str, list[Line]]
) -> None:
    line: Any = copy.deepcopy(lines[name][0])
    at = line
    for part in path[:-1]:
        at = at[part]
    at[path[-1]] = value
    errors = list(validator(name).iter_errors(line))
    assert errors


def test_schemas_that_are_changed_by_a_caller_stay_as_they_are() -> None:
    dtom_schemas()["manifest.schema.json"].clear()
    assert dtom_schemas()["manifest.schema.json"]["properties"]


def test_the_command_writes_those_of_a_suite_and_refuses_others(tmp_path: Path) -> None:
    out = tmp_path / "schemas"
    done = _command("--suite", "dtom", "--out", str(out))
    assert done.returncode == 0, done.stderr
    assert {path.name for path in out.iterdir()} == {f"{name}.schema.json" for name in FILES}
    refused = _command("--suite", "zebra", "--out", str(tmp_path / "none"))
    assert refused.returncode == 2
    assert refused.stderr.startswith("dtomtrack: no suite 'zebra'; there are dtom")
    assert not (tmp_path / "none").exists()


def _command(*options: str) -> CompletedProcess[str]:
    return run("schema", *options)
