"""Records are frozen, refuse what they do not know, and survive JSON."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import ValidationError

from dtomtrack import generate
from dtomtrack.beliefs import dialogue, question, rejection, scenario
from dtomtrack.beliefs.dialogue import Expression, Turn
from dtomtrack.beliefs.question import Question
from dtomtrack.beliefs.rejection import Rejection
from dtomtrack.beliefs.scenario import (
    Fact,
    MentalState,
    PlannedAudience,
    PlannedDivergence,
    Presence,
    Scenario,
    Way,
)
from dtomtrack.evaluation import records as records_of_evaluation
from dtomtrack.evaluation.metrics import metrics
from dtomtrack.evaluation.records import Answer, AskConfig, Outcome, Template
from dtomtrack.records import Record
from dtomtrack.runs import calibration
from dtomtrack.runs import manifest as manifest_records
from dtomtrack.runs.calibration import Calibration, FaultScore, Obedience, Separation
from dtomtrack.runs.manifest import Counts, SlotEntry
from dtomtrack.suites.dtom import config
from dtomtrack.suites.dtom.config import RunConfig
from dtomtrack.suites.dtom.items import item_of
from dtomtrack.suites.dtom.slot_result import SlotResult
from dtomtrack.suites.dtom.suite import SUITE
from dtomtrack.suites.dtom.verdict_line import VerdictLine
from dtomtrack.suites.generation.model_config import ModelConfig

CAUGHT = FaultScore(fault="swap_gold", items=9, caught=3, false_alarms=1, errors=2, precision=0.75, recall=3 / 7)
APART = Separation(criterion="quality", intact=9, broken=8, auroc=0.75, threshold=0.5)
TOLD = Obedience(texts=9, tried=8, obeyed=2, moved=3, share=0.25, low=0.1, high=0.5)
MODULES = (dialogue, question, rejection, scenario, records_of_evaluation, calibration, manifest_records, config)
KINDS = {
    name: kind
    for module in MODULES
    for name in module.__all__
    if isinstance(kind := getattr(module, name), type) and issubclass(kind, Record)
}


def within(record: object) -> Iterator[Record]:
    """A record and all the records in it."""
    if isinstance(record, Record):
        yield record
        for name in type(record).model_fields:
            yield from within(getattr(record, name))
    elif isinstance(record, tuple):
        for one in record:
            yield from within(one)
    elif isinstance(record, dict):
        yield from within(tuple(record.values()))


def first_letter(question: Question) -> Answer:
    """That option A is right."""
    outcome: Outcome = "correct" if question.answer == "A" else "wrong"
    return Answer(
        question_id=question.id,
        dialogue_id=question.dialogue_id,
        shown="A",
        answer="A",
        outcome=outcome,
        probabilities={"A": 0.7, "B": 0.3},
    )


@pytest.fixture(scope="module")
def records(slots: dict[str, list[SlotResult]], tmp_path_factory: pytest.TempPathFactory) -> dict[str, Record]:
    """A record of every kind, from a real dataset as far as there is one."""
    filled = slots["restaurant"][0]
    rejection = Rejection(slot=0, attempt=0, generator="scripted", stage="slot", reason="attempts used up")
    talk = Turn(
        index=0,
        speaker="Maya",
        inner_speech=(),
        utterance="Ben pays by card.",
        said=(Expression(topic="bill", content="pay by card", about="Ben"),),
    )
    holder = {"holder": "Ben", "mental_state": MentalState.INTENTION, "topic": "bill"}
    manifest = generate("restaurant", n=1, out=tmp_path_factory.mktemp("records") / "out")
    asked = AskConfig(
        subject="baseline/first-letter",
        questions="a digest",
        debias=True,
        template=Template(name="mine", text="{context} {question} {options}"),
    )
    answers = tuple(first_letter(question) for question in filled.questions)
    whole = (
        filled.dialogue,
        filled.questions,
        rejection,
        talk,
        PlannedAudience(turn=3, hearers=("Ben",)),
        Presence(agent="Ben", from_turn=3, reason="another call"),
        PlannedDivergence(way=Way.ASIDE, mistaken="Cleo", from_turn=4, turn=4, actual="pay by card", **holder),
        Fact(topic="bill", truth="it is paid"),
        manifest,
        SlotEntry(slot=0, sizes={"dialogues.jsonl": 3}, counts=Counts(dialogues=1)),
        RunConfig(domains=("restaurant",), packs={"restaurant": "0" * 64}),
        VerdictLine(id="restaurant-0-000000", kind="dialogue", outcome="accept"),
        ModelConfig(actor="vllm/some-model", addresses={"vllm/some-model": "http://localhost:8000/v1"}),
        Calibration(
            model="vllm/some-model", dialogues=1, questions=9, scores=(CAUGHT,), separations=(APART,), told=TOLD
        ),
        answers,
        metrics(SUITE, asked, map(item_of, filled.questions), answers),
    )
    return {type(record).__name__: record for record in within(whole)}


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_a_record_refuses_unknown_fields(kind: str, records: dict[str, Record]) -> None:
    record = records[kind]
    with pytest.raises(ValidationError, match="Extra inputs are not permitted"):
        type(record).model_validate({**record.model_dump(), "zebra": 1})


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_a_record_is_frozen(kind: str, records: dict[str, Record]) -> None:
    record = records[kind]
    for name in type(record).model_fields:
        with pytest.raises(ValidationError, match="frozen"):
            setattr(record, name, getattr(record, name))


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_a_record_survives_json(kind: str, records: dict[str, Record]) -> None:
    record = records[kind]
    assert type(record).model_validate_json(record.model_dump_json()) == record


def test_text_is_stripped_and_never_empty() -> None:
    assert Turn(index=0, speaker=" Maya ", inner_speech=(), utterance="Hi.\n").speaker == "Maya"
    for blank in ("", " ", "\n\t"):
        with pytest.raises(ValidationError, match="at least 1 character"):
            Turn(index=0, speaker="Maya", inner_speech=(), utterance=blank)


def test_turns_are_counted_from_zero() -> None:
    with pytest.raises(ValidationError, match="greater than or equal to 0"):
        Turn(index=-1, speaker="Maya", inner_speech=(), utterance="Hi.")


@pytest.mark.parametrize(
    "stage",
    [
        "scenario",
        "role_play",
        "update_verification",
        "question_verification",
        "sample_validation",
        "slot",
    ],
)
def test_a_rejection_says_at_which_stage(stage: str) -> None:
    assert (
        Rejection.model_validate(
            {"slot": 0, "attempt": 0, "generator": "scripted", "stage": stage, "reason": "so"}
        ).stage
        == stage
    )


def test_a_rejection_names_its_stage() -> None:
    rejection = {"slot": 0, "attempt": 0, "generator": "scripted", "stage": "a_verifier_of_mine", "reason": "rain"}
    assert Rejection.model_validate(rejection).stage == "a_verifier_of_mine"
    with pytest.raises(ValidationError, match="stage"):
        Rejection.model_validate({**rejection, "stage": " "})


def test_counts_add_up_field_by_field() -> None:
    left = Counts(
        dialogues=1,
        questions=10,
        totals={"updates": 2},
        groups={"type": {"temporal": 3}},
        rejected_questions={"quality": 1},
    )
    right = Counts(dialogues=2, questions=5, unfilled=1, groups={"type": {"pre_update": 2, "temporal": 1}})
    assert left + right == Counts(
        dialogues=3,
        questions=15,
        totals={"updates": 2},
        unfilled=1,
        groups={"type": {"pre_update": 2, "temporal": 4}},
        rejected_questions={"quality": 1},
    )
    assert left + Counts() == left


def test_a_manifest_is_what_is_in_the_folder(tmp_path: Path) -> None:
    manifest = generate("restaurant", n=1, out=tmp_path / "out")
    assert type(manifest).model_validate_json((tmp_path / "out" / "manifest.json").read_text()) == manifest


def test_a_scenario_of_a_dialogue_validates_again(slots: dict[str, list[SlotResult]]) -> None:
    for own in slots.values():
        for slot in own:
            assert slot.dialogue is not None
            scenario = slot.dialogue.scenario
            assert Scenario.model_validate(scenario.model_dump()) == scenario
