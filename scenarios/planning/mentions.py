"""Mentions: other values than one's own, named as views of people who are not there.

Whoever names only what they hold gives it away to a reader who looks for the last value that they named. So people name
others in passing: behind what they hold, or in a turn of its own while that is fresh. Nothing that is named so can be
taken for what they hold, by nobody who hears it; nor do they make light of what they have held themselves.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from dtomtrack.scenarios.pack import PackTopic
from dtomtrack.scenarios.planning.stage import Stage
from dtomtrack.scenarios.planning.turns import StagedTurn
from dtomtrack.scenarios.script import Direction, Move

__all__ = ["add", "pass_turn"]

_FRESH = 7
"""Turns for which what somebody has said is fresh, so that nobody wonders why they come back to it."""
_SAYS = frozenset({Move.VOICE, Move.UPDATE, Move.RESTATE})
_NAMES = _SAYS | {Move.MISLEAD, Move.PRESUME, Move.REVEAL, Move.TELL, Move.ACT}
"""Moves that name a value."""


def add(stage: Stage) -> None:
    """Let who has just said what they hold name another value, too, now and then."""
    if not stage.turns or not _now(stage):
        return
    turn = stage.turns[-1]
    last = turn.directions[-1]
    if turn.hearers is None and not turn.read_at and last.move in _SAYS and last.holder == turn.speaker:
        mention = _mention(stage, turn.speaker, stage.pack.topic(last.topic))
        if mention is not None:
            stage.add(mention)


def pass_turn(stage: Stage) -> bool:
    """Pass a turn in which somebody comes back to what they hold, and names another value; False if nobody can."""
    if not _now(stage):
        return False
    for holder, topic in _fresh(stage):
        mention = _mention(stage, holder, topic)
        if mention is not None:
            stage.say(holder, mention)
            return True
    return False


def _now(stage: Stage) -> bool:
    share = stage.difficulty.mention_share
    return share > 0 and stage.rng.random() < share


def _fresh(stage: Stage) -> Iterator[tuple[str, PackTopic]]:
    """States of those who may speak that were just said, and no other value behind them; what is newest first."""
    for turn in reversed(stage.turns[-_FRESH:]):
        for one in turn.directions:
            if one.move is Move.MENTION:
                return
            if one.move in _SAYS and one.holder == turn.speaker != stage.last and not stage.is_away(turn.speaker):
                yield turn.speaker, stage.pack.topic(one.topic)


def _mention(stage: Stage, holder: str, topic: PackTopic) -> Direction | None:
    """The naming of a value that nobody there takes for the holder's, and that neither was it nor becomes it."""
    held = stage.ledger.held(holder, topic.id)
    lines = stage.pack.lines.talk.mention.get(topic.state)
    if not lines or topic.partners_own or held not in topic.clauses:
        return None
    left_out = {held, *_taken_for_so(stage, holder, topic)} | stage.to_come(holder, topic)
    left_out |= stage.has_said(holder, topic.id) | _named(stage.turns, topic, {Move.MENTION})
    values = [value for value in topic.clauses if value not in left_out]
    named = _named(stage.turns, topic, _NAMES)
    values = [value for value in values if value in named] or values
    return stage.direct(Move.MENTION, topic, holder, value=stage.rng.choice(values)) if values else None


def _taken_for_so(stage: Stage, holder: str, topic: PackTopic) -> Iterator[str]:
    """What any of the others takes the holder to hold, and what the holder lets them believe."""
    yield stage.pretended(holder, topic)
    for name in stage.names:
        if (picture := stage.ledger.picture(name, holder, topic.id)) is not None:
            yield picture.value


def _named(turns: Collection[StagedTurn], topic: PackTopic, moves: Collection[Move]) -> set[str]:
    """The values of a topic that came up by these moves; those that did will be among the options of questions."""
    return {one.value for turn in turns for one in turn.directions if one.topic == topic.id and one.move in moves}
