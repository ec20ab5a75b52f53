"""The question builder: from what the tracker has on record to four-option questions (paper, Table 2).

Gold answers come from the tracker alone. What was said aloud (`Reading`) decides only which distractors were mentioned.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from random import Random

from dtomtrack.beliefs.dialogue import BeliefRecord
from dtomtrack.beliefs.markers import marker
from dtomtrack.beliefs.question import Asks, Factors, OptionRole, Question, QuestionType
from dtomtrack.beliefs.questions.distractors import NotEnoughOptions, turn_distractors, value_distractors
from dtomtrack.beliefs.questions.draft import Draft, Option, as_option, at_turn
from dtomtrack.beliefs.questions.letters import arrange, gold_letter
from dtomtrack.beliefs.questions.wordings import word
from dtomtrack.beliefs.reading import Act, Reading
from dtomtrack.beliefs.scenario import FIRST_UPDATE_TURN, MentalState, PlannedUpdate, Topic
from dtomtrack.beliefs.tracker import BeliefTracker, StateKey
from dtomtrack.runs.slots import Slot

__all__ = ["QuestionBuilder"]

TEMPORAL_QUESTIONS = 3
SECOND_ORDER_QUESTIONS = 2
FALSE_BELIEFS = 1
NO_CHANGE_SHARE = 1 / 3
"""Update-detection questions whose answer is "at no turn", for each whose answer is a turn: a quarter of all."""


class QuestionBuilder:
    """Builds the questions of one dialogue.

    Args:
        tracker: has read the whole dialogue.
        topics: what may be asked about; contents on record that are no value of their topic are left out.
        agents: names of the two agents, agent A first.
        readings: what was said aloud.
        slot: decides letters and random choices.
        generator: who wrote the dialogue.
        planned: where there was a plan, what it says of markers and triggers goes into the factors, nothing into
            answers.
    """

    def __init__(
        self,
        tracker: BeliefTracker,
        topics: Sequence[Topic],
        agents: Sequence[str],
        readings: Sequence[Reading],
        slot: Slot,
        planned: Sequence[PlannedUpdate] = (),
        generator: str = "elsewhere",
    ) -> None:
        self._tracker = tracker
        self._plans = {(update.agent, update.topic, update.turn): update for update in planned}
        self._topics = {topic.id: topic for topic in topics}
        self._agents = tuple(agents)
        self._slot = slot
        self._generator = generator
        self._rng: Random = slot.random("questions")
        self._records = tracker.records()
        self._updates = tracker.updates()
        self._named: dict[str, set[str]] = {}
        self._argued: dict[str, list[int]] = {}
        for reading in readings:
            if reading.act is not Act.STATE:
                self._named.setdefault(reading.topic, set()).add(reading.content)
            if reading.act is Act.ARGUE:
                self._argued.setdefault(reading.topic, []).append(reading.turn)

    def build(self, dialogue_id: str) -> list[Question]:
        """The questions, with ids and letters."""
        numbers: dict[QuestionType, int] = {}
        questions: list[Question] = []
        for draft in self._drafts():
            number = numbers[draft.type] = numbers.get(draft.type, -1) + 1
            questions.append(self._finish(draft, dialogue_id, len(questions), number))
        return questions

    def _finish(self, draft: Draft, dialogue_id: str, index: int, number: int) -> Question:
        options = arrange(draft, gold_letter(self._slot, draft.type, number))
        return Question(
            id=f"{dialogue_id}-q{index:02d}",
            dialogue_id=dialogue_id,
            slot=self._slot.index,
            generator=self._generator,
            type=draft.type,
            mental_state=draft.mental_state,
            order=draft.order,
            agent=draft.agent,
            about=draft.about,
            topic=draft.topic,
            turn=draft.turn,
            question=draft.question,
            options={letter: option.text for letter, option in options.items()},
            answer=next(letter for letter, option in options.items() if option is draft.gold),
            option_roles={letter: option.role for letter, option in options.items()},
            evidence=draft.evidence,
            factors=draft.factors,
        )

    def _drafts(self) -> Iterator[Draft]:
        updates = [pair for pair in self._updates if self._usable(pair[0]) and self._usable(pair[1])]
        for old, new in updates:
            yield from self._about_update(old, new)
        yield from self._detection(updates)
        yield from self._temporal()
        false_beliefs = self._false_beliefs()
        for held, actual in false_beliefs[:FALSE_BELIEFS]:
            yield from self._about_false_belief(held, actual)
        yield from self._second_order([held for held, _ in false_beliefs])

    def _usable(self, record: BeliefRecord) -> bool:
        return record.topic in self._topics and record.content in self._topics[record.topic].values

    def _other(self, agent: str) -> str:
        return next(name for name in self._agents if name != agent)

    # -- values as options -------------------------------------------------------------------------------------------

    def _value_draft(
        self,
        question_type: QuestionType,
        asks: Asks,
        record: BeliefRecord,
        turn: int,
        evidence: tuple[int, ...],
        roles: dict[str, OptionRole],
        *,
        update: BeliefRecord | None = None,
        corrected: bool | None = None,
    ) -> Draft | None:
        """A question whose right option is the content of ``record``; None if the topic has too few values."""
        topic = self._topics[record.topic]
        named = self._named.get(topic.id, set())
        roles = {**dict.fromkeys(sorted(named), OptionRole.PARTNER_VALUE), **roles}
        elsewhere = [
            one.content
            for one in self._records
            if one.mental_state == record.mental_state and one.topic != record.topic and one.order == 1
        ]
        try:
            distractors = value_distractors(topic, record.content, roles, elsewhere, self._rng)
        except NotEnoughOptions:
            return None
        return Draft(
            type=question_type,
            mental_state=record.mental_state,
            order=record.order,
            agent=record.holder,
            about=record.about,
            topic=topic.id,
            turn=turn,
            question=self._word(question_type, asks, record.mental_state, record.holder, topic, turn),
            gold=Option(as_option(record.content), OptionRole.GOLD),
            distractors=distractors,
            evidence=evidence,
            factors=self._factors(asks, record, update, corrected),
        )

    def _factors(
        self, asks: Asks, record: BeliefRecord, update: BeliefRecord | None, corrected: bool | None = None
    ) -> Factors:
        plan = None if update is None else self._plans.get((update.holder, update.topic, update.source_turn))
        return Factors(
            asks=asks,
            updates=len(self._updates),
            changes=len(self._tracker.history(StateKey(record.holder, record.topic, record.about))) - 1,
            lag=self._tracker.last_turn - record.source_turn,
            corrected=corrected,
            marker=plan.marker if plan else None,
            names_old=marker(plan.marker).names_old if plan else None,
            trigger=plan.trigger.value if plan else None,
        )

    def _word(
        self, question_type: QuestionType, asks: Asks, state: MentalState, agent: str, topic: Topic, turn: int | None
    ) -> str:
        names = {"agent": agent, "other": self._other(agent), "topic": topic.label, "turn": str(turn)}
        return word(question_type, asks, state, names, self._rng)

    def _held_roles(self, record: BeliefRecord) -> dict[str, OptionRole]:
        """What the agent held before and after a record; what came later wins where a mind changed back."""
        history = self._tracker.history(StateKey(record.holder, record.topic))
        earlier = [one.content for one in history if one.source_turn < record.source_turn]
        later = [one.content for one in history if one.source_turn > record.source_turn]
        roles = dict.fromkeys(earlier, OptionRole.PRE_VALUE) | dict.fromkeys(later, OptionRole.POST_VALUE)
        roles.pop(record.content, None)
        return roles

    # -- before, after, when -----------------------------------------------------------------------------------------

    def _about_update(self, old: BeliefRecord, new: BeliefRecord) -> Iterator[Draft]:
        turn = new.source_turn
        for question_type, record, evidence in (
            (QuestionType.PRE_UPDATE, old, (old.source_turn,)),
            (QuestionType.POST_UPDATE, new, (turn,)),
        ):
            draft = self._value_draft(
                question_type, "state", record, turn, evidence, self._held_roles(record), update=new
            )
            if draft is not None:
                yield draft

    def _detection(self, updates: Sequence[tuple[BeliefRecord, BeliefRecord]]) -> Iterator[Draft]:
        changed: dict[StateKey, list[BeliefRecord]] = {}
        for _, new in updates:
            changed.setdefault(StateKey(new.holder, new.topic), []).append(new)
        for key, changes in changed.items():
            both: list[tuple[Asks, BeliefRecord]] = [("first_change", changes[0]), ("last_change", changes[-1])]
            for asks, update in both if len(changes) > 1 else [self._rng.choice(both)]:
                yield from self._when(key, asks, update, changes)
        steady = [
            key
            for key in self._tracker.states()
            if key.about is None
            and len(self._tracker.history(key)) == 1
            and self._usable(self._tracker.history(key)[0])
        ]
        wanted = self._slot.block_random("no change").random() < NO_CHANGE_SHARE * len(updates)
        if steady and (wanted or not updates):
            key = self._rng.choice(steady)
            either: list[Asks] = ["first_change", "last_change"]
            yield from self._when(key, self._rng.choice(either), None, ())

    def _when(
        self, key: StateKey, asks: Asks, update: BeliefRecord | None, changes: Sequence[BeliefRecord]
    ) -> Iterator[Draft]:
        """When a state changed; ``update`` is the change that is asked for, None if there was none."""
        gold = None if update is None else update.source_turn
        topic = self._topics[key.topic]
        own_turns = range(self._agents.index(key.holder), self._tracker.last_turn + 1, len(self._agents))
        eligible = [turn for turn in own_turns if turn >= FIRST_UPDATE_TURN]
        others = [turn for turn in range(1, self._tracker.last_turn + 1) if turn not in eligible]
        first = self._tracker.history(key)[0]
        try:
            distractors = turn_distractors(topic, gold, eligible, others, self._rng)
        except NotEnoughOptions:
            return
        state = first.mental_state
        yield Draft(
            type=QuestionType.UPDATE_DETECTION,
            mental_state=state,
            order=1,
            agent=key.holder,
            about=None,
            topic=topic.id,
            turn=gold,
            question=self._word(QuestionType.UPDATE_DETECTION, asks, state, key.holder, topic, None),
            gold=Option(at_turn(gold), OptionRole.GOLD),
            distractors=distractors,
            evidence=(first.source_turn, *(change.source_turn for change in changes)),
            factors=self._factors(asks, first, update),
        )

    # -- at a turn ---------------------------------------------------------------------------------------------------

    def _temporal(self) -> Iterator[Draft]:
        """What was held at a turn: of a state that is given up later, of one that never changes, and of any other."""
        own = [record for record in self._records if record.order == 1 and self._usable(record)]
        self._rng.shuffle(own)
        given_up = [record for record in own if record.superseded]
        steady = [record for record in own if not record.superseded and record.prior_content is None]
        taken_up = [record for record in own if not record.superseded and record.prior_content is not None]
        asked = 0
        for record in _in_turn((given_up, steady, taken_up)):
            window = self._window(record)
            if asked == TEMPORAL_QUESTIONS or not window:
                continue
            turn = self._rng.choice(window)
            draft = self._value_draft(
                QuestionType.TEMPORAL,
                "state",
                record,
                turn,
                (record.source_turn,),
                self._held_roles(record),
            )
            if draft is not None:
                asked += 1
                yield draft

    def _window(self, record: BeliefRecord) -> list[int]:
        """Turns at which a state was held beyond doubt, without the one at which it was expressed if there are others.

        Once the partner has given a reason against it, a state that will be given up may be crumbling already.
        """
        end = self._tracker.last_turn
        if record.superseded_at is not None:
            end = min([record.superseded_at - 1, *(turn - 1 for turn in self._argued_since(record))])
        return list(range(record.source_turn + 1, end + 1)) or [record.source_turn]

    def _argued_since(self, record: BeliefRecord) -> list[int]:
        return [turn for turn in self._argued.get(record.topic, ()) if turn > record.source_turn]

    # -- what the other thinks ---------------------------------------------------------------------------------------

    def _second_order(self, false: Sequence[BeliefRecord]) -> Iterator[Draft]:
        known_false = {id(record) for record in false}
        thoughts = [
            record
            for record in self._records
            if record.order == 2 and id(record) not in known_false and self._usable(record)
        ]
        self._rng.shuffle(thoughts)
        thoughts.sort(key=self._unsettled, reverse=True)
        asked = 0
        for record in thoughts:
            if record.about is None:
                continue
            about = StateKey(record.about, record.topic)
            window = self._unanswered(record, about)
            if asked == SECOND_ORDER_QUESTIONS or not window:
                continue
            actual = self._tracker.history(about)
            roles = {
                one.content: OptionRole.PRE_VALUE if one.source_turn <= record.source_turn else OptionRole.POST_VALUE
                for one in actual
                if one.content != record.content
            }
            evidence = self._heard_at(record, about)
            draft = self._value_draft(
                QuestionType.SECOND_ORDER, "state", record, self._rng.choice(window), evidence, roles
            )
            if draft is not None:
                asked += 1
                yield draft

    def _unsettled(self, record: BeliefRecord) -> bool:
        """Whether more than one value of the topic was on the table, so that there is something to get wrong."""
        contents = {one.content for one in self._records if one.topic == record.topic}
        return len(contents | self._named.get(record.topic, set())) > 1

    def _unanswered(self, record: BeliefRecord, about: StateKey) -> list[int]:
        """Turns at which the holder thought so, had not yet heard otherwise and had done nothing to change it."""
        spoken = [one.source_turn for one in self._tracker.history(about)]
        otherwise = [turn for turn in spoken if turn > record.source_turn]
        end = min([self._tracker.last_turn, *(turn - 1 for turn in otherwise + self._argued_since(record))])
        if record.superseded_at is not None:
            end = min(end, record.superseded_at - 1)
        return list(range(record.source_turn, end + 1))

    def _heard_at(self, record: BeliefRecord, about: StateKey) -> tuple[int, ...]:
        """Where the holder had it from: the other's own word, or nowhere but their own mouth."""
        own = self._tracker.at(about, record.source_turn)
        if own is not None and own.content == record.content:
            return (own.source_turn,)
        return (record.source_turn,)

    # -- false beliefs -----------------------------------------------------------------------------------------------

    def _false_beliefs(self) -> list[tuple[BeliefRecord, BeliefRecord]]:
        """Second-order beliefs that were false from the start, each with what the other really held.

        Stale ones are left out: who says that they changed their mind is heard in that very turn.
        """
        found: dict[tuple[StateKey, str], tuple[BeliefRecord, BeliefRecord]] = {}
        for turn in range(self._tracker.last_turn + 1):
            for one in self._tracker.false_beliefs(turn):
                if one.actual is not None and not one.stale and self._usable(one.held) and self._usable(one.actual):
                    key = StateKey(one.held.holder, one.held.topic, one.held.about), one.held.content
                    found.setdefault(key, (one.held, one.actual))
        return list(found.values())

    def _about_false_belief(self, held: BeliefRecord, actual: BeliefRecord) -> Iterator[Draft]:
        turn = held.source_turn
        corrected = held.superseded_at is not None
        views: list[tuple[Asks, BeliefRecord, tuple[int, ...], dict[str, OptionRole]]] = [
            ("actual", actual, (actual.source_turn,), {held.content: OptionRole.PARTNER_VALUE}),
            ("assumed", held, (turn, actual.source_turn), {actual.content: OptionRole.PARTNER_VALUE}),
        ]
        for asks, record, evidence, role in views:
            roles = {**(self._held_roles(record) if asks == "actual" else {}), **role}
            draft = self._value_draft(
                QuestionType.FALSE_BELIEF, asks, record, turn, evidence, roles, corrected=corrected
            )
            if draft is not None:
                yield draft


def _in_turn(groups: Sequence[Sequence[BeliefRecord]]) -> Iterator[BeliefRecord]:
    """The first of each group, then the second of each, ..."""
    for row in zip_longest(*groups):
        yield from (record for record in row if record is not None)
