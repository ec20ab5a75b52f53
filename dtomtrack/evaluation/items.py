"""Answers put to their questions: the small items that statistics are made of."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from dtomtrack.beliefs.question import LETTERS, Factors, OptionRole, Question, QuestionType
from dtomtrack.errors import DatasetError
from dtomtrack.evaluation.records import Answer, Outcome

__all__ = ["ABOUT_UPDATES", "ABSENT", "GROUPINGS", "LAGS", "Asked", "Facts", "Item", "Items", "facts"]

ABSENT = "none"
"""Names the group of questions to which what they are grouped by does not apply."""

_LAG_ENDS = (2, 4, 6, 10, 20)
LAGS = ("0-1", "2-3", "4-5", "6-9", "10-19", "20+")
"""Names of the groups of lags, in turns."""


class Facts(NamedTuple):
    """What a question is grouped by."""

    type: str
    mental_state: str
    marker: str
    trigger: str
    updates: str
    lag: str
    order: str


GROUPINGS: tuple[str, ...] = Facts._fields
"""What metrics group answers by."""
ABOUT_UPDATES = (QuestionType.PRE_UPDATE, QuestionType.POST_UPDATE, QuestionType.UPDATE_DETECTION)
"""Before, after and when."""


class Asked(NamedTuple):
    """What is kept of a question.

    Attributes:
        dialogue, update: their numbers; None for a question about no update.
        roles: of the options A to D.
        gold: letter of the right option.
    """

    number: int
    dialogue: int
    facts: Facts
    update: int | None
    roles: tuple[OptionRole, ...]
    gold: str


class Item(NamedTuple):
    """What is kept of an answer; ``chosen`` is the role of the chosen option, if it could be read."""

    asked: Asked
    rotation: int
    outcome: Outcome
    chosen: OptionRole | None

    @property
    def right(self) -> bool:
        """Whether it is correct; what can't be read is not."""
        return self.outcome == "correct"


def facts(question: Question) -> Facts:
    """The groups that a question belongs to."""
    factors = question.factors
    return Facts(
        type=question.type.value,
        mental_state=question.mental_state.value,
        marker=_marker_class(factors),
        trigger=factors.trigger or ABSENT,
        updates=str(factors.updates),
        lag=_lag(factors.lag),
        order=str(question.order),
    )


def _marker_class(factors: Factors) -> str:
    if factors.names_old is None:
        return ABSENT
    return "explicit" if factors.names_old else "implicit"


def _lag(turns: int | None) -> str:
    return ABSENT if turns is None else LAGS[bisect_right(_LAG_ENDS, turns)]


class Items:
    """Puts answers to their questions; what many questions share is kept once.

    Args:
        questions: at least those that are answered; each is read once and forgotten.
    """

    def __init__(self, questions: Iterable[Question]) -> None:
        self._dialogues: dict[str, int] = {}
        self._updates: dict[tuple[str, str, str, int], int] = {}
        self._facts: dict[Facts, Facts] = {}
        self._roles: dict[tuple[OptionRole, ...], tuple[OptionRole, ...]] = {}
        self._asked = {one.id: self._keep(one, number) for number, one in enumerate(questions)}

    def _keep(self, question: Question, number: int) -> Asked:
        group = facts(question)
        roles = tuple(question.option_roles[letter] for letter in LETTERS)
        return Asked(
            number=number,
            dialogue=self._dialogues.setdefault(question.dialogue_id, len(self._dialogues)),
            facts=self._facts.setdefault(group, group),
            update=self._update(question),
            roles=self._roles.setdefault(roles, roles),
            gold=question.answer,
        )

    def _update(self, question: Question) -> int | None:
        """The number of the update that a question is about."""
        if question.type not in ABOUT_UPDATES or question.turn is None:
            return None
        key = question.dialogue_id, question.agent, question.topic, question.turn
        return self._updates.setdefault(key, len(self._updates))

    def of(self, answers: Iterable[Answer]) -> Iterator[Item]:
        """The answers, in any order, with their questions.

        Raises:
            DatasetError: an answer is to none of the questions, is there twice, or does not go with its question.
        """
        seen: set[int] = set()
        for answer in answers:
            asked = self._asked.get(answer.question_id)
            if asked is None:
                raise DatasetError(f"there is an answer to {answer.question_id}, which is not among the questions")
            place = asked.number * len(LETTERS) + answer.rotation
            if place in seen:
                raise DatasetError(f"{answer.question_id} is answered twice under rotation {answer.rotation}")
            seen.add(place)
            if (answer.answer == asked.gold) != (answer.outcome == "correct"):
                raise DatasetError(
                    f"the answer {answer.answer} to {answer.question_id} counts as {answer.outcome}, but the right "
                    f"option is {asked.gold}: these are answers to other questions"
                )
            chosen = None if answer.answer is None else asked.roles[LETTERS.index(answer.answer)]
            yield Item(asked, answer.rotation, answer.outcome, chosen)
