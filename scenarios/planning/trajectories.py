"""Trajectories: who holds what about which topic, and how it changes, before it has a place in the dialogue."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from random import Random

from dtomtrack.beliefs.divergence import Way
from dtomtrack.beliefs.mental_state import MentalState
from dtomtrack.scenarios.difficulty import Difficulty
from dtomtrack.scenarios.pack import DomainPack, PackTopic

__all__ = [
    "LONG",
    "SHORT",
    "Trajectory",
    "draw_trajectories",
    "most_revisions",
    "turns_needed",
    "turns_reaching",
    "turns_taken",
    "usual_revisions",
]

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


_TURNS_REACHING = (6, 6, 8, 10, 13, 24, 36)
"""Turns from which on a mind changes so often, 0 times first, if only in one of a hundred dialogues: as measured."""
_TURNS_ENOUGH = (6, 6, 8, 14, 28, 40, 48)
"""Turns from which on it does so in one of twenty dialogues at least."""


def turns_taken(topics: int, difficulty: Difficulty) -> int:
    """Turns in which a dialogue has so many topics, with as many holders and changes as are usual."""
    holders, revisions = (sum(bounds) / len(bounds) for bounds in (difficulty.holders, difficulty.revisions))
    changes = revisions * (1 - difficulty.stable_share)
    return ceil((_FRAME + topics * holders * (_A_START + changes * _A_CHANGE)) / difficulty.filled_share)


def most_revisions(turns: int) -> int:
    """How often a mind changes at most in so many turns."""
    return max(number for number, least in enumerate(_TURNS_REACHING) if least <= turns)


def usual_revisions(turns: int) -> int:
    """How often a mind changes in so many turns without much luck."""
    return max(number for number, least in enumerate(_TURNS_ENOUGH) if least <= turns)


def turns_reaching(revisions: int) -> int:
    """Turns in which a mind changes so often without much luck."""
    return _TURNS_ENOUGH[revisions]


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
    of_two = _few_of_two(topics, sides, difficulty)
    topics = _in_drawn_order(topics, of_two, rng)
    drawn: list[Trajectory] = []
    counts = _topic_count(difficulty, shape)
    while topics and counts != 0 and (room > 0 or not drawn):
        topic = topics.pop()
        for holder in _holders(topic, sides, difficulty, shape, rng, least=2 if topic in of_two else 1):
            revisions = min(_revisions(difficulty, shape, first=not drawn), _most(topic, difficulty))
            if drawn:
                spare = room + turns * _OVERFULL - _A_START
                if spare < 0:
                    break
                revisions = min(revisions, ceil(spare / _A_CHANGE))
            values = _values(topic, revisions, difficulty, rng)
            if any(one.topic.id == topic.id and one.values[0] == values[0] for one in drawn):
                # nobody is mixed up with somebody who holds the same, so that is to be seldom
                values = _values(topic, revisions, difficulty, rng)
            drawn.append(Trajectory(holder, topic, values))
            room -= _A_START + revisions * _A_CHANGE
        counts -= 1
    return drawn


def _few_of_two(topics: Sequence[PackTopic], sides: Mapping[str, str], difficulty: Difficulty) -> list[PackTopic]:
    """The topics on which two could hold something, if these are few, or people are to be mixed up above all.

    Who is to be mixed up has to have somebody to be mixed up with: these come oftener, and two do hold something.
    """
    of_two = [topic for topic in topics if _most_holders(topic, sides) > 1]
    needed = len(of_two) < _FEW * len(topics) or (Way.MISATTRIBUTION in difficulty.ways and difficulty.few_ways)
    return of_two if difficulty.holders[1] > 1 and needed else []


def _in_drawn_order(topics: list[PackTopic], early: Sequence[PackTopic], rng: Random) -> list[PackTopic]:
    """These topics, last first; some of them early."""
    rng.shuffle(topics)
    if not early:
        return topics
    drawn = {topic.id: rng.random() ** (1 / _AHEAD if topic in early else 1) for topic in topics}
    return sorted(topics, key=lambda topic: drawn[topic.id])


_FEW, _AHEAD = 1 / 3, 1.5
"""The share of topics below which those on which two could hold something are few, and how much oftener these then
come than others."""


def _topic_count(difficulty: Difficulty, shape: Random) -> int:
    """How many topics to draw at most; negative for as many as there is room for."""
    return shape.randint(*difficulty.topics) if difficulty.topics else -1


def _holders(
    topic: PackTopic, sides: Mapping[str, str], difficulty: Difficulty, shape: Random, rng: Random, *, least: int
) -> list[str]:
    fitting = _fitting(topic, sides)
    rng.shuffle(fitting)
    wanted = min(max(shape.randint(*difficulty.holders), least), _most_holders(topic, sides))
    others = len(sides) - 1 if topic.shared else sum(side != topic.holder for side in sides.values())
    return fitting[:wanted] if others else []


def _fitting(topic: PackTopic, sides: Mapping[str, str]) -> list[str]:
    """Who could hold something on it."""
    fitting = [name for name, side in sides.items() if topic.shared or side == topic.holder]
    return fitting[:1] if topic.scope == "first" else fitting


def _most_holders(topic: PackTopic, sides: Mapping[str, str]) -> int:
    """How many could hold something on it in one dialogue.

    Who hears what another knows of a fact knows it from then on, so that two would have one state; nor can two be told
    different things of somebody's life by whose life it is.
    """
    if topic.scope == "one" or topic.partners_own or topic.state is MentalState.KNOWLEDGE:
        return 1
    return len(_fitting(topic, sides))


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
