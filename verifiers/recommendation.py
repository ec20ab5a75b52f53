"""Whether utterances of a recommendation dialogue do what they were meant to, and nothing that can't go together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from typing import Protocol

from dtomtrack.verifiers.verdicts import ACCEPTED, Verdict

__all__ = ["SaidClause", "consistency_verdict", "labels_verdict"]


class SaidClause(Protocol):
    """A part of a line as it was heard; see `dtomtrack.scenarios.recommendation.clauses.Clause`."""

    @property
    def label(self) -> str:
        """The code of what it does."""

    @property
    def title(self) -> str | None:
        """What it is about."""

    @property
    def quality(self) -> str | None:
        """What it says of that, or of taste."""

    @property
    def liked(self) -> bool | None:
        """What it says of how well the title, or the quality, is liked."""

    @property
    def disliked(self) -> bool:
        """Whether the quality is one that is not liked."""

    @property
    def seen(self) -> bool | None:
        """Of a title that the seeker brings up, whether they know it."""

    @property
    def reason(self) -> bool:
        """Whether it gives a reason."""

    @property
    def conditional(self) -> bool:
        """Whether something is turned down unless there is more to be said for it."""


def labels_verdict(meant: Set[str], heard: Set[str] | None) -> Verdict:
    """A verdict on a line from the labels that it was to have and those that a listener hears in it.

    Args:
        heard: None where a part of the line can't be understood.
    """
    if heard is None:
        return Verdict("reject", reason="a part of the line says nothing that is known")
    if meant == heard:
        return ACCEPTED
    missing, more = (", ".join(sorted(one)) for one in (meant - heard, heard - meant))
    parts = [f"lacks {missing}"] * bool(missing) + [f"also says {more}"] * bool(more)
    return Verdict("reject", reason=f"the line {' and '.join(parts)}")


def consistency_verdict(lines: Iterable[tuple[str, Sequence[SaidClause]]]) -> Verdict:
    """A verdict on what was said in a dialogue, line by line: does anybody contradict themselves?

    Nobody likes what they dislike, minds what they asked for, knows what they were not told, asks anew without saying
    what for, changes their mind on a title without a word of why, or goes on selling what was turned down.

    Args:
        lines: the role and the clauses of each.
    """
    said = _Said()
    for number, (role, clauses) in enumerate(lines, 1):
        for place, clause in enumerate(clauses):
            reason = said.fault(role, clause, clauses[place + 1 :])
            if reason is not None:
                return Verdict("reject", reason=f"line {number}: {reason}")
    return ACCEPTED


class _Said:
    """What both have said so far."""

    def __init__(self) -> None:
        self._tastes: dict[tuple[str, str], bool] = {}
        self._requested: set[str] = set()
        self._told: dict[str, set[str]] = {}
        self._known: dict[str, bool] = {}
        self._wanted: dict[str, bool] = {}
        self._closed: set[str] = set()
        self._faulted: set[str] = set()
        self._current = ""

    def fault(self, role: str, clause: SaidClause, behind: Sequence[SaidClause]) -> str | None:
        """What does not go with what was said before, or None; takes the clause in.

        Args:
            behind: the clauses that follow in the line.
        """
        title = clause.title or self._current
        if role == "recommender":
            if title in self._closed and clause.label.startswith(("REC", "EXP")):
                return f"speaks for {title}, which was turned down"
            self._hear_told(clause, title)
        elif clause.label in {"SEE", "NRE"}:
            self._known[title] = clause.label == "SEE"
        elif clause.label in {"ACC", "REJ"}:
            return self._changed_mind(clause, title)
        elif clause.label == "INQ" and self._known.get(title):
            return f"wants to know what {title} is like, and knows it"
        elif clause.label == "REF" and not any(one.label in {"PRO", "ANS"} and one.quality for one in behind):
            return "asks in other terms and does not say in which"
        return self._taste_fault(role, clause) or self._complaint_fault(clause, title)

    def _hear_told(self, clause: SaidClause, title: str) -> None:
        if clause.label.startswith("REC") and clause.title is not None:
            self._current = clause.title
        if clause.label.startswith(("REC", "EXP")) and clause.quality is not None:
            self._told.setdefault(title, set()).add(clause.quality)

    def _changed_mind(self, clause: SaidClause, title: str) -> str | None:
        wanted = clause.label == "ACC"
        before = self._wanted.get(title)
        self._wanted[title] = wanted
        if wanted or clause.conditional:
            self._closed.discard(title)
        else:
            self._closed.add(title)
        explained = clause.reason or clause.quality is not None or (not wanted and title in self._faulted)
        self._faulted.discard(title)
        if before is None or before is wanted or explained:
            return None
        return f"{'takes up' if wanted else 'turns down'} {title} without saying why, and did not before"

    def _taste_fault(self, role: str, clause: SaidClause) -> str | None:
        likes = _taste(clause)
        if likes is None or clause.quality is None:
            return None
        if self._tastes.setdefault((role, clause.quality), likes) is likes:
            return None
        return f"likes what is {clause.quality}, and does not"

    def _complaint_fault(self, clause: SaidClause, title: str) -> str | None:
        quality = clause.quality or ""
        if clause.label in {"REF", "STO"} and quality:
            self._requested.add(quality)
        if clause.label in {"CRI-F", "CRI-A"}:
            self._faulted.add(title)
        if clause.label != "CRI-F":
            return None
        if quality in self._requested:
            return f"minds that {title} is {quality}, and asked for it"
        if self._known.get(title) is False and quality not in self._told.get(title, set()):
            return f"minds that {title} is {quality}, and was not told"
        return None


def _taste(clause: SaidClause) -> bool | None:
    """Whether a clause says that its quality is liked, or that it is not; None where it says neither."""
    if clause.label == "R-ANS":
        return clause.liked
    if clause.label in {"PRO", "ANS", "CRI-A"}:
        return not clause.disliked
    return False if clause.label == "CRI-F" else None
