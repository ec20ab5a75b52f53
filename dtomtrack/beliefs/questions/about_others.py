"""Questions about what an agent takes another's state to be: what it is, and where it is wrong.

Most are asked where minds differ, and some, as a control, where they don't; a question's factors say which.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from random import Random

from dtomtrack.beliefs.dialogue import BeliefRecord
from dtomtrack.beliefs.question import OptionRole, QuestionType
from dtomtrack.beliefs.questions.choosing import BY_LAG, MANY_TURNS
from dtomtrack.beliefs.questions.moments import Moment
from dtomtrack.beliefs.questions.pictures import Span
from dtomtrack.beliefs.questions.source import QuestionSource
from dtomtrack.beliefs.questions.spec import QuestionSpec

__all__ = ["FALSE_BELIEFS", "SECOND_ORDER_QUESTIONS", "about_others"]

SECOND_ORDER_QUESTIONS = 2
FALSE_BELIEFS = 1
"""The least that are asked of each, if there is enough to ask about."""
_TURNS_A_SECOND_ORDER, _TURNS_A_DEEPER, _TURNS_A_FALSE_BELIEF = 8, 10, 15
"""In longer dialogues, a question for so many turns."""
_TURNS_A_SECOND_ORDER_APART, _TURNS_A_FALSE_BELIEF_APART = 6, 10
"""The same where minds come apart."""
_SO_SHARE = 0.3
"""Of false beliefs beside which it is not asked what the other really held, those of which it is asked as of a turn."""
_FEW_TURNS = 5
"""Turns within which what somebody held is asked once."""
_IGNORANCE_LEFT_OUT, _LEFT_OUT_OF_SHORT = 0.4, 0.75
"""Of pictures of somebody who knows nothing, beyond those that nobody is asked about, those left out here."""
_BY_LAG = (8.0, 0.7, 0.75, 0.55, 0.9, 1.2)
"""Weights of pictures by how far from the end they are, in sixths of the dialogue: most lie in the fourth."""
_LET_BE = 0.6
"""Of pictures over the lags over which there are most, in dialogues of medium length, those that are left out."""
_SECOND, _THIRD = 2, 3

Windowed = tuple[Span, Sequence[int]]
"""A span, and the turns of it that may be asked about."""


def about_others(source: QuestionSource) -> Iterator[QuestionSpec]:
    """False beliefs first, then what is thought of others where it is right or wrong, then of others' thoughts."""
    spans = [span for span in source.spans(_SECOND) if _usable(source, span)]
    wrong = _varied(source, [span for span in spans if span.apart], source.rng)
    apart = source.dials.comes_apart
    turns_a_false_belief = _TURNS_A_FALSE_BELIEF_APART if apart else _TURNS_A_FALSE_BELIEF
    false = wrong[: max(FALSE_BELIEFS, source.turns // turns_a_false_belief)]
    asked: dict[Span, int] = {}
    for span in false:
        moment = source.moment(_window(source, span), span.actual.topic, span.picture.content, _names(span))
        asked[span] = moment.turn
        yield from _about_false_belief(source, span, moment)
    turns_a_second_order = _TURNS_A_SECOND_ORDER_APART if apart else _TURNS_A_SECOND_ORDER
    wanted = max(SECOND_ORDER_QUESTIONS, source.turns // turns_a_second_order)
    windows = [
        *((span, _window(source, span)) for span in wrong[len(false) :]),
        *((span, _window(source, span, turn if apart else None)) for span, turn in asked.items()),
    ]
    right = [span for span in spans if not span.apart]
    yield from _about_pictures(source, windows, right, wanted, least=0 if false else 1)
    if source.dials.order >= _THIRD:
        known = (_before_a_lie(source, span) for span in source.spans(_THIRD))
        deeper = [span for span in known if span is not None and _usable(source, span)]
        wrong = _varied(source, [span for span in deeper if span.apart], source.rng)
        wanted = max(1, source.turns // _TURNS_A_DEEPER)
        windows = [(span, _window(source, span)) for span in wrong]
        yield from _about_pictures(source, windows, [span for span in deeper if not span.apart], wanted)


def _window(source: QuestionSource, span: Span, but: int | None = None) -> list[int]:
    """The turns of a span that may be asked about, but for one of which it was asked already.

    Of a fact, those before its holder hears that it is not so: what they know from then on, nobody can say.
    """
    news = source.news_since(span.actual)
    window = [turn for turn in span.window if turn != but and (news is None or turn < news)]
    if source.is_ignorance(span.actual, span.picture.content):
        return [turn for turn in window if source.may_know_nothing(turn)]
    return window


def _usable(source: QuestionSource, span: Span) -> bool:
    usable = source.usable(span.actual) and source.is_value(span.actual.topic, span.picture.content)
    usable = usable and bool(_window(source, span))
    if not source.dials.comes_apart and source.is_nothing(span.actual, span.picture.content):
        # between two it comes up too seldom to be a wrong option, too
        return False
    return usable and not source.is_told(span.actual, span.picture.content)


def _before_a_lie(source: QuestionSource, span: Span) -> Span | None:
    """A span up to where its owner hears that somebody it goes through is to be lied to; None if nothing is left."""
    told = source.told_otherwise(span)
    if told is None or span.last < told:
        return span
    return replace(span, last=told - 1) if span.first < told else None


def _is_told_again(source: QuestionSource, span: Span) -> bool:
    """Whether to leave out that somebody is thought to know nothing: of questions on pictures more than of others."""
    left_out = _LEFT_OUT_OF_SHORT if source.is_short else _IGNORANCE_LEFT_OUT
    return source.is_told(span.actual, span.picture.content, left_out)


def _varied(source: QuestionSource, spans: Iterable[Span], rng: Random) -> list[Span]:
    """Spans in an order in which the ways of coming apart follow each other, none before the others."""
    by_way: dict[str, list[Span]] = {}
    for span in spans:
        by_way.setdefault(source.way_of(span).value, []).append(span)
    ways = list(by_way.values())
    rng.shuffle(ways)
    for own in ways:
        _put_in_order(source, own, rng)
    return [own[at] for at in range(max(map(len, ways), default=0)) for own in ways if at < len(own)]


def _put_in_order(source: QuestionSource, spans: list[Span], rng: Random) -> None:
    if not source.dials.comes_apart:
        rng.shuffle(spans)
        return
    spans[:] = source.lags.ordered(
        spans,
        lambda span: source.tracker.last_turn - span.picture.saying.turn,
        lambda span: _is_plain(source, span),
        BY_LAG if source.is_short else _BY_LAG,
    )


def _is_plain(source: QuestionSource, span: Span) -> bool:
    """Whether all the time the picture is what was said last, by anybody or by the one whose picture it is."""
    said = span.window, span.actual.topic, span.picture.content
    return source.said.stays_last(*said) or source.said.stays_last(*said, span.chain[0])


# -- what another thinks ---------------------------------------------------------------------------------------------


def _about_pictures(
    source: QuestionSource, wrong: Sequence[Windowed], right: Sequence[Span], wanted: int, *, least: int = 0
) -> Iterator[QuestionSpec]:
    """So many questions, a share of them where the picture is right; all of them, where everybody hears everything.

    Args:
        least: how many there are where the picture is right, however few there are where it is wrong.
    """
    wrong = [one for one in wrong if one[1] and not _is_told_again(source, one[0]) and not _is_let_be(source, one[0])]
    controls = [span for span in right if _unsettled(source, span) and _undoubted(source, span)]
    _put_in_order(source, controls, source.rng)
    meant = source.dials.comes_apart or source.has_company or bool(wrong)
    share = source.dials.control_share if meant else 1.0
    number = max(least, _controls(len(wrong), wanted, share, source.rng))
    for span, window in [*wrong[: wanted - number], *((one, _undoubted(source, one)) for one in controls[:number])]:
        moment = source.moment(window, span.actual.topic, span.picture.content, _names(span))
        spec = _picture_question(source, span, moment)
        if spec is not None:
            yield spec


def _is_let_be(source: QuestionSource, span: Span) -> bool:
    """Whether to leave a picture out since more can be asked over its lag than over others."""
    if source.is_short or source.turns >= MANY_TURNS:
        return False
    lag = source.tracker.last_turn - span.picture.saying.turn
    return source.lags.is_commonest(lag) and source.rng.random() < _LET_BE


def _names(span: Span) -> tuple[str, str]:
    """Whose picture it is, and of whom."""
    return span.chain[0], span.actual.holder


def _controls(wrong: int, wanted: int, share: float, rng: Random) -> int:
    """How many controls there are, so that they have their share also where there is too little that is wrong."""
    if share >= 1:
        return wanted
    number = min(wanted * share, wrong * share / (1 - share))
    return int(number) + (rng.random() < number % 1)


def _unsettled(source: QuestionSource, span: Span) -> bool:
    """Whether more than one value of the topic was on the table, so that there is something to get wrong."""
    return len(source.said.of(span.actual.topic)) > 1


def _undoubted(source: QuestionSource, span: Span) -> list[int]:
    """The turns of a right picture before anybody gave a reason against it."""
    argued = [turn for turn in source.argued_since(span.actual) if turn > span.first]
    until = min(argued, default=source.turns)
    return [turn for turn in _window(source, span) if turn < until]


def _picture_question(source: QuestionSource, span: Span, moment: Moment) -> QuestionSpec | None:
    span = _at(source, span, moment)
    roles = _roles(source, span)
    return source.value_question(
        QuestionType.SECOND_ORDER, _as_record(span), moment, (span.picture.saying.turn,), roles, span=span
    )


def _at(source: QuestionSource, span: Span, moment: Moment) -> Span:
    """A span with the picture as it was at a moment; its value is the same, what it rests on may be older."""
    own = source.own(span.actual)
    picture = source.tracker.picture(span.chain, own.holder, own.topic, moment.turn)
    return span if picture is None else replace(span, picture=picture)


def _as_record(span: Span) -> BeliefRecord:
    """A picture as a record of whoever has it."""
    return BeliefRecord(
        holder=span.chain[0],
        about=span.actual.holder,
        order=len(span.chain) + 1,
        mental_state=span.actual.mental_state,
        topic=span.actual.topic,
        content=span.picture.content,
        source_turn=span.picture.since,
    )


def _roles(source: QuestionSource, span: Span) -> dict[str, OptionRole]:
    """The roles of what the other really held, before, then and after; what is so then is an option, always."""
    roles = source.held_roles(span.actual)
    roles[span.actual.content] = OptionRole.ACTUAL_VALUE
    roles.pop(span.picture.content, None)
    return roles


# -- false beliefs ---------------------------------------------------------------------------------------------------


def _about_false_belief(source: QuestionSource, span: Span, moment: Moment) -> Iterator[QuestionSpec]:
    """What is wrongly assumed; and what is really so, as a control or as a question about that turn."""
    span = _at(source, span, moment)
    evidence = tuple(sorted({span.picture.saying.turn, span.actual.source_turn}))
    kind = QuestionType.FALSE_BELIEF
    corrected = any(one.source_turn == span.last + 1 for one in source.history(_as_record(span))[1:])
    assumed = source.value_question(
        kind,
        _as_record(span),
        moment,
        evidence,
        _roles(source, span),
        asks="assumed",
        other=span.actual.holder,
        span=span,
        corrected=corrected,
    )
    if assumed is None:
        return
    yield assumed
    if source.rng.random() < source.dials.control_share / max(0.01, 1 - source.dials.control_share):
        actual = _actual(source, span, moment, corrected=corrected)
    elif _asks_what_is_so(source, span.actual, moment.turn):
        roles = _actual_roles(source, span)
        actual = source.value_question(
            QuestionType.TEMPORAL, span.actual, moment, (span.actual.source_turn,), roles, span=span
        )
    else:
        actual = None
    if actual is not None:
        yield actual


def _asks_what_is_so(source: QuestionSource, actual: BeliefRecord, turn: int) -> bool:
    """Whether to ask, beside what is wrongly assumed, what is so: where minds come apart, there is enough of that.

    There it is not asked again a few turns later, either.
    """
    if turn < actual.source_turn or not source.dials.comes_apart:
        return turn >= actual.source_turn
    return source.rng.random() < _SO_SHARE and all(abs(turn - one) > _FEW_TURNS for one in source.asked_at(actual))


def _actual(source: QuestionSource, span: Span, moment: Moment, *, corrected: bool) -> QuestionSpec | None:
    return source.value_question(
        QuestionType.FALSE_BELIEF,
        span.actual,
        moment,
        tuple(sorted({span.picture.saying.turn, span.actual.source_turn})),
        _actual_roles(source, span),
        asks="actual",
        other=span.chain[0],
        span=span,
        corrected=corrected,
    )


def _actual_roles(source: QuestionSource, span: Span) -> dict[str, OptionRole]:
    """The roles beside what is so; what is wrongly taken for it is an option."""
    roles = source.held_roles(span.actual)
    return {span.picture.content: OptionRole.PRESUMED} | roles
