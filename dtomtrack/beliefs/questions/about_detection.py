"""When minds changed, asked where they come apart over many turns: neither the options nor markers are to tell.

Wrong turns lie where minds change in dialogues of that length, so that right and wrong ones come from the same draw.
What never changed is asked about as something that did is: in its words, behind its first word, at about its turn.
That nothing changed is on offer in as many questions as make it right in a quarter of them: where too few states never
change, some questions offer four turns.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil

from dtomtrack.beliefs.dialogue import BeliefRecord
from dtomtrack.beliefs.question import Asks
from dtomtrack.beliefs.questions.source import QuestionSource
from dtomtrack.beliefs.questions.spec import QuestionSpec
from dtomtrack.beliefs.questions.typical_turns import (
    typical_moments,
    typical_of_side,
    typical_places,
    typical_turns,
)
from dtomtrack.beliefs.questions.when import (
    NO_CHANGE_SHARE,
    eligible_turns,
    is_learnt,
    is_plain,
    side_of,
    turn_options,
    when,
)
from dtomtrack.beliefs.questions.wrong_turns import by_part, wrong_turns
from dtomtrack.beliefs.scenario import FIRST_UPDATE_TURN
from dtomtrack.beliefs.tracker import StateKey

__all__ = ["about_detection"]

_TURNS_ON_OFFER = 3
_PLAIN_SHARE = 0.1
"""Of the changes that a marker gives away, since the agent said no other, those that are asked about."""
_FOREMOST_SHARE = 0.5
"""Of first changes at the agent's first marker, and of last ones at the last, those that are asked about in fewer turns
than are many: of few markers that is likelier the right one, and who looks for markers is to do no better there."""
_MANY = 40
"""Turns from which on an agent says many markers."""
_EITHER_WAY = 0.3
"""What each of several changes weighs beside the share of turns before or behind it, so that none is left out."""
_SIGNALLED, _OF_OTHERS = 16.0, 0.02
"""How much likelier than others nearby turns with a marker are to be on offer; and turns of somebody else."""
_MARKED_WEIGHT = 0.4
"""How much less often the first or last of several changes is asked for if it has a marker and the other has none."""

_DRAWS = 3
"""Sets of wrong turns of which one is chosen, so that the right one stands at each place as often as at the others."""
_SETTLING = 2
"""Turns behind the first word in which hardly anybody changes their mind."""
Changes = Mapping[StateKey, Sequence[BeliefRecord]]


def about_detection(source: QuestionSource, changed: Changes, stable: Sequence[StateKey]) -> Iterator[QuestionSpec]:
    """When the states changed that did, and those that did not."""
    asked = [one for key in changed if (one := _change(source, key, changed[key])) is not None]
    number = NO_CHANGE_SHARE * len(asked)
    wanted = int(number) + (source.rng.random() < number % 1)
    offered = len(asked) if len(stable) >= ceil(number) else round(len(stable) / NO_CHANGE_SHARE)
    offering = set(source.rng.sample(range(len(asked)), min(offered, len(asked))))
    for place, (key, asks, update) in enumerate(asked):
        turn, or_none = update.source_turn, place in offering
        others = _others(source, key, _Place(asks, _first_word(source, key), turn), _TURNS_ON_OFFER - or_none)
        options = turn_options(source, key, turn, others, or_none=or_none)
        yield from when(source, key, asks, update, changed[key], options)
    like = [_Place(asks, _first_word(source, key), update.source_turn) for key, asks, update in asked]
    for key, imitated in _unchanged(source, stable, like, min(len(stable), wanted)):
        turns = [imitated.turn, *_others(source, key, imitated, _TURNS_ON_OFFER - 1)]
        yield from when(source, key, imitated.asks, None, (), turn_options(source, key, None, turns))


@dataclass(frozen=True)
class _Place:
    """Where a change that is asked about stands, and behind which turn it could have stood elsewhere."""

    asks: Asks
    begun: int
    turn: int


def _unchanged(
    source: QuestionSource, stable: Sequence[StateKey], like: Sequence[_Place], number: int
) -> Iterator[tuple[StateKey, _Place]]:
    """So many states that never changed, each asked about as one that did: in its words, and at about its turns.

    What never changes is mostly first voiced later, and late turns on offer would tell that nothing changed.
    """
    own = {key: turns for key in source.rng.sample(stable, len(stable)) if (turns := _could_change(source, key))}
    for _ in range(min(number, len(own))):
        place = source.rng.choice(like)
        key = min(own, key=lambda one: abs(_first_word(source, one) - place.begun))
        turn = min(own.pop(key), key=lambda turn: abs(turn - place.turn))
        yield key, _Place(place.asks, _first_word(source, key), turn)


def _could_change(source: QuestionSource, key: StateKey) -> list[int]:
    """The turns of its holder, in any order, at which a state could have changed: behind where it was first voiced.

    None where that was so late that not enough turns are left to be on offer.
    """
    first = _first_word(source, key) + _SETTLING
    if source.turns - first < _TURNS_ON_OFFER:
        return []
    turns = [turn for turn in eligible_turns(source, key.holder) if turn >= first]
    source.rng.shuffle(turns)
    return turns


def _first_word(source: QuestionSource, key: StateKey) -> int:
    return source.tracker.history(key)[0].source_turn


_PLACES: Mapping[Asks, int] = {"first_change": 0, "last_change": -1}


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
    return {asks: one / whole * _kept(source, asks, _update(changes, asks)) for asks, one in worth.items()}


def _shares(source: QuestionSource, changes: Sequence[BeliefRecord]) -> dict[Asks, float]:
    """The share of the agent's turns before the first change, and of those behind the last."""
    first, last = changes[0].source_turn, changes[-1].source_turn
    own = [one for one in eligible_turns(source, changes[0].holder) if one not in {first, last}]
    turns, beside = max(1, len(own)), _EITHER_WAY if len(changes) > 1 else 0.0
    earlier = sum(one < first for one in own) / turns
    later = sum(one > last for one in own) / turns if own else 1.0
    if len(changes) > 1 and is_learnt(source, changes[0]):
        return {"first_change": 0.0, "last_change": later + beside}
    return {"first_change": earlier + beside, "last_change": later + beside}


def _worth(source: QuestionSource, update: BeliefRecord) -> float:
    return _MARKED_WEIGHT if update.source_turn in source.signalled else 1.0


def _kept(source: QuestionSource, asks: Asks, update: BeliefRecord) -> float:
    """Of changes like this one, the share that may be asked about."""
    if is_plain(source, update.holder, update.source_turn):
        return _PLAIN_SHARE
    is_foremost = update.source_turn == _foremost(source, update.holder, asks)
    return _FOREMOST_SHARE if is_foremost and source.turns < _MANY else 1.0


def _foremost(source: QuestionSource, holder: str, asks: Asks) -> int | None:
    """The first turn in which somebody said a marker, or the last, whichever is asked for; None if there is none."""
    marked = source.signalled.intersection(eligible_turns(source, holder))
    return (min if asks == "first_change" else max)(marked, default=None)


def _others(source: QuestionSource, key: StateKey, place: _Place, count: int) -> list[int]:
    """So many other turns at which the mind might as well have changed."""
    weights = _weights(source, key, place)
    way = place.begun + _SETTLING, source.tracker.last_turn
    typical = typical_turns(source.turns, count, place.asks)
    places = typical_places(source.turns, side_of(source, key), count, place.asks)
    draws = [wrong_turns(weights, way, typical, count, source.rng) for _ in range(_DRAWS if places else 1)]
    worth = [places[sum(turn < place.turn for turn in drawn)] if places else 1.0 for drawn in draws]
    return source.rng.choices(draws, worth)[0]


def _weights(source: QuestionSource, key: StateKey, place: _Place) -> dict[int, float]:
    """The other turns behind the first word: the holder's own mostly, with markers rather, where such minds change."""
    last, own = source.tracker.last_turn, set(eligible_turns(source, key.holder))
    prior = {
        turn: (_SIGNALLED if turn in source.signalled else 1.0) if turn in own else _OF_OTHERS
        for turn in range(max(place.begun + _SETTLING, FIRST_UPDATE_TURN), last + 1)
        if turn != place.turn
    }
    state = source.tracker.history(key)[0].mental_state
    moments = typical_moments(source.turns, state, place.asks)
    of_side = typical_of_side(source.turns, side_of(source, key), place.asks)
    every = FIRST_UPDATE_TURN, last
    return by_part(by_part(prior, every, moments), every, of_side)
