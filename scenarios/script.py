"""Scripts: the directions of each turn, by which a scenario comes about."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple, TypeAlias

from dtomtrack.beliefs.scenario import Scenario, Trigger
from dtomtrack.scenarios.difficulty import Difficulty

__all__ = ["DirectedScenario", "Direction", "Move", "Occasion", "Script"]


class Move(StrEnum):
    """One thing that an agent does within a turn.

    Moves that carry a topic on:
        voice       say for the first time what one holds
        update      signal a change of mind with the marker, and say what one holds now
        presume     take something wrong for granted about the other
        reveal      give the other the reason for a change of mind
        ask, wonder ask the other, naming two values; openly
        lead        lead over to what one has to say and was not asked
    Reactions to what the other did in the turn before:
        acknowledge (a voice), accept (an update), correct or let stand (a presumption), concede (a correction),
        ponder and stay (a reason), relent (to staying), neither (a question that names two other values)
    Frame:
        greet, open, reply, invite, aside, small_talk, answer_small_talk, close
    Among several, where minds come apart:
        own_reason            say that one has been thinking, before a change with no reason of anybody else's
        restate               say that one still holds what one held; with a marker, it is a decoy
        slip                  correct oneself with the marker, on something that is not talked about: a decoy, too
        leave, come_back, join    say that one goes, is back, has come
        confide, write, read  begin an aside or a note; say that one has read it
        take_aside            say to who is concerned that one would rather ask them alone
        promise               say, to who has just confided something, that one keeps it to oneself
        discreet              say, behind something confided, that somebody is to hear something else of it
        mislead               say what one does not hold
        tell, act             tell what a third holds; take it for granted aloud, where they don't hear it
        dodge, mixed_up       leave a presumption open; say that it was another who said that
        confirm               say that one was taken rightly, before one says what one holds
        mention               name another value than one's own, as a view of somebody who is not there
        thank                 take note of what was told of a third
        welcome               greet somebody who has come late, or is back
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
    WONDER = "wonder"
    LEAD = "lead"
    OWN_REASON = "own_reason"
    RESTATE = "restate"
    SLIP = "slip"
    LEAVE = "leave"
    COME_BACK = "come_back"
    JOIN = "join"
    CONFIDE = "confide"
    TAKE_ASIDE = "take_aside"
    PROMISE = "promise"
    DISCREET = "discreet"
    WRITE = "write"
    READ = "read"
    MISLEAD = "mislead"
    TELL = "tell"
    ACT = "act"
    DODGE = "dodge"
    MIXED_UP = "mixed_up"
    CONFIRM = "confirm"
    MENTION = "mention"
    THANK = "thank"
    WELCOME = "welcome"


@dataclass(frozen=True)
class Occasion:
    """What a direction meets with, of what was said before (`dtomtrack.scenarios.acting.occasions`).

    Attributes:
        on_the_table: everybody there has heard of the topic in the turn before.
        off_the_table: who is asked has heard of something else last, or of the topic not for a while.
        passed: something else was spoken of since somebody whom it concerns last heard of the topic.
        far_back: the topic has not come up for a while, for one of those whom it concerns, or another has since.
        long_ago: what a reaction or a reason looks back on was not just now.
        overtaken: somebody there goes by something else than what is so.
        turned: who gives a reason has given the holder one for something else, and none for this.
        to: whom a reason has to be addressed to by name, so that it is clear who is meant.
        first: who takes note of a change has not heard how it was before.
        unprompted: who stays with what they hold was given no reason to do otherwise.
        won: who takes note of a change has just argued for it.
        among: those who alone hear it.
        to_one: one person alone hears it.
        kept_up: what somebody is to hear instead of the truth is what they go by already.
    """

    on_the_table: bool = False
    off_the_table: bool = False
    passed: bool = False
    far_back: bool = False
    long_ago: bool = False
    overtaken: bool = False
    turned: bool = False
    to: str = ""
    first: bool = False
    unprompted: bool = False
    won: bool = False
    among: tuple[str, ...] = ()
    to_one: bool = False
    kept_up: bool = False


class Direction(NamedTuple):
    """One thing to do; what does not apply is empty.

    Attributes:
        value: content that is voiced, taken up, presumed or argued for.
        old: content that is given up or argued against; of what is put right, what was so once, if it was.
        named: the two contents that a question names; of a reason, what its teller has argued for before.
        shifts: the topic was not on the table in the turn before, so a word of transition helps.
        holder: name of the agent whose state it is about, where that is not the topic's first holder.
        to: name of whom it is said to, among several.
        anew: what is said is not what the speaker said before of it, so no line will do that says it has long been so.
        behind: whom the pack's lines for it say "you" to does not hear it, so no line will do that does.
        hearsay: a reason is passed on as something heard elsewhere, with no word on what one makes of it.
        against: which of the lines against ``old``; -1 leaves it to chance.
        pick: which of the pack's lines for it, counted over the dialogue, so that none comes twice before all have
            come once; -1 leaves it to chance.
        nth: the same for lines that all topics share.
        occasion: what it meets with; known when parts are given out.
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
    anew: bool = False
    behind: bool = False
    hearsay: bool = False
    against: int = -1
    pick: int = -1
    nth: int = -1
    occasion: Occasion = Occasion()

    @property
    def state(self) -> State:
        """Whose state on which topic it is about."""
        return self.holder, self.topic


State: TypeAlias = tuple[str, str]
"""(holder, topic), as a direction has them."""
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
