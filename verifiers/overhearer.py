"""The overhearer: answers questions from utterances alone.

It hears what is said, never what is thought or planned, and works out from it what each holds and what each takes the
other to hold. A question whose gold answer it does not reach can't be answered from the conversation.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

from dtomtrack.beliefs.question import Question, QuestionType
from dtomtrack.beliefs.questions.spec import as_option, at_turn
from dtomtrack.verifiers.overheard import OverheardMinds, Said

__all__ = ["Overheard", "Overhearer"]


@dataclass(frozen=True)
class Overheard:
    """An answer in words, and the turns that it rests on; ``texts`` where several options may be right."""

    text: str
    evidence: tuple[int, ...]
    texts: frozenset[str] = frozenset()


class Overhearer:
    """Answers questions about one transcript, of however many agents, from what follows from its utterances."""

    def __init__(self, minds: OverheardMinds) -> None:
        self._minds = minds

    def answer(self, question: Question) -> Overheard | None:
        """The answer that follows from the conversation; None if none does."""
        match question.type:
            case QuestionType.UPDATE_DETECTION:
                return self._change(question)
            case QuestionType.PRE_UPDATE:
                return self._held(question, self._turn(question) - 1)
            case QuestionType.POST_UPDATE | QuestionType.TEMPORAL:
                return self._held(question, self._turn(question))
            case QuestionType.SECOND_ORDER:
                return self._thought_of_other(question)
            case QuestionType.FALSE_BELIEF:
                return self._mistaken(question)
            case QuestionType.INFORMATION_ACCESS:
                return self._learnt(question) if question.factors.asks == "learnt" else self._knowing(question)

    def _held(self, question: Question, turn: int) -> Overheard | None:
        said = self._minds.held(question.agent, question.topic, turn)
        return None if said is None else Overheard(as_option(said.content), (said.turn,))

    def _turn(self, question: Question) -> int:
        """The turn that is asked about: where it is named as that of one of several changes, what was heard of them."""
        number = question.factors.number
        if number is None:
            return question.turn or 0
        changes = self._changes(question)
        return changes[number - 1] if number <= len(changes) else 0

    def _changes(self, question: Question) -> list[int]:
        """The turns at which the agent came to say something else on the topic."""
        said = self._minds.stated(question.agent, question.topic)
        return [after.turn for before, after in itertools.pairwise(said) if before.content != after.content]

    def _change(self, question: Question) -> Overheard | None:
        said = self._minds.stated(question.agent, question.topic)
        if not said:
            return None
        changes = self._changes(question)
        if not changes:
            return Overheard(at_turn(None), (said[0].turn,))
        turn = changes[0] if question.factors.asks == "first_change" else changes[-1]
        return Overheard(at_turn(turn), (said[0].turn, turn))

    def _thought_of_other(self, question: Question) -> Overheard | None:
        """What has reached the agent, and everybody of whom the agent is asked what they think, together."""
        if question.about is None:
            return None
        picture = self._minds.picture(question.chain, question.about, question.topic, question.turn or 0)
        return None if picture is None else Overheard(as_option(picture.content), (picture.saying.turn,))

    # -- where somebody is wrong -------------------------------------------------------------------------------------

    def _mistaken(self, question: Question) -> Overheard | None:
        """What somebody wrongly takes another to hold, or what that other really holds."""
        if question.factors.asks == "assumed":
            return self._assumed(question)
        actual = self._actual(question.agent, question.topic, question.turn or 0)
        if actual is None or not self._anybody_wrong(question, actual):
            return None
        return Overheard(as_option(actual.content), (actual.turn,))

    def _assumed(self, question: Question) -> Overheard | None:
        if question.about is None:
            return None
        turn = question.turn or 0
        picture = self._minds.picture(question.chain, question.about, question.topic, turn)
        actual = self._actual(question.about, question.topic, turn)
        if picture is None or actual is None or actual.content == picture.content:
            return None
        return Overheard(as_option(picture.content), tuple(sorted({picture.saying.turn, actual.turn})))

    def _actual(self, holder: str, topic: str, turn: int) -> Said | None:
        """What somebody held at a turn; of one presumed something of, it may be said in the turn after."""
        held = self._minds.held(holder, topic, turn)
        presumed = any(one.turn == turn for one in self._minds.presumed(holder, topic))
        return self._minds.held(holder, topic, turn + 1) if held is None and presumed else held

    def _anybody_wrong(self, question: Question, actual: Said) -> bool:
        names = {one.speaker for one in self._minds.presumed(question.agent, question.topic)} | self._minds.names
        pictures = (
            self._minds.picture((name,), question.agent, question.topic, question.turn or 0)
            for name in names - {question.agent}
        )
        return any(one is not None and one.content != actual.content for one in pictures)

    # -- who knows ---------------------------------------------------------------------------------------------------

    def _knowing(self, question: Question) -> Overheard | None:
        """Those among the options who are right about what the agent holds."""
        turn = question.turn or 0
        held = self._minds.held(question.agent, question.topic, turn)
        if held is None:
            return None
        knowing = {
            name
            for name in question.options.values()
            if (picture := self._minds.picture((name,), question.agent, question.topic, turn)) is not None
            and picture.content == held.content
        }
        return Overheard("", (held.turn,), frozenset(knowing))

    def _learnt(self, question: Question) -> Overheard | None:
        """The turn at which the agent came to know what the other had newly come to hold."""
        if question.about is None or question.turn is None:
            return None
        new = self._minds.held(question.about, question.topic, question.turn)
        if new is None:
            return None
        for turn in range(question.turn, self._minds.last_turn + 1):
            picture = self._minds.picture(question.chain, question.about, question.topic, turn)
            if picture is not None and picture.content == new.content:
                return Overheard(at_turn(turn), (new.turn, turn))
        return Overheard(at_turn(None), (new.turn,))
