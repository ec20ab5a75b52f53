"""Claims about others: what a speaker has heard otherwise is found, whoever wrote the dialogue."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from dtomtrack.beliefs.reading import Act, Reading
from dtomtrack.beliefs.transcript import Event, Happening, Line, Transcript, transcript_of
from dtomtrack.graphs.context import RoleplayContext
from dtomtrack.graphs.roleplay import Attempt, play
from dtomtrack.scenarios.difficulty import preset
from dtomtrack.scenarios.domain import Domain
from dtomtrack.verifiers.claims import ClaimRules, false_claims, repeated_untruths
from dtomtrack.verifiers.overheard import OverheardMinds, untruths
from dtomtrack.verifiers.verifier import ReviewedAttempt

NAMES = ("Ada", "Ben", "Cleo")
NOTHING = {"key": "nothing about the key"}


def said(turn: int, speaker: str, act: Act, holder: str, content: str, topic: str = "key") -> Reading:
    return Reading(turn, speaker, act, holder, topic, content)


def talk(*turns: tuple[str, ...], events: tuple[Event, ...] = ()) -> Transcript:
    """Turns by who speaks, and for whom alone; with nobody behind the speaker, for everybody who is there."""
    lines: list[Event | Line] = [
        Line(turn, names[0], "...", names if names[1:] else ()) for turn, names in enumerate(turns)
    ]
    order = sorted([*lines, *events], key=lambda one: (one.turn, isinstance(one, Line)))
    return Transcript(NAMES, tuple(order))


def claims(readings: list[Reading], transcript: Transcript) -> list[str]:
    return list(false_claims(OverheardMinds(readings, transcript), NOTHING))


def untruths_repeated(readings: list[Reading], transcript: Transcript) -> list[str]:
    return list(repeated_untruths(OverheardMinds(readings, transcript)))


VOICED = said(0, "Ben", Act.STATE, "Ben", "in the drawer")


@pytest.mark.parametrize(("content", "count"), [("in the drawer", 0), ("in the piano", 1)])
def test_what_is_taken_for_granted_is_what_was_heard(content: str, count: int) -> None:
    presumed = said(1, "Ada", Act.PRESUME, "Ben", content)
    assert len(claims([VOICED, presumed], talk(("Ben",), ("Ada",)))) == count


def test_who_was_told_otherwise_may_well_take_that_for_granted() -> None:
    told = said(1, "Cleo", Act.TELL, "Ben", "in the piano")
    presumed = said(2, "Ada", Act.PRESUME, "Ben", "in the piano")
    late = Event(0, Happening.LATE, "Ada"), Event(1, Happening.JOINS, "Ada")
    assert claims([VOICED, told, presumed], talk(("Ben",), ("Cleo",), ("Ada",), events=late)) == []


def test_who_heard_somebody_name_a_fact_does_not_know_nothing_of_it() -> None:
    ignorant = said(1, "Cleo", Act.STATE, "Cleo", NOTHING["key"])
    assert claims([VOICED, ignorant], talk(("Ben",), ("Cleo",))) == ["turn 1: Cleo has heard at turn 0: in the drawer"]
    assert claims([VOICED, ignorant], talk(("Ben", "Ada"), ("Cleo",))) == []


def test_nobody_says_that_another_knows_nothing_who_was_there_beside_them() -> None:
    presumed = said(1, "Ada", Act.PRESUME, "Cleo", NOTHING["key"])
    assert len(claims([VOICED, presumed], talk(("Ben",), ("Ada",)))) == 1
    assert claims([VOICED, presumed], talk(("Ben", "Cleo"), ("Ada",))) == []


FIB = (
    Reading(0, "Ada", Act.CONFIDE, "Ada", "key", "in the drawer", kept_from="Cleo"),
    said(0, "Ada", Act.STATE, "Ada", "in the piano"),
    said(1, "Ada", Act.STATE, "Ada", "in the drawer"),
)
"""Ada lets Ben in on it that Cleo will hear of the drawer, and Cleo does."""
ASIDES = ("Ada", "Ben"), ("Ada", "Cleo")


@pytest.mark.parametrize("act", [Act.TELL, Act.PRESUME])
def test_an_untruth_comes_back_to_nobody_who_was_let_in_on_it(act: Act) -> None:
    again = said(2, "Cleo", act, "Ada", "in the drawer")
    knows = "turn 2: Ben knows that what Ada said at turn 1 was not so"
    assert untruths_repeated([*FIB, again], talk(*ASIDES, ("Cleo",))) == [knows]
    assert untruths_repeated([*FIB, again], talk(*ASIDES, ("Cleo", "Ben"))) == [knows]
    assert untruths_repeated([*FIB, again], talk(*ASIDES, ("Cleo", "Ada"))) == []


def test_what_was_garbled_on_the_way_is_still_the_untruth_and_what_is_so_by_now_is_not() -> None:
    garbled = said(2, "Cleo", Act.TELL, "Ada", "in the cellar")
    assert len(untruths_repeated([*FIB, garbled], talk(*ASIDES, ("Cleo",)))) == 1
    changed, told = said(2, "Ada", Act.STATE, "Ada", "in the cellar"), said(3, "Cleo", Act.TELL, "Ada", "in the cellar")
    assert untruths_repeated([*FIB, changed, told], talk(*ASIDES, ("Ada",), ("Cleo",))) == []


async def test_a_dialogue_in_which_an_untruth_comes_back_is_rejected(domains: dict[str, Domain]) -> None:
    context = RoleplayContext({"team": domains["team"]}, verifiers=(), difficulty=preset("hard"))
    found = 0
    for index in range(6):
        given: Attempt = {"domains": ["team"], "seed": 0, "index": index, "attempt": 0, "length": 60}
        attempt = await play(context, given)
        for repeated in _repeated(attempt):
            found += 1
            readings = tuple(sorted((*attempt.readings, repeated), key=lambda one: one.turn))
            rejected = await ClaimRules().verify(replace(attempt, readings=readings))
            assert rejected.dialogue is None
            assert rejected.rejections[0].stage == "claim_verification"
    assert found


def _repeated(attempt: ReviewedAttempt) -> Iterator[Reading]:
    """Untruths, told before those who know better by who was misled, when they next speak, if they still are."""
    assert attempt.dialogue is not None
    turns = transcript_of(attempt.dialogue.turns, attempt.dialogue.scenario).heard()
    for one in untruths(attempt.readings, turns):
        fib = one.reading
        misled = turns[fib.turn].hearers - one.known_to - {fib.holder}
        own = (r.turn for r in attempt.readings if (r.holder, r.topic, r.act) == (fib.holder, fib.topic, Act.STATE))
        following = turns[fib.turn + 1 : min((turn for turn in own if turn > fib.turn), default=fib.turn + 4)]
        for turn in (turn for turn in following if turn.speaker in misled and turn.hearers & one.known_to):
            yield Reading(turn.turn, turn.speaker, Act.TELL, fib.holder, fib.topic, fib.content)


async def test_such_a_dialogue_is_rejected(domains: dict[str, Domain]) -> None:
    context = RoleplayContext({"team": domains["team"]}, verifiers=(), difficulty=preset("group"))
    given: Attempt = {"domains": ["team"], "seed": 0, "index": 0, "attempt": 0, "length": 24}
    attempt = await play(context, given)
    assert attempt.dialogue is not None
    assert attempt.dialogue.scenario.divergences
    assert await ClaimRules().verify(attempt) == attempt
    last = len(attempt.dialogue.turns) - 1
    speaker = attempt.dialogue.turns[last].speaker
    others = [name for name in attempt.dialogue.scenario.names if name != speaker]
    stated = [one for one in attempt.readings if one.act is Act.STATE and one.holder in others]
    topic, holder = stated[0].topic, stated[0].holder
    false = Reading(last, speaker, Act.PRESUME, holder, topic, "something else entirely")
    rejected = await ClaimRules().verify(replace(attempt, readings=(*attempt.readings, false)))
    assert rejected.dialogue is None
    assert rejected.rejections[0].stage == "claim_verification"
