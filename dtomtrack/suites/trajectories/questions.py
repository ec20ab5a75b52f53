"""Questions about a tracked trajectory, of DToM-Track's six types (its paper, Table 2), with the values as options.

Right answers come from the tracker. The whole conversation is shown with the numbers of its turns, so that whoever is
asked about the time before turn 4 has to remember, and not to read the last line.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from dtomtrack.beliefs.dialogue import BeliefRecord
from dtomtrack.beliefs.question import QuestionType
from dtomtrack.beliefs.questions.spec import NO_TURN, at_turn
from dtomtrack.beliefs.questions.wordings import word
from dtomtrack.beliefs.tracker import StateKey
from dtomtrack.items.contexts import LinesContext
from dtomtrack.items.item import ContextLine, Item
from dtomtrack.suites.trajectories.tracking import TrackedTrajectory

__all__ = ["GOLD", "NEVER", "OTHER_TURN", "POST", "PRE", "UPDATE", "AskedItem", "questions"]

GOLD, PRE, POST, NEVER = "gold", "pre", "post", "never_held"
OTHER_TURN, NO_CHANGE = "other_turn", "no_change"
"""Roles of options: right, held earlier, held later, never held; and of turns."""
UPDATE = "update"
"""The kind of joint group that the questions about one change form."""
_MOST_TURNS = 4
_ABSENT = "none"


@dataclass(frozen=True)
class AskedItem:
    """An item, and what balancing has to know of it.

    Attributes:
        cell: items about the topic that have to be as many of each ``label``: what is asked, and at which turn; none
            for those that are always kept.
        topic: the id; ``values``: what can be held of it.
    """

    item: Item
    cell: tuple[str, ...] | None
    label: tuple[str, ...]
    topic: str
    values: tuple[str, ...]


def questions(tracked: TrackedTrajectory) -> Iterator[AskedItem]:
    """All questions about a trajectory."""
    asked = _Asked(tracked)
    for key in tracked.tracker.states():
        if key.about is None:
            yield from asked.about_changes(key)
            yield from asked.at_turns(QuestionType.TEMPORAL, key)
        else:
            yield from asked.at_turns(QuestionType.SECOND_ORDER, key)
    yield from asked.about_false_beliefs()


class _Asked:
    """Asks about one trajectory."""

    def __init__(self, tracked: TrackedTrajectory) -> None:
        self._tracked = tracked
        given = tracked.given
        self._context = LinesContext([ContextLine(turn.speaker, turn.utterance) for turn in given.turns])
        self._owners: dict[str, set[str]] = {}
        for key in tracked.tracker.states():
            self._owners.setdefault(key.topic, set()).add(key.about or key.holder)

    # -- changes -----------------------------------------------------------------------------------------------------

    def about_changes(self, key: StateKey) -> Iterator[AskedItem]:
        """Before, after and when of each change; or that there was none."""
        seen: dict[tuple[str, str], int] = {}
        for old, new in self._tracked.changes(key):
            kind = old.content, new.content
            seen[kind] = seen.get(kind, 0) + 1
            for asked, record in ((QuestionType.PRE_UPDATE, old), (QuestionType.POST_UPDATE, new)):
                if not self._is_unsettled(key, record):
                    yield self._of_change(self._value_item(asked, key, record, new.source_turn), key, old, new)
            yield self._of_change(self._when(key, kind, new.source_turn, seen[kind]), key, old, new)
        if self._tracked.is_steady(key):
            yield self._asked(self._never(key), key, None, ())

    def _is_unsettled(self, key: StateKey, record: BeliefRecord) -> bool:
        return record.content == self._tracked.given.topic(key.topic).unsettled

    def _asked(self, item: Item, key: StateKey, cell: tuple[str, ...] | None, label: tuple[str, ...]) -> AskedItem:
        return AskedItem(item, cell, label, key.topic, self._tracked.given.topic(key.topic).values)

    def _of_change(self, item: Item, key: StateKey, old: BeliefRecord, new: BeliefRecord) -> AskedItem:
        return self._asked(item, key, ("change",), (old.content, new.content))

    def _when(self, key: StateKey, kind: tuple[str, str], turn: int, number: int) -> Item:
        ordinal = "" if number == 1 and self._once(key, kind) else f" for time number {number}"
        return self._turn_item(key, kind, turn, ordinal)

    def _once(self, key: StateKey, kind: tuple[str, str]) -> bool:
        return sum((old.content, new.content) == kind for old, new in self._tracked.changes(key)) == 1

    def _never(self, key: StateKey) -> Item:
        """When a state changed that never did."""
        held = self._tracked.tracker.history(key)[0].content
        values = [value for value in self._tracked.given.topic(key.topic).values if value != held]
        return self._turn_item(key, (held, self._rng(key, "never").choice(values)), None, "")

    def _turn_item(self, key: StateKey, kind: tuple[str, str], turn: int | None, ordinal: str) -> Item:
        given = self._tracked.given
        topic = given.topic(key.topic)
        later = [one for one in self._tracked.turns_of(key)[1:] if one != turn]
        size = _MOST_TURNS - (turn is not None)
        others = self._rng(key, str(turn), *kind).sample(later, min(size, len(later)))
        turns = sorted([*others, *([] if turn is None else [turn])])
        texts = (*map(at_turn, turns), NO_TURN)
        if len(texts) < 2:
            texts = (at_turn(len(given.turns) - 1), NO_TURN)
        about = self._answer(key, topic.question) if topic.question else f"what {key.holder} held about {topic.label}"
        right = texts.index(at_turn(turn))
        return self._item(
            QuestionType.UPDATE_DETECTION,
            key,
            f'At which turn, if any, did {about} change from "{kind[0]}" to "{kind[1]}"{ordinal}?',
            texts,
            right,
            tuple(
                GOLD if place == right else NO_CHANGE if text == NO_TURN else OTHER_TURN
                for place, text in enumerate(texts)
            ),
            turn,
        )

    # -- values ------------------------------------------------------------------------------------------------------

    def at_turns(self, asked: QuestionType, key: StateKey) -> Iterator[AskedItem]:
        """A state at each turn of its holder but the last."""
        for turn in self._tracked.turns_of(key)[:-1]:
            record = self._tracked.at(key, turn)
            if record is not None and not self._is_unsettled(key, record):
                item = self._value_item(asked, key, record, turn)
                yield self._asked(item, key, (asked.value, str(turn)), (record.content,))

    def about_false_beliefs(self) -> Iterator[AskedItem]:
        """The actual state of somebody about whom another is wrong."""
        for turn, key, own in self._tracked.false_beliefs():
            record = self._tracked.at(own, turn)
            if record is not None:
                item = self._value_item(QuestionType.FALSE_BELIEF, own, record, turn, other=key.holder)
                yield self._asked(item, key, (QuestionType.FALSE_BELIEF.value, str(turn)), (record.content,))

    def _value_item(
        self, asked: QuestionType, key: StateKey, record: BeliefRecord, turn: int, other: str | None = None
    ) -> Item:
        values = self._tracked.given.topic(key.topic).values
        roles = self._roles(key, record, values)
        text = self._worded(asked, key, record, turn, other)
        return self._item(asked, key, text, values, values.index(record.content), roles, turn)

    def _roles(self, key: StateKey, record: BeliefRecord, values: Sequence[str]) -> tuple[str, ...]:
        history = self._tracked.tracker.history(key)
        later = {one.content for one in history if one.source_turn > record.source_turn}
        earlier = {one.content for one in history if one.source_turn < record.source_turn}
        return tuple(
            GOLD if value == record.content else POST if value in later else PRE if value in earlier else NEVER
            for value in values
        )

    def _worded(self, asked: QuestionType, key: StateKey, record: BeliefRecord, turn: int, other: str | None) -> str:
        topic = self._tracked.given.topic(key.topic)
        if topic.question is not None:
            when = {QuestionType.PRE_UPDATE: "Just before", QuestionType.POST_UPDATE: "Right after"}.get(asked, "At")
            thinks = f" in the eyes of {key.holder}" if key.about else f", whatever {other} assumed" if other else ""
            return f"{when} turn {turn}, what was {self._answer(key, topic.question)}{thinks}?"
        names = {
            "agent": key.holder,
            "other": key.about or other or "",
            "topic": topic.label,
            "turn": str(turn),
        }
        asks = "actual" if asked is QuestionType.FALSE_BELIEF else "state"
        return word(asked, asks, record.mental_state, names, self._rng(key, asked.value, str(turn)))

    def _answer(self, key: StateKey, question: str) -> str:
        """What answers a topic's question, and whose answer it is where that of several is known."""
        owner = key.about or key.holder
        whose = f"{owner}'s" if len(self._owners[key.topic]) > 1 else "the"
        return f'{whose} answer to "{question}"'

    def _item(
        self,
        asked: QuestionType,
        key: StateKey,
        question: str,
        options: Sequence[str],
        right: int,
        roles: tuple[str, ...],
        turn: int | None,
    ) -> Item:
        name = self._tracked.given.id
        about = f" about {key.about}" if key.about else ""
        joint = {UPDATE: f"{name} {key.holder} {key.topic} {turn}"} if asked in _OF_CHANGES and turn is not None else {}
        mark = hashlib.sha256(question.encode()).hexdigest()[:6]
        return Item(
            id=f"{name} {asked.value} {key.holder}{about} {key.topic} {'never' if turn is None else turn} {mark}",
            cluster=name,
            question=question,
            options=tuple(options),
            gold=frozenset((right,)),
            groups={
                "type": asked.value,
                "topic": key.topic,
                # of when something changed, the turn is the answer
                "round": _ABSENT if asked is QuestionType.UPDATE_DETECTION else str(turn),
                "changes": str(len(self._tracked.changes(key))),
            },
            joint=joint,
            roles=roles,
            turn=None if asked is QuestionType.UPDATE_DETECTION else turn,
            context=self._context,
        )

    def _rng(self, key: StateKey, *parts: str) -> Random:
        return Random("\0".join((self._tracked.given.id, key.holder, key.about or "", key.topic, *parts)))  # noqa: S311


_OF_CHANGES = frozenset({QuestionType.PRE_UPDATE, QuestionType.POST_UPDATE, QuestionType.UPDATE_DETECTION})
