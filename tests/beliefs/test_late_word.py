"""Word of a change that reaches somebody behind something newer: whether they then learn of it, nobody can say."""

from __future__ import annotations

from company import TOPIC, company_scenario

from dtomtrack.beliefs.dialogue import Turn
from dtomtrack.beliefs.inner_speech import thought
from dtomtrack.beliefs.mental_state import MentalState
from dtomtrack.beliefs.questions.about_learning import about_learning
from dtomtrack.beliefs.questions.dials import QuestionDials
from dtomtrack.beliefs.questions.source import QuestionSource
from dtomtrack.beliefs.reading import Act, Reading
from dtomtrack.beliefs.scenario import PlannedAudience
from dtomtrack.beliefs.tracker import BeliefTracker
from dtomtrack.beliefs.transcript import transcript_of
from dtomtrack.runs.slots import slot_at

SAID = {2: "pay in cash", 6: "pay by transfer", 9: "pay by card"}
TOLD = 12


def learnt_asked(read: int | None, *told: Reading, newer_to: tuple[str, ...] = ("Ada", "Ben")) -> set[tuple[int, str]]:
    """Changes, and of whom it is asked when they learnt of them: Cleo writes one down, and says a newer one aloud."""
    newer = PlannedAudience(turn=9, hearers=newer_to)
    note = PlannedAudience(turn=6, hearers=("Ada", "Ben"), read_at={"Ada": read, "Ben": 8})
    order = (0, 1, 2, 0, 1, 0, 2, 0, 1, 2, 0, 1, 0, 1, 0, 1)
    scenario = company_scenario(speaking_order=order, presence=(), audiences=(note, newer))
    turns = [
        Turn(
            index=index,
            speaker=scenario.speaker(index),
            inner_speech=(thought(MentalState.INTENTION, SAID[index], TOPIC),) if index in SAID else (),
            utterance=f"I'll {SAID[index]}." if index in SAID else f"Line {index}.",
            audience=scenario.audience(index) if index in {6, 9} else (),
            read_at=scenario.read_at(index),
        )
        for index in range(len(order))
    ]
    readings = [Reading(turn, "Cleo", Act.STATE, "Cleo", TOPIC, value) for turn, value in SAID.items()]
    found: set[tuple[int, str]] = set()
    for seed in range(30):
        source = QuestionSource(
            BeliefTracker.of(turns),
            scenario.topics,
            [*readings, *told],
            slot_at(seed, 0, ["x"]),
            (),
            (),
            transcript_of(turns, scenario),
            QuestionDials(comes_apart=True),
        )
        found |= {(spec.turn, spec.agent) for spec in about_learning(source) if spec.turn is not None}
    return found


def test_a_note_that_is_never_read_is_asked_about_and_one_read_too_late_is_not() -> None:
    assert (6, "Ada") in learnt_asked(None, newer_to=("Ben",))
    assert (6, "Ada") not in learnt_asked(TOLD)


def test_who_hears_of_a_later_change_is_not_said_to_have_learnt_of_none() -> None:
    """They then know that something changed, if not to what it did at first."""
    assert (6, "Ada") not in learnt_asked(None)
    told = Reading(TOLD, "Ben", Act.TELL, "Cleo", TOPIC, SAID[9])
    assert (6, "Ada") not in learnt_asked(None, told, newer_to=("Ben",))


def test_neither_is_what_a_third_tells_too_late() -> None:
    told = Reading(TOLD + 1, "Ben", Act.TELL, "Cleo", TOPIC, SAID[6])
    assert (6, "Ada") not in learnt_asked(None, told)
