"""What each way of coming apart takes: said before anything is made, with the dials by which it can be had."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from dtomtrack.beliefs.divergence import Way
from dtomtrack.errors import InputError
from dtomtrack.scenarios.difficulty import PRESETS, Difficulty
from dtomtrack.scenarios.room_rules import least_turns

__all__ = ["check_ways"]

_OF_A_CHANGE = frozenset({Way.ABSENCE, Way.ASIDE, Way.NOTE, Way.UNTRUTH, Way.HEARSAY})
"""Ways in which somebody is left behind by a change of mind."""
_OF_THREE = frozenset({Way.HEARSAY, Way.MISATTRIBUTION})
"""Ways that passers-by, who hold nothing, are not enough for."""
_TURNS_FOR_HEARSAY = 24
"""Turns that it takes to miss something, to come back, and to be told it wrong once it is no longer fresh."""
_TURNS_TO_FORGET = 14
"""Turns that it takes to forget from whom one has what, where there are more than two topics or no other way."""
_SOME = 0.38
"""The share of dialogues to which somebody comes late in all presets that have it."""


class _Need(NamedTuple):
    """What a way takes that a difficulty lacks, and the dial by which it has it."""

    what: str
    dial: str
    value: object
    shown: str


def check_ways(difficulty: Difficulty, turns: int) -> None:
    """See that minds can come apart in each way that is asked for.

    Of a preset's own ways some may be out of reach, as long as there is more left than what two alone can presume.

    Raises:
        InputError: a way that can't be had, what it takes, and the nearest dials that can be met.
    """
    given = difficulty.model_copy(update={"turns": turns})
    needs = {way: need for way in given.ways if (need := _lacking(given, way))}
    possible = [way for way in given.ways if way not in needs]
    is_own = set(given.ways) == set(PRESETS[given.preset].ways)
    if not needs or (is_own and not {*possible} <= {Way.PRESUMPTION}):
        return
    first = next(iter(needs.values()))
    ways = [way for way, need in needs.items() if need.what == first.what]
    takes = "which takes" if len(ways) == 1 else "each of which takes"
    raise InputError(
        f"apart has {', '.join(ways)}, {takes} {first.what}: ask for {' and '.join(_mends(given))}, or for "
        f"apart={','.join(_left(given, possible))}"
    )


def _lacking(difficulty: Difficulty, way: Way) -> _Need | None:
    """The first thing that a way takes and a difficulty lacks."""
    return None if way is Way.PRESUMPTION else next(_needs(difficulty, way), None)


def _needs(difficulty: Difficulty, way: Way) -> Iterator[_Need]:
    most, takes_part = difficulty.participants[1], not _OF_THREE.isdisjoint(difficulty.ways)
    if most + difficulty.passers_by < 3:
        dial = ("participants", (3, 3), "3") if takes_part else ("passers_by", 1, "1")
        yield _Need("three people, and there are two", *dial)
    if way is Way.MISATTRIBUTION:
        yield from _of_misattribution(difficulty)
    if way in _OF_A_CHANGE and not difficulty.revisions[1]:
        yield _Need("a change of mind", "revisions", (0, 1), "0-1")
    if way is Way.LATE_JOINER:
        yield from _of_late_joiners(difficulty)
    if way is Way.HEARSAY:
        yield from _of_hearsay(difficulty)


def _of_misattribution(difficulty: Difficulty) -> Iterator[_Need]:
    if difficulty.participants[1] < 3:
        yield _Need("three people who may hold something", "participants", (3, 3), "3")
    if difficulty.holders[1] < 2:
        yield _Need("two who hold something on one topic", "holders", (1, 2), "1-2")
    few = difficulty.topics is not None and difficulty.topics[0] <= 2 and len(difficulty.ways) > 1
    if difficulty.turns < _TURNS_TO_FORGET and not few:
        yield _Need(f"{_TURNS_TO_FORGET} turns", "turns", _TURNS_TO_FORGET, str(_TURNS_TO_FORGET))


def _of_late_joiners(difficulty: Difficulty) -> Iterator[_Need]:
    if not difficulty.late_share:
        yield _Need("a late_share above 0", "late_share", _SOME, str(_SOME))
    if {*difficulty.ways} <= {Way.LATE_JOINER, Way.MISATTRIBUTION}:
        yield _with_absence("a way beside it in which somebody is wrong, not only ignorant", difficulty)


def _of_hearsay(difficulty: Difficulty) -> Iterator[_Need]:
    if difficulty.participants[1] < 3:
        yield _Need("three people who may hold something", "participants", (3, 3), "3")
    if Way.ABSENCE not in difficulty.ways:
        yield _with_absence("somebody who was away and missed it", difficulty)
    if difficulty.turns < _TURNS_FOR_HEARSAY:
        yield _Need(f"{_TURNS_FOR_HEARSAY} turns", "turns", _TURNS_FOR_HEARSAY, str(_TURNS_FOR_HEARSAY))


def _with_absence(what: str, difficulty: Difficulty) -> _Need:
    ways = dict.fromkeys((Way.ABSENCE, *difficulty.ways), 1.0)
    return _Need(what, "apart", ways, ",".join(ways))


def _mends(difficulty: Difficulty) -> Sequence[str]:
    """The dials to set, as they are given, so that all ways can be had, in turns that have room for the rest, too."""
    mends: dict[str, str] = {}
    while need := next(filter(None, (_lacking(difficulty, way) for way in difficulty.ways)), None):
        difficulty = difficulty.model_copy(update={need.dial: need.value})
        mends[need.dial] = need.shown
    turns = least_turns(difficulty, difficulty.turns)
    if turns is not None and turns > difficulty.turns:
        mends["turns"] = str(turns)
    return [f"{dial}={shown}" for dial, shown in mends.items()]


def _left(difficulty: Difficulty, possible: Sequence[Way]) -> Sequence[Way]:
    """Of the ways that can be had, those that still can without the others; a presumption always can."""
    alone = difficulty.model_copy(update={"apart": dict.fromkeys(possible, 1.0)})
    return [way for way in possible if not _lacking(alone, way)] or [Way.PRESUMPTION]
