"""Update verification: what was planned against what is said."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import pytest

from dtomtrack.beliefs.dialogue import DetectedUpdate, Dialogue, Turn, UpdateVerification
from dtomtrack.beliefs.reading import DistinctiveWordReader, Reader, read_all
from dtomtrack.beliefs.scenario import MentalState, PlannedUpdate, Topic, Trigger
from dtomtrack.runs.slots import slot_at
from dtomtrack.scenarios.domain import Domain
from dtomtrack.suites.dtom.slot_result import SlotResult
from dtomtrack.verifiers.faults import FILLER, move_update, remove_update, silence
from dtomtrack.verifiers.review import played, review
from dtomtrack.verifiers.updates import detect_updates, verify_updates

SEATING = Topic(
    id="seating",
    label="the seating",
    mental_state=MentalState.DESIRE,
    holder="Maya",
    values=("a quiet corner", "the sunny terrace", "two stools"),
)
TO_TERRACE = PlannedUpdate(
    turn=4,
    agent="Maya",
    trigger=Trigger.NEW_INFORMATION,
    mental_state=MentalState.DESIRE,
    topic="seating",
    old="a quiet corner",
    new="the sunny terrace",
    marker="second_thought",
)
TALK = [
    ("Maya", "I'd love a quiet corner."),
    ("Ben", "Noted."),
    ("Maya", "Thank you."),
    ("Ben", "The band plays inside tonight."),
    ("Maya", "On second thought, the sunny terrace would be lovely."),
    ("Ben", "As you like."),
]


@dataclass(frozen=True)
class Kept:
    """A kept dialogue, and what reads it."""

    dialogue: Dialogue
    reader: Reader


def verified(
    transcript: Sequence[tuple[str, str]], planned: Iterable[PlannedUpdate], reader: Reader
) -> UpdateVerification:
    return verify_updates(transcript, planned, read_all(reader, transcript))


def detected(transcript: Sequence[tuple[str, str]], reader: Reader) -> list[DetectedUpdate]:
    return detect_updates(transcript, read_all(reader, transcript))


def spoken(turns: Sequence[Turn]) -> list[tuple[str, str]]:
    return [(turn.speaker, turn.utterance) for turn in turns]


def every_kept(domains: dict[str, Domain], slots: dict[str, list[SlotResult]]) -> Iterator[Kept]:
    for name, filled in slots.items():
        for slot in filled:
            if slot.dialogue is not None:
                yield Kept(slot.dialogue, domains[name].reader([one.name for one in slot.dialogue.scenario.agents]))


@pytest.fixture(scope="module")
def kept(domains: dict[str, Domain], slots: dict[str, list[SlotResult]]) -> list[Kept]:
    """All dialogues of ten turns."""
    return list(every_kept(domains, slots))


def test_there_is_something_to_verify(kept: list[Kept]) -> None:
    assert len(kept) >= 100


def test_every_planned_update_of_a_kept_dialogue_is_found_again(kept: list[Kept]) -> None:
    for one in kept:
        found = verified(spoken(one.dialogue.turns), one.dialogue.scenario.updates, one.reader)
        assert found == one.dialogue.verification
        assert (found.recall, found.missing, found.realized) == (1.0, (), True)


def test_what_is_found_has_the_marker_that_was_planned(kept: list[Kept]) -> None:
    for one in kept:
        planned = {(update.turn, update.agent, update.topic): update.marker for update in one.dialogue.scenario.updates}
        found = {
            (update.turn, update.agent, update.topic): update.marker for update in one.dialogue.verification.detected
        }
        assert {key: found[key] for key in planned} == planned


def test_long_dialogues_verify_as_well(restaurant: Domain, long_slots: list[SlotResult]) -> None:
    for one in every_kept({"restaurant": restaurant}, {"restaurant": long_slots}):
        found = verified(spoken(one.dialogue.turns), one.dialogue.scenario.updates, one.reader)
        assert found.recall == 1.0
        assert found.realized


def test_a_removed_update_is_always_caught(kept: list[Kept]) -> None:
    for one in kept:
        for update in one.dialogue.scenario.updates:
            turns = remove_update(one.dialogue.turns, update)
            found = verified(spoken(turns), one.dialogue.scenario.updates, one.reader)
            assert update in found.missing
            assert not found.realized
            assert found.recall < 1


def test_a_moved_update_is_always_caught(kept: list[Kept]) -> None:
    for one in kept:
        for update in one.dialogue.scenario.updates:
            turns = move_update(one.dialogue.turns, update)
            assert turns is not None
            found = verified(spoken(turns), one.dialogue.scenario.updates, one.reader)
            assert update in found.missing
            assert not found.realized


async def test_a_dialogue_without_a_planned_update_is_rejected_with_the_reason(kept: list[Kept]) -> None:
    for one in kept[:20]:
        dialogue = one.dialogue
        update = dialogue.scenario.updates[0]
        turns = remove_update(dialogue.turns, update)
        reviewed = await review(
            played(dialogue.scenario, turns, one.reader, slot_at(0, 3, [dialogue.domain]), 2, "scripted")
        )
        assert reviewed.dialogue is None
        assert reviewed.questions == ()
        (rejection,) = reviewed.rejections
        assert (rejection.stage, rejection.slot, rejection.attempt) == ("update_verification", 3, 2)
        assert rejection.reason == "a planned update did not happen"
        assert update in rejection.missing
        assert rejection.turns == turns


async def test_a_dialogue_that_signals_too_much_is_rejected_with_the_reason(kept: list[Kept]) -> None:
    dialogue = next(one.dialogue for one in kept if len(one.dialogue.scenario.updates) == 1)
    reader = next(one.reader for one in kept if one.dialogue is dialogue)
    noisy = tuple(
        turn.model_copy(update={"utterance": f"{turn.utterance} Wait, the phone. Hold on, the door."})
        for turn in dialogue.turns
    )
    reviewed = await review(played(dialogue.scenario, noisy, reader, slot_at(0, 0, [dialogue.domain]), 0, "scripted"))
    assert reviewed.dialogue is None
    assert [one.reason for one in reviewed.rejections] == ["too many unplanned updates"]


async def test_a_reviewed_dialogue_comes_out_as_it_went_in(
    kept: list[Kept], slots: dict[str, list[SlotResult]]
) -> None:
    questions = {slot.dialogue.id: slot.questions for own in slots.values() for slot in own if slot.dialogue}
    for one in kept[::10]:
        dialogue = one.dialogue
        slot = slot_at(dialogue.provenance.seed, dialogue.slot, [dialogue.domain])
        reviewed = await review(
            played(dialogue.scenario, dialogue.turns, one.reader, slot, dialogue.provenance.attempt, "scripted")
        )
        assert reviewed.dialogue == dialogue
        assert reviewed.questions == questions[dialogue.id]


def test_unplanned_signals_lower_precision_and_nothing_else(kept: list[Kept]) -> None:
    for one in kept:
        dialogue = one.dialogue
        quiet = next(
            turn for turn in range(len(dialogue.turns)) if turn not in {up.turn for up in dialogue.scenario.updates}
        )
        said = spoken(dialogue.turns)
        said[quiet] = (said[quiet][0], f"{said[quiet][1]} Hold on, the dog is barking.")
        found = verified(said, dialogue.scenario.updates, one.reader)
        assert found.recall == 1.0
        assert found.precision < dialogue.verification.precision
        assert found.f1 < dialogue.verification.f1


def test_a_changed_state_without_a_plan_lowers_precision(
    restaurant: Domain, slots: dict[str, list[SlotResult]]
) -> None:
    for filled in slots["restaurant"]:
        assert filled.dialogue is not None
        scenario, turns = filled.dialogue.scenario, filled.dialogue.turns
        topic = scenario.topic(scenario.presumptions[0].topic)
        (held,) = [one.content for one in filled.dialogue.beliefs if one.topic == topic.id and one.order == 1]
        other = next(value for value in restaurant.pack.topic(topic.id).values if value.clause != held)
        said = [*spoken(turns), *[(scenario.speaker(turn), FILLER) for turn in (10, 11)]]
        turn = 10 if scenario.speaker(10) == topic.holder else 11
        said[turn] = (topic.holder, f"Actually, {other.adopt[0]}.")
        found = verified(said, scenario.updates, restaurant.reader([one.name for one in scenario.agents]))
        assert [(one.turn, one.topic) for one in found.detected if one.turn >= 10] == [(turn, topic.id)]
        assert found.recall == 1.0
        assert found.precision == round(len(scenario.updates) / (len(scenario.updates) + 1), 4)


def test_a_change_between_two_statements_is_detected_with_its_marker() -> None:
    (found,) = detected(TALK, DistinctiveWordReader([SEATING]))
    assert (found.turn, found.agent, found.topic) == (4, "Maya", "seating")
    assert (found.old, found.new, found.marker) == ("a quiet corner", "the sunny terrace", "second_thought")


def test_saying_the_same_again_is_no_change() -> None:
    again = [*TALK, ("Maya", "Yes, the sunny terrace is perfect.")]
    assert detected(again, DistinctiveWordReader([SEATING])) == detected(TALK, DistinctiveWordReader([SEATING]))


def test_a_marker_without_a_change_is_detected_without_a_topic() -> None:
    (found,) = detected([("Maya", "Wait, my phone is ringing.")], DistinctiveWordReader([SEATING]))
    assert (found.turn, found.agent, found.marker) == (0, "Maya", "wait")
    assert (found.topic, found.old, found.new) == (None, None, None)


def test_what_the_partner_says_of_ones_state_is_no_change() -> None:
    talk = [*TALK[:4], ("Maya", "Hm."), ("Ben", "On the sunny terrace you would hear the birds.")]
    assert detected(talk, DistinctiveWordReader([SEATING])) == []


def test_a_planned_update_that_is_said_is_found() -> None:
    found = verified(TALK, [TO_TERRACE], DistinctiveWordReader([SEATING]))
    assert (found.precision, found.recall, found.f1, found.missing) == (1.0, 1.0, 1.0, ())
    assert found.realized


@pytest.mark.parametrize(
    "other",
    [
        {"turn": 6},
        {"agent": "Ben"},
        {"topic": "music"},
        {"old": "two stools"},
        {"new": "two stools"},
    ],
    ids=["turn", "agent", "topic", "old", "new"],
)
def test_a_planned_update_is_missing_if_anything_of_it_differs(other: dict[str, object]) -> None:
    planned = TO_TERRACE.model_copy(update=other)
    found = verified(TALK, [planned], DistinctiveWordReader([SEATING]))
    assert found.missing == (planned,)
    assert (found.precision, found.recall, found.f1) == (0.0, 0.0, 0.0)
    assert not found.realized


def test_a_change_that_no_marker_signals_is_not_the_planned_one() -> None:
    unmarked = [*TALK[:4], ("Maya", "The sunny terrace would be lovely."), TALK[5]]
    found = verified(unmarked, [TO_TERRACE], DistinctiveWordReader([SEATING]))
    assert [one.marker for one in found.detected] == [None]
    assert found.missing == (TO_TERRACE,)


def test_a_dialogue_is_realized_while_f1_exceeds_one_half() -> None:
    reader = DistinctiveWordReader([SEATING])
    one_more = verified([*TALK, ("Maya", "Wait, my phone.")], [TO_TERRACE], reader)
    assert (one_more.precision, one_more.f1) == (0.5, 0.6667)
    assert one_more.realized
    two_more = verified([*TALK, ("Maya", "Wait, my phone. Hold on, my bag.")], [TO_TERRACE], reader)
    assert (two_more.recall, two_more.f1) == (1.0, 0.5)
    assert not two_more.realized


def test_silence_replaces_what_is_said_and_nothing_else(kept: list[Kept]) -> None:
    turns = kept[0].dialogue.turns
    silent = silence(turns, [2, 5])
    assert [turn.utterance for turn in silent] == [FILLER if turn.index in {2, 5} else turn.utterance for turn in turns]
    assert [turn.inner_speech for turn in silent] == [turn.inner_speech for turn in turns]


def test_an_update_in_the_last_turn_of_its_agent_moves_back(kept: list[Kept]) -> None:
    dialogue = kept[0].dialogue
    for last in (8, 9):
        update = dialogue.scenario.updates[0].model_copy(update={"turn": last})
        moved = move_update(dialogue.turns, update)
        assert moved is not None
        assert moved[last - 2].utterance == dialogue.turns[last].utterance
        assert moved[last].utterance == dialogue.turns[last - 2].utterance


def test_a_dialogue_in_which_nothing_should_change_and_nothing_does_is_kept() -> None:
    verification = verified([("Maya", "Hello."), ("Ben", "Hello, Maya.")], (), DistinctiveWordReader(()))
    assert (verification.precision, verification.recall, verification.f1) == (1.0, 1.0, 1.0)
    assert verification.realized


def test_a_marker_that_gives_up_what_nobody_holds_anything_on_is_no_change() -> None:
    slip = ("Maya", "So not the doorbell after all: somebody dropped a spoon.")
    change = ("Maya", "So not a quiet corner after all: the weather has turned.")
    for said, number in ((slip, 0), (change, 1)):
        transcript = [*TALK[:3], said]
        readings = read_all(DistinctiveWordReader([SEATING]), transcript)
        found = detect_updates(transcript, readings, [SEATING])
        assert len([one for one in found if one.topic is None]) == number
