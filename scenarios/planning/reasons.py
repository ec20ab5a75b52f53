"""Reasons: who can give one for a value, and whether as a view of their own or as something that they have heard.

Nobody argues aloud for what they don't hold, or against what they do: a reader would take it for a change of mind. Who
holds something else, or has spoken for it, passes a reason on as hearsay, without a word on what they make of it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from dtomtrack.beliefs.mental_state import MentalState, Trigger
from dtomtrack.scenarios.pack import PackTopic
from dtomtrack.scenarios.planning.stage import Stage
from dtomtrack.scenarios.script import Direction, Move

__all__ = ["Reason", "find_reason", "put_reason", "tells_of_themselves"]

_FIRST_PERSON = re.compile(r"\b(?:I|me|my|mine|myself|we|us|our|ours)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Reason:
    """A reason that somebody can give now.

    Attributes:
        old: what is argued against beside it; empty for nothing.
        hearsay: who gives it has it from elsewhere.
        before: what the teller has argued for or passed on before, if that is something else, and they hold nothing
            on the topic themselves: who does would seem to take that back.
    """

    teller: str
    value: str
    old: str
    hearsay: bool
    before: tuple[str, ...] = ()


def find_reason(
    stage: Stage, topic: PackTopic, holder: str, values: Sequence[str], old: str, tellers: Sequence[str]
) -> Reason | None:
    """A reason for one of these values that one of these people can give: as their own view, if any can.

    Args:
        values: in the order in which they are tried.
        old: what is argued against, if who gives the reason can do so; empty for nothing.
    """
    fresh = [
        value
        for value in values
        if stage.fresh_reasons(topic, value) > 0 and not _is_taken_for_so(stage, topic, holder, value)
    ]
    if topic.partners_own:
        return _of_their_own(stage, topic, holder, fresh, old, tellers)
    for hearsay in (False, True):
        for value in fresh:
            fitting = [name for name in tellers if _may_give(stage, topic, name, value, hearsay=hearsay)]
            steady = [name for name in fitting if stage.brought_up(name, topic) in {"", value}]
            turning = [name for name in fitting if not stage.has_turned_enough(name, topic)]
            if teller := stage.ready_to_speak(steady) or stage.ready_to_speak(turning):
                against = old and not hearsay and _may_oppose(stage, topic, holder, teller, old)
                opposed = old if against and stage.fresh_against(topic, old) else ""
                consistent = teller in steady or stage.mind(teller, topic)
                before = () if consistent else (stage.brought_up(teller, topic),)
                return Reason(teller, value, opposed, hearsay, before)
    return None


def tells_of_themselves(stage: Stage, topic: PackTopic, holder: str, value: str) -> bool:
    """Whether somebody whose own life it is about is there, and can tell this of it, if not as the next to speak."""
    fresh = stage.fresh_reasons(topic, value) > 0 and not _is_taken_for_so(stage, topic, holder, value)
    return fresh and bool(_telling(stage, topic, holder, value, stage.partners(topic, holder)))


def _telling(stage: Stage, topic: PackTopic, holder: str, value: str, names: Sequence[str]) -> list[str]:
    """Those of these who can tell a value of their own lives: nobody has told anything else yet."""
    told = set[str]().union(*(stage.favored_by(name, topic) for name in stage.spoken_to(topic, holder)))
    return [] if told - {value} else [name for name in names if value not in stage.opposed_by(name, topic)]


def _of_their_own(
    stage: Stage, topic: PackTopic, holder: str, values: Sequence[str], old: str, tellers: Sequence[str]
) -> Reason | None:
    """What somebody tells of their own life, as nobody else can."""
    for value in values:
        teller = stage.ready_to_speak(_telling(stage, topic, holder, value, tellers))
        if teller:
            against = old and _may_oppose(stage, topic, holder, teller, old)
            opposed = old if against and stage.fresh_against(topic, old) else ""
            return Reason(teller, value, opposed, hearsay=False)
    return None


def _is_taken_for_so(stage: Stage, topic: PackTopic, holder: str, value: str) -> bool:
    """Whether somebody there takes it for what the holder holds already, and would wonder why anybody argues for it."""
    pictures = (stage.ledger.picture(name, holder, topic.id) for name in stage.others(holder))
    return any(one is not None and one.value == value for one in pictures)


def put_reason(
    stage: Stage, topic: PackTopic, holder: str, reason: Reason, trigger: Trigger | None, to: str = ""
) -> None:
    """Have a reason given: as news from somebody else only where it is not what the teller tells of themselves."""
    seen = trigger is Trigger.NEW_INFORMATION and _FIRST_PERSON.search(_words(stage, topic, reason.value))
    direction: Direction = stage.direct(
        Move.REVEAL,
        topic,
        holder,
        value=reason.value,
        old=reason.old,
        trigger=None if seen else trigger,
        to=to,
        hearsay=reason.hearsay,
        named=reason.before,
        against=stage.next_against(topic, reason.old) if reason.old else -1,
    )
    stage.say(reason.teller, direction)
    stage.brings_up(reason.teller, topic, reason.value)
    if not reason.hearsay:
        stage.argued(reason.teller, topic, reason.value, reason.old)


def _may_give(stage: Stage, topic: PackTopic, name: str, value: str, *, hearsay: bool) -> bool:
    if hearsay:
        return topic.state is not MentalState.KNOWLEDGE and not _FIRST_PERSON.search(_words(stage, topic, value))
    mind = stage.mind(name, topic)
    if mind:
        others = stage.others(name)
        return mind == value and all(stage.ledger.knows(other, name, topic.id) for other in others)
    spoken_for = stage.favored_by(name, topic)
    return value not in stage.opposed_by(name, topic) and all(one == value for one in spoken_for)


def _may_oppose(stage: Stage, topic: PackTopic, holder: str, name: str, old: str) -> bool:
    """Whether it can be said to be no good: nobody else holds it, nor will, and the teller has not spoken for it.

    Nor does that give away to anybody that the holder holds it.
    """
    if any(stage.mind(other, topic) == old for other in stage.names if other != holder) or _comes(stage, topic, old):
        return False
    knowing = all(stage.ledger.knows(other, holder, topic.id) for other in stage.others(holder))
    return knowing and old not in stage.favored_by(name, topic)


def _comes(stage: Stage, topic: PackTopic, value: str) -> bool:
    """Whether anybody will still come to hold a value."""
    return any(step.about.id == topic.id and step.value == value for strand in stage.strands for step in strand)


def _words(stage: Stage, topic: PackTopic, value: str) -> str:
    """The words in which the next reason for a value will be given."""
    reasons = topic.value(value).reason
    return reasons[stage.next_pick(Move.REVEAL, topic, value) % len(reasons)]
