"""The rules for one turn of a model: what is wrong is said in a sentence, what is right passes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from dtomtrack.beliefs.dialogue import InnerSpeech
from dtomtrack.beliefs.inner_speech import VERBS, parse_thoughts
from dtomtrack.beliefs.markers import MARKERS
from dtomtrack.beliefs.matching import StateMatcher
from dtomtrack.beliefs.scenario import MentalState, PlannedUpdate, Topic, Trigger
from dtomtrack.verifiers.turn_requirements import TurnRequirements
from dtomtrack.verifiers.turns import TurnRules

OLD = "a table can be booked spontaneously"
NEW = "a table must be booked 48 hours ahead"
OUTSIDE, INSIDE = "sit outside under the lime trees", "sit inside by the stove"
FACT = "The health inspector was here last week and closed the terrace for good"
TOPICS = (
    Topic(
        id="booking",
        label="how far ahead one books",
        mental_state=MentalState.BELIEF,
        holder="Alex",
        values=(OLD, NEW),
    ),
    Topic(
        id="seat",
        label="where to sit",
        mental_state=MentalState.INTENTION,
        holder="Ben",
        values=(OUTSIDE, INSIDE),
    ),
)
UPDATE = PlannedUpdate(
    turn=6,
    agent="Alex",
    trigger=Trigger.CORRECTION,
    mental_state=MentalState.BELIEF,
    topic="booking",
    old=OLD,
    new=NEW,
    marker="actually",
)
SAID: tuple[tuple[str, str], ...] = (
    ("Alex", "Good evening, I am looking for a table for two on the fourteenth."),
    ("Ben", "Good evening to you. The fourteenth is a busy day at our house, as you may know."),
)
DIRECTION = "Bring the talk to where to sit in a way that fits what was just said."


def problems(
    thought: str,
    utterance: str,
    required: TurnRequirements | None = None,
    transcript: Sequence[tuple[str, str]] = SAID,
) -> list[str]:
    """What is wrong with a turn of Alex's."""
    matcher = StateMatcher(TOPICS)

    def matched(one: InnerSpeech) -> InnerSpeech:
        match = matcher.thought(one.about or "Alex", one.mental_state, one.content)
        return one if match is None else one.model_copy(update={"topic": match[0], "content": match[1]})

    thoughts = [matched(one) for one in parse_thoughts(f"({thought})", "Alex", ["Ben"])]
    rules = TurnRules(matcher, "Alex", ["Ben"])
    return rules.problems(thought, thoughts, utterance, required or TurnRequirements(), transcript)


THOUGHT = "I want a quiet evening."
FINE = "It would be for my mother's birthday, so I hope there is room."


def test_a_turn_that_is_right_has_no_problem() -> None:
    assert problems(THOUGHT, FINE) == []


@pytest.mark.parametrize(
    ("thought", "utterance", "wrong"),
    [
        ("What a lovely place.", FINE, "the thought does not begin with I believe that"),
        ("Ben is kind.", FINE, "the thought does not begin with I believe that"),
        ("I want a quiet evening.", "I want a quiet evening.", "the thought said aloud"),
        ("I want a quiet evening.", "I WANT a quiet evening!", "the thought said aloud"),
        (THOUGHT, "Ben: The fourteenth is fine, do come.", "Ben's, not Alex's"),
        (THOUGHT, 'I hope there is room." Ben: "There is, do come.', "Ben's, not Alex's"),
        (THOUGHT, "I hope there is room. Ben : There is.", "Ben's, not Alex's"),
        (THOUGHT, "Alex: I hope there is room for us.", "a name stands before what is said"),
        (THOUGHT, SAID[0][1], "an earlier line of your own"),
        (THOUGHT, SAID[0][1].upper(), "an earlier line of your own"),
        (THOUGHT, SAID[1][1], "an earlier line of Ben's"),
        (THOUGHT, f"Oh, I see. {SAID[1][1]} Well.", "an earlier line of Ben's"),
        (THOUGHT, "Actually, I would love some tea.", "the words 'Actually,' signal a change of mind"),
        (THOUGHT, "I hope so. Wait, is there music?", "the words 'Wait,' signal a change of mind"),
    ],
)
def test_what_is_wrong_with_any_turn(thought: str, utterance: str, wrong: str) -> None:
    found = problems(thought, utterance)
    assert wrong in " / ".join(found)
    assert all("\n" not in one for one in found)


@pytest.mark.parametrize("marker", MARKERS, ids=lambda one: str(one.id))
def test_no_marker_is_said_where_no_mind_changes(marker: object) -> None:
    assert any("signal a change of mind" in one for one in problems(THOUGHT, MARKERS[0].say(OLD, "tea it is")))
    said = next(one for one in MARKERS if one is marker).say("this and that", "tea it is")
    assert any("signal a change of mind" in one for one in problems(THOUGHT, said))


@pytest.mark.parametrize(
    "utterance",
    [
        "As for Ben, I have known him since school.",
        "Ben, the fourteenth is my mother's birthday.",
        "That is what everybody actually says here in town.",
        "A busy day at our house is when the cat is hungry.",
    ],
)
def test_what_only_looks_wrong_passes(utterance: str) -> None:
    assert problems(THOUGHT, utterance) == []


def test_a_stage_direction_is_not_said() -> None:
    required = TurnRequirements(secret=(DIRECTION, "Greet Ben."))
    assert "a stage direction is said aloud" in problems(THOUGHT, f"Well. {DIRECTION.upper()}", required)
    assert problems(THOUGHT, "Let me greet Ben. How are you on this fine evening?", required) == []


# -- a change of mind ----------------------------------------------------------------------------------------

CHANGES = TurnRequirements(update=UPDATE)
CHANGED = f"I believe that {NEW}."


@pytest.mark.parametrize(
    ("thought", "utterance", "wrong"),
    [
        (CHANGED, f"Actually, {NEW}, I see that now.", None),
        (CHANGED, "Oh dear. Actually, a table must be booked 48 hours ahead.", None),
        (CHANGED, "Actually, one must book 48 hours ahead, rather than come spontaneously.", None),
        (CHANGED, f"I see, so {NEW}.", "not signalled with the words 'Actually,'"),
        (CHANGED, f"Wait, {NEW}.", "not signalled with the words 'Actually,'"),
        (CHANGED, f"{NEW.capitalize()}. Actually, that is fine.", "the new state is not said after 'Actually,'"),
        (CHANGED, "Actually, I had no idea at all.", "the new state is not said after 'Actually,'"),
        (CHANGED, f"Actually, {OLD}, and that is that.", "what is given up is still claimed"),
        (f"{CHANGED} I believe that {OLD}.", f"Actually, {NEW}.", "what is given up is still thought"),
        (f"I believe that {OLD}.", f"Actually, {NEW}.", "what is given up is still thought"),
        ("I want tea.", f"Actually, {NEW}.", f"the thought does not say it: {NEW}"),
        (f"I think that Ben believes {NEW}.", f"Actually, {NEW}.", f"the thought does not say it: {NEW}"),
    ],
)
def test_a_change_of_mind_is_signalled_said_and_thought(thought: str, utterance: str, wrong: str | None) -> None:
    found = problems(thought, utterance, CHANGES)
    assert (found == []) if wrong is None else (wrong in " / ".join(found))


@pytest.mark.parametrize("marker", MARKERS, ids=lambda one: str(one.id))
def test_every_marker_does_as_it_is_prescribed(marker: object) -> None:
    one = next(known for known in MARKERS if known is marker)
    required = TurnRequirements(update=UPDATE.model_copy(update={"marker": one.id}))
    assert problems(CHANGED, one.say(OLD, NEW), required) == []


# -- states and facts ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("thought", "utterance", "wrong"),
    [
        (f"I believe that {OLD}.", "One just comes by spontaneously, I take it.", []),
        (f"I believe that {OLD}.", "What a lovely evening it is.", [f"what is said does not tell it: {OLD}"]),
        ("I want tea.", "One just comes by spontaneously, I take it.", [f"the thought does not say it: {OLD}"]),
        (
            f"I believe that {NEW}.",
            "48 hours ahead, I take it.",
            [f"thought does not say it: {OLD}", f"tell it: {OLD}"],
        ),
    ],
)
def test_what_is_held_is_thought_and_said(thought: str, utterance: str, wrong: list[str]) -> None:
    found = problems(thought, utterance, TurnRequirements(held=(("booking", OLD),)))
    assert len(found) == len(wrong)
    assert all(words in one for words, one in zip(wrong, found, strict=True))


OF_BEN = f"I think that Ben {VERBS[MentalState.INTENTION]} {OUTSIDE}."


@pytest.mark.parametrize(
    ("thought", "utterance", "wrong"),
    [
        (OF_BEN, "You will be outside under the lime trees, so bring a coat.", ""),
        (OF_BEN, "Bring a warm coat with you.", "does not take it for granted: sit"),
        (f"I will {OUTSIDE}.", "You will be outside under the lime trees.", "does not take it for granted of Ben"),
    ],
)
def test_what_is_presumed_is_thought_of_the_other_and_said(thought: str, utterance: str, wrong: str) -> None:
    found = problems(thought, utterance, TurnRequirements(presumed=(("seat", OUTSIDE),)))
    assert (wrong in " / ".join(found)) if wrong else not found


@pytest.mark.parametrize(
    ("utterance", "told"),
    [
        (f"{FACT}.", True),
        ("The inspector was here last week, you know, and now the terrace is closed.", True),
        ("There was an inspector.", False),
        ("It has been a long week.", False),
    ],
)
def test_a_fact_is_told_in_its_words(utterance: str, told: bool) -> None:
    found = problems(THOUGHT, utterance, TurnRequirements(facts=(FACT,)))
    assert found == ([] if told else [f"it does not tell this: {FACT}"])


def test_a_fact_is_not_told_before_its_time() -> None:
    later = TurnRequirements(reserved=(FACT,))
    assert problems(THOUGHT, f"{FACT}.", later) == [f"it tells too early what is to be told later: {FACT}"]
    assert problems(THOUGHT, FINE, later) == []
    assert problems(THOUGHT, f"{FACT}.", replace(later, facts=(FACT,))) == []
    assert problems(THOUGHT, FINE, TurnRequirements(reserved=("It is so.",))) == []


def test_the_gravest_problem_comes_first() -> None:
    found = problems("Tea.", "Ben: tea.", TurnRequirements(update=UPDATE, facts=(FACT,)))
    assert len(found) >= 4
    assert "does not begin with" in found[0]
    assert "does not tell this" in found[-1]


# -- what passed once and is wrong -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("utterance", "wrong"),
    [
        ('The fourteenth would suit us well," Alex says.', "it narrates what is said"),
        ('"That is fine", he said, and sat down.', "it narrates what is said"),
        ('The fourteenth" would suit us well.', "a quotation mark is left over"),
        ("Alex would like the fourteenth, if you have room.", "it speaks of Alex as of somebody else; say I"),
        ("I heard that Ben has a lovely terrace here.", "it speaks of Ben as of somebody else; say you"),
        ("I am Alex, and this is my mother.", None),
        ("Ben, will you have room on the fourteenth?", None),
        ('My mother calls it "the old place", you know.', None),
    ],
)
def test_a_line_is_said_by_oneself_to_the_other(utterance: str, wrong: str | None) -> None:
    found = problems(THOUGHT, utterance)
    assert (found == []) if wrong is None else (wrong in " / ".join(found))


def test_among_several_one_may_speak_of_another_by_name() -> None:
    rules = TurnRules(StateMatcher(TOPICS), "Alex", ["Ben", "Cleo"])
    line = "Ben wants the terrace, as far as I know."
    assert rules.line_problems(THOUGHT, line, TurnRequirements(), SAID) == []


@pytest.mark.parametrize(
    ("utterance", "wrong"),
    [
        (f"I believe that {OLD}.", None),
        ("I don't think one just comes by spontaneously.", f"what is said does not tell it: {OLD}"),
    ],
)
def test_a_state_is_said_as_it_is_thought_and_not_denied(utterance: str, wrong: str | None) -> None:
    found = problems(f"I believe that {OLD}.", utterance, TurnRequirements(held=(("booking", OLD),)))
    assert found == ([] if wrong is None else [wrong])


@pytest.mark.parametrize(
    ("utterance", "wrong"),
    [
        ("You will not sit outside under the lime trees, so bring nothing.", "does not take it for granted: sit"),
        ("Will you sit outside under the lime trees?", "it asks what it is to take for granted: sit"),
        ("As you will sit outside under the lime trees, bring a coat. Or do you have one?", None),
    ],
)
def test_what_is_presumed_is_neither_denied_nor_asked(utterance: str, wrong: str | None) -> None:
    found = problems(OF_BEN, utterance, TurnRequirements(presumed=(("seat", OUTSIDE),)))
    assert (found == []) if wrong is None else (wrong in " / ".join(found))


@pytest.mark.parametrize(
    ("utterance", "wrong"),
    [
        ("Tell me, is it outside or by the stove?", None),
        ("I wonder about so many things these days.", "it asks nothing; ask about where to sit"),
        ("Lovely weather, would you not say?", "it does not ask about where to sit"),
    ],
)
def test_who_is_to_ask_asks(utterance: str, wrong: str | None) -> None:
    found = problems(THOUGHT, utterance, TurnRequirements(asked=(("seat", (OUTSIDE, INSIDE)),)))
    assert found == ([] if wrong is None else [wrong])


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        (f"Actually, I refuse to believe that {NEW}.", "the new state is not said"),
        (f"Actually, I have dropped the idea that {NEW}.", "the new state is not said"),
        (f"Actually, {NEW}. I gave up on it that {OLD}.", ""),
        (f"Actually, {NEW}; forget about it that {OLD}.", ""),
    ],
)
def test_who_refuses_the_new_has_not_come_to_it_and_who_gives_up_the_old_may_name_it(line: str, wrong: str) -> None:
    found = problems(f"I believe that {NEW}.", line, TurnRequirements(update=UPDATE))
    assert bool(found) == bool(wrong)
    assert wrong in " ".join(found)
