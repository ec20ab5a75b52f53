"""Plans of conversations: which desire each round ends with, by which strategies, in which tones.

Slots are planned in blocks of three: in each round the three have the three desires, and between rounds all go the
same number of steps round the ring no, neutral, yes. So desires are as frequent in every round, and the six changes as
frequent as each other, without anything being shared between slots.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise, permutations
from random import Random
from typing import Literal

from dtomtrack.errors import PlanError
from dtomtrack.scenarios.persuasion.pack import Attitude, Expressions, Form, GoalPack, Intention, Strategy
from dtomtrack.scenarios.persuasion.paths import Step, find_path, has_path

__all__ = [
    "BLOCK",
    "DESIRES",
    "ROUNDS",
    "PersuasionPlan",
    "PlannedRound",
    "Told",
    "desire_of",
    "missing_way",
    "plan_at",
]

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

    @property
    def context(self) -> str:
        """The situation, with the names."""
        return self.goal.context.format(er=self.er, ee=self.ee)

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


def _intentions(path: Sequence[Step], forms: Expressions, rng: Random) -> list[Intention]:
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
        self._steps = _steps(number)
        rng.shuffle(self._steps)

    def desires(self, position: int) -> list[str]:
        """The desire after each round."""
        return _course(self._first + position, self._steps)

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


def missing_way(goal: GoalPack) -> Sequence[str] | None:
    """The desires of a plan that the strategies of a pack can't bring about; None if they bring about those of all."""
    return next((desires for desires in _courses() if not has_path(goal, _sizes(desires))), None)


def _courses() -> Iterator[list[str]]:
    """The desires of all plans."""
    for last in (0, 1):
        for steps in sorted(set(permutations(_steps(last)))):
            yield from (_course(first, steps) for first in range(BLOCK))


def _steps(number: int) -> list[int]:
    """The steps round the ring of desires that a block of this number has in some order."""
    return [0, 0, 1, 2, 1 + number % 2]


def _course(first: int, steps: Sequence[int]) -> list[str]:
    """The desire after each round."""
    return [DESIRES[place % BLOCK] for place in accumulate(steps, initial=first)]


def _sizes(desires: Sequence[str]) -> list[int]:
    """How many worries are alive with each desire."""
    return [_MOST - DESIRES.index(desire) for desire in desires]


def _path(goal: GoalPack, desires: Sequence[str], rng: Random) -> list[Step]:
    """A strategy for each round, and the worries alive after it."""
    found = find_path(goal, _sizes(desires), rng)
    if found is None:
        raise PlanError(f"pack {goal.domain!r}: its strategies bring about no way through the desires {desires}")
    return found
