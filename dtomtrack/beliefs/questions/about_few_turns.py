"""When minds changed, asked of short dialogues in which minds come apart.

At the few turns of such a dialogue minds change far more often at some than at others. Changes are asked about, and
wrong turns drawn beside them, so that of any turns on offer each is right as often as the others (`few_turns`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from dtomtrack.beliefs.dialogue import BeliefRecord
from dtomtrack.beliefs.mental_state import MentalState, Trigger
from dtomtrack.beliefs.question import Asks
from dtomtrack.beliefs.questions.few_turns import FewTurns, Kind, few_turns, none_on_offer
from dtomtrack.beliefs.questions.source import QuestionSource
from dtomtrack.beliefs.questions.spec import QuestionSpec
from dtomtrack.beliefs.questions.when import is_learnt, is_plain, side_of, turn_options, when
from dtomtrack.beliefs.questions.wrong_turns import by_part, wrong_turns_of_few
from dtomtrack.beliefs.scenario import FIRST_UPDATE_TURN
from dtomtrack.beliefs.tracker import StateKey

__all__ = ["about_few_turns", "kind_of"]

_ON_OFFER = 4
_PLAIN_SHARE = 0.7
"""Of the changes that a marker gives away, since the agent said no other, those that may be asked about."""
_STABLE_SHARE = 0.6
"""Of the dialogues with a state that never changed, those in which it is asked when it did."""
_SECOND_THOUGHTS: Mapping[MentalState, float] = {
    MentalState.BELIEF: 0.25,
    MentalState.INTENTION: 0.2,
    MentalState.DESIRE: 0.2,
    MentalState.EMOTION: 0.0,
}
"""Of the changes of such a state that are asked about, those on a second thought."""
_TOLD: Mapping[MentalState, Kind] = {
    MentalState.BELIEF: "belief",
    MentalState.INTENTION: "intention",
    MentalState.DESIRE: "desire",
    MentalState.EMOTION: "emotion",
    MentalState.KNOWLEDGE: "knowledge",
}
_ASKS: Sequence[Asks] = ("first_change", "last_change")


def about_few_turns(
    source: QuestionSource, changed: Mapping[StateKey, Sequence[BeliefRecord]], stable: Sequence[StateKey]
) -> Iterator[QuestionSpec]:
    """When the states changed that did, and one of those that did not."""
    for key, asks, update in _askable(source, changed):
        turn = update.source_turn
        side = side_of(source, key)
        few = few_turns(kind_of(source, update), side, asks)
        plain = is_plain(source, key.holder, turn)
        if source.rng.random() >= _weights(source, few.asked)[turn] * (_PLAIN_SHARE if plain else 1.0):
            continue
        or_none = _may_never_change(source, key) and source.rng.random() < none_on_offer(update.mental_state, side)
        others = _wrong(source, few, _ON_OFFER - 1 - or_none, turn)
        options = turn_options(source, key, turn, others, or_none=or_none)
        yield from when(source, key, asks, update, changed[key], options)
    never = [key for key in stable if _may_never_change(source, key)]
    if never and source.rng.random() < _STABLE_SHARE:
        key, asks = source.rng.choice(never), source.rng.choice(_ASKS)
        state = source.topics[key.topic].mental_state
        kind: Kind = "second_thought" if source.rng.random() < _SECOND_THOUGHTS[state] else _TOLD[state]
        few = few_turns(kind, side_of(source, key), asks)
        turns = _wrong(source, few, _ON_OFFER - 1)
        yield from when(source, key, asks, None, (), turn_options(source, key, None, turns))


def _askable(
    source: QuestionSource, changed: Mapping[StateKey, Sequence[BeliefRecord]]
) -> Iterator[tuple[StateKey, Asks, BeliefRecord]]:
    """The first change and the last of what changed more than once; of one change, either."""
    for key, changes in changed.items():
        first_and_last: list[tuple[Asks, BeliefRecord]] = [("first_change", changes[0]), ("last_change", changes[-1])]
        if len(changes) == 1:
            first_and_last = [source.rng.choice(first_and_last)]
        elif is_learnt(source, changes[0]):
            first_and_last = first_and_last[1:]
        yield from ((key, asks, update) for asks, update in first_and_last)


def kind_of(source: QuestionSource, update: BeliefRecord) -> Kind:
    """The kind of a change: no second thought, where no plan says so."""
    plan, state = source.plan(update), update.mental_state
    if state is not MentalState.KNOWLEDGE and source.topics[update.topic].partners_own:
        return "partners_own"
    if state is MentalState.KNOWLEDGE or plan is None or plan.trigger is Trigger.NEW_INFORMATION:
        return _TOLD[state]
    return "second_thought"


def _may_never_change(source: QuestionSource, key: StateKey) -> bool:
    """Whether "at no turn" may be the answer: of some things much never changes, and little does."""
    topic = source.topics[key.topic]
    return topic.mental_state is not MentalState.KNOWLEDGE and not topic.partners_own


def _weights(source: QuestionSource, parts: Sequence[float]) -> dict[int, float]:
    """The weight of each turn at which a mind can change."""
    every = FIRST_UPDATE_TURN, source.tracker.last_turn
    return by_part(dict.fromkeys(range(every[0], every[1] + 1), 1.0), every, parts)


def _wrong(source: QuestionSource, few: FewTurns, count: int, right: int | None = None) -> list[int]:
    """So many wrong turns, which with the right one, if there is one, are one of the sets that may be on offer."""
    weights = _weights(source, few.sets[count + (right is not None)])
    return wrong_turns_of_few({turn: own for turn, own in weights.items() if turn != right}, count, source.rng)
