"""Questions about changes of mind: what was held before and after, and at which turn a mind changed."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from dtomtrack.beliefs.dialogue import BeliefRecord
from dtomtrack.beliefs.markers import find_markers
from dtomtrack.beliefs.question import Asks, OptionRole, QuestionType
from dtomtrack.beliefs.questions.distractors import NotEnoughOptions, turn_distractors
from dtomtrack.beliefs.questions.moments import Moment
from dtomtrack.beliefs.questions.source import QuestionSource
from dtomtrack.beliefs.questions.spec import Option, QuestionSpec, at_turn
from dtomtrack.beliefs.questions.wrong_turns import wrong_turns
from dtomtrack.beliefs.scenario import FIRST_UPDATE_TURN, MentalState
from dtomtrack.beliefs.tracker import StateKey
from dtomtrack.beliefs.transcript import Transcript

__all__ = ["about_changes"]

NO_CHANGE_SHARE = 1 / 3
"""Update-detection questions whose answer is "at no turn", for each whose answer is a turn: a quarter of all."""

CHANGES_ASKED = 3
"""Changes of which all are asked about; of more, in longer dialogues, one for ``TURNS_A_CHANGE`` turns."""
TURNS_A_CHANGE = 15
_SIGNALS = 0.95
"""How often a turn of the agent with a marker that means something else is on offer, where there is one."""

TURNS_ON_OFFER = 3
_IGNORANT_SHARE = 0.25
"""How often somebody who learns something is asked about what they knew before; with the later changes of such states,
it is then the answer as often as any other option."""

_LATER_FIRST = 0.117
"""How much more often the last turn on offer is asked for as that of the first change than the first turn is."""
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
    most = max(CHANGES_ASKED, source.turns // TURNS_A_CHANGE)
    chosen = set(source.rng.sample(range(len(changes)), most)) if len(changes) > most else range(len(changes))
    return [change for number, change in enumerate(changes) if number in chosen]


def _number(source: QuestionSource, new: BeliefRecord) -> int | None:
    """Which of its holder's changes on the topic it is, if that is how it is asked about; None if by the turn."""
    own = [one for _, one in source.changes if (one.holder, one.topic) == (new.holder, new.topic)]
    by_number = len(own) > 1 and new.mental_state is not MentalState.KNOWLEDGE
    return own.index(new) + 1 if by_number and source.moments.named_by_event() else None


def _before_and_after(
    source: QuestionSource, old: BeliefRecord, new: BeliefRecord, number: int | None
) -> Iterator[QuestionSpec]:
    turn = new.source_turn
    for question_type, record, evidence in (
        (QuestionType.PRE_UPDATE, old, (old.source_turn,)),
        (QuestionType.POST_UPDATE, new, (turn,)),
    ):
        if _too_plain(source, question_type, record):
            continue
        spec = source.value_question(
            question_type, record, Moment(turn, number=number), evidence, source.held_roles(record), update=new
        )
        if spec is not None:
            yield spec


def _too_plain(source: QuestionSource, question_type: QuestionType, record: BeliefRecord) -> bool:
    """Whether it goes without saying: who learns something knew nothing before, and that is not to be the rule."""
    if not source.dials.comes_apart or question_type is not QuestionType.PRE_UPDATE:
        return False
    return record.content == source.topics[record.topic].ignorance and source.rng.random() >= _IGNORANT_SHARE


def _detection(
    source: QuestionSource, updates: Sequence[Change], asked: Collection[StateKey]
) -> Iterator[QuestionSpec]:
    changed: dict[StateKey, list[BeliefRecord]] = {}
    for _, new in updates:
        changed.setdefault(StateKey(new.holder, new.topic), []).append(new)
    for key, changes in changed.items():
        if key not in asked:
            continue
        both: list[tuple[Asks, BeliefRecord]] = [("first_change", changes[0]), ("last_change", changes[-1])]
        if source.dials.comes_apart:
            both = [source.rng.choice(both)]
        elif len(changes) == 1:
            both = [both[_asks_for_last(source, changes[0])]]
        for asks, update in both:
            yield from _when(source, key, asks, update, changes)
    yield from _no_change(source, len(asked))


def _asks_for_last(source: QuestionSource, change: BeliefRecord) -> bool:
    """Whether a change that is a state's first and last is asked for as the last.

    Early changes a little more often: the first of two changes is early, the last late, and neither wording is to tell
    where among the turns on offer its answer stands. Nothing is drawn: of the changes at one turn, which the blocks of
    a dataset have about equally often, every other is asked for as the last.
    """
    slot, turn = source.slot, change.source_turn
    own = _eligible(source, change.holder)
    late = own.index(turn) / (len(own) - 1) if turn in own[1:] else 0.0
    # a block with many changes has one at each turn more than once, in later slots again
    round_ = slot.position * len(source.changes) // max(1, source.tracker.last_turn + 1 - FIRST_UPDATE_TURN)
    step = (_GOLDEN * slot.block + _SILVER * turn + round_ / 2) % 1
    return step >= 0.5 + _LATER_FIRST * (late - 0.5)


def _no_change(source: QuestionSource, changes: int) -> Iterator[QuestionSpec]:
    stable = [key for key in source.tracker.states() if key.about is None and _is_stable(source, key)]
    for key in _some_stable(source, stable, changes):
        either: list[Asks] = ["first_change", "last_change"]
        yield from _when(source, key, source.rng.choice(either), None, ())


def _some_stable(source: QuestionSource, stable: Sequence[StateKey], changes: int) -> list[StateKey]:
    """The states that did not change of which it is asked when they did: their share of such questions, over all."""
    if source.dials.comes_apart:
        number = NO_CHANGE_SHARE * changes
        wanted = int(number) + (source.rng.random() < number % 1)
        return source.rng.sample(stable, min(len(stable), max(wanted, not changes)))
    one = source.slot.block_random("no change").random() < NO_CHANGE_SHARE * changes
    return [source.rng.choice(stable)] if stable and (one or not changes) else []


def _is_stable(source: QuestionSource, key: StateKey) -> bool:
    history = source.tracker.history(key)
    return len(history) == 1 and source.usable(history[0])


def _when(
    source: QuestionSource,
    key: StateKey,
    asks: Asks,
    update: BeliefRecord | None,
    changes: Sequence[BeliefRecord],
) -> Iterator[QuestionSpec]:
    """When a state changed; ``update`` is the change that is asked for, None if there was none."""
    gold = None if update is None else update.source_turn
    distractors = (
        _likely_turns(source, key, asks, gold) if source.dials.comes_apart else _other_turns(source, key, gold)
    )
    if distractors is None:
        return
    first = source.tracker.history(key)[0]
    yield QuestionSpec(
        type=QuestionType.UPDATE_DETECTION,
        mental_state=first.mental_state,
        order=1,
        agent=key.holder,
        about=None,
        topic=key.topic,
        turn=gold,
        question=source.words(QuestionType.UPDATE_DETECTION, asks, first, None),
        gold=Option(at_turn(gold), OptionRole.GOLD),
        distractors=distractors,
        evidence=(first.source_turn, *(change.source_turn for change in changes)),
        factors=source.factors(asks, first, update),
    )


def _eligible(source: QuestionSource, agent: str) -> list[int]:
    """The turns at which an agent could have changed their mind."""
    return [turn for turn in source.tracker.turns_of(agent) if turn >= FIRST_UPDATE_TURN]


def _other_turns(source: QuestionSource, key: StateKey, gold: int | None) -> tuple[Option, ...] | None:
    """Other turns to choose from; None if the dialogue is too short."""
    tracker = source.tracker
    eligible = _eligible(source, key.holder)
    others = [turn for turn in range(1, tracker.last_turn + 1) if turn not in eligible]
    try:
        return turn_distractors(
            source.topics[key.topic], gold, _signals_first(source, eligible, gold), others, source.rng
        )
    except NotEnoughOptions:
        return None


def _likely_turns(source: QuestionSource, key: StateKey, asks: Asks, gold: int | None) -> tuple[Option, ...] | None:
    """Other turns to choose from, at which the mind might as well have changed; None if the dialogue is too short."""
    eligible = [turn for turn in _eligible(source, key.holder) if turn != gold]
    changes = [one for _, one in source.changes if gold is None or (one.holder, one.topic) == (key.holder, key.topic)]
    states = {(one.holder, one.topic) for one in changes}
    likely = wrong_turns(
        eligible,
        set() if source.transcript is None else _signalled(source.transcript),
        source.tracker.history(key)[0].source_turn,
        round(len(changes) / max(1, len(states))),
        TURNS_ON_OFFER,
        source.rng,
        first=asks == "first_change",
    )
    others = [turn for turn in range(1, source.tracker.last_turn + 1) if turn not in likely]
    try:
        return turn_distractors(source.topics[key.topic], gold, likely, others, source.rng)
    except NotEnoughOptions:
        return None


def _signalled(transcript: Transcript) -> set[int]:
    """The turns at which a marker is said."""
    return {line.turn for line in transcript.spoken if find_markers(line.text)}


def _signals_first(source: QuestionSource, turns: Sequence[int], gold: int | None) -> list[int]:
    """Turns in an order in which mostly those come first at which a marker is said, of another change or of none."""
    drawn = list(turns)
    source.rng.shuffle(drawn)
    if source.transcript is None or source.rng.random() >= _SIGNALS:
        return drawn
    signalled = _signalled(source.transcript) - {gold}
    return sorted(drawn, key=lambda turn: turn not in signalled)
