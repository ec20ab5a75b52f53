"""The source of one dialogue's questions: its tracker, its topics, and what was said aloud."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from dtomtrack.beliefs.dialogue import BeliefRecord
from dtomtrack.beliefs.mental_state import Signal
from dtomtrack.beliefs.question import Asks, Factors, OptionRole, QuestionType
from dtomtrack.beliefs.questions.distractors import NotEnoughOptions, value_distractors
from dtomtrack.beliefs.questions.spec import Option, QuestionSpec, as_option
from dtomtrack.beliefs.questions.wordings import word
from dtomtrack.beliefs.reading import Act, Reading
from dtomtrack.beliefs.scenario import PlannedUpdate, Topic
from dtomtrack.beliefs.tracker import BeliefTracker, StateKey
from dtomtrack.runs.slots import Slot

__all__ = ["QuestionSource"]


class QuestionSource:
    """One dialogue, as far as questions are made from it.

    Args:
        tracker: has read the whole dialogue.
        topics: what may be asked about; contents on record that are no value of their topic are left out.
        readings: what was said aloud.
        slot: decides random choices.
        planned: what a plan, where there was one, says of markers and triggers.
    """

    def __init__(
        self,
        tracker: BeliefTracker,
        topics: Sequence[Topic],
        readings: Sequence[Reading],
        slot: Slot,
        planned: Sequence[PlannedUpdate],
    ) -> None:
        self.tracker = tracker
        self.topics = {topic.id: topic for topic in topics}
        self.slot = slot
        self.rng: Random = slot.random("questions")
        self.records = tracker.records()
        self.changes = tracker.updates()
        self._plans = {(update.agent, update.topic, update.turn): update for update in planned}
        self._named: dict[str, set[str]] = {}
        self._argued: dict[str, list[int]] = {}
        for reading in readings:
            if reading.act is not Act.STATE:
                self._named.setdefault(reading.topic, set()).add(reading.content)
            if reading.act is Act.ARGUE:
                self._argued.setdefault(reading.topic, []).append(reading.turn)

    def usable(self, record: BeliefRecord) -> bool:
        """Whether a record can be asked about."""
        return record.topic in self.topics and record.content in self.topics[record.topic].values

    def named(self, topic: str) -> set[str]:
        """The values of a topic that somebody said without holding them."""
        return self._named.get(topic, set())

    def argued_since(self, record: BeliefRecord) -> list[int]:
        """The turns, after a record's, at which somebody argued about its topic."""
        return [turn for turn in self._argued.get(record.topic, ()) if turn > record.source_turn]

    def history(self, record: BeliefRecord) -> list[BeliefRecord]:
        """All records of the state that a record is of."""
        return self.tracker.history(StateKey(record.holder, record.topic, record.about))

    def held_roles(self, record: BeliefRecord) -> dict[str, OptionRole]:
        """Roles of what the agent held before and after a record; what came later wins where a mind changed back."""
        history = self.tracker.history(StateKey(record.holder, record.topic))
        earlier = [one.content for one in history if one.source_turn < record.source_turn]
        later = [one.content for one in history if one.source_turn > record.source_turn]
        roles = dict.fromkeys(earlier, OptionRole.PRE_VALUE) | dict.fromkeys(later, OptionRole.POST_VALUE)
        roles.pop(record.content, None)
        return roles

    def value_question(
        self,
        question_type: QuestionType,
        record: BeliefRecord,
        turn: int,
        evidence: tuple[int, ...],
        roles: dict[str, OptionRole],
        *,
        asks: Asks = "state",
        other: str | None = None,
        update: BeliefRecord | None = None,
        corrected: bool | None = None,
    ) -> QuestionSpec | None:
        """A question whose right option is the content of ``record``; None if the topic has too few values.

        Args:
            roles: contents that have a role among the wrong options.
            other: the second agent that the question names, if not the one whose state the record is about.
        """
        topic = self.topics[record.topic]
        distractors = self._distractors(record, topic, roles)
        if distractors is None:
            return None
        return QuestionSpec(
            type=question_type,
            mental_state=record.mental_state,
            order=record.order,
            agent=record.holder,
            about=record.about,
            topic=topic.id,
            turn=turn,
            question=self.words(question_type, asks, record, turn, other),
            gold=Option(as_option(record.content), OptionRole.GOLD),
            distractors=distractors,
            evidence=evidence,
            factors=self.factors(asks, record, update, corrected),
        )

    def _distractors(
        self, record: BeliefRecord, topic: Topic, roles: dict[str, OptionRole]
    ) -> tuple[Option, ...] | None:
        roles = {**dict.fromkeys(sorted(self.named(topic.id)), OptionRole.PARTNER_VALUE), **roles}
        elsewhere = [
            one.content
            for one in self.records
            if one.mental_state == record.mental_state and one.topic != record.topic and one.order == 1
        ]
        try:
            return value_distractors(topic, record.content, roles, elsewhere, self.rng)
        except NotEnoughOptions:
            return None

    def words(
        self, question_type: QuestionType, asks: Asks, record: BeliefRecord, turn: int | None, other: str | None = None
    ) -> str:
        """The question in words."""
        label = self.topics[record.topic].label
        names = {"agent": record.holder, "other": other or record.about or "", "topic": label, "turn": str(turn)}
        return word(question_type, asks, record.mental_state, names, self.rng)

    def factors(
        self, asks: Asks, record: BeliefRecord, update: BeliefRecord | None, corrected: bool | None = None
    ) -> Factors:
        """Values by which a question about a record may be grouped; ``update`` is the change that is asked about."""
        plan = None if update is None else self._plans.get((update.holder, update.topic, update.source_turn))
        return Factors(
            asks=asks,
            updates=len(self.changes),
            changes=len(self.history(record)) - 1,
            lag=self.tracker.last_turn - record.source_turn,
            corrected=corrected,
            marker=plan.marker if plan else None,
            names_old=plan.signal is Signal.EXPLICIT if plan else None,
            trigger=plan.trigger.value if plan else None,
        )
