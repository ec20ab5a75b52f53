"""A dialogue as it was heard: every line with the clauses that were read off it, and what is known after each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from dtomtrack.items.item import ContextLine
from dtomtrack.scenarios.recommendation.clauses import Clause, RecommendationRole
from dtomtrack.scenarios.recommendation.director import OPENING
from dtomtrack.scenarios.recommendation.habits import Situation, move_of, situation_after
from dtomtrack.scenarios.recommendation.minds import Attitude, HeardMinds
from dtomtrack.suites.rectom.published import SPEAKERS

__all__ = ["HeardLine", "HeardSession", "Wish", "heard_session"]


@dataclass(frozen=True)
class HeardLine:
    """A line, what it does, and what was heard of the seeker's attitudes until it was said, its own words included.

    Attributes:
        leads_to: the situation that it leaves the other one in.
        doubted, unsettled: titles of which their yes or no, and how they like them, may have changed since.
    """

    role: RecommendationRole
    text: str
    clauses: tuple[Clause, ...]
    leads_to: Situation
    attitudes: Mapping[str, Attitude]
    likes: frozenset[str]
    dislikes: frozenset[str]
    doubted: frozenset[str]
    unsettled: frozenset[str]

    @property
    def labels(self) -> frozenset[str]:
        """Its fine labels."""
        return frozenset(one.label for one in self.clauses)

    @property
    def moves(self) -> frozenset[str]:
        """Its coarse labels."""
        return frozenset(move_of(self.role, label) for label in self.labels)


@dataclass(frozen=True)
class Wish:
    """Something with a quality that the seeker asked for in a line, and the quality of what was suggested next."""

    line: int
    quality: str
    answered: str


@dataclass(frozen=True)
class HeardSession:
    """A dialogue; lines are counted from 1."""

    lines: tuple[HeardLine, ...]

    def shown(self, count: int) -> tuple[ContextLine, ...]:
        """The first lines as a context."""
        return tuple(ContextLine(SPEAKERS[line.role], line.text) for line in self.lines[:count])

    def situation(self, number: int) -> Situation:
        """Whose line a line is, and what the one before amounts to."""
        return self.lines[number - 2].leads_to

    def foreseeable(self, number: int) -> bool:
        """Whether the same situation came up before, after the opening."""
        now = self.situation(number)
        return any(self.situation(earlier) == now for earlier in range(OPENING + 1, number))

    def repeats(self, number: int, behind: int) -> bool:
        """Whether a line does what was done so many lines before it."""
        earlier = number - behind
        return earlier > 0 and self.lines[number - 1].moves == self.lines[earlier - 1].moves

    def wishes(self) -> Iterator[Wish]:
        """What was asked for by quality where the next line suggests something and says how it is in that respect."""
        for number, (line, following) in enumerate(zip(self.lines, self.lines[1:], strict=False), 1):
            asked = [one.quality for one in line.clauses if (one.wish or one.label == "STO") and one.quality]
            given = [one.quality for one in following.clauses if one.label in {"REC-S", "REC-E"}]
            if line.role == "seeker" and asked and given and given[0] is not None:
                yield Wish(number, asked[-1], given[0])


def heard_session(read: Sequence[tuple[RecommendationRole, str, tuple[Clause, ...]]]) -> HeardSession:
    """A dialogue from its lines as they were read."""
    minds, lines = HeardMinds(), []
    for role, text, clauses in read:
        minds.hear(role, clauses)
        known = (frozenset(one) for one in (minds.likes, minds.dislikes, minds.doubted, minds.unsettled))
        leads_to = situation_after(minds, role, clauses)
        lines.append(HeardLine(role, text, clauses, leads_to, dict(minds.attitudes), *known))
    return HeardSession(tuple(lines))
