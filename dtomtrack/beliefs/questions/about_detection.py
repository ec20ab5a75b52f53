"""When minds changed, asked where they come apart: neither the options nor markers are to tell.

Wrong turns lie where other minds of the dialogue changed, so that right and wrong ones come from the same draw. That
nothing changed is on offer in as many questions as make it right in a quarter of them: where too few states never
change, some questions offer four turns.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import ceil

from dtomtrack.beliefs.dialogue import BeliefRecord
from dtomtrack.beliefs.question import Asks
from dtomtrack.beliefs.questions.distractors import NotEnoughOptions, turn_distractors
from dtomtrack.beliefs.questions.source import QuestionSource
from dtomtrack.beliefs.questions.spec import Option, QuestionSpec
from dtomtrack.beliefs.questions.when import NO_CHANGE_SHARE, eligible_turns, when
from dtomtrack.beliefs.questions.wrong_turns import wrong_turns
from dtomtrack.beliefs.scenario import FIRST_UPDATE_TURN
from dtomtrack.beliefs.tracker import StateKey

__all__ = ["about_detection"]

_TURNS_ON_OFFER = 3
_PLAIN_SHARE = 0.1
"""Of the changes that a marker gives away, since the agent said no other, those that are asked about."""
_EITHER_WAY = 0.3
"""What each of several changes weighs beside the share of turns before or behind it, so that none is left out."""
_SIGNALLED, _OF_OTHERS = 16.0, 0.02
"""How much likelier than others nearby turns with a marker are to be on offer, and turns of somebody else."""
_OWN_WEIGHT = 0.5
"""What the share of the way at which the state itself changed weighs beside those at which others did."""
_MARKED_WEIGHT = 0.4
"""How much less often the first or last of several changes is asked for if it has a marker and the other has none."""

_SETTLING, _HARDLY = 2, 0.25
_FAREWELLS, _SELDOM = 2, 0.5
"""Turns behind the first word and before the end in which fewer change their minds than in others, and their weight."""

Changes = Mapping[StateKey, Sequence[BeliefRecord]]


def about_detection(source: QuestionSource, changed: Changes, stable: Sequence[StateKey]) -> Iterator[QuestionSpec]:
    """When the states changed that did, and those that did not."""
    asked = [one for key in changed if (one := _change(source, key, changed[key])) is not None]
    number = NO_CHANGE_SHARE * len(asked)
    wanted = int(number) + (source.rng.random() < number % 1)
    offered = len(asked) if len(stable) >= ceil(number) else round(len(stable) / NO_CHANGE_SHARE)
    offering = set(source.rng.sample(range(len(asked)), min(offered, len(asked))))
    for place, (key, asks, update) in enumerate(asked):
        wrong = _wrong(source, key, asks, update.source_turn, changed, or_none=place in offering)
        yield from when(source, key, asks, update, changed[key], wrong)
    for key in source.rng.sample(stable, min(len(stable), wanted)):
        asks = source.rng.choice(_ASKS)
        yield from when(source, key, asks, None, (), _wrong(source, key, asks, None, changed))


_PLACES: Mapping[Asks, int] = {"first_change": 0, "last_change": -1}
_ASKS = tuple(_PLACES)


def _change(
    source: QuestionSource, key: StateKey, changes: Sequence[BeliefRecord]
) -> tuple[StateKey, Asks, BeliefRecord] | None:
    """The first or last change of a state; None where a marker would give it away too often."""
    chances = _chances(source, changes)
    drawn = source.rng.random()
    for asks, chance in chances.items():
        if drawn < chance:
            return key, asks, _update(changes, asks)
        drawn -= chance
    return None


def _update(changes: Sequence[BeliefRecord], asks: Asks) -> BeliefRecord:
    return changes[_PLACES[asks]]


def _chances(source: QuestionSource, changes: Sequence[BeliefRecord]) -> dict[Asks, float]:
    """How likely a state is to be asked about by its first and by its last change.

    The first of several is early and the last late, and neither wording is to tell where its answer stands: so a
    change is asked for as a first one the more often the later it is, as a last one the earlier it is.
    """
    worth = {asks: share * _worth(source, _update(changes, asks)) for asks, share in _shares(source, changes).items()}
    whole = sum(worth.values())
    return {asks: one / whole * _kept(source, _update(changes, asks)) for asks, one in worth.items()}


def _shares(source: QuestionSource, changes: Sequence[BeliefRecord]) -> dict[Asks, float]:
    """The share of the agent's turns before the first change, and of those behind the last."""
    first, last = changes[0].source_turn, changes[-1].source_turn
    own = [one for one in eligible_turns(source, changes[0].holder) if one not in {first, last}]
    turns, beside = max(1, len(own)), _EITHER_WAY if len(changes) > 1 else 0.0
    earlier = sum(one < first for one in own) / turns
    later = sum(one > last for one in own) / turns if own else 1.0
    if len(changes) > 1 and _is_learnt(source, changes[0]):
        return {"first_change": 0.0, "last_change": later + beside}
    return {"first_change": earlier + beside, "last_change": later + beside}


def _is_learnt(source: QuestionSource, change: BeliefRecord) -> bool:
    """Whether somebody knew nothing before: some would call only the next change their first."""
    return change.prior_content == source.topics[change.topic].ignorance


def _worth(source: QuestionSource, update: BeliefRecord) -> float:
    return _MARKED_WEIGHT if update.source_turn in source.signalled else 1.0


def _kept(source: QuestionSource, update: BeliefRecord) -> float:
    """Of changes like this one, the share that may be asked about."""
    return _PLAIN_SHARE if _is_plain(source, update.holder, update.source_turn) else 1.0


def _is_plain(source: QuestionSource, holder: str, turn: int) -> bool:
    """Whether a turn is the only one in which somebody said a marker."""
    signalled = source.signalled
    return signalled.intersection(eligible_turns(source, holder)) == {turn}


def _wrong(
    source: QuestionSource, key: StateKey, asks: Asks, gold: int | None, changed: Changes, *, or_none: bool = True
) -> tuple[Option, ...] | None:
    """Other turns at which the mind might as well have changed; None if the dialogue is too short."""
    likely = _likely(source, key, asks, gold, changed)
    others = [turn for turn in range(1, source.turns) if turn not in likely]
    try:
        return turn_distractors(source.topics[key.topic], gold, likely, others, source.rng, or_none=or_none)
    except NotEnoughOptions:
        return None


def _likely(source: QuestionSource, key: StateKey, asks: Asks, gold: int | None, changed: Changes) -> list[int]:
    """Turns behind the first word on it, mostly the agent's own and turns with a marker."""
    voiced, last = source.tracker.history(key)[0].source_turn, source.tracker.last_turn
    own = set(eligible_turns(source, key.holder))
    soon = max(voiced + _SETTLING, FIRST_UPDATE_TURN + _SETTLING - 1)
    prior = {
        turn: (1.0 if turn in own else _OF_OTHERS)
        * (_SIGNALLED if turn in source.signalled else 1.0)
        * (_HARDLY if turn <= soon else _SELDOM if turn > last - _FAREWELLS else 1.0)
        for turn in range(max(voiced + 1, FIRST_UPDATE_TURN), last + 1)
        if turn != gold
    }
    shares, tilt = _shares_of_ways(source, key, asks, changed), 1 if asks == "last_change" else -1
    return wrong_turns(prior, (voiced, last), shares, _TURNS_ON_OFFER, source.rng, tilt)


def _shares_of_ways(source: QuestionSource, key: StateKey, asks: Asks, changed: Changes) -> list[tuple[float, float]]:
    """How far from its first expression to the end each state changed for the first, or the last time.

    Each with how likely that state is to be asked about so: turns on offer are to lie as right ones do. The state that
    is asked about is among them, with less weight: about the shares of others alone, wrong turns lie together, and the
    right one beside them.
    """
    shares = []
    for other, changes in changed.items():
        voiced = source.tracker.history(other)[0].source_turn
        if weight := _chances(source, changes)[asks]:
            way = max(1, source.tracker.last_turn - voiced)
            share = (_update(changes, asks).source_turn - voiced) / way
            shares.append((share, weight * (_OWN_WEIGHT if other == key else 1)))
    return shares
