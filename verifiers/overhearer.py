"""The overhearer: answers questions from utterances alone.

It hears what is said, never what is thought or planned, and works out from it what each holds and what each takes the
other to hold. A question whose gold answer it does not reach can't be answered from the conversation.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from dtomtrack.beliefs.question import Question, QuestionType
from dtomtrack.beliefs.questions.spec import as_option, at_turn
from dtomtrack.beliefs.reading import Act, Reading

__all__ = ["Overheard", "Overhearer"]


@dataclass(frozen=True)
class Overheard:
    """An answer in words, and the turns that it rests on."""

    text: str
    evidence: tuple[int, ...]


@dataclass(frozen=True)
class _Said:
    turn: int
    speaker: str
    content: str


class Overhearer:
    """Answers questions about one transcript, of however many agents, from the readings of its utterances."""

    def __init__(self, readings: Sequence[Reading]) -> None:
        self._stated: dict[tuple[str, str], list[_Said]] = {}
        self._presumed: dict[tuple[str, str], list[_Said]] = {}
        for reading in readings:
            said = _Said(reading.turn, reading.speaker, reading.content)
            key = reading.holder, reading.topic
            if reading.act is Act.STATE:
                self._stated.setdefault(key, []).append(said)
            elif reading.act is Act.PRESUME:
                self._presumed.setdefault(key, []).append(said)

    def answer(self, question: Question) -> Overheard | None:
        """The answer that follows from the conversation; None if none does."""
        match question.type:
            case QuestionType.UPDATE_DETECTION:
                return self._change(question)
            case QuestionType.PRE_UPDATE:
                return self._held(question, (question.turn or 0) - 1)
            case QuestionType.POST_UPDATE | QuestionType.TEMPORAL:
                return self._held(question, question.turn or 0)
            case QuestionType.SECOND_ORDER:
                return self._thought_of_other(question)
            case QuestionType.FALSE_BELIEF:
                return self._wrongly_presumed(question)
            case QuestionType.INFORMATION_ACCESS:
                return None

    def _held(self, question: Question, turn: int) -> Overheard | None:
        said = _last(self._stated.get((question.agent, question.topic), ()), turn)
        return None if said is None else Overheard(as_option(said.content), (said.turn,))

    def _change(self, question: Question) -> Overheard | None:
        said = self._stated.get((question.agent, question.topic))
        if not said:
            return None
        changes = [after.turn for before, after in itertools.pairwise(said) if before.content != after.content]
        if not changes:
            return Overheard(at_turn(None), (said[0].turn,))
        turn = changes[0] if question.factors.asks == "first_change" else changes[-1]
        return Overheard(at_turn(turn), (said[0].turn, turn))

    def _thought_of_other(self, question: Question) -> Overheard | None:
        """The last that the agent heard the other say of it, or has since themselves taken for granted aloud."""
        if question.about is None:
            return None
        key = question.about, question.topic
        own = [said for said in self._presumed.get(key, ()) if said.speaker == question.agent]
        events = sorted([*self._stated.get(key, ()), *own], key=lambda said: said.turn)
        said = _last(events, question.turn or 0)
        return None if said is None else Overheard(as_option(said.content), (said.turn,))

    def _wrongly_presumed(self, question: Question) -> Overheard | None:
        assumed = question.factors.asks == "assumed"
        holder = question.about if assumed else question.agent
        if holder is None:
            return None
        key = holder, question.topic
        presumed = next((said for said in self._presumed.get(key, ()) if said.turn == question.turn), None)
        if presumed is None:
            return None
        stated = self._stated.get(key, [])
        held = _last(stated, presumed.turn) or next((said for said in stated if said.turn == presumed.turn + 1), None)
        if held is None or held.content == presumed.content:
            return None
        told = presumed if assumed else held
        return Overheard(as_option(told.content), tuple(sorted((presumed.turn, held.turn))))


def _last(said: Sequence[_Said], turn: int) -> _Said | None:
    return next((one for one in reversed(said) if one.turn <= turn), None)
