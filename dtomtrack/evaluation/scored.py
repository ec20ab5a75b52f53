"""Answers put to their items: the little that statistics are made of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from dtomtrack.errors import DatasetError
from dtomtrack.evaluation.records import Answer, Outcome
from dtomtrack.evaluation.said import Lines, said_options, words_of_lines
from dtomtrack.items.item import Item, Select
from dtomtrack.items.letters import position_of

__all__ = ["Groups", "Members", "QuestionStats", "ScoredAnswer", "Scorer", "Scoring"]

Groups: TypeAlias = tuple[tuple[str, str], ...]
"""What an item is grouped by, as pairs of name and value."""


@dataclass(frozen=True)
class Members:
    """The groups of all items that are asked, by the number of their dialogue, and of what they are joint in."""

    dialogues: list[list[Groups]] = field(default_factory=list)
    joint: list[list[Groups]] = field(default_factory=list)


class QuestionStats(NamedTuple):
    """The facts that are kept of an item.

    Attributes:
        number: its place in the dataset.
        dialogue: the number of its cluster.
        joint: what it has to be right together with, as pairs of kind and number.
        options: how many it has.
        chance: the probability that a guess is right.
        said: the options that its context says, where their roles are known.
        members: of all dialogues and joint groups, answered or not; shared by all items.
    """

    number: int
    dialogue: int
    groups: Groups
    joint: tuple[tuple[str, int], ...]
    roles: tuple[str, ...]
    gold: frozenset[int]
    options: int
    select: Select
    chance: float
    said: frozenset[int]
    members: Members

    def group(self, name: str) -> str | None:
        """The group that it belongs to under this grouping, if it does."""
        # not as one expression: a table asks a million times
        for own, value in self.groups:
            if own == name:
                return value
        return None


class ScoredAnswer(NamedTuple):
    """The facts that are kept of an answer.

    Attributes:
        chosen: positions of the chosen options, where they could be read.
        probabilities: of the options, by position, where there are any.
    """

    asked: QuestionStats
    rotation: int
    repeat: int
    outcome: Outcome
    chosen: frozenset[int] | None
    probabilities: tuple[float, ...] | None

    @property
    def right(self) -> bool:
        """Whether it is correct; what can't be read is not."""
        return self.outcome == "correct"

    @property
    def overlap(self) -> float:
        """The Jaccard index of what is chosen and what is right; 0 where nothing could be read."""
        if self.chosen is None:
            return 0.0
        return len(self.chosen & self.asked.gold) / len(self.chosen | self.asked.gold)

    @property
    def roles(self) -> tuple[str, ...]:
        """The roles of the chosen options."""
        known = self.asked.roles
        return tuple(known[position] for position in sorted(self.chosen or ())) if known else ()


@dataclass(frozen=True)
class _Cluster:
    """The words of a cluster's context, and by options which of them it says."""

    name: str
    lines: Lines
    said: dict[tuple[str, ...], frozenset[int]] = field(default_factory=dict)


class Scorer:
    """Puts answers to their items; what many items share is kept once.

    Args:
        items: those that are asked, with those that are added later; each is read once and forgotten.
    """

    def __init__(self, items: Iterable[Item] = ()) -> None:
        self._dialogues: dict[str, int] = {}
        self._joint: dict[tuple[str, str], int] = {}
        self._groups: dict[Groups, Groups] = {}
        self._members = Members()
        self._roles: dict[tuple[str, ...], tuple[str, ...]] = {}
        self._positions: dict[frozenset[int], frozenset[int]] = {}
        self._cluster = _Cluster("", Lines())
        self._asked: dict[str, QuestionStats] = {}
        for item in items:
            self.add(item)

    def add(self, item: Item) -> None:
        """Know one more item.

        Raises:
            DatasetError: another has its id.
        """
        if item.id in self._asked:
            raise DatasetError(f"two questions have the id {item.id!r}, by which answers are told apart; take one out")
        self._asked[item.id] = self._keep(item, len(self._asked))

    def _keep(self, item: Item, number: int) -> QuestionStats:
        groups = tuple(item.groups.items())
        groups = self._groups.setdefault(groups, groups)
        said = self._said_of(item) if item.roles else frozenset[int]()
        dialogue = self._dialogues.setdefault(item.cluster, len(self._dialogues))
        joint = self._numbered(item.joint)
        _note(self._members.dialogues, dialogue, groups)
        for _, place in joint:
            _note(self._members.joint, place, groups)
        return QuestionStats(
            number=number,
            dialogue=dialogue,
            groups=groups,
            joint=joint,
            roles=self._roles.setdefault(item.roles, item.roles),
            gold=self._positions.setdefault(item.gold, item.gold),
            options=len(item.options),
            select=item.select,
            chance=item.chance,
            said=self._positions.setdefault(said, said),
            members=self._members,
        )

    def _said_of(self, item: Item) -> frozenset[int]:
        """The options that its context says; items of one cluster that follow each other share their words."""
        if self._cluster.name != item.cluster:
            self._cluster = _Cluster(item.cluster, words_of_lines(item))
        said = self._cluster.said
        if item.options not in said:
            said[item.options] = said_options(item, self._cluster.lines)
        return said[item.options]

    def _numbered(self, joint: Mapping[str, str]) -> tuple[tuple[str, int], ...]:
        return tuple((kind, self._joint.setdefault((kind, one), len(self._joint))) for kind, one in joint.items())

    def score(self, answers: Iterable[Answer]) -> Iterator[ScoredAnswer]:
        """The answers of one subject, in any order, with their items.

        Raises:
            DatasetError: an answer is to none of the items, is there twice, or does not go with its item.
        """
        return map(Scoring(self._asked).score, answers)

    def scoring(self) -> Scoring:
        """Puts answers of one subject to these items one at a time, as they come; items may still be added."""
        return Scoring(self._asked)


class Scoring:
    """Puts answers of one subject to their items, each once.

    Args:
        asked: the items by their ids.
    """

    def __init__(self, asked: Mapping[str, QuestionStats]) -> None:
        self._asked = asked
        self._seen: set[tuple[int, int, int]] = set()

    def score(self, answer: Answer) -> ScoredAnswer:
        """An answer with its item.

        Raises:
            DatasetError: it is to none of the items, is there already, or does not go with its item.
        """
        asked = self._asked.get(answer.question_id)
        if asked is None:
            raise DatasetError(f"there is an answer to {answer.question_id}, which is not among the questions")
        place = asked.number, answer.rotation, answer.repeat
        if place in self._seen:
            raise DatasetError(f"{answer.question_id} is answered twice under rotation {answer.rotation}")
        self._seen.add(place)
        return _scored(answer, asked)


def _note(members: list[list[Groups]], number: int, groups: Groups) -> None:
    """One more member of what has this number; numbers are given in order."""
    if number == len(members):
        members.append([])
    members[number].append(groups)


def _scored(answer: Answer, asked: QuestionStats) -> ScoredAnswer:
    chosen = None if answer.answer is None else frozenset(map(position_of, answer.answer))
    if chosen is not None and ((chosen == asked.gold) != (answer.outcome == "correct") or max(chosen) >= asked.options):
        raise DatasetError(
            f"the answer {answer.answer} to {answer.question_id} counts as {answer.outcome}, which does not go with "
            "the question's options: these are answers to other questions"
        )
    given = answer.probabilities
    probabilities = None if given is None else _by_position(given, answer.rotation, asked.options)
    return ScoredAnswer(asked, answer.rotation, answer.repeat, answer.outcome, chosen, probabilities)


def _by_position(given: Mapping[str, float], rotation: int, options: int) -> tuple[float, ...]:
    """Probabilities by position in the item, from those by letter as shown."""
    turned = {(position_of(letter) - rotation) % options: share for letter, share in given.items()}
    return tuple(turned.get(position, 0.0) for position in range(options))
