"""Word of a change that reaches somebody behind something newer: whether they then learn of it, nobody can say."""

from __future__ import annotations

import re

from company import TOPIC, company_scenario

from dtomtrack import dialogues
from dtomtrack.beliefs.dialogue import Expression, Turn
from dtomtrack.beliefs.inner_speech import thought
from dtomtrack.beliefs.mental_state import MentalState
from dtomtrack.beliefs.questions.about_learning import about_learning
from dtomtrack.beliefs.questions.dials import QuestionDials
from dtomtrack.beliefs.questions.source import QuestionSource
from dtomtrack.beliefs.reading import Act, Reading
from dtomtrack.beliefs.scenario import PlannedAudience
from dtomtrack.beliefs.tracker import BeliefTracker, StateKey
from dtomtrack.beliefs.transcript import transcript_of
from dtomtrack.runs.slots import slot_at

SAID = {2: "pay in cash", 6: "pay by transfer", 9: "pay by card"}
TOLD = 12


def learnt_asked(
    read: int | None, *told: Reading, newer_to: tuple[str, ...] = ("Ada", "Ben"), ben_says: Expression | None = None
) -> set[tuple[int, str]]:
    """Changes, and of whom it is asked when they learnt of them: Cleo writes one down, and says a newer one aloud.

    Args:
        read: when Ada reads the note.
        newer_to: who hears the newer one.
        ben_says: what Ben says of Cleo near the end, and Ada hears.
    """
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
            said=(ben_says,) if ben_says is not None and index == TOLD + 1 else None,
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


def test_what_somebody_takes_for_granted_is_no_word_of_a_change() -> None:
    """It may be a guess of theirs, and nobody says that it is right."""
    for presumed in (False, True):
        says = Expression(topic=TOPIC, content=SAID[9], about="Cleo", presumed=presumed)
        assert ((9, "Ada") in learnt_asked(None, newer_to=("Ben",), ben_says=says)) is not presumed


def test_when_somebody_learnt_of_a_change_it_had_not_been_given_up() -> None:
    asked = 0
    for made in dialogues("medical", n=6, difficulty="extreme", seed=2611):
        tracker = BeliefTracker.of(made.dialogue.turns)
        for question in made.questions:
            turn = re.search(r"turn (\d+)$", " ".join(question.options[one] for one in question.answer))
            if question.factors.asks != "learnt" or turn is None or question.about is None:
                continue
            held = tracker.history(StateKey(question.about, question.topic))
            (changed,) = (one for one in held if one.source_turn == question.turn)
            assert changed.superseded_at is None or int(turn[1]) < changed.superseded_at, question.id
            asked += 1
    assert asked > 30
