"""The schedule: when about each mind is to change, how it shows, and who is to be left behind by it."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, chain
from random import Random

from dtomtrack.beliefs.divergence import Way
from dtomtrack.beliefs.markers import EXPLICIT, IMPLICIT, Marker, fitting, marker
from dtomtrack.beliefs.mental_state import MentalState
from dtomtrack.beliefs.scenario import FIRST_UPDATE_TURN, Trigger
from dtomtrack.scenarios.changes import TRIGGERS
from dtomtrack.scenarios.difficulty import Difficulty
from dtomtrack.scenarios.pack import PackTopic
from dtomtrack.scenarios.planning.steps import Kind, Step
from dtomtrack.scenarios.planning.trajectories import LONG, Trajectory

__all__ = ["OF_A_CHANGE", "Schedule", "Spread", "draw_schedule"]

OF_A_CHANGE = (Way.ABSENCE, Way.ASIDE, Way.NOTE, Way.UNTRUTH)
"""Ways of coming apart that begin with a change of mind."""


@dataclass(frozen=True)
class Spread:
    """Numbers from 0 to 1 that lie evenly over the blocks of a dataset, so that shares come out even.

    Attributes:
        late: decides whether somebody comes late.
        ways: where among the ways of coming apart to begin.
    """

    late: float
    ways: float


@dataclass(frozen=True)
class Schedule:
    """Steps in their order.

    Attributes:
        strands: of each trajectory, in the order in which they have to come.
        loose: the others.
    """

    strands: tuple[tuple[Step, ...], ...]
    loose: tuple[Step, ...]


def draw_schedule(
    trajectories: Sequence[Trajectory],
    late: Sequence[str],
    turns: int,
    difficulty: Difficulty,
    spread: Spread,
    shape: Random,
    rng: Random,
) -> Schedule:
    """The schedule of these trajectories over so many turns.

    Args:
        late: names of those who come late.
        spread: keeps the ways of coming apart even over a dataset.
        shape: decides how many of each there are; the slots of a block have it in common.
        rng: decides the rest.
    """
    strands = _soon_begun([_strand(one, turns, rng) for one in trajectories])
    strands = _signalled(strands, difficulty, rng)
    changes = sum(one.revisions for one in trajectories)
    strands, apart = _parted(strands, changes, difficulty, spread, shape, rng)
    reasoned = sum(step.kind is Kind.REVISE and not step.own_reason for strand in strands for step in strand)
    marked = sum(bool(step.marker) for strand in strands for step in strand)
    loose = [
        *_extra(trajectories, apart, turns, difficulty, shape, rng),
        *_resisted(trajectories, reasoned, marked, turns, difficulty, rng),
        *(Step(Kind.JOIN, turns * rng.uniform(0.12, 0.28), who=name) for name in late),
    ]
    if turns >= LONG:
        strands, loose = _evened(strands, loose, turns)
    return Schedule(tuple(tuple(strand) for strand in strands), tuple(loose))


def _evened(strands: list[list[Step]], loose: list[Step], turns: int) -> tuple[list[list[Step]], list[Step]]:
    """The steps in the same order, evenly over all turns: a long dialogue is neither crowded nor peters out."""
    dues = sorted(step.due for step in chain(loose, *strands))
    apart = turns * _DUE_BY / max(1, len(dues))

    def evened(step: Step) -> Step:
        return replace(step, due=_SOON[0] + bisect(dues, step.due) * apart) if step.due > _SOON[1] else step

    return [[evened(step) for step in strand] for strand in strands], [evened(step) for step in loose]


def _strand(one: Trajectory, turns: int, rng: Random) -> list[Step]:
    """The steps of a trajectory: first voiced early enough for its changes, which are spread over what is left."""
    latest = turns * 0.5 / (1 + 0.5 * one.revisions)
    first = rng.uniform(1.0, max(1.5, latest))
    begin = max(first + 2, FIRST_UPDATE_TURN)
    dues = sorted(rng.uniform(begin, max(begin, turns - 1.5)) for _ in range(one.revisions))
    steps = [Step(Kind.INTRODUCE, first, one.holder, one.topic, one.values[0])]
    for due, old, new in zip(dues, one.values, one.values[1:], strict=False):
        state = one.topic.state
        steps.append(
            Step(
                Kind.REVISE,
                due,
                one.holder,
                one.topic,
                new,
                old,
                trigger=_trigger(one.topic, old, rng),
                own_reason=state is MentalState.EMOTION and rng.random() < 0.5,
            )
        )
    return steps


def _trigger(topic: PackTopic, old: str, rng: Random) -> Trigger:
    """Why somebody changes their mind; who knew nothing is not put right."""
    drawn = rng.choice(TRIGGERS[topic.state])
    return Trigger.NEW_INFORMATION if old == topic.ignorance else drawn


_DUE_BY = 0.85
"""The part of a long dialogue in which steps are due, as what has to wait comes later."""
_SOON = (1.0, 2.0)
"""When the first states are voiced: what is said early has to be remembered for longest."""


def _soon_begun(strands: list[list[Step]]) -> list[list[Step]]:
    """The strands, those that begin first at the very beginning."""
    first = sorted(range(len(strands)), key=lambda at: strands[at][0].due)
    soon = dict(zip(first, _SOON, strict=False))
    return [
        [replace(strand[0], due=min(strand[0].due, soon.get(at, strand[0].due))), *strand[1:]]
        for at, strand in enumerate(strands)
    ]


def _signalled(strands: list[list[Step]], difficulty: Difficulty, rng: Random) -> list[list[Step]]:
    """Each change with its marker, or none; all markers equally often."""
    changes = sum(step.kind is Kind.REVISE for strand in strands for step in strand)
    shares = difficulty.signals
    explicit, implicit = (_rounded(changes * share, rng) for share in (shares.explicit, shares.implicit))
    markers = [*_cycled(EXPLICIT, explicit, rng), *_cycled(IMPLICIT, implicit, rng)]
    markers += [""] * max(0, changes - len(markers))
    rng.shuffle(markers)
    return [
        [replace(step, marker=_fitting(markers.pop(), step)) if step.kind is Kind.REVISE else step for step in strand]
        for strand in strands
    ]


def _fitting(marker_id: str, step: Step) -> str:
    """The marker of a change, or one like it that fits the state; empty for none."""
    if not marker_id or (step.own_reason and marker_id in _NEED_REASON):
        return ""
    return fitting(marker(marker_id), step.about.state).id


_NEED_REASON = frozenset({"now_that", "in_that_case"})


def _cycled(markers: Sequence[Marker], count: int, rng: Random) -> list[str]:
    """So many markers, none twice before all have come once."""
    drawn: list[str] = []
    while len(drawn) < count:
        drawn += [one.id for one in rng.sample(markers, len(markers))]
    return drawn[:count]


def _parted(
    strands: list[list[Step]], changes: int, difficulty: Difficulty, spread: Spread, shape: Random, rng: Random
) -> tuple[list[list[Step]], int]:
    """The changes by which somebody is to be left behind, and how many there are."""
    weights = [difficulty.apart.get(way, 0.0) for way in OF_A_CHANGE]
    if not any(weights) or not changes:
        return strands, 0
    apart = min(changes, max(1, _rounded(changes * difficulty.apart_share, shape)))
    ways: list[Way | None] = [*_in_proportion(weights, apart, spread.ways)]
    ways += [None] * (changes - apart)
    rng.shuffle(ways)
    public = _taken_out(ways, sum(step.kind is Kind.REVISE and step.about.partners_own for step in chain(*strands)))

    def way_of(step: Step) -> Way | None:
        return public.pop() if step.about.partners_own else ways.pop()

    return [
        [replace(step, way=way_of(step)) if step.kind is Kind.REVISE else step for step in strand] for strand in strands
    ], apart


def _taken_out(ways: list[Way | None], count: int) -> list[Way | None]:
    """So many of these, taken out: for what somebody is told of another's life, which is never behind their back."""
    fitting = [at for at, way in enumerate(ways) if way in _BEFORE_WHO_TELLS_IT]
    out = {*fitting[:count], *[at for at in range(len(ways)) if at not in fitting][: max(0, count - len(fitting))]}
    taken = [way if way in _BEFORE_WHO_TELLS_IT else None for at, way in enumerate(ways) if at in out]
    ways[:] = [way for at, way in enumerate(ways) if at not in out]
    return taken


_BEFORE_WHO_TELLS_IT = (None, Way.ABSENCE)
"""Ways in which a mind can change before somebody who tells of their own life."""


def _in_proportion(weights: Sequence[float], count: int, at: float) -> list[Way]:
    """So many ways, as near to the proportion of their weights as whole numbers are (systematic sampling)."""
    step = sum(weights) / count
    ends = list(accumulate(weights))
    return [OF_A_CHANGE[bisect(ends, step * (number + at))] for number in range(count)]


def _extra(
    trajectories: Sequence[Trajectory], apart: int, turns: int, difficulty: Difficulty, shape: Random, rng: Random
) -> list[Step]:
    """Presumptions, mistaken identities and hearsay, in proportion to what is left behind by changes."""
    tied = sum(difficulty.apart.get(way, 0.0) for way in OF_A_CHANGE)
    weights = {way: difficulty.apart.get(way, 0.0) for way in (Way.PRESUMPTION, Way.MISATTRIBUTION, Way.HEARSAY)}
    pairs = _pairs(trajectories)
    if not pairs and weights[Way.HEARSAY]:
        weights[Way.HEARSAY] += weights[Way.MISATTRIBUTION] * _TOLD_INSTEAD
    counts = {way: _rounded(max(1, apart) * weight / (tied or 1.0), shape) for way, weight in weights.items()}
    if not apart and not any(counts.values()):
        counts[Way.PRESUMPTION] = 1
    mixed_up = _misattributions(pairs, counts[Way.MISATTRIBUTION], turns, rng)
    return [
        *_presumptions(trajectories, mixed_up, counts[Way.PRESUMPTION], turns, rng),
        *mixed_up,
        *(Step(Kind.TELL, rng.uniform(turns / 4, turns * 0.8)) for _ in range(counts[Way.HEARSAY])),
    ]


def _presumptions(
    trajectories: Sequence[Trajectory], mixed_up: Sequence[Step], count: int, turns: int, rng: Random
) -> list[Step]:
    """Presumptions, if possible of what nobody is to mix up with another's."""
    taken = {(step.holder, step.topic) for step in mixed_up}
    # who knew nothing of a fact knows it once somebody takes for granted to their face that they do
    presumable = [one for one in trajectories if one.values[0] != one.topic.ignorance]
    drawn = rng.sample(presumable, len(presumable))
    steps = []
    for one in sorted(drawn, key=lambda one: (one.holder, one.topic) in taken)[:count]:
        presumed = rng.choice([value for value in one.topic.clauses if value != one.values[0]])
        steps.append(Step(Kind.PRESUME, rng.uniform(1, turns / 3), one.holder, one.topic, presumed, one.values[0]))
    return steps


_TOLD_INSTEAD = 1.0
"""The part of the weight of misattributions that hearsay gets where no two hold anything on the same topic."""


def _pairs(trajectories: Sequence[Trajectory]) -> list[tuple[Trajectory, Trajectory]]:
    """Two holders of one topic, in all pairs."""
    return [
        (first, second)
        for number, first in enumerate(trajectories)
        for second in trajectories[:number]
        if first.topic.id == second.topic.id
    ]


def _misattributions(pairs: Sequence[tuple[Trajectory, Trajectory]], count: int, turns: int, rng: Random) -> list[Step]:
    """Right before the second of two holders says how it is, whoever that is."""
    return [
        Step(Kind.MISATTRIBUTE, turns / 2, one.holder, one.topic, old=one.values[0], to=other.holder)
        for first, second in rng.sample(pairs, min(count, len(pairs)))
        for one, other in ((first, second), (second, first))
    ]


def _resisted(
    trajectories: Sequence[Trajectory], reasoned: int, marked: int, turns: int, difficulty: Difficulty, rng: Random
) -> list[Step]:
    """Reasons that change nothing, as many as their share of all reasons asks; decoys among them, and beside them.

    Each kind of marker is a decoy as often as the others are. Those that give something up mostly do so of what nobody
    holds anything on.
    """
    resisted = _rounded(reasoned * _odds(difficulty.resistance_share), rng)
    decoys = _rounded(marked * _odds(difficulty.decoy_share), rng)
    signals = difficulty.signals
    explicit = _rounded(decoys * signals.explicit / ((signals.explicit + signals.implicit) or 1.0), rng)
    giving_up = _cycled(_OF_CHANGES, explicit, rng)
    slips = [one for one in giving_up if one not in _SAID_AGAIN]
    said_again = _cycled(IMPLICIT, decoys - explicit, rng) + [one for one in giving_up if one in _SAID_AGAIN]
    rng.shuffle(said_again)
    alone = max(_rounded(len(said_again) * _UNPROVOKED, rng), len(said_again) - resisted)
    unmarked = [""] * (resisted - len(said_again) + alone)
    steps = [Step(Kind.SLIP, rng.uniform(4, turns - 3), rng.choice(trajectories).holder, marker=one) for one in slips]
    steps += [_staying(Kind.RESIST, one, trajectories, turns, rng) for one in (*said_again[alone:], *unmarked)]
    # more come back of themselves to what they hold without a marker
    for one in (*said_again[:alone], *[""] * (_UNMARKED * alone)):
        kind = Kind.MUSE if not one or rng.random() < _MUSED else Kind.RECALL
        steps.append(_staying(kind, one, trajectories, turns, rng))
    return steps


_UNMARKED = 2
"""How many come back of themselves to what they hold without a marker, for each who does so with one."""
_UNPROVOKED, _MUSED = 0.35, 0.5
"""Of the decoys before what is said again, those that no reason of anybody's provokes; of these, those that nobody asks
for."""


def _staying(kind: Kind, marker_id: str, trajectories: Sequence[Trajectory], turns: int, rng: Random) -> Step:
    """Somebody says that it is as it was."""
    fitting = [one for one in trajectories if kind is not Kind.RESIST or one.topic.state is not MentalState.KNOWLEDGE]
    one = rng.choice(_steady_first(fitting or trajectories))
    due, trigger = rng.uniform(4, turns - 3), rng.choice(TRIGGERS[one.topic.state])
    return Step(kind, due, one.holder, one.topic, marker=marker_id, trigger=trigger)


def _steady_first(trajectories: Sequence[Trajectory]) -> list[Trajectory]:
    """Trajectories to draw one from, those that never change more often than their share."""
    return [*trajectories, *(one for one in trajectories if not one.revisions)]


_OF_CHANGES = (*EXPLICIT, *(one for one in EXPLICIT if one.id in {"scratch", "not_after_all"}))
"""Explicit markers, those twice that are said most: the others fit few states."""
_SAID_AGAIN = frozenset({"a_minute_ago", "not_after_all"})
"""Of these, those behind which it can turn out that nothing has changed: they name what was said, or argued for."""


def _odds(share: float) -> float:
    """How many of one kind come on one of the other, where it has this share of both, which is below 1."""
    return share / (1 - share)


def _rounded(number: float, rng: Random) -> int:
    """A whole number that is this number on average."""
    whole = int(number)
    return whole + (rng.random() < number - whole)
