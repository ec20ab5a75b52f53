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
from dtomtrack.beliefs.questions.when import NO_CHANGE_SHARE, eligible_turns, signalled_turns, when
from dtomtrack.beliefs.questions.wrong_turns import wrong_turns
from dtomtrack.beliefs.tracker import StateKey

__all__ = ["about_detection"]

_TURNS_ON_OFFER = 3
_PLAIN_SHARE = 0.1
"""Of the changes that a marker gives away, since the agent said no other, those that are asked about."""
_FIRST_SHARE = 0.58
"""Of minds that change more than once, those asked for their first change: last ones pile up towards the end, where
there are fewer other turns to offer."""

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


_ASKS: tuple[Asks, ...] = ("first_change", "last_change")


def _change(
    source: QuestionSource, key: StateKey, changes: Sequence[BeliefRecord]
) -> tuple[StateKey, Asks, BeliefRecord] | None:
    """The first or last change of a state; None where a marker would give it away too often."""
    asks = _first_or_last(source, changes)
    update = changes[0 if asks == "first_change" else -1]
    if _is_plain(source, key.holder, update.source_turn) and source.rng.random() >= _PLAIN_SHARE:
        return None
    return key, asks, update


def _first_or_last(source: QuestionSource, changes: Sequence[BeliefRecord]) -> Asks:
    """Which change to ask for; a state's only one as its first the later it is.

    The first of several is early and the last late, and neither wording is to tell where its answer stands.
    """
    if len(changes) > 1:
        return _ASKS[source.rng.random() >= _FIRST_SHARE]
    turn = changes[0].source_turn
    own = [one for one in eligible_turns(source, changes[0].holder) if one != turn]
    earlier = sum(one < turn for one in own)
    return _ASKS[source.rng.random() * len(own) >= earlier]


def _is_plain(source: QuestionSource, holder: str, turn: int) -> bool:
    """Whether a turn is the only one in which somebody said a marker."""
    signalled = signalled_turns(source.transcript)
    return signalled.intersection(eligible_turns(source, holder)) == {turn}


def _wrong(
    source: QuestionSource, key: StateKey, asks: Asks, gold: int | None, changed: Changes, *, or_none: bool = True
) -> tuple[Option, ...] | None:
    """Other turns at which the mind might as well have changed; None if the dialogue is too short."""
    eligible = [turn for turn in eligible_turns(source, key.holder) if turn != gold]
    likely = wrong_turns(
        eligible,
        signalled_turns(source.transcript),
        (source.tracker.history(key)[0].source_turn, source.tracker.last_turn),
        _elsewhere(source, key, asks, changed),
        _TURNS_ON_OFFER,
        source.rng,
    )
    others = [turn for turn in range(1, source.turns) if turn not in likely]
    try:
        return turn_distractors(source.topics[key.topic], gold, likely, others, source.rng, or_none=or_none)
    except NotEnoughOptions:
        return None


def _elsewhere(source: QuestionSource, key: StateKey, asks: Asks, changed: Changes) -> list[float]:
    """How far from its first expression to the end each other state changed for the first, or the last time."""
    place = 0 if asks == "first_change" else -1
    shares = []
    for other, changes in changed.items():
        voiced = source.tracker.history(other)[0].source_turn
        if other != key:
            shares.append((changes[place].source_turn - voiced) / max(1, source.tracker.last_turn - voiced))
    return shares
