"""When minds changed, asked of short dialogues in which minds come apart.

At the few turns of such a dialogue minds change far more often at some than at others, at which ones depending on how
early it comes to the point. Changes are asked about, and wrong turns drawn beside them, so that of any turns on offer
each is right as often as the others, whenever the dialogue came to the point (`few_turns`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from dtomtrack.beliefs.dialogue import BeliefRecord
from dtomtrack.beliefs.question import Asks
from dtomtrack.beliefs.questions.few_turns import FewTurns, few_turns, none_on_offer
from dtomtrack.beliefs.questions.source import QuestionSource
from dtomtrack.beliefs.questions.spec import QuestionSpec
from dtomtrack.beliefs.questions.when import is_learnt, is_plain, turn_options, when
from dtomtrack.beliefs.questions.wrong_turns import by_part, wrong_turns_of_few
from dtomtrack.beliefs.scenario import FIRST_UPDATE_TURN, MentalState
from dtomtrack.beliefs.tracker import StateKey

__all__ = ["about_few_turns"]

_ON_OFFER = 4
_PLAIN_SHARE = 0.7
"""Of the changes that a marker gives away, since the agent said no other, those that may be asked about."""
_STABLE_SHARE = 0.4
"""Of the dialogues with a state that never changed, those in which it is asked when it did; but of knowledge, of which
some packs have much that never changes and little that does."""
_ASKS: Mapping[Asks, int] = {"first_change": 0, "last_change": -1}


def about_few_turns(
    source: QuestionSource, changed: Mapping[StateKey, Sequence[BeliefRecord]], stable: Sequence[StateKey]
) -> Iterator[QuestionSpec]:
    """When the states changed that did, and one of those that did not."""
    start = min(source.tracker.history(key)[0].source_turn for key in source.tracker.states())
    for key, changes in changed.items():
        asks = source.rng.choice(list(_ASKS))
        if asks == "first_change" and len(changes) > 1 and is_learnt(source, changes[0]):
            continue
        update = changes[_ASKS[asks]]
        turn = update.source_turn
        few = few_turns(start, update.mental_state, asks)
        plain = is_plain(source, key.holder, turn)
        if source.rng.random() >= _weights(source, few.asked)[turn] * (_PLAIN_SHARE if plain else 1.0):
            continue
        or_none = source.rng.random() < none_on_offer(update.mental_state)
        others = _wrong(source, few, _ON_OFFER - 1 - or_none, turn)
        yield from when(source, key, asks, update, changes, turn_options(source, key, turn, others, or_none=or_none))
    states = {key: source.tracker.history(key)[0].mental_state for key in stable}
    never = [key for key, state in states.items() if state is not MentalState.KNOWLEDGE]
    if never and source.rng.random() < _STABLE_SHARE:
        key, asks = source.rng.choice(never), source.rng.choice(list(_ASKS))
        few = few_turns(start, states[key], asks)
        turns = _wrong(source, few, _ON_OFFER - 1)
        yield from when(source, key, asks, None, (), turn_options(source, key, None, turns))


def _weights(source: QuestionSource, parts: Sequence[float]) -> dict[int, float]:
    """The weight of each turn at which a mind can change."""
    every = FIRST_UPDATE_TURN, source.tracker.last_turn
    return by_part(dict.fromkeys(range(every[0], every[1] + 1), 1.0), every, parts)


def _wrong(source: QuestionSource, few: FewTurns, count: int, right: int | None = None) -> list[int]:
    """So many wrong turns, which with the right one, if there is one, are one of the sets that may be on offer."""
    weights = _weights(source, few.sets[count + (right is not None)])
    return wrong_turns_of_few({turn: own for turn, own in weights.items() if turn != right}, count, source.rng)
