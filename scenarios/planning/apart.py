"""Exchanges that leave somebody behind: a change missed, an aside, a note, an untruth."""

from __future__ import annotations

from collections.abc import Sequence

from dtomtrack.beliefs.divergence import Way
from dtomtrack.beliefs.mental_state import MentalState
from dtomtrack.scenarios.pack import PackTopic
from dtomtrack.scenarios.planning.exchanges import STILL_FRESH, changed, give_floor, give_reason
from dtomtrack.scenarios.planning.reasons import tells_of_themselves
from dtomtrack.scenarios.planning.stage import Stage
from dtomtrack.scenarios.planning.steps import Kind, Step
from dtomtrack.scenarios.planning.trajectories import SHORT
from dtomtrack.scenarios.script import Direction, Move

__all__ = ["come_back", "confide", "join", "mislead", "note", "read", "revise_unheard"]


_LEFT_TO_MISS = 6
"""Turns that there have to be for somebody to leave, miss something, and be back."""
_ROOM_FOR_AN_ASIDE, _ROOM_FOR_AN_UNTRUTH = 3, 5
"""Turns that there have to be for a word to some, and for what somebody else is to hear instead."""
_BETWEEN, _A_PART = 12, 6
"""The most turns that pass before that is said, in all, and as a part of the dialogue."""
_GREETED = 3
"""Turns for which who comes late is greeted first, and at most as many more before they are told anything."""
_UNASKED = 0.5
"""The share of untruths, of those that can be asked for, that nobody asks for."""
_ROOM_TO_PASS_A_TURN = 4
"""Turns that there have to be for a turn to be passed, so that the same may speak again."""
_HAS_A_WISH = "a"
"""The side that the other does something for: who works there carries it out together."""


def _behind(stage: Stage, step: Step) -> list[str]:
    """Those who know how it stands, in any order: were some left behind more often, their names alone would tell."""
    topic, holder = step.about, step.holder
    knowing = [name for name in stage.names if name != holder and stage.ledger.knows(name, holder, topic.id)]
    stage.rng.shuffle(knowing)
    return knowing


def revise_unheard(stage: Stage, step: Step) -> bool:
    """Somebody who knows how it stands goes out, and meanwhile the holder changes their mind."""
    topic, holder = step.about, step.holder
    if stage.is_away(holder) or stage.left < min(_LEFT_TO_MISS, stage.length // 2):
        return False
    if topic.partners_own and not tells_of_themselves(stage, topic, holder, step.value):
        return False
    away = [name for name in _behind(stage, step) if stage.is_away(name)]
    if away and len(stage.present) >= 2 and stage.believable(holder, topic, stage.present, step.value):
        return _change_before(stage, step)
    leaving = [name for name in _behind(stage, step) if _may_leave(stage, step, name)]
    if len(stage.present) < 3 or not leaving:
        return False
    who = next((name for name in leaving if name != stage.last), leaving[0])
    if not stage.believable(holder, topic, stage.others(who), step.value) or not give_floor(stage, who):
        return False
    stage.leave(who)
    stage.plan(Step(Kind.COME_BACK, stage.now + 2 + stage.gap(stage.length // 10), who=who, holder=holder, topic=topic))
    return _change_before(stage, step)


def _may_leave(stage: Stage, step: Step, name: str) -> bool:
    """Whether somebody is there and not needed: for an untruth, or to tell of their own life."""
    needed = stage.is_to_stay(name) or (step.about.partners_own and name in stage.spoken_to(step.about, step.holder))
    return not needed and not stage.is_away(name)


def _change_before(stage: Stage, step: Step) -> bool:
    """The change, before those who are there."""
    reasoned = give_reason(stage, step)
    if not reasoned and (step.about.partners_own or not give_floor(stage, step.holder)):
        return False
    stage.say(step.holder, *changed(stage, step, stage.present))
    stage.express(step.holder, step.about, step.value, Way.ABSENCE)
    follow_up(stage)
    return True


def follow_up(stage: Stage) -> None:
    """Plan that those who were left behind by the last turn act on what they take for so."""
    for one in stage.apart:
        if one.until is None and one.turn == stage.now - 1 and one.believed is not None:
            due = stage.now + 1 + stage.gap(stage.length // 10 + 1)
            stage.plan(Step(Kind.ACT, due, one.holder, one.topic, who=one.mistaken))


def come_back(stage: Stage, step: Step) -> bool:
    """Who was away is back, and is told something or not."""
    who = step.who
    stage.attendance.come_back(who, stage.now)
    if not give_floor(stage, who):
        stage.attendance.stay_away(who)
        return False
    stage.say(who, stage.direct(Move.COME_BACK, value=str(stage.attendance.last_absence(who).reason)))
    _is_to_be_told(stage, who, step.holder, step.about, stage.now)
    return True


def _is_to_be_told(stage: Stage, who: str, holder: str, topic: PackTopic, due: float) -> None:
    """Somebody is told what they missed, or not; as it is, or, for hearsay, garbled: as one of few ways always so."""
    difficulty = stage.difficulty
    hearsay = Way.HEARSAY in difficulty.ways
    needed = difficulty.few_ways and hearsay
    if needed or stage.rng.random() < difficulty.told_share:
        garbled = needed or (stage.rng.random() < difficulty.garbled_share and hearsay)
        stage.plan(Step(Kind.TELL, due, holder, topic, to=who, garbled=garbled))


def join(stage: Stage, step: Step) -> bool:
    """Who comes late is there: what was said so far they have not heard."""
    who = step.who
    if stage.last == "" or stage.left < 4:
        return False
    if stage.difficulty.few_ways and not stage.ledger.states():
        return False
    stage.attendance.come_back(who, stage.now)
    stage.say(who, stage.direct(Move.JOIN, value=str(stage.attendance.last_absence(who).reason)))
    stage.missed_so_far(who)
    missed = [(holder, topic) for holder, topic in stage.ledger.states() if holder != who]
    if missed:
        holder, topic = stage.rng.choice(missed)
        _is_to_be_told(stage, who, holder, stage.pack.topic(topic), stage.now + _GREETED + stage.gap(_GREETED))
    return True


def confide(stage: Stage, step: Step) -> bool:
    """The holder changes their mind, and tells some of the others alone; where that is agreed, one hears an untruth."""
    topic, holder = step.about, step.holder
    mistaken = _left_out(stage, step)
    confidants = stage.others(holder, mistaken)
    if not mistaken or not confidants:
        return False
    if not stage.believable(holder, topic, confidants, step.value) or not give_floor(stage, holder):
        return False
    instead = _instead(stage, step, mistaken) if step.way is Way.UNTRUTH else ""
    to = _company(confidants)
    said = [stage.direct(Move.CONFIDE, topic, holder, to=to), *changed(stage, step, confidants)]
    if instead:
        said.append(stage.direct(Move.DISCREET, topic, holder, to=to, old=instead, named=(mistaken,)))
    stage.say(holder, *said, hearers=confidants)
    stage.express(holder, topic, step.value, Way.ASIDE)
    stage.keep_secret(holder, topic, confidants, mistaken)
    follow_up(stage)
    if instead:
        stage.confided(holder, topic, confidants, instead)
        room = max(0, min(_BETWEEN, stage.length // _A_PART, stage.left - _ROOM_FOR_AN_UNTRUTH))
        due = stage.now + stage.rng.randint(0, room)
        stage.plan(Step(Kind.MISLEAD, due, holder, topic, instead, step.value, who=mistaken))
    _promise(stage, holder, confidants)
    return True


def _promise(stage: Stage, holder: str, confidants: Sequence[str]) -> None:
    """One of those who were just told something alone says, as quietly, that it stays with them, if there is room."""
    if stage.left > _ROOM_FOR_AN_ASIDE and (name := stage.ready_to_speak(confidants)):
        hearers = [holder, *(one for one in confidants if one != name)]
        stage.say(name, stage.direct(Move.PROMISE, to=holder), hearers=hearers)


def _left_out(stage: Stage, step: Step) -> str:
    """Somebody there who knows how it stood, from whom a change can be kept; empty for nobody, or without room."""
    topic, holder = step.about, step.holder
    untrue = step.way is Way.UNTRUTH
    room = _ROOM_FOR_AN_UNTRUTH if untrue else _ROOM_FOR_AN_ASIDE
    if topic.partners_own or stage.is_away(holder) or len(stage.present) < 3:
        return ""
    if stage.left < min(room, stage.length // 2) or (untrue and stage.untruths_to_come):
        return ""
    behind = [name for name in _behind(stage, step) if not stage.is_away(name)]
    if untrue:
        behind = [name for name in behind if _may_be_deceived(stage, topic, holder, name)]
    return next(iter(behind), "")


def _may_be_deceived(stage: Stage, topic: PackTopic, holder: str, name: str) -> bool:
    """Whether somebody has no part in what it is about: nobody lies to who has to carry it out, or gives or has it.

    Where a topic is one side's, that is everybody whom its lines are said to, and who works with the holder; of
    feelings nobody has a part but who has them.
    """
    if topic.shared or topic.state is MentalState.EMOTION:
        return True
    return name not in stage.spoken_to(topic, holder) and stage.sides[name] == _HAS_A_WISH


def mislead(stage: Stage, step: Step) -> bool:
    """The holder says what is not so, asked by who does not know, or of themselves; nobody who knows hears it."""
    topic, holder, who, ledger = step.about, step.holder, step.who, stage.ledger
    hearers = _unknowing(stage, holder, topic, who)
    aside = None if len(hearers) == len(stage.others(holder)) else hearers
    lead: list[Direction] = []
    if _is_asked(stage, topic, holder, who):
        _ask(stage, step, aside)
    elif give_floor(stage, holder):
        lead = [stage.direct(Move.LEAD, topic, holder, value=step.value)]
    else:
        return False
    said = stage.direct(Move.MISLEAD, topic, holder, value=step.value, old=step.old, to=who)
    stage.say(holder, *lead, said, hearers=aside)
    ledger.hear(hearers, holder, topic.id, step.value, stage.now - 1, hearsay=False)
    ledger.mislead(holder, topic.id, stage.now - 1)
    for one in stage.apart:
        if one.until is None and (one.holder, one.topic.id) == (holder, topic.id) and one.mistaken in hearers:
            one.until = stage.now - 1
    stage.settle(holder, topic, Way.UNTRUTH)
    follow_up(stage)
    return True


def _is_asked(stage: Stage, topic: PackTopic, holder: str, who: str) -> bool:
    """Whether who does not know asks for an untruth: not right behind their own words, nor the holder's."""
    no_floor = holder == stage.last and stage.left < _ROOM_TO_PASS_A_TURN
    known = stage.ledger.picture(who, holder, topic.id)
    just_heard = known is not None and 0 <= stage.now - known.source <= STILL_FRESH
    may_ask = who in stage.partners(topic, holder) and who != stage.last and not just_heard and stage.left > 1
    return may_ask and (no_floor or stage.rng.random() >= _UNASKED)


def _ask(stage: Stage, step: Step, aside: Sequence[str] | None) -> None:
    """The question that an untruth answers: from those of whom it is kept, for the holder's ears and theirs."""
    known = stage.ledger.picture(step.who, step.holder, step.about.id)
    again = ("again",) if known and not known.hearsay else ()
    question = stage.direct(Move.WONDER, step.about, step.holder, to=step.holder, named=again)
    hearers = None if aside is None else [step.holder, *(one for one in aside if one != step.who)]
    stage.say(step.who, question, hearers=hearers)


def _unknowing(stage: Stage, holder: str, topic: PackTopic, who: str) -> list[str]:
    """Those who may hear an untruth: all who are there, if none of them knows better or has a part in it; else one."""
    others = stage.others(holder)
    fitting = [name for name in others if _may_be_deceived(stage, topic, holder, name)]
    if len(fitting) < len(others) or any(stage.ledger.knows(name, holder, topic.id) for name in others):
        return [who]
    return others


def _instead(stage: Stage, step: Step, to: str) -> str:
    """The untruth that is to be told: as often as not that nothing has changed.

    If possible they know it for none, and the holder will not come to hold it: who was let in would take that for the
    same untruth.
    """
    odd = stage.ledger.known_fibs(to, step.holder, step.about.id) | stage.to_come(step.holder, step.about)
    if step.old in {*step.about.clauses} - odd and stage.rng.random() < _SAME_AS_BEFORE:
        return step.old
    others = [value for value in step.about.clauses if value not in {step.value, step.old}]
    return stage.rng.choice([value for value in others if value not in odd] or others)


_SAME_AS_BEFORE = 0.5


def note(stage: Stage, step: Step) -> bool:
    """The holder changes their mind, and writes it to one who reads it at once, and one who does later, or never.

    Nobody writes to who is there alone with them: one of those there at least is not to see it.
    """
    topic, holder = step.about, step.holder
    behind = _behind(stage, step)
    if topic.partners_own or stage.is_away(holder) or not behind or stage.left < 3:
        return False
    to, others = behind[0], stage.others(holder, behind[0])
    if not others and not stage.is_away(to):
        return False
    at_once = [stage.rng.choice(others)] if len(others) > 1 else []
    if not stage.believable(holder, topic, at_once, step.value) or not give_floor(stage, holder):
        return False
    now = stage.now
    opening = stage.direct(Move.WRITE, topic, holder, to=_company([to, *at_once]))
    read_at: dict[str, int | None] = {to: None, **dict.fromkeys(at_once, now)}
    written = [one for one in changed(stage, step, list(read_at)) if one.move is Move.UPDATE or one.named]
    stage.say(holder, opening, *written, hearers=list(read_at), read_at=read_at)
    stage.ledger.hear(at_once, holder, topic.id, step.value, now, hearsay=False)
    stage.express(holder, topic, step.value, Way.NOTE)
    if stage.rng.random() < stage.difficulty.read_share:
        due = stage.now + (1 if stage.whole <= SHORT else 2 + stage.gap(stage.length // 6))
        stage.plan(Step(Kind.READ, due, holder, topic, who=to, note=stage.now - 1))
    follow_up(stage)
    return True


def _company(names: Sequence[str]) -> str:
    """Names within a sentence: "Ben", "Ben and Cleo"."""
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last


def read(stage: Stage, step: Step) -> bool:
    """Somebody says that they have read a note; from then on they know what is in it."""
    who = step.who
    room = stage.left >= (1 if stage.whole <= SHORT else 2)
    if stage.is_away(who) or stage.is_away(step.holder) or not room or not give_floor(stage, who):
        return False
    written = stage.turns[step.note]
    value = next(one.value for one in written.directions if one.move in {Move.UPDATE, Move.RESTATE})
    stage.say(who, stage.direct(Move.READ, to=step.holder))
    written.read_at[who] = stage.now - 1
    stage.ledger.hear([who], step.holder, step.about.id, value, step.note, hearsay=False)
    stage.settle(step.holder, step.about, Way.NOTE)
    return True
