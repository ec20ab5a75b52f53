"""Plans of conversations: which desire each round ends with, by which strategies, in which tones.

Slots are planned in blocks of three: in each round the three have the three desires, and between rounds all go the
same number of steps round the ring no, neutral, yes. So desires are as frequent in every round, and the six changes as
frequent as each other, without anything being shared between slots.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, product
from random import Random
from typing import Literal

from dtomtrack.errors import PlanError
from dtomtrack.scenarios.persuasion.pack import Attitude, Expressions, Form, GoalPack, Intention, Strategy

__all__ = ["BLOCK", "DESIRES", "ROUNDS", "PersuasionPlan", "PlannedRound", "Told", "desire_of", "plan_at"]

BLOCK = 3
ROUNDS = 6
DESIRES = ("No", "Neutral", "Yes")
"""By how far somebody is won over; with more than one worry, with one, with none."""
_ASKING = 4
"""Rounds of a conversation in which the other asks for something, as a rule: nobody does so each time."""
_MOST = 2
"""Worries of somebody who says no."""
_BY_CONTEXT = 0.7
"""The share of answers that say how they go with the answer before, where they can."""

Told = Literal["plainly", "unchanged", "reversed"]
"""How an answer tells a desire: in words of its own, or as the one of the round before or its opposite."""


@dataclass(frozen=True)
class PlannedRound:
    """A round: what the persuader does, and what the other has in mind afterwards.

    Attributes:
        feeling: of the persuader about a yes or a no in the round before, which is where the tone comes from; None
            where the tone has nothing to do with it.
        feeling_beside: another that it is asked about with.
        attitude: of the other, as far as words tell it; the desire tells which of two it is. None of who says neither
            yes nor no.
        beside: other attitudes that it is asked about with.
        told: how the answer tells the desire.
        intention: of the other's answer; what it asks for the strategy of the round after is.
        concerns: the ids of the worries that are alive after it, in the order of the pack.
        wording: of the question whether the round's strategy helps, "effective" or "not effective"; None where the
            question is not asked.
    """

    strategy: Strategy
    tone: Form
    feeling: Attitude | None
    feeling_beside: Attitude | None
    attitude: Attitude | None
    beside: Attitude | None
    told: Told
    intention: Intention
    concerns: tuple[str, ...]
    wording: str | None = None

    @property
    def attitude_word(self) -> str | None:
        """The attitude of the other; None where there is none."""
        return None if self.attitude is None else self.attitude.word(desire_of(self.concerns))


@dataclass(frozen=True)
class PersuasionPlan:
    """Everything that happens in a conversation.

    Attributes:
        number: of the slot; ``turn``: of the conversation among those of its goal.
        target: what the other is to do: the goal's or one of its rivals.
        er, ee: names of the persuader and the other.
    """

    number: int
    turn: int
    goal: GoalPack
    target: str
    er: str
    ee: str
    rounds: tuple[PlannedRound, ...]

    def random(self, *parts: str | int) -> Random:
        """Random numbers for one purpose of this conversation."""
        return Random("/".join(map(str, ("persuasion", self.goal.domain, self.number, self.er, self.ee, *parts))))  # noqa: S311

    def offered(self, number: int) -> list[int]:
        """The rounds whose intentions are the options where that of a round is asked about, this one first."""
        steps = self.random("intention").sample(range(1, ROUNDS), 3)
        return [(number + step) % ROUNDS for step in (0, *steps)]

    def left_aside(self, number: int) -> Intention | None:
        """What somebody might ask in a round beside what they do ask, and says so; None in some rounds.

        It is one of the options, so that no clause alone tells what somebody asks.
        """
        rng, own = self.random("left aside", number), self.rounds[number].intention
        others = [self.rounds[place].intention for place in self.offered(number)[1:]]
        asking = [one for one in others if one.clause is not None]
        return rng.choice(asking) if own.clause is not None and asking and rng.random() < _BY_CONTEXT else None


def desire_of(concerns: Sequence[str]) -> str:
    """The desire of somebody with these worries."""
    return DESIRES[_MOST - min(_MOST, len(concerns))]


def plan_at(seed: int, index: int, goals: Sequence[GoalPack], forms: Expressions, attempt: int = 0) -> PersuasionPlan:
    """The plan of slot ``index``; it depends on these alone.

    Raises:
        PlanError: the strategies of the pack can't bring about the desires.
    """
    block, position = divmod(index, BLOCK)
    goal = goals[index % len(goals)]
    shape = _Block(seed, block)
    rng = Random(f"{seed}/persuasion/{index}/{attempt}")  # noqa: S311
    desires = shape.desires(position)
    path = _path(goal, desires, rng)
    er, ee = rng.sample(forms.names, 2)
    moods = _moods(forms, desires, rng)
    steps = zip(path, moods, _attitudes(forms, desires, rng), _intentions(path, forms, rng), strict=True)
    told, wordings = _told(desires, rng), shape.wordings(position)
    rounds = tuple(
        PlannedRound(strategy, *mood, *attitudes, told[number], intention, concerns, wordings.get(number))
        for number, ((strategy, concerns), mood, attitudes, intention) in enumerate(steps)
    )
    turn = index // len(goals)
    return PersuasionPlan(index, turn, goal, rng.choice(goal.targets), er, ee, rounds)


_Two = tuple[Attitude | None, Attitude | None]
"""What somebody feels, and what it is asked about with."""


def _attitudes(forms: Expressions, desires: Sequence[str], rng: Random) -> list[_Two]:
    """The attitude of each answer that says yes or no."""
    pairs = [_two(forms.apart(), rng) for _ in desires]
    return [pair if desire != "Neutral" else (None, None) for pair, desire in zip(pairs, desires, strict=True)]


def _two(pairs: Sequence[tuple[Attitude, Attitude]], rng: Random) -> tuple[Attitude, Attitude]:
    one, other = rng.choice(pairs)
    return (one, other) if rng.random() < 0.5 else (other, one)


def _moods(
    forms: Expressions, desires: Sequence[str], rng: Random
) -> Iterator[tuple[Form, Attitude | None, Attitude | None]]:
    """The persuader's tone of each round, with the feeling that it comes from where a yes or a no is before it."""
    for number, tone in enumerate(_tones(forms, rng)):
        before = desires[number - 1] if number else "Neutral"
        if before == "Neutral":
            yield tone, None, None
        else:
            feeling, beside = _two(forms.feelings_apart(), rng)
            yield feeling.tone(before), feeling, beside


def _told(desires: Sequence[str], rng: Random) -> list[Told]:
    """How each answer tells the desire: who goes to or from neither says so."""
    found: list[Told] = ["plainly"]
    for before, after in pairwise(desires):
        goes_with: Told = "unchanged" if before == after else "reversed"
        can = before == after or "Neutral" not in (before, after)
        found.append(goes_with if can and rng.random() < _BY_CONTEXT else "plainly")
    return found


_POLARITIES = ("negative", "neutral", "positive")


def _tones(forms: Expressions, rng: Random) -> list[Form]:
    """The persuader's tone of each round: nobody goes from sunshine to gloom in one step.

    Who stands at an end and would go beyond stays, so that each polarity is as frequent as the others.
    """
    found: list[Form] = []
    place = rng.randrange(len(_POLARITIES))
    while len(found) < ROUNDS:
        own = [one for one in forms.tones if one.polarity == _POLARITIES[place]]
        found.append(rng.choice([one for one in own if one not in found] or own))
        place = min(max(place + rng.choice((-1, 0, 1)), 0), len(_POLARITIES) - 1)
    return found


def _intentions(path: Sequence[_Step], forms: Expressions, rng: Random) -> list[Intention]:
    """What each answer is meant to do, nothing twice: most ask for what comes next."""
    # the last answer is not taken up any more: it may ask for what came first
    wanted = [path[(number + 1) % ROUNDS][0].principle for number in range(ROUNDS)]
    fresh = [number for number, principle in enumerate(wanted) if principle not in wanted[:number]]
    asking = rng.sample(fresh, min(_ASKING, len(fresh)))
    idle = iter(rng.sample(forms.idle, len(forms.idle)))
    return [forms.asking(wanted[number]) if number in asking else next(idle) for number in range(ROUNDS)]


class _Block:
    """The shape that three slots have in common."""

    def __init__(self, seed: int, number: int) -> None:
        self._number = number
        rng = Random(f"{seed}/persuasion block/{number}")  # noqa: S311
        self._first = rng.randrange(BLOCK)
        self._steps = [0, 0, 1, 2, 1 + number % 2]
        rng.shuffle(self._steps)

    def desires(self, position: int) -> list[str]:
        """The desire after each round."""
        places = [self._first + position]
        for step in self._steps:
            places.append(places[-1] + step)
        return [DESIRES[place % BLOCK] for place in places]

    def wordings(self, position: int) -> dict[int, str]:
        """The rounds whose strategies are judged, each with the wording of its question.

        In a block as many help as don't, and each half is asked about in each wording.
        """
        return {number: word for own, number, word in self._judged() if own == position}

    def _judged(self) -> Iterator[tuple[int, int, str]]:
        helping, idle = [], []
        for position in range(BLOCK):
            desires = self.desires(position)
            for number in range(1, ROUNDS):
                before, after = (DESIRES.index(desires[place]) for place in (number - 1, number))
                if after > before:
                    helping.append((position, number))
                elif after == before < _MOST:
                    idle.append((position, number))
        size = min(len(helping), len(idle))
        rng = Random(f"judged {self._number} {self._first} {self._steps}")  # noqa: S311
        for kind, rounds in enumerate((helping, idle)):
            for place, (position, number) in enumerate(rng.sample(rounds, size)):
                yield position, number, ("effective", "not effective")[(place + kind + self._number) % 2]


# -- strategies ------------------------------------------------------------------------------------------------------

_Step = tuple[Strategy, tuple[str, ...]]


def _path(goal: GoalPack, desires: Sequence[str], rng: Random) -> list[_Step]:
    """A strategy for each round, none twice nor, where it can be, any principle; and the worries alive after it."""
    order = [one.id for one in goal.concerns]
    sizes = [_MOST - DESIRES.index(desire) for desire in desires]
    starts = [frozenset(rng.sample(order, sizes[0])) for _ in range(20)]
    for varied, start in product((True, False), starts):
        found = _search(goal, start, sizes, (), rng, varied)
        if found is not None:
            return [(strategy, tuple(one for one in order if one in alive)) for strategy, alive in found]
    raise PlanError(f"pack {goal.domain!r}: its strategies bring about no way through the desires {desires}")


_Found = list[tuple[Strategy, frozenset[str]]]


def _search(
    goal: GoalPack, alive: frozenset[str], sizes: Sequence[int], used: tuple[Strategy, ...], rng: Random, varied: bool
) -> _Found | None:
    """The rest of the way from these worries, each principle once or not; None if there is none."""
    number = len(used)
    if number == len(sizes):
        return []
    spent = {one.principle for one in used} if varied else set[str]()
    for strategy in rng.sample(goal.strategies, len(goal.strategies)):
        after = _after(alive, strategy)
        if after is None or len(after) != sizes[number] or strategy in used or strategy.principle in spent:
            continue
        if number and after == alive and not strategy.addresses:
            # what does nothing has to be meant to help: who knows a strategy must not know whether it helps
            continue
        rest = _search(goal, after, sizes, (*used, strategy), rng, varied)
        if rest is not None:
            return [(strategy, after), *rest]
    return None


def _after(alive: frozenset[str], strategy: Strategy) -> frozenset[str] | None:
    """The worries after a strategy; None if it would lay some to rest and raise others."""
    laid, raised = alive.intersection(strategy.addresses), frozenset(strategy.provokes) - alive
    return None if laid and raised else (alive - laid) | raised
