"""What the two know and want: the seeker's hidden attitudes, and what the recommender has heard of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from dtomtrack.scenarios.recommendation.clauses import Clause, RecommendationRole

__all__ = ["Attitude", "HeardMinds"]


@dataclass(frozen=True)
class Attitude:
    """What the seeker has to do with something: who named it first, whether they know it, like it, and want it.

    None of what is not known, or not yet decided.
    """

    proposer: RecommendationRole
    seen: bool | None = None
    liked: bool | None = None
    wanted: bool | None = None

    @property
    def is_whole(self) -> bool:
        """Whether it is known in every respect that a belief has."""
        return self.seen is not None and self.liked is not None


class HeardMinds:
    """What was heard of the seeker, clause by clause: the recommender's beliefs, and all that can be asked about.

    It hears clauses as they were read off the words, never the plan.

    Attributes:
        attitudes: by title, the last that was heard; ``likes``, ``dislikes``: qualities that were named as such.
        doubted: titles of which a yes or no was heard that may have changed since: they were taken up, and fault was
            found with them or they were told to have a quality that is disliked, or turned down, and told to have
            one that is liked.
        unsettled: titles of which it was heard how they are liked, with which it may be otherwise since, for the same.
        current: the title that was last put forward; ``wished``: the quality that was last asked for.
    """

    def __init__(self) -> None:
        self.attitudes: dict[str, Attitude] = {}
        self.likes: set[str] = set()
        self.dislikes: set[str] = set()
        self.doubted: set[str] = set()
        self.unsettled: set[str] = set()
        self.current: str | None = None
        self.wished: str | None = None

    def hear(self, role: RecommendationRole, clauses: Iterable[Clause]) -> None:
        """Take in the next line."""
        for clause in clauses:
            if role == "recommender":
                self._hear_recommender(clause)
            else:
                self._hear_seeker(clause)

    def _hear_recommender(self, clause: Clause) -> None:
        if clause.label in {"REC-S", "REC-E"} and clause.title is not None:
            self.attitudes.setdefault(clause.title, Attitude("recommender"))
            self.current = clause.title
        elif clause.title is not None and clause.quality in self.likes | self.dislikes:
            self._open_again(clause.title, to=clause.quality in self.likes)

    def _hear_seeker(self, clause: Clause) -> None:
        if clause.label in {"PRO", "ANS"} and clause.quality is not None:
            (self.dislikes if clause.disliked else self.likes).add(clause.quality)
        if clause.wish or clause.label == "STO":
            self.wished = clause.quality
        title = clause.title if clause.title is not None else self.current
        if title is None:
            return
        if clause.seen is not None:
            self.attitudes.setdefault(title, Attitude("seeker", clause.seen, clause.liked))
        elif clause.label in {"SEE", "NRE"} and clause.liked is not None:
            before = self.attitudes.get(title, Attitude("recommender"))
            self.attitudes[title] = replace(before, seen=clause.label == "SEE", liked=clause.liked)
            self.unsettled.discard(title)
        elif clause.label in {"ACC", "REJ"} and title in self.attitudes:
            self._hear_verdict(title, clause)
        elif clause.label in {"CRI-F", "CRI-A"}:
            self._open_again(title, to=False)

    def _hear_verdict(self, title: str, clause: Clause) -> None:
        before = self.attitudes[title]
        liked = before.liked if clause.liked is None else clause.liked
        self.attitudes[title] = replace(before, liked=liked, wanted=clause.label == "ACC")
        self.doubted.discard(title)
        if clause.liked is not None:
            self.unsettled.discard(title)

    def _open_again(self, title: str, *, to: bool) -> None:
        """Take in what speaks for a title, or against it, where the contrary was heard."""
        mind = self.attitudes.get(title)
        if mind is not None and mind.wanted is (not to):
            self.doubted.add(title)
        if mind is not None and mind.liked is (not to):
            self.unsettled.add(title)
