"""The source of one dialogue's questions: its tracker, its topics, and what was said aloud."""

from __future__ import annotations

from collections.abc import Container, Sequence
from functools import cached_property
from random import Random
from typing import Literal

from dtomtrack.beliefs.dialogue import BeliefRecord
from dtomtrack.beliefs.divergence import PlannedDivergence, Way
from dtomtrack.beliefs.markers import find_markers
from dtomtrack.beliefs.mental_state import Signal
from dtomtrack.beliefs.question import Asks, Factors, OptionRole, QuestionType
from dtomtrack.beliefs.questions.choosing import MANY_TURNS, LagBalance
from dtomtrack.beliefs.questions.dials import QuestionDials
from dtomtrack.beliefs.questions.distractors import NotEnoughOptions, value_distractors
from dtomtrack.beliefs.questions.moments import Moment, Moments
from dtomtrack.beliefs.questions.pictures import Span, spans_of, way_of
from dtomtrack.beliefs.questions.said import SaidValues
from dtomtrack.beliefs.questions.spec import Option, QuestionSpec, as_option
from dtomtrack.beliefs.questions.wordings import word
from dtomtrack.beliefs.reading import Act, Reading
from dtomtrack.beliefs.scenario import MentalState, PlannedUpdate, Topic
from dtomtrack.beliefs.tracker import BeliefTracker, StateKey
from dtomtrack.beliefs.transcript import Transcript
from dtomtrack.runs.slots import Slot

__all__ = ["QuestionSource", "divergence_id"]

_NOT_SAID_LAST, _NOT_SAID_LAST_APART = 0.8, 0.95
"""The share of moments at which the answer is not what was last said of the topic, where there are such moments; and
where minds come apart."""


_OF_A_CHANGE = frozenset({"first_change", "last_change"})
_SHORT = 15
"""Turns up to which dialogues are short."""
_AT_THE_END_OF = {QuestionType.PRE_UPDATE: -1, QuestionType.POST_UPDATE: 0}
"""Which turn, counted from that of a change, these ask about the end of."""
_ON_NOTHING = {QuestionType.PRE_UPDATE: 1.0, QuestionType.TEMPORAL: 0.46}
"""Where two hear everything: of questions on knowledge, those to which the answer is that somebody knew nothing, for
each change of knowledge that is from that."""
_RIGHT = 0.25
"""Of the questions that offer it, those in which it is to be right."""
_IGNORANCE_LEFT_OUT = 0.5
"""Of the questions to which it is the answer that somebody knew nothing, those that are not asked."""


class QuestionSource:
    """One dialogue, as far as questions are made from it.

    Args:
        tracker: has read the whole dialogue.
        topics: what may be asked about; contents on record that are no value of their topic are left out.
        readings: what was said aloud.
        slot: decides random choices.
        planned: what a plan, where there was one, says of markers and triggers.
        divergences: what it says of the ways in which minds come apart.
        transcript: tells what happens beside the words.
    """

    def __init__(
        self,
        tracker: BeliefTracker,
        topics: Sequence[Topic],
        readings: Sequence[Reading],
        slot: Slot,
        planned: Sequence[PlannedUpdate],
        divergences: Sequence[PlannedDivergence],
        transcript: Transcript | None,
        dials: QuestionDials,
    ) -> None:
        self.tracker = tracker
        self.topics = {topic.id: topic for topic in topics}
        self.slot = slot
        self.dials = dials
        self.rng: Random = slot.random("questions")
        self.moments = Moments(transcript, dials.event_share, slot.random("moments"))
        self.lags = LagBalance(self.turns, slot.random("lags"))
        self.transcript = transcript
        self.records = tracker.records()
        self.changes = tracker.updates()
        self.readings = tuple(readings)
        self.said = SaidValues(readings)
        self._heard = {} if transcript is None else {one.turn: one for one in transcript.heard()}
        self._plans = {(update.agent, update.topic, update.turn): update for update in planned}
        self._divergences = divergences
        self._spans: dict[int, list[Span]] = {}
        self._held = [record for record in self.records if record.order == 1]
        self._asked_at: dict[tuple[str, str, tuple[int, ...]], list[int]] = {}
        self._asked_by_change: set[tuple[str, str, int]] = set()
        self._argued: dict[str, list[int]] = {}
        for reading in readings:
            if reading.act is Act.ARGUE:
                self._argued.setdefault(reading.topic, []).append(reading.turn)

    def spans(self, order: int) -> list[Span]:
        """The spans of all chains of minds of an order."""
        if order not in self._spans:
            self._spans[order] = list(spans_of(self.tracker, order))
        return self._spans[order]

    @property
    def has_company(self) -> bool:
        """Whether anything that is said is not for everybody."""
        return self.transcript is not None and self.transcript.has_company

    @cached_property
    def signalled(self) -> frozenset[int]:
        """The turns at which a marker is said."""
        spoken = () if self.transcript is None else self.transcript.spoken
        return frozenset(line.turn for line in spoken if find_markers(line.text))

    def reaches(self, name: str, turn: int) -> bool:
        """Whether somebody hears what is said at a turn, or reads it then or later."""
        one = self._heard.get(turn)
        return one is None or one.hears(name) or one.read_at.get(name) is not None

    @property
    def turns(self) -> int:
        """How many turns there are."""
        return self.tracker.last_turn + 1

    @property
    def is_short(self) -> bool:
        """Whether there are so few that what is true of longer dialogues is not of this one."""
        return self.turns <= _SHORT

    def plan(self, update: BeliefRecord) -> PlannedUpdate | None:
        """The plan of a change, where there was one."""
        return self._plans.get((update.holder, update.topic, update.source_turn))

    def count(self, spec: QuestionSpec) -> None:
        """Remember what is asked: over which lag, and at which turn about what somebody held."""
        self.lags.count(spec.factors.lag)
        if spec.turn is None or spec.order != 1:
            return
        if spec.type is QuestionType.TEMPORAL:
            self._asked_at.setdefault((spec.agent, spec.topic, spec.evidence), []).append(spec.turn)
        elif spec.type in _AT_THE_END_OF:
            self._asked_by_change.add((spec.agent, spec.topic, spec.turn + _AT_THE_END_OF[spec.type]))

    def asked_at(self, record: BeliefRecord) -> Sequence[int]:
        """The turns at which it is asked about a state already."""
        return self._asked_at.get((record.holder, record.topic, (record.source_turn,)), ())

    def is_asked_by_its_change(self, record: BeliefRecord, turn: int) -> bool:
        """Whether a question on a change asks already what somebody held at the end of a turn."""
        return (record.holder, record.topic, turn) in self._asked_by_change

    def is_asked_enough(self, said_at: int) -> bool:
        """Whether enough is asked already of what was said as long ago as this turn."""
        return self.lags.is_full(self.tracker.last_turn - said_at)

    def usable(self, record: BeliefRecord) -> bool:
        """Whether a record can be asked about."""
        return self.is_value(record.topic, record.content)

    def is_value(self, topic: str, content: str) -> bool:
        """Whether a content is a value of a topic that can be asked about."""
        return topic in self.topics and content in self.topics[topic].values

    def argued_since(self, record: BeliefRecord) -> list[int]:
        """The turns, after a record's, at which somebody argued about its topic."""
        return [turn for turn in self._argued.get(record.topic, ()) if turn > record.source_turn]

    def hears(self, name: str, turn: int) -> bool:
        """Whether somebody hears what is said at a turn."""
        return turn not in self._heard or self._heard[turn].hears(name)

    def news_since(self, record: BeliefRecord, acts: Container[Act] = (Act.STATE, Act.ARGUE)) -> int | None:
        """The first turn after a piece of knowledge at which its holder hears others say that it is not so.

        A belief is one's own, whatever others say; of a fact nobody can say what is known then. None if there is none.

        Args:
            acts: in which it is said.
        """
        if not self.dials.comes_apart or record.mental_state is not MentalState.KNOWLEDGE:
            return None
        return next(
            (
                one.turn
                for one in self.said.on(record.topic)
                if one.content != record.content and one.turn > record.source_turn
                if one.act in acts and one.speaker != record.holder
                if self.hears(record.holder, one.turn)
            ),
            None,
        )

    def told_otherwise(self, span: Span) -> int | None:
        """The first turn, after what a picture rests on, at which its owner hears that one it goes through is lied to.

        What they then think that one thinks, nobody can say: they know of the lie, and haven't heard it. None if there
        is none.
        """
        own, through = self.own(span.actual), span.chain[1:]
        return next(
            (
                one.turn
                for one in self.readings
                if one.act is Act.CONFIDE and one.kept_from in through
                if (one.holder, one.topic) == (own.holder, own.topic)
                if one.turn > span.picture.saying.turn and self.hears(span.chain[0], one.turn)
            ),
            None,
        )

    def history(self, record: BeliefRecord) -> list[BeliefRecord]:
        """All records of the state that a record is of."""
        return self.tracker.history(StateKey(record.holder, record.topic, record.about))

    def own(self, record: BeliefRecord) -> StateKey:
        """The own state that a record is of, or about."""
        return StateKey(record.about or record.holder, record.topic)

    def moment(self, window: Sequence[int], topic: str, content: str, names: Sequence[str] = ()) -> Moment:
        """A moment in a window at which a content was right, mostly one at which something else was said last.

        Args:
            names: whose last word on the topic, too, is mostly another, where minds are meant to come apart.
        """
        otherwise, share = [turn for turn in window if self.said.last(topic, turn) != content], _NOT_SAID_LAST
        if self.dials.comes_apart:
            share = _NOT_SAID_LAST_APART
            otherwise = self._hardest(otherwise or window, topic, content, names)
        return self.moments.draw(otherwise if otherwise and self.rng.random() < share else window)

    def _hardest(self, window: Sequence[int], topic: str, content: str, names: Sequence[str]) -> list[int]:
        """The turns of a window up to which the fewest of these named the content last."""
        found = {turn: sum(self.said.last(topic, turn, name) == content for name in names) for turn in window}
        fewest = min(found.values())
        return [turn for turn, count in found.items() if count == fewest]

    def way_of(self, span: Span) -> Way:
        """The way in which a picture came apart."""
        return way_of(span, self._divergences, self.transcript, self.of_others(span.actual))

    def of_others(self, record: BeliefRecord) -> set[str]:
        """What others than the one whose state a record is of, or about, hold of its topic over the dialogue."""
        holder = record.about or record.holder
        return {one.content for one in self._held if one.topic == record.topic and one.holder != holder}

    def held_roles(self, record: BeliefRecord) -> dict[str, OptionRole]:
        """Roles of what the holder of a topic held before and after a record; what came later wins."""
        history = self.tracker.history(self.own(record))
        earlier = [one.content for one in history if one.source_turn < record.source_turn]
        later = [one.content for one in history if one.source_turn > record.source_turn]
        roles = dict.fromkeys(earlier, OptionRole.PRE_VALUE) | dict.fromkeys(later, OptionRole.POST_VALUE)
        roles.pop(record.content, None)
        return roles

    def value_question(
        self,
        question_type: QuestionType,
        record: BeliefRecord,
        moment: Moment,
        evidence: tuple[int, ...],
        roles: dict[str, OptionRole],
        *,
        asks: Asks = "state",
        other: str | None = None,
        update: BeliefRecord | None = None,
        span: Span | None = None,
        corrected: bool | None = None,
    ) -> QuestionSpec | None:
        """A question whose right option is the content of ``record``; None if the topic has too few values.

        Args:
            roles: contents that have a role among the wrong options.
            other: the second agent that the question names, if not the one whose state the record is about.
            span: of a question about what is thought of another, or what is really so: the picture.
        """
        topic = self.topics[record.topic]
        distractors = self._distractors(question_type, record, topic, roles, asks)
        if distractors is None:
            return None
        through = () if span is None or record.about is None else span.chain[1:]
        return QuestionSpec(
            type=question_type,
            mental_state=record.mental_state,
            order=record.order,
            agent=record.holder,
            about=record.about,
            topic=topic.id,
            turn=moment.turn,
            question=self.words(question_type, asks, record, moment, other, through),
            gold=Option(as_option(record.content), OptionRole.GOLD),
            distractors=distractors,
            evidence=evidence,
            factors=self.factors(asks, record, update, moment=moment, span=span, corrected=corrected),
            through=through,
            divergence=None if span is None else divergence_id(span),
        )

    def _distractors(
        self, question_type: QuestionType, record: BeliefRecord, topic: Topic, roles: dict[str, OptionRole], asks: Asks
    ) -> tuple[Option, ...] | None:
        roles = self._spoken_roles(record) | roles
        elsewhere = [
            one.content for one in self._held if one.mental_state is record.mental_state and one.topic != record.topic
        ]
        preferred = self.rng.random() < self.dials.said_share
        try:
            return value_distractors(
                topic,
                record.content,
                roles,
                elsewhere,
                self.rng,
                said_first=preferred,
                **self._ignorance(question_type, topic, asks),
            )
        except NotEnoughOptions:
            return None

    def is_told(self, record: BeliefRecord, content: str, left_out: float = _IGNORANCE_LEFT_OUT) -> bool:
        """Whether to leave a question out since somebody knew nothing: so often that it is no likelier than another."""
        return self.is_ignorance(record, content) and self.rng.random() < left_out

    def may_know_nothing(self, turn: int) -> bool:
        """Whether it does not go without saying that somebody knows nothing yet: up to the middle of any but a long
        dialogue hardly anybody has heard anything."""
        return self.turns >= MANY_TURNS or turn > self.turns / 2

    def is_ignorance(self, record: BeliefRecord, content: str) -> bool:
        """Whether this is to know nothing about the record's topic, where minds come apart."""
        return self.dials.comes_apart and self.is_nothing(record, content)

    def _offers_nothing(self, question_type: QuestionType) -> bool:
        """Whether between two a question offers it as a wrong option that somebody knew nothing."""
        right = self._on_nothing(question_type)
        return self.rng.random() * (1 - right) * _RIGHT < right * (1 - _RIGHT)

    def is_rule(self, question_type: QuestionType, record: BeliefRecord) -> bool:
        """Whether a question between two is left out since it would be the rule that somebody knew nothing."""
        right = self._on_nothing(question_type)
        if self.dials.comes_apart or right <= _RIGHT or not self.is_nothing(record, record.content):
            return False
        return self.rng.random() * right * (1 - _RIGHT) >= (1 - right) * _RIGHT

    def _on_nothing(self, question_type: QuestionType) -> float:
        return self.dials.learning_share * _ON_NOTHING.get(question_type, 0.0)

    def is_nothing(self, record: BeliefRecord, content: str) -> bool:
        """Whether this is to know nothing about the record's topic."""
        return record.topic in self.topics and content == self.topics[record.topic].ignorance

    def _ignorance(self, question_type: QuestionType, topic: Topic, asks: Asks) -> dict[str, tuple[str, ...]]:
        """Where knowing nothing stands among the wrong options: as likely among them as it is right.

        Nobody comes to know nothing, nor is anybody wrongly taken to know something, so that it is no option for what
        was held after a change or is really so; elsewhere it always is.
        """
        if topic.ignorance is None:
            return {}
        if not self.dials.comes_apart:
            return {"offered" if self._offers_nothing(question_type) else "left_out": (topic.ignorance,)}
        never = question_type is QuestionType.POST_UPDATE or asks == "actual"
        return {"left_out" if never else "offered": (topic.ignorance,)}

    def _spoken_roles(self, record: BeliefRecord) -> dict[str, OptionRole]:
        """Roles of the values of a topic that were said by others, or of others."""
        others = dict.fromkeys(sorted(self.of_others(record)), OptionRole.OTHER_HOLDER)
        return self.said.roles(record.about or record.holder, record.topic) | others

    def words(
        self,
        question_type: QuestionType,
        asks: Asks,
        record: BeliefRecord,
        moment: Moment | None,
        other: str | None = None,
        through: Sequence[str] = (),
    ) -> str:
        """The question in words."""
        label = self.topics[record.topic].label
        names = {"agent": record.holder, "other": other or record.about or "", "topic": label}
        names |= {"through": " and ".join(through), "turn": "" if moment is None else str(moment.turn)}
        kind = "chain" if through else "number" if moment is not None and moment.number else asks
        return word(
            question_type, kind, record.mental_state, names, self.rng, moment, by_its_end=self.dials.comes_apart
        )

    def factors(
        self,
        asks: Asks,
        record: BeliefRecord,
        update: BeliefRecord | None,
        *,
        moment: Moment | None = None,
        span: Span | None = None,
        corrected: bool | None = None,
    ) -> Factors:
        """Values by which a question about a record may be grouped; ``update`` is the change that is asked about."""
        plan = None if update is None else self.plan(update)
        said_at = record.source_turn if span is None or record.about is None else span.picture.saying.turn
        if update is not None and asks in _OF_A_CHANGE and self.dials.comes_apart:
            said_at = update.source_turn
        since = None if moment is None else max(0, moment.turn - said_at)
        apart = span is not None and span.apart
        return Factors(
            asks=asks,
            updates=len(self.changes),
            changes=max(0, len(self.history(record)) - 1),
            lag=self.tracker.last_turn - said_at,
            corrected=corrected,
            marker=plan.marker if plan else None,
            names_old=None if plan is None or plan.signal is Signal.NONE else plan.signal is Signal.EXPLICIT,
            trigger=plan.trigger.value if plan else None,
            signal=plan.signal if plan else None,
            differs=_differs(asks, record, span),
            apart=self.way_of(span) if span is not None and apart else None,
            revisions=max(0, len(self.tracker.history(self.own(record))) - 1),
            interference=None if moment is None else self.said.between(record, said_at, moment.turn),
            since=since,
            turns=self.turns,
            asked_by=None if moment is None else moment.named_by,
            number=None if moment is None else moment.number,
        )


def _differs(asks: Asks, record: BeliefRecord, span: Span | None) -> Literal["apart", "control"] | None:
    """Whether the answer differs from what is so; None where it is asked for what is so, and nothing else is named."""
    if span is None or (asks == "state" and record.about is None):
        return None
    return "apart" if span.apart and asks != "actual" else "control"


def divergence_id(span: Span) -> str:
    """A name for what comes apart: whose state, on which topic, in whose eyes, from which turn on."""
    return f"{span.actual.holder} {span.actual.topic} {' '.join(span.chain)} {span.first}"
