"""Exchanges in which somebody acts on a picture of another, right or wrong."""

from __future__ import annotations

from dtomtrack.beliefs.divergence import Way
from dtomtrack.scenarios.pack import PackTopic
from dtomtrack.scenarios.planning.exchanges import address, give_floor
from dtomtrack.scenarios.planning.ledger import Picture
from dtomtrack.scenarios.planning.stage import Stage
from dtomtrack.scenarios.planning.steps import Kind, Step
from dtomtrack.scenarios.script import Move

__all__ = ["act", "breaks_their_word", "misattribute", "mixed_up_after", "presume"]

_KEPT_UP = frozenset({Way.ASIDE, Way.UNTRUTH})
"""Ways of coming apart that the holder has no wish to end."""

_ONCE_SO = frozenset({Way.ABSENCE, Way.NOTE})
"""Ways of coming apart in which what is believed is what the holder once said, unless a third has garbled it since."""

_SHOWN_ENOUGH = 2
"""How often a wrong picture shows before it is let be."""

_CONFIRMED, _LEFT_OPEN = 0.5, 0.4
"""Of the right pictures that somebody shows to the holder's face, those to which the holder says that it is so, and
those to which they say nothing much."""


def act(stage: Stage, step: Step) -> bool:
    """Somebody takes aloud for granted what they take another to hold."""
    topic, holder, who = step.about, step.holder, step.who
    picture = stage.ledger.picture(who, holder, topic.id)
    kept = stage.is_fresh_secret(holder, topic) or breaks_their_word(stage, who, holder, topic)
    if picture is None or (kept and stage.ledger.knows(who, holder, topic.id)):
        return True
    if _heard_ago(stage, picture) <= min(_STILL_IN_THE_EAR, stage.length // 15):
        return False
    return _take_for_granted(stage, step, picture.value)


def _heard_ago(stage: Stage, picture: Picture) -> int:
    """Turns since somebody heard it from who holds it; as many as there are, where they didn't."""
    return stage.length if picture.hearsay or picture.source < 0 else stage.now - picture.source


_STILL_IN_THE_EAR = 4
"""The most turns within which nobody tells somebody what they have just heard from them."""
_SAID_OF_LATE = 4
"""The most turns within which nobody leaves open what they have said: they would seem to take it back."""


def _take_for_granted(stage: Stage, step: Step, value: str) -> bool:
    topic, holder, who = step.about, step.holder, step.who
    if stage.is_away(who) or stage.left < 2 or len(stage.present) < 2 or _was_just_presumed(stage, step, value):
        return False
    if breaks_their_word(stage, who, holder, topic):
        return False
    reaches_holder = who in stage.partners(topic, holder) and not stage.is_away(holder)
    before_all = reaches_holder and not _misled_by(stage, step) and not _unmoved(stage, step, value)
    behind = _who_may_hear(stage, step, value)
    if before_all and (not behind or stage.rng.random() < stage.difficulty.face_share):
        return _take_to_their_face(stage, step, value, None)
    if reaches_holder and not behind and _is_lied_to(stage, step):
        return _take_to_their_face(stage, step, value, holder)
    if not behind or not give_floor(stage, who) or any(stage.is_away(name) for name in behind):
        return False
    everybody = len(behind) == len(stage.others(who))
    hearers = None if everybody else behind
    stage.say(who, stage.direct(Move.ACT, topic, holder, value=value, to=behind[0] if hearers else ""), hearers=hearers)
    _shown(stage, step, value)
    return True


def _take_to_their_face(stage: Stage, step: Step, value: str, alone: str | None) -> bool:
    """Somebody says so to the holder: to them alone, or before all who are there."""
    topic, holder, who = step.about, step.holder, step.who
    if not give_floor(stage, who):
        return False
    lead = [] if alone is None else [stage.direct(Move.TAKE_ASIDE, topic, holder, to=alone)]
    presumed = stage.direct(Move.PRESUME, topic, holder, value=value, to="" if lead else address(stage, holder))
    stage.say(who, *lead, presumed, hearers=None if alone is None else [alone])
    _shown(stage, step, value)
    if alone is None:
        _answer(stage, step)
    else:
        stage.say(holder, stage.direct(Move.DODGE, to=who), hearers=[who])
    return True


def _is_lied_to(stage: Stage, step: Step) -> bool:
    """Whether they go by an untruth, which others there know for one."""
    one = stage.open_apart(step.who, step.holder, step.about.id)
    return one is not None and one.way is Way.UNTRUTH


def breaks_their_word(stage: Stage, who: str, holder: str, topic: PackTopic) -> bool:
    """Whether somebody is there from whom ``who`` was asked to keep how it is."""
    return any(stage.is_kept_from(name, who, holder, topic) for name in stage.others(who))


def _was_just_presumed(stage: Stage, step: Step, value: str) -> bool:
    """Whether the same was taken for granted of the holder a few turns ago, by anybody, or told by the same one."""
    said = (
        one
        for turn in stage.turns[-_JUST:]
        for one in turn.directions
        if one.move in {Move.PRESUME, Move.ACT} or (one.move is Move.TELL and turn.speaker == step.who)
    )
    return any((one.topic, one.holder, one.value) == (step.about.id, step.holder, value) for one in said)


_JUST = 10
"""Turns within which nobody says so again."""


def _misled_by(stage: Stage, step: Step) -> bool:
    """Whether somebody there knows better, such as who was told of an untruth, and would be misled by it."""
    topic, holder, who, ledger = step.about.id, step.holder, step.who, stage.ledger
    if not ledger.seen_through(who, holder, topic).isdisjoint(stage.others(who)):
        return True
    taken = ledger.picture(who, holder, topic)
    if taken is None or ledger.knows(who, holder, topic):
        return False
    known = [
        ledger.picture(name, holder, topic) for name in stage.others(who, holder) if ledger.knows(name, holder, topic)
    ]
    return any(one is not None and one.source < taken.source for one in known)


def _unmoved(stage: Stage, step: Step, value: str) -> list[str]:
    """Those there who are not to hear it: nobody can say whether they are put right by it, or it is a second story.

    They go by something newer that is wrong, such as a lie, or have heard the same from the same mouth and know that it
    was not so then; or whoever says it has told them something else, and has heard nothing since.
    """
    topic, holder, who, ledger = step.about.id, step.holder, step.who, stage.ledger
    taken = ledger.picture(who, holder, topic)
    if taken is None:
        return []
    return [
        one
        for one in stage.others(who, holder)
        if ledger.goes_by_newer(one, holder, topic, taken, value)
        or _heard_it_before(stage, step, one, value)
        or ledger.told_otherwise(who, one, holder, topic, value)
    ]


def _heard_it_before(stage: Stage, step: Step, name: str, value: str) -> bool:
    """Whether somebody has heard what is so by now from the same mouth before, and goes by something else."""
    topic, holder, ledger = step.about.id, step.holder, stage.ledger
    said_so = step.who in ledger.heard_from(name, holder, topic, value)
    return said_so and value == ledger.held(holder, topic) and not ledger.knows(name, holder, topic)


def _shown(stage: Stage, step: Step, value: str) -> None:
    """What was just taken for granted reaches those who have nothing newer, and counts as a sign of the picture."""
    topic, holder, who = step.about, step.holder, step.who
    known = stage.ledger.picture(who, holder, topic.id)
    heard = [name for name in stage.turns[-1].heard_by if name not in {who, holder}]
    stage.ledger.hear(heard, holder, topic.id, value, known.source if known else -1)
    stage.ledger.pass_on(who, heard, holder, topic.id, value)
    stage.settle(holder, topic, None)
    one = stage.open_apart(who, holder, topic.id)
    if one is not None and one.believed == value:
        one.shown_at.append(stage.now - 1)


def _answer(stage: Stage, step: Step) -> None:
    """The holder puts it right, or leaves it."""
    topic, holder = step.about, step.holder
    held, one = stage.ledger.held(holder, topic.id), stage.open_apart(step.who, holder, topic.id)
    if one is None:
        _leave_right(stage, step, held)
        return
    keep = (
        one.way in _KEPT_UP
        or stage.is_to_be_untrue(holder, topic)
        or not stage.believable(holder, topic, stage.present)
        or stage.rng.random() < stage.difficulty.stands_share
    )
    if keep or not held:
        stage.say(holder, stage.direct(Move.DODGE, to=step.who))
        if len(one.shown_at) < _SHOWN_ENOUGH:
            due = stage.now + 3 + stage.gap(stage.length // 4)
            stage.plan(Step(Kind.ACT, due, holder, topic, who=step.who))
        return
    once_so = one.way in _ONCE_SO and one.believed and stage.ledger.has_held(holder, topic.id, one.believed)
    outdated = one.believed if once_so else ""
    correct = stage.direct(Move.CORRECT, topic, holder, old=outdated)
    stage.say(holder, correct, stage.direct(Move.VOICE, topic, holder, value=held))
    stage.express(holder, topic, held)


def _leave_right(stage: Stage, step: Step, held: str) -> None:
    """The holder was taken rightly: they say so, or nothing much, else whatever is left open would be wrong."""
    topic, holder = step.about, step.holder
    drawn = stage.rng.random()
    sure = held in topic.clauses and stage.ledger.knows(step.who, holder, topic.id)
    if sure and drawn < _CONFIRMED and stage.pack.lines.confirm and stage.believable(holder, topic, stage.present):
        stage.say(holder, stage.direct(Move.CONFIRM, to=step.who), stage.direct(Move.VOICE, topic, holder, value=held))
        stage.express(holder, topic, held)
    elif _CONFIRMED <= drawn < _CONFIRMED + _LEFT_OPEN and _is_some_time_ago(stage, step):
        stage.say(holder, stage.direct(Move.DODGE, to=step.who))


def _is_some_time_ago(stage: Stage, step: Step) -> bool:
    """Whether the holder has not said of late how it is: to leave it open would seem to take it back."""
    return stage.said_since(step.holder, step.about) > min(_SAID_OF_LATE, stage.length // 6)


def _who_may_hear(stage: Stage, step: Step, value: str) -> list[str]:
    """Those who are there, do not know better, have not said so themselves, and are not the holder."""
    topic, holder, who, ledger = step.about.id, step.holder, step.who, stage.ledger
    others = stage.others(who, holder, *ledger.seen_through(who, holder, topic), *_unmoved(stage, step, value))
    said_so = ledger.heard_from(who, holder, topic, value)
    return [name for name in others if name not in said_so and not ledger.knows(name, holder, topic)]


def presume(stage: Stage, step: Step) -> bool:
    """Before the holder has said anything on it, somebody takes something for granted of them."""
    topic, holder = step.about, step.holder
    if stage.ledger.held(holder, topic.id) or stage.left < min(8, stage.length // 2):
        return True
    unknowing = [name for name in stage.partners(topic, holder) if not stage.ledger.picture(name, holder, topic.id)]
    who = stage.ready_to_speak(unknowing)
    if stage.is_away(holder) or not who:
        return False
    return _presume(stage, step, who, step.value, Way.PRESUMPTION)


def _presume(stage: Stage, step: Step, who: str, value: str, way: Way) -> bool:
    """The presumption, and what the holder says to it: how it is, or nothing much."""
    topic, holder, ledger = step.about, step.holder, stage.ledger
    said = ledger.held(holder, topic.id)
    presumed = stage.direct(Move.PRESUME, topic, holder, value=value, to=address(stage, holder))
    # its line may say "it" alone, and nobody has spoken of it yet
    first = [] if stage.has_come_up(topic) else [stage.direct(Move.LEAD, topic, holder, value=value)]
    stage.say(who, *first, presumed)
    ledger.hold(holder, topic.id, said or step.old)
    ledger.presume(who, holder, topic.id, value)
    ledger.pass_on(who, stage.others(who, holder), holder, topic.id, value)
    stage.settle(holder, topic, way)
    if (one := stage.open_apart(who, holder, topic.id)) is not None:
        one.shown_at.append(stage.now - 1)
    if stage.rng.random() < stage.difficulty.stands_share:
        ledger.hear(stage.others(who, holder), holder, topic.id, value, -1)
        stage.settle(holder, topic, None)
        stage.say(holder, stage.direct(Move.DODGE, to=who))
        if not said:
            ledger.unsaid(holder, topic.id)
        return True
    meant = step.to if way is Way.MISATTRIBUTION and _may_name(stage, step.to, holder, topic) else ""
    correct = stage.direct(Move.MIXED_UP if meant else Move.CORRECT, topic, holder, to=meant)
    stage.say(holder, correct, stage.direct(Move.VOICE, topic, holder, value=ledger.held(holder, topic.id)))
    stage.express(holder, topic, ledger.held(holder, topic.id))
    return True


def _may_name(stage: Stage, other: str, holder: str, topic: PackTopic) -> bool:
    """Whether the holder has it from another that they are mixed up with, and nobody learns it when they say so."""
    picture = stage.ledger.picture(holder, other, topic.id)
    heard_it = picture is not None and picture.source >= 0 and not picture.hearsay
    return heard_it and all(stage.ledger.knows(name, other, topic.id) for name in stage.others(other))


def misattribute(stage: Stage, step: Step) -> bool:
    """Somebody who has not heard what one of two holds takes it to be what the other holds."""
    topic, holder, other = step.about, step.holder, step.to
    ledger = stage.ledger
    taken = ledger.held(other, topic.id)
    if ledger.held(holder, topic.id):
        return True
    if not taken or taken == step.old or taken not in topic.clauses or stage.is_away(holder):
        return False
    fitting = [
        name
        for name in stage.partners(topic, holder)
        if name != other and ledger.knows(name, other, topic.id) and not ledger.picture(name, holder, topic.id)
        if not breaks_their_word(stage, name, other, topic)
        and _may_mix_up(stage, ledger.picture(name, other, topic.id))
    ]
    who = stage.ready_to_speak(fitting)
    if not who and (stage.last not in fitting or not give_floor(stage, stage.last)):
        return False
    return _presume(stage, step, who or stage.ready_to_speak(fitting), taken, Way.MISATTRIBUTION)


def mixed_up_after(stage: Stage) -> int:
    """Turns for which nobody takes for one's what they have just heard from another."""
    return min(_SOON_MIXED_UP, stage.length // 15)


_SOON_MIXED_UP = 2
"""The most of these turns: with more, hardly anybody would be mixed up, as people add theirs to another's."""


def _may_mix_up(stage: Stage, picture: Picture | None) -> bool:
    """Whether it is so long since somebody heard it that they may have forgotten from whom."""
    return picture is not None and _heard_ago(stage, picture) > mixed_up_after(stage)
