"""Questions about changes of mind: what was held before and after, and at which turn a mind changed."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence

from dtomtrack.beliefs.dialogue import BeliefRecord
from dtomtrack.beliefs.question import Asks, QuestionType
from dtomtrack.beliefs.questions.about_detection import about_detection
from dtomtrack.beliefs.questions.about_few_turns import about_few_turns
from dtomtrack.beliefs.questions.distractors import NotEnoughOptions, turn_distractors
from dtomtrack.beliefs.questions.moments import ORDINALS, Moment
from dtomtrack.beliefs.questions.source import QuestionSource
from dtomtrack.beliefs.questions.spec import Option, QuestionSpec
from dtomtrack.beliefs.questions.typical_turns import asked_shares, stable_weight
from dtomtrack.beliefs.questions.when import NO_CHANGE_SHARE, eligible_turns, when
from dtomtrack.beliefs.questions.wrong_turns import by_part
from dtomtrack.beliefs.reading import Act
from dtomtrack.beliefs.scenario import FIRST_UPDATE_TURN, MentalState
from dtomtrack.beliefs.tracker import StateKey

__all__ = ["about_changes"]

CHANGES_ASKED = 3
"""Changes of which all are asked about; of more, in longer dialogues, one for ``TURNS_A_CHANGE`` turns."""
_CHANGES_ASKED_APART = 2
"""The same where minds come apart, and more is asked of what others take for so."""
TURNS_A_CHANGE = 15
_SIGNALS = 0.95
"""How often a turn of the agent with a marker that means something else is on offer, where there is one."""

_IGNORANT_SHARE, _IGNORANT_SHARE_OF_SHORT = 0.25, 0.05
"""How often somebody who learns something is asked about what they knew before, where that may be asked at all; with
the later changes of such states, it is then the answer as often as any other option."""

_LATER_FIRST = 0.117
"""How much more often the last turn on offer is asked for as that of the first change than the first turn is."""
_BY_LAG = (4.0, 1.0, 0.8, 0.7, 0.9, 1.2)
"""Weights of changes by how far from the end they are, in sixths of the dialogue: the last leave little room behind."""
_GOLDEN, _SILVER = 0.6180339887, 0.4142135624

Change = tuple[BeliefRecord, BeliefRecord]


def about_changes(source: QuestionSource) -> Iterator[QuestionSpec]:
    """Before and after each change, then when minds changed."""
    changes = [(old, new) for old, new in source.changes if source.usable(old) and source.usable(new)]
    asked = _some(source, changes)
    for old, new in asked:
        yield from _before_and_after(source, old, new, _number(source, new))
    yield from _detection(source, changes, {StateKey(new.holder, new.topic) for _, new in asked})


def _some(source: QuestionSource, changes: Sequence[Change]) -> list[Change]:
    """The changes that are asked about: all of a short dialogue, some of a long one, in their order."""
    least = _CHANGES_ASKED_APART if source.dials.comes_apart else CHANGES_ASKED
    most = max(least, source.turns // TURNS_A_CHANGE)
    if len(changes) <= most:
        return list(changes)
    numbers = range(len(changes))
    if source.dials.comes_apart:
        drawn = source.lags.ordered(numbers, _lag_of(source, changes), by_lag=_BY_LAG)
    else:
        drawn = source.rng.sample(numbers, most)
    return [changes[number] for number in sorted(drawn[:most])]


def _lag_of(source: QuestionSource, changes: Sequence[Change]) -> Callable[[int], int]:
    return lambda number: source.tracker.last_turn - changes[number][1].source_turn


def _number(source: QuestionSource, new: BeliefRecord) -> int | None:
    """Which of its holder's changes on the topic it is, if that is how it is asked about; None if by the turn."""
    own = [one for _, one in source.changes if (one.holder, one.topic) == (new.holder, new.topic)]
    place = own.index(new)
    by_number = len(own) > 1 and place < len(ORDINALS) and new.mental_state is not MentalState.KNOWLEDGE
    return place + 1 if by_number and source.moments.named_by_event() else None


def _before_and_after(
    source: QuestionSource, old: BeliefRecord, new: BeliefRecord, number: int | None
) -> Iterator[QuestionSpec]:
    turn = new.source_turn
    for question_type, record, evidence in (
        (QuestionType.PRE_UPDATE, old, (old.source_turn,)),
        (QuestionType.POST_UPDATE, new, (turn,)),
    ):
        if _too_plain(source, question_type, record, turn):
            continue
        spec = source.value_question(
            question_type, record, Moment(turn, number=number), evidence, source.held_roles(record), update=new
        )
        if spec is not None:
            yield spec


def _too_plain(source: QuestionSource, question_type: QuestionType, record: BeliefRecord, turn: int) -> bool:
    """Whether it goes without saying: who learns something knew nothing before, and that is not to be the rule."""
    if question_type is not QuestionType.PRE_UPDATE:
        return False
    if not source.dials.comes_apart:
        return source.is_rule(question_type, record)
    if record.content != source.topics[record.topic].ignorance:
        return False
    share = _IGNORANT_SHARE_OF_SHORT if source.is_short else _IGNORANT_SHARE
    return not source.may_know_nothing(turn) or source.rng.random() >= share


def _detection(
    source: QuestionSource, updates: Sequence[Change], asked: Collection[StateKey]
) -> Iterator[QuestionSpec]:
    changed = _by_state(updates)
    if source.dials.comes_apart and source.is_short:
        yield from about_few_turns(source, changed, _stable(source))
        return
    changed = {key: own for key, own in changed.items() if key in asked}
    if source.dials.comes_apart:
        yield from about_detection(source, changed, _stable(source))
        return
    number = 0
    for key, changes in changed.items():
        both: list[tuple[Asks, BeliefRecord]] = [("first_change", changes[0]), ("last_change", changes[-1])]
        if len(changes) == 1:
            both = [both[_asks_for_last(source, changes[0])]]
        for asks, update in both:
            if _is_left_out(source, asks, update):
                continue
            number += 1
            yield from when(source, key, asks, update, changes, _other_turns(source, key, update.source_turn))
    if number or not asked:
        yield from _no_change(source, number)


def _is_left_out(source: QuestionSource, asks: Asks, update: BeliefRecord) -> bool:
    """Whether a change is not asked about, so that of an agent's few turns each is right as often as the others."""
    shares = asked_shares(update.mental_state, asks) if source.is_short else (1.0,)
    every = FIRST_UPDATE_TURN, source.tracker.last_turn
    return source.rng.random() >= by_part({update.source_turn: 1.0}, every, shares)[update.source_turn]


def _by_state(updates: Sequence[Change]) -> dict[StateKey, list[BeliefRecord]]:
    changed: dict[StateKey, list[BeliefRecord]] = {}
    for _, new in updates:
        changed.setdefault(StateKey(new.holder, new.topic), []).append(new)
    return changed


def _asks_for_last(source: QuestionSource, change: BeliefRecord) -> bool:
    """Whether a change that is a state's first and last is asked for as the last.

    Early changes a little more often: the first of two changes is early, the last late, and neither wording is to tell
    where among the turns on offer its answer stands. Nothing is drawn: of the changes at one turn, which the blocks of
    a dataset have about equally often, every other is asked for as the last.
    """
    slot, turn = source.slot, change.source_turn
    own = eligible_turns(source, change.holder)
    late = own.index(turn) / (len(own) - 1) if turn in own[1:] else 0.0
    # a block with many changes has one at each turn more than once, in later slots again
    round_ = slot.position * len(source.changes) // max(1, source.tracker.last_turn + 1 - FIRST_UPDATE_TURN)
    step = (_GOLDEN * slot.block + _SILVER * turn + round_ / 2) % 1
    return step >= 0.5 + _LATER_FIRST * (late - 0.5)


def _no_change(source: QuestionSource, changes: int) -> Iterator[QuestionSpec]:
    for key in _some_stable(source, _stable(source), changes):
        either: list[Asks] = ["first_change", "last_change"]
        yield from when(source, key, source.rng.choice(either), None, (), _other_turns(source, key, None))


def _some_stable(source: QuestionSource, stable: Sequence[StateKey], changes: int) -> list[StateKey]:
    """The states that did not change of which it is asked when they did: their share of such questions, over all."""
    one = source.slot.block_random("no change").random() < NO_CHANGE_SHARE * changes
    if not stable or (changes and not one):
        return []
    weights = [stable_weight(source.tracker.history(key)[0].mental_state) for key in stable]
    return source.rng.choices(stable, weights)


def _stable(source: QuestionSource) -> list[StateKey]:
    """The states that did not change; not knowledge of which others know better, beside which it may not stand."""
    return [key for key in source.tracker.states() if key.about is None and _is_stable(source, key)]


def _is_stable(source: QuestionSource, key: StateKey) -> bool:
    history = source.tracker.history(key)
    usable = len(history) == 1 and source.usable(history[0])
    return usable and source.news_since(history[0], (Act.STATE,)) is None


def _other_turns(source: QuestionSource, key: StateKey, gold: int | None) -> tuple[Option, ...] | None:
    """Other turns to choose from; None if the dialogue is too short."""
    tracker = source.tracker
    eligible = eligible_turns(source, key.holder)
    others = [turn for turn in range(1, tracker.last_turn + 1) if turn not in eligible]
    try:
        return turn_distractors(
            source.topics[key.topic], gold, _signals_first(source, eligible, gold), others, source.rng
        )
    except NotEnoughOptions:
        return None


def _signals_first(source: QuestionSource, turns: Sequence[int], gold: int | None) -> list[int]:
    """Turns in an order in which mostly those come first at which a marker is said, of another change or of none."""
    drawn = list(turns)
    source.rng.shuffle(drawn)
    if source.transcript is None or source.rng.random() >= _SIGNALS:
        return drawn
    signalled = source.signalled - {gold}
    return sorted(drawn, key=lambda turn: turn not in signalled)
