"""Scripts: the directions of each turn, by which a scenario comes about."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from dtomtrack.beliefs.scenario import Scenario, Trigger
from dtomtrack.scenarios.difficulty import Difficulty

__all__ = ["DirectedScenario", "Direction", "Move", "Script"]


class Move(StrEnum):
    """One thing that an agent does within a turn.

    Moves that carry a topic on:
        voice       say for the first time what one holds
        update      signal a change of mind with the marker, and say what one holds now
        presume     take something wrong for granted about the other
        reveal      give the other the reason for a change of mind
        ask         ask the other, naming two values
    Reactions to what the other did in the turn before:
        acknowledge (a voice), accept (an update), correct or let stand (a presumption), concede (a correction),
        ponder and stay (a reason), relent (to staying), neither (a question that names two other values)
    Frame:
        greet, open, reply, invite, aside, small_talk, answer_small_talk, close
    Among several, where minds come apart:
        untruth               say what one does not hold
        tell, act             tell what a third holds; take it for granted aloud, where they don't hear it
    """

    VOICE = "voice"
    UPDATE = "update"
    PRESUME = "presume"
    REVEAL = "reveal"
    ASK = "ask"
    ACKNOWLEDGE = "acknowledge"
    ACCEPT = "accept"
    CORRECT = "correct"
    LET_STAND = "let_stand"
    NEITHER = "neither"
    CONCEDE = "concede"
    PONDER = "ponder"
    STAY = "stay"
    RELENT = "relent"
    GREET = "greet"
    OPEN = "open"
    REPLY = "reply"
    INVITE = "invite"
    ASIDE = "aside"
    SMALL_TALK = "small_talk"
    ANSWER_SMALL_TALK = "answer_small_talk"
    CLOSE = "close"
    UNTRUTH = "untruth"
    TELL = "tell"
    ACT = "act"


@dataclass(frozen=True)
class Direction:
    """One thing to do; what does not apply is empty.

    Attributes:
        value: content that is voiced, taken up, presumed or argued for.
        old: content that is given up or argued against.
        named: the two contents that a question names.
        holder: name of the agent whose state it is about, where that is not the topic's first holder.
        to: name of whom it is said to, among several.
        shifts: the topic was not on the table in the turn before, so a word of transition helps.
    """

    move: Move
    topic: str = ""
    value: str = ""
    old: str = ""
    named: tuple[str, ...] = ()
    trigger: Trigger | None = None
    marker: str = ""
    shifts: bool = False
    holder: str = ""
    to: str = ""


Script = tuple[tuple[Direction, ...], ...]
"""The directions of each turn."""


@dataclass(frozen=True)
class DirectedScenario:
    """A scenario that is ready to be played.

    Attributes:
        fillings: the words that fill the placeholders of the pack's lines.
        reasons: the words in which what changes a mind is told, by (topic, new content).
    """

    scenario: Scenario
    difficulty: Difficulty
    fillings: Mapping[str, str]
    situation: str
    reasons: Mapping[tuple[str, str], str]
    script: Script
