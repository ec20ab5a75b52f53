"""Questions about when somebody who missed a change came to know of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from dtomtrack.beliefs.dialogue import BeliefRecord
from dtomtrack.beliefs.question import OptionRole, QuestionType
from dtomtrack.beliefs.questions.moments import Moment
from dtomtrack.beliefs.questions.source import QuestionSource
from dtomtrack.beliefs.questions.spec import Option, QuestionSpec, at_turn

__all__ = ["FAREWELLS", "SELDOM", "about_learning", "part_of"]

_TURNS_A_QUESTION = 12
_SHOWN_TURNS = 3
_NEVER_A_LEARNT = 1 / 3
"""Questions on learning whose answer is that it never happened, for each of the others that offer it: as many as have
any option."""
_NEAR = 8
"""Of a dialogue, the part within which two changes were about the same time."""
_SOON, _PARTS, _LAST_PART = 2, 30, 11
"""Nobody who goes out is back sooner; equal parts of a dialogue, in which delays from there on are counted; and that
from which on they are not told apart."""
_TYPICAL_DELAYS = {
    0: (0.95, 0.24, 0.48, 1.74, 1.92, 0.78, 2.77, 1.69, 0.46, 0.14, 0.1, 0.06),
    40: (0.88, 0.47, 1.73, 2.98, 2.37, 1.82, 0.94, 0.44, 0.2, 0.09, 0.05, 0.04),
    150: (0.99, 1.41, 2.42, 2.29, 1.6, 0.77, 0.47, 0.23, 0.14, 0.1, 0.08, 0.02),
}
"""By the least turns of a dialogue, weights with which wrong turns lie as far behind a change as right ones do: at
once, then part by part; fitted to 2,500 dialogues of `group`, 500 of `hard` and 1,000 of `extreme`
(`benchmarks/learning_delays.py`)."""
FAREWELLS, SELDOM = 2, 0.3
"""Turns at the end in which hardly anybody learns anything, and their weight."""
Missed = tuple[BeliefRecord, str, int | None]
"""A change, who else was there to know of it, and the first turn at which they do, if any."""


def about_learning(source: QuestionSource) -> Iterator[QuestionSpec]:
    """When somebody who missed a change came to know of it: at a later turn, or, of some for each of those, never.

    That it never happened is on offer only where it could be the answer as often.
    """
    wanted = max(1, source.turns // _TURNS_A_QUESTION)
    missed = [
        (new, name, _learnt(source, new, name))
        for _, new in source.changes
        for name in source.tracker.names
        if name != new.holder and source.usable(new)
    ]
    missed = source.lags.ordered(missed, lambda one: source.tracker.last_turn - one[0].source_turn)
    never = [one for one in missed if one[2] is None]
    late = [one for one in missed if one[2] is not None and one[2] > one[0].source_turn]
    for specs in islice(_asked(source, late, never), wanted):
        yield from specs


def _asked(source: QuestionSource, late: Sequence[Missed], never: list[Missed]) -> Iterator[tuple[QuestionSpec, ...]]:
    """Questions whose answer is a turn, each with one whose answer is never where that is asked, too.

    Somebody who misses a change shortly before the end hardly ever learns of it, and who misses one early does. So that
    the turn of a change tells nothing, never is on offer only where the other's change was about then.
    """
    for one in late:
        near = _never_near(source, never, one[0].source_turn)
        spec = _learnt_spec(source, *one, or_never=near is not None)
        if spec is None:
            continue
        if near is None or source.rng.random() >= _NEVER_A_LEARNT:
            yield (spec,)
        else:
            never.pop(0)
            yield spec, near


def _never_near(source: QuestionSource, never: list[Missed], turn: int) -> QuestionSpec | None:
    """A question on a change near a turn that somebody never learnt of, the first of these now; None if there is none.

    What can't be asked is taken away.
    """
    never.sort(key=lambda one: abs(one[0].source_turn - turn))
    while never and abs(never[0][0].source_turn - turn) <= max(1, source.turns // _NEAR):
        spec = _learnt_spec(source, *never[0], or_never=True)
        if spec is not None:
            return spec
        del never[0]
    return None


def _learnt(source: QuestionSource, new: BeliefRecord, name: str) -> int | None:
    """The first turn from a change on at which somebody is right about it; None if there is none."""
    for turn in range(new.source_turn, source.turns):
        picture = source.tracker.picture((name,), new.holder, new.topic, turn)
        if picture is not None and picture.content == new.content:
            return turn
    return None


def _learnt_spec(
    source: QuestionSource, new: BeliefRecord, name: str, turn: int | None, *, or_never: bool
) -> QuestionSpec | None:
    offers_never = turn is not None and or_never
    shown = _turns_on_offer(source, new, turn, _SHOWN_TURNS - offers_never)
    before = source.tracker.picture((name,), new.holder, new.topic, new.source_turn - 1)
    if shown is None or (before is not None and before.content == new.content):
        return None
    if _is_heard_of(source, new, name) if turn is None else not _is_word_of(source, new, name, turn):
        return None
    if _comes_too_late(source, new, name, source.turns if turn is None else turn):
        return None
    wrong = [Option(at_turn(one), OptionRole.OTHER_TURN) for one in shown]
    if offers_never:
        wrong.append(Option(at_turn(None), OptionRole.NO_CHANGE))
    record = new.model_copy(update={"holder": name, "about": new.holder, "order": 2})
    evidence = (new.source_turn,) if turn is None else tuple(sorted({new.source_turn, turn}))
    return QuestionSpec(
        type=QuestionType.INFORMATION_ACCESS,
        mental_state=new.mental_state,
        order=2,
        agent=name,
        about=new.holder,
        topic=new.topic,
        turn=new.source_turn,
        question=source.words(QuestionType.INFORMATION_ACCESS, "learnt", record, Moment(new.source_turn)),
        gold=Option(at_turn(turn), OptionRole.GOLD),
        distractors=tuple(wrong),
        evidence=evidence,
        factors=source.factors("learnt", new, new),
    )


def _is_word_of(source: QuestionSource, new: BeliefRecord, name: str, turn: int) -> bool:
    """Whether what reached somebody at a turn was word of this change while it was so, and not of another to the same.

    A guess is no word of it, nor what somebody else takes for granted: that may be a guess of theirs.
    """
    picture = source.tracker.picture((name,), new.holder, new.topic, turn)
    until = source.turns if new.superseded_at is None else new.superseded_at
    if picture is None or (picture.saying.presumed and picture.saying.speaker != name):
        return False
    return turn < until and new.source_turn <= picture.source_turn


def _is_heard_of(source: QuestionSource, new: BeliefRecord, name: str) -> bool:
    """Whether word of a later change of the same reaches somebody who missed this one: something changed, they know."""
    state = new.holder, new.topic
    later = {
        one.source_turn: one.content
        for _, one in source.changes
        if (one.holder, one.topic) == state and one.source_turn > new.source_turn
    }
    told = (
        one.turn
        for one in source.readings
        if (one.holder, one.topic) == state and one.turn > new.source_turn and one.content in later.values()
    )
    return any(source.reaches(name, turn) for turn in (*later, *told))


def _comes_too_late(source: QuestionSource, new: BeliefRecord, name: str, until: int) -> bool:
    """Whether word of a change reaches somebody who goes by something newer: nobody can say whether they learn it."""
    state = new.holder, new.topic, new.content
    told = (
        one.turn
        for one in source.readings
        if (one.holder, one.topic, one.content) == state and one.speaker != name and new.source_turn < one.turn < until
    )
    is_read = until == source.turns and source.reaches(name, new.source_turn)
    return is_read or any(source.hears(name, turn) for turn in told)


def _turns_on_offer(source: QuestionSource, new: BeliefRecord, gold: int | None, wanted: int) -> list[int] | None:
    """Wrong turns, all behind the change; they come about as the right one does."""
    others = [turn for turn in range(new.source_turn + 1, source.turns) if turn != gold]
    if len(others) < wanted:
        return None
    seldom = source.tracker.last_turn - FAREWELLS
    weights = {
        turn: _typical(turn - new.source_turn, source.turns) * (SELDOM if turn > seldom else 1.0) for turn in others
    }
    chosen: list[int] = []
    while len(chosen) < wanted:
        turn = source.rng.choices(list(weights), list(weights.values()))[0]
        del weights[turn]
        chosen.append(turn)
    return chosen


def _typical(delay: int, turns: int) -> float:
    """How likely it is that somebody learns of a change so many turns behind it."""
    return _TYPICAL_DELAYS[max(least for least in _TYPICAL_DELAYS if least <= turns)][part_of(delay, turns)]


def part_of(delay: int, turns: int) -> int:
    """Which of the parts so many turns behind a change are, in a dialogue of so many turns; the last has no end."""
    return min(_LAST_PART, 0 if delay < _SOON else 1 + (delay - _SOON) * _PARTS // turns)
