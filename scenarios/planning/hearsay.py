"""Hearsay: somebody tells another what a third holds, as it is, as it was, or wrong."""

from __future__ import annotations

from collections.abc import Iterator

from dtomtrack.beliefs.divergence import Way
from dtomtrack.scenarios.pack import PackTopic
from dtomtrack.scenarios.planning.acting_on import breaks_their_word
from dtomtrack.scenarios.planning.apart import follow_up
from dtomtrack.scenarios.planning.ledger import Picture
from dtomtrack.scenarios.planning.stage import Stage
from dtomtrack.scenarios.planning.steps import Step
from dtomtrack.scenarios.planning.trajectories import LONG
from dtomtrack.scenarios.script import Move

__all__ = ["tell"]

_FRESH, _STILL_KNOWN = 1, 8
"""The fewest and the most turns within which nobody garbles what they were told, or have read."""
_PATIENCE = 6
"""Turns that it waits for somebody who may mix it up, before it is told as it is."""
_BETWEEN = 4
"""Turns between two things that somebody is told alone, in a long dialogue."""
_OF_LATE = 12
"""Turns for which people remember what was argued for in vain, and what they said themselves."""
_ROOM = 3
"""Turns that there have to be for somebody to be told something."""


def tell(stage: Stage, step: Step) -> bool:
    """Who missed what a third holds is told of it; or, where nobody is named, anybody is told what is not so."""
    if not step.to:
        return _mistell(stage)
    topic, holder, to = step.about, step.holder, step.to
    if stage.is_fresh_secret(holder, topic):
        return False
    if _is_about(stage, topic, holder, to):
        return True
    teller = _teller(stage, holder, topic, to)
    picture = stage.ledger.picture(teller, holder, topic.id)
    if picture is None:
        return False
    garbled = _garbled(stage, teller, to, holder, topic) if step.garbled else ""
    if step.garbled and not garbled and stage.now < step.due + _PATIENCE:
        return False
    _pass_on(stage, teller, to, holder, topic, garbled or picture.value)
    return True


def _mistell(stage: Stage) -> bool:
    """Somebody who was not told how it is now, or mixes it up, tells it to one who knows less.

    Where it was looked for in vain at this turn already, it is not again.
    """
    if stage.nobody_mistells_at == stage.now:
        return False
    states = stage.ledger.states()
    stage.rng.shuffle(states)
    for holder, topic_id in states:
        topic = stage.pack.topic(topic_id)
        untold = [] if stage.is_fresh_secret(holder, topic) else _untold(stage, holder, topic)
        for to in stage.rng.sample(untold, len(untold)):
            teller = _teller(stage, holder, topic, to)
            value = _wrong(stage, teller, to, holder, topic)
            if value:
                _pass_on(stage, teller, to, holder, topic, value)
                return True
    stage.nobody_mistells_at = stage.now
    return False


def _wrong(stage: Stage, teller: str, to: str, holder: str, topic: PackTopic) -> str:
    """What a teller has that is no longer so, or makes of what is; empty for nothing that is new to the other."""
    known, theirs = (stage.ledger.picture(name, holder, topic.id) for name in (teller, to))
    if known is None:
        return ""
    if known.value != stage.ledger.held(holder, topic.id):
        return known.value if theirs is None or theirs.value != known.value else ""
    return _garbled(stage, teller, to, holder, topic) if stage.difficulty.garbled_share else ""


def _teller(stage: Stage, holder: str, topic: PackTopic, to: str) -> str:
    """Somebody there who has it from later than the other, and may say it; empty if there is nobody."""
    if to == holder or stage.is_away(to) or stage.left < _ROOM or len(stage.present) < 2 or _was_just_told(stage, to):
        return ""
    told = stage.ledger.picture(to, holder, topic.id)
    return stage.ready_to_speak(
        [
            name
            for name in stage.others(to, holder)
            if _has_news(stage, name, holder, topic, told)
            and to not in stage.ledger.seen_through(name, holder, topic.id)
            and not stage.is_kept_from(to, name, holder, topic)
            and not _have_spoken_of_it(stage, name, to, holder, topic)
            and not _spoke_of_it_just_now(stage, name, to, holder, topic)
        ]
    )


def _have_spoken_of_it(stage: Stage, name: str, other: str, holder: str, topic: PackTopic) -> bool:
    """Whether one of two has told the other already what the first takes a third to hold."""
    picture = stage.ledger.picture(name, holder, topic.id)
    return picture is not None and _was_told(stage, name, other, holder, topic, picture.value)


def _was_told(stage: Stage, one: str, other: str, holder: str, topic: PackTopic, value: str) -> bool:
    """Whether one of two has told the other that a third holds this."""
    heard_from = stage.ledger.heard_from
    return other in heard_from(one, holder, topic.id, value) or one in heard_from(other, holder, topic.id, value)


def _spoke_of_it_just_now(stage: Stage, name: str, to: str, holder: str, topic: PackTopic) -> bool:
    """Whether somebody has told another of late what a third holds, or acted on it, whatever they heard since."""
    said = (turn for turn in stage.turns[-_OF_LATE:] if turn.speaker == name and to in turn.heard_by)
    moves = {Move.TELL, Move.ACT, Move.PRESUME}
    return any(
        (one.topic, one.holder) == (topic.id, holder) and one.move in moves for turn in said for one in turn.directions
    )


def _was_just_told(stage: Stage, to: str) -> bool:
    """Whether somebody was told something alone in the last turns of a long dialogue: nobody is told all at once."""
    last = stage.turns[-_BETWEEN:] if stage.whole >= LONG else ()
    alone = (turn for turn in last if turn.hearers is not None and to in turn.hearers)
    return any(one.move is Move.TELL for turn in alone for one in turn.directions)


def _pass_on(stage: Stage, teller: str, to: str, holder: str, topic: PackTopic, value: str) -> None:
    picture = stage.ledger.picture(teller, holder, topic.id)
    if picture is None:
        raise ValueError(f"{teller} has heard nothing of {holder} on {topic.id}")
    hearers = _told(stage, teller, to, holder, topic, value, picture)
    name = to if len(stage.present) > 2 else ""
    direction = stage.direct(Move.TELL, topic, holder, value=value, old=picture.value, to=name)
    stage.say(teller, direction, hearers=None if len(hearers) == len(stage.others(teller)) else hearers)
    stage.ledger.hear(hearers, holder, topic.id, value, picture.source)
    stage.ledger.pass_on(teller, hearers, holder, topic.id, value)
    stage.settle(holder, topic, Way.HEARSAY)
    follow_up(stage)


def _may_be_mixed_up(stage: Stage, teller: str, holder: str, topic: PackTopic) -> bool:
    """Whether somebody may have forgotten what they heard: not of late, nor if they brought it up themselves."""
    picture = stage.ledger.picture(teller, holder, topic.id)
    if picture is None:
        return False
    heard_at = max(picture.source, _last_read(stage, teller, holder, topic))
    is_old = stage.now - heard_at > max(_FRESH, min(_STILL_KNOWN, stage.length // 12 - 1))
    return is_old and picture.value not in {topic.ignorance, stage.brought_up(teller, topic)}


def _last_read(stage: Stage, name: str, holder: str, topic: PackTopic) -> int:
    """The last turn at which somebody read a note of the holder's on a topic; -1 for never."""
    notes = (turn for turn in stage.turns if turn.read_at and turn.is_on(holder, topic.id))
    return max((read for turn in notes if (read := turn.read_at.get(name)) is not None), default=-1)


def _garbled(stage: Stage, teller: str, to: str, holder: str, topic: PackTopic) -> str:
    """A value that neither takes for so, nor has told the other; empty if there is none, or nothing is mixed up yet.

    Nor did the holder ever say so, or will: a reader would take it for an old word of theirs, and a report is as old as
    the word that it goes back to. Nor did the other hear of late how somebody argued for it in vain.
    """
    if not _may_be_mixed_up(stage, teller, holder, topic):
        return ""
    pictures = [stage.ledger.picture(name, holder, topic.id) for name in (teller, to)]
    known = {one.value for one in pictures if one is not None} | stage.has_said(holder, topic.id)
    known |= stage.to_come(holder, topic) | set(_argued_before(stage, to, holder, topic))
    fresh = [one for one in topic.clauses if one not in known and not _was_told(stage, teller, to, holder, topic, one)]
    return stage.rng.choice(fresh) if fresh else ""


def _argued_before(stage: Stage, name: str, holder: str, topic: PackTopic) -> Iterator[str]:
    """What somebody has heard of late that a holder was given a reason for."""
    for turn in stage.turns[-_OF_LATE:]:
        reasons = [one for one in turn.directions if one.move is Move.REVEAL] if name in turn.heard_by else []
        yield from (one.value for one in reasons if (one.topic, one.holder) == (topic.id, holder))


def _untold(stage: Stage, holder: str, topic: PackTopic) -> list[str]:
    return [
        name
        for name in stage.others(holder)
        if not stage.ledger.knows(name, holder, topic.id) and not _is_about(stage, topic, holder, name)
    ]


def _is_about(stage: Stage, topic: PackTopic, holder: str, name: str) -> bool:
    """Whether it is about somebody's own life, so that nobody need tell them what another makes of it."""
    return topic.partners_own and name in stage.spoken_to(topic, holder)


def _has_news(stage: Stage, name: str, holder: str, topic: PackTopic, told: object) -> bool:
    picture = stage.ledger.picture(name, holder, topic.id)
    source = getattr(told, "source", -1)
    return picture is not None and picture.source > source


def _told(stage: Stage, teller: str, to: str, holder: str, topic: PackTopic, value: str, picture: Picture) -> list[str]:
    """Who hears it: all who are there, unless the holder is, or who knows better or newer; then who is told alone."""
    others = stage.others(teller)
    wrong = value != stage.ledger.held(holder, topic.id)
    better = any(stage.ledger.knows(name, holder, topic.id) for name in others if name != to)
    seen_through = not stage.ledger.seen_through(teller, holder, topic.id).isdisjoint(others)
    newer = any(stage.ledger.goes_by_newer(name, holder, topic.id, picture, value) for name in others if name != to)
    alone = holder in others or (wrong and better) or seen_through or newer
    return [to] if alone or breaks_their_word(stage, teller, holder, topic) else others
