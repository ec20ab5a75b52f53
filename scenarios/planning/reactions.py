"""What people say to the turn before, when it is their turn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Protocol

from dtomtrack.scenarios.difficulty import Difficulty
from dtomtrack.scenarios.pack import DomainPack, PackTopic
from dtomtrack.scenarios.planning.turns import StagedTurn
from dtomtrack.scenarios.script import Direction, Move

__all__ = ["Scene", "reaction_to"]


class Scene(Protocol):
    """As much of a dialogue that is being planned as reactions depend on."""

    pack: DomainPack
    sides: Mapping[str, str]
    difficulty: Difficulty
    rng: Random

    @property
    def turns(self) -> Sequence[StagedTurn]:
        """The turns so far."""
        ...

    def direct(self, move: Move, topic: PackTopic | None = None, holder: str = "", **more: object) -> Direction:
        """A direction, with numbers by which its lines are picked."""
        ...


_COMING_AND_GOING = frozenset({Move.LEAVE, Move.JOIN, Move.COME_BACK})
_SPEAKS_FOR_ITSELF = frozenset(
    {
        Move.CORRECT,
        Move.MIXED_UP,
        Move.DODGE,
        Move.STAY,
        Move.RESTATE,
        Move.LEAVE,
        Move.COME_BACK,
        Move.JOIN,
        Move.CONFIDE,
        Move.WRITE,
        Move.READ,
        Move.MISLEAD,
        Move.ANSWER_SMALL_TALK,
        Move.SLIP,
        Move.CONFIRM,
        Move.GREET,
    }
)
"""Moves beside which a reaction to something else would be taken for part of them."""


def reaction_to(stage: Scene, turn: StagedTurn) -> Direction | None:
    """A reaction of the next speaker to the turn before, if one is due."""
    before = stage.turns[-1]
    if turn.speaker == before.speaker or turn.hearers is not None:
        return None
    moving = any(one.move in _COMING_AND_GOING for one in turn.directions)
    if not moving and (come := _not_welcomed(stage, turn)):
        return stage.direct(Move.WELCOME, to=come)
    aside = before.hearers is not None
    if aside or turn.speaker not in before.heard_by or any(one.move in _SPEAKS_FOR_ITSELF for one in turn.directions):
        return None
    carried_on = {(one.topic, one.holder) for one in turn.directions if one.topic}
    for one in reversed(before.directions):
        if one.topic and one.move is not Move.MENTION and (one.topic, one.holder) not in carried_on:
            return _reaction(stage, before, turn.speaker, one)
    return None


def _not_welcomed(stage: Scene, turn: StagedTurn) -> str:
    """Who has just come late and was greeted by nobody yet, nor talked to alone by who speaks; empty for nobody."""
    talked_to: set[str] = set()
    for one in reversed(stage.turns[-_STILL_NEW:]):
        moves = [direction.move for direction in one.directions]
        if Move.WELCOME in moves:
            return ""
        if one.speaker == turn.speaker and one.hearers is not None:
            talked_to.update(one.heard_by)
        if Move.JOIN in moves and one.speaker in turn.present:
            return "" if one.speaker in {turn.speaker, *talked_to} else one.speaker
    return ""


_STILL_NEW = 6
"""Turns for which somebody who has come late can be greeted; an aside and what follows on it may take four of them."""


def _reaction(stage: Scene, before: StagedTurn, speaker: str, to: Direction) -> Direction | None:
    topic, chance = stage.pack.topic(to.topic), stage.rng.random()
    difficulty = stage.difficulty
    if to.move is Move.VOICE and any(one.move in {Move.CORRECT, Move.MIXED_UP} for one in before.directions):
        was_wrong = len(stage.turns) > 1 and stage.turns[-2].speaker == speaker
        return stage.direct(Move.CONCEDE, topic, to.holder) if was_wrong else None
    if to.move is Move.VOICE and chance < difficulty.acknowledgement_share:
        if to.value == topic.ignorance:
            return stage.direct(Move.ACKNOWLEDGE, topic, to.holder, value=to.value)
        return stage.direct(Move.ACKNOWLEDGE, topic, to.holder, to=_side(stage, topic.shared, speaker, to.holder))
    if to.move is Move.UPDATE and chance < difficulty.acceptance_share:
        return stage.direct(Move.ACCEPT, topic, to.holder)
    if to.move in {Move.STAY, Move.RESTATE} and len(stage.turns) > 1 and stage.turns[-2].speaker == speaker:
        argued = any(one.move is Move.REVEAL for one in stage.turns[-2].directions)
        return stage.direct(Move.RELENT, topic, to.holder) if argued else None
    if to.move is Move.TELL and chance < difficulty.acknowledgement_share:
        return stage.direct(Move.THANK)
    return None


def _side(stage: Scene, shared: bool, speaker: str, holder: str) -> str:
    """The holder's name where the lines that others have for the topic do for the speaker, too; else none."""
    return holder if shared or stage.sides[speaker] != stage.sides[holder] else ""
