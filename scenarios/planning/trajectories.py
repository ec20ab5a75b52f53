"""Trajectories: who holds what about which topic, and how it changes, before it has a place in the dialogue."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from random import Random

from dtomtrack.beliefs.mental_state import MentalState
from dtomtrack.scenarios.difficulty import Difficulty
from dtomtrack.scenarios.pack import DomainPack, PackTopic

__all__ = ["LONG", "SHORT", "Trajectory", "draw_trajectories", "turns_needed"]

SHORT = 15
"""Turns up to which nobody takes a turn only to say goodbye."""
LONG = 100
"""Turns from which on what there is to say is spread evenly, and what was said is come back to."""
_A_START, _A_CHANGE, _FRAME = 2.0, 3.8, 4
"""Turns that it takes to say what one holds, to change one's mind with all that follows, and to greet and part."""

_OVERFULL = 0.2
"""The share of the turns by which the last states may exceed the room: what goes on at once takes fewer turns."""


@dataclass(frozen=True)
class Trajectory:
    """What one holder holds about a topic, one value after the other."""

    holder: str
    topic: PackTopic
    values: tuple[str, ...]

    @property
    def revisions(self) -> int:
        """How often the mind changes."""
        return len(self.values) - 1


def turns_needed(holders: int, revisions: int) -> int:
    """Turns that it takes for so many states that each change so often."""
    return round(_FRAME + holders * (_A_START + revisions * _A_CHANGE))


def draw_trajectories(
    pack: DomainPack,
    sides: Mapping[str, str],
    people: int,
    turns: int,
    difficulty: Difficulty,
    shape: Random,
    rng: Random,
) -> list[Trajectory]:
    """As many trajectories as the turns have room for.

    Args:
        sides: by name, on which side of the conversation somebody is who holds something.
        people: how many take part, those who pass by among them.
        shape: decides how many there are, and how often minds change; the slots of a block have it in common.
        rng: decides the rest.
    """
    room = turns * difficulty.filled_share - (_FRAME if turns > SHORT else _FRAME / 2)
    topics = [topic for topic in pack.topics if topic.scope != "two" or people == 2]
    rng.shuffle(topics)
    drawn: list[Trajectory] = []
    counts = _topic_count(difficulty, shape)
    while topics and counts != 0 and (room > 0 or not drawn):
        topic = topics.pop()
        for holder in _holders(topic, sides, difficulty, shape, rng):
            revisions = min(_revisions(difficulty, shape, first=not drawn), _most(topic, difficulty))
            if drawn:
                spare = room + turns * _OVERFULL - _A_START
                if spare < 0:
                    break
                revisions = min(revisions, ceil(spare / _A_CHANGE))
            drawn.append(Trajectory(holder, topic, _values(topic, revisions, difficulty, rng)))
            room -= _A_START + revisions * _A_CHANGE
        counts -= 1
    return drawn


def _topic_count(difficulty: Difficulty, shape: Random) -> int:
    """How many topics to draw at most; negative for as many as there is room for."""
    return shape.randint(*difficulty.topics) if difficulty.topics else -1


def _holders(
    topic: PackTopic, sides: Mapping[str, str], difficulty: Difficulty, shape: Random, rng: Random
) -> list[str]:
    fitting = [name for name, side in sides.items() if topic.shared or side == topic.holder]
    fitting = fitting[:1] if topic.scope == "first" else fitting
    rng.shuffle(fitting)
    wanted = shape.randint(*difficulty.holders)
    if topic.scope == "one" or topic.partners_own or topic.state is MentalState.KNOWLEDGE:
        # who hears what another knows of a fact knows it from then on, so that two would have one state; nor can two
        # be told different things of somebody's life by whose life it is
        wanted = 1
    others = len(sides) - 1 if topic.shared else sum(side != topic.holder for side in sides.values())
    return fitting[:wanted] if others else []


def _revisions(difficulty: Difficulty, shape: Random, *, first: bool) -> int:
    """How often a mind is to change; the first of a dialogue does once at least, if any may."""
    drawn, stable = shape.randint(*difficulty.revisions), shape.random() < difficulty.stable_share
    if first:
        return max(drawn, min(1, difficulty.revisions[1]))
    return 0 if stable else drawn


def _most(topic: PackTopic, difficulty: Difficulty) -> int:
    """How often a mind can change on a topic: a state that does not come back has each value once."""
    if topic.partners_own:
        return _TOLD
    if topic.state is MentalState.KNOWLEDGE:
        return _LEARNT
    returns = topic.state in difficulty.can_change_back
    return 6 if returns else len(topic.clauses) - 1


_LEARNT, _TOLD = 2, 1
"""Who knew nothing learns something, and may learn better; what is known flips no more often than that.

What is taken for so of somebody else's life changes once: they tell how it is, and nobody errs about their own."""


def _values(topic: PackTopic, revisions: int, difficulty: Difficulty, rng: Random) -> tuple[str, ...]:
    """A value, and those that take its place one after the other; some come back."""
    fresh = list(topic.clauses)
    rng.shuffle(fresh)
    values = [topic.ignorance] if topic.state is MentalState.KNOWLEDGE and topic.ignorance else [fresh.pop()]
    for _ in range(revisions):
        values.append(_next(topic, values, fresh, difficulty, rng))
    return tuple(values)


def _next(topic: PackTopic, values: Sequence[str], fresh: list[str], difficulty: Difficulty, rng: Random) -> str:
    earlier = [value for value in dict.fromkeys(values) if value != values[-1] and value != topic.ignorance]
    may_return = topic.state in difficulty.can_change_back and earlier
    if may_return and (not fresh or rng.random() < difficulty.return_share):
        return rng.choice(earlier)
    return fresh.pop()
