"""The overhearer among several: what it makes of audiences, notes, hearsay and untruths."""

from __future__ import annotations

from company import NAMES, TOPIC, company_scenario, company_turns

from dtomtrack.beliefs.reading import Act, Reading
from dtomtrack.beliefs.transcript import HeardTurn, transcript_of
from dtomtrack.verifiers.overheard import OverheardMinds, sincere

SCENARIO = company_scenario()
TRANSCRIPT = transcript_of(company_turns(SCENARIO), SCENARIO)


def says(turn: int, content: str, act: Act = Act.STATE, speaker: str = "Cleo", holder: str = "Cleo") -> Reading:
    return Reading(turn, speaker, act, holder, TOPIC, content)


def confides(turn: int, untrue: str) -> Reading:
    """Cleo says that Ada is to hear something else."""
    return Reading(turn, "Cleo", Act.CONFIDE, "Cleo", TOPIC, untrue, "Ada")


STATED = (says(2, "pay in cash"), says(4, "pay by card"), says(6, "pay by transfer"))


def test_pictures_follow_from_what_is_said_and_whom_it_reached() -> None:
    minds = OverheardMinds(STATED, TRANSCRIPT)
    found = {
        (chain, turn): minds.picture(chain, "Cleo", TOPIC, turn)
        for chain in (("Ada",), ("Ben",), ("Ada", "Ben"))
        for turn in (4, 8)
    }
    assert {key: one and one.content for key, one in found.items()} == {
        (("Ada",), 4): "pay in cash",
        (("Ada",), 8): "pay by transfer",
        (("Ben",), 4): "pay by card",
        (("Ben",), 8): "pay by card",
        (("Ada", "Ben"), 4): "pay in cash",
        (("Ada", "Ben"), 8): "pay in cash",
    }


def test_hearsay_counts_from_the_telling_on() -> None:
    told = says(8, "pay by card", Act.TELL, speaker="Ben")
    minds = OverheardMinds((*STATED[:2], told), TRANSCRIPT)
    found = [minds.picture(("Ada",), "Cleo", TOPIC, turn) for turn in (7, 8)]
    assert [one and one.content for one in found] == ["pay in cash", "pay by card"]


def everybody_but(*unhearing: str) -> frozenset[str]:
    return frozenset(NAMES) - set(unhearing)


def test_what_is_said_to_one_from_whom_the_truth_is_kept_is_no_statement() -> None:
    readings = (confides(1, "pay in cash"), says(1, "pay by card"), says(3, "pay in cash"), says(5, "pay by transfer"))
    turns = [
        HeardTurn(1, "Cleo", everybody_but("Ada")),
        HeardTurn(3, "Cleo", everybody_but("Ben")),
        HeardTurn(5, "Cleo", everybody_but()),
    ]
    stated = [one.content for one in sincere(readings, turns) if one.act is Act.STATE]
    assert stated == ["pay by card", "pay by transfer"]


def test_what_is_said_to_others_than_that_one_is_meant() -> None:
    readings = (confides(1, "pay in cash"), says(1, "pay by card"), says(3, "pay in cash"))
    turns = [HeardTurn(1, "Cleo", everybody_but("Ada")), HeardTurn(3, "Cleo", everybody_but("Ada"))]
    assert list(readings) == sincere(readings, turns)


def test_another_value_than_the_one_that_was_to_be_heard_is_meant() -> None:
    readings = (confides(1, "pay in cash"), says(1, "pay by card"), says(3, "pay by transfer"))
    turns = [HeardTurn(1, "Cleo", everybody_but("Ada")), HeardTurn(3, "Cleo", everybody_but("Ben"))]
    assert list(readings) == sincere(readings, turns)


def test_where_it_was_not_named_the_first_that_is_said_to_that_one_is_untrue() -> None:
    readings = (confides(1, ""), says(1, "pay by card"), says(3, "pay in cash"), says(5, "pay by transfer"))
    turns = [
        HeardTurn(1, "Cleo", everybody_but("Ada")),
        HeardTurn(3, "Cleo", everybody_but("Ben")),
        HeardTurn(5, "Cleo", everybody_but("Ben")),
    ]
    stated = [one.content for one in sincere(readings, turns) if one.act is Act.STATE]
    assert stated == ["pay by card", "pay by transfer"]
