"""Question verification by rules, on the paper's three criteria ("QA Verification").

correctness   someone who only overhears the utterances reaches the gold answer
soundness     there is one right answer, the question doesn't give it away, and nothing it rests on is said too late
quality       the distractors are plausible: apart from the gold and from each other, alike in length and form
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations

from rapidfuzz import fuzz

from dtomtrack.beliefs.question import Question, QuestionType
from dtomtrack.items.words import in_plain_letters, words_in_order
from dtomtrack.verifiers.overheard import OverheardMinds
from dtomtrack.verifiers.overhearer import Overheard, Overhearer
from dtomtrack.verifiers.verdicts import ACCEPTED, Verdict
from dtomtrack.verifiers.verifier import ReviewedAttempt

__all__ = ["MOST_SIMILAR", "QuestionRules", "QuestionVerifier"]

MOST_SIMILAR = 80.0
"""The words in which two options differ may be this similar (rapidfuzz ratio, 0 to 100)."""
_LONGEST_TO_SHORTEST = 3.0


class QuestionRules:
    """The rules as a verifier."""

    name = "question_verification"

    async def verify(self, attempt: ReviewedAttempt) -> ReviewedAttempt:
        """The attempt with the questions that pass."""
        if attempt.dialogue is None:
            return attempt
        verifier = QuestionVerifier(attempt.minds, len(attempt.dialogue.turns))
        return attempt.with_verdicts(self.name, [(one, verifier.verify(one)) for one in attempt.questions])


class QuestionVerifier:
    """The rules for the questions of one dialogue.

    Args:
        minds: what follows from its utterances.
        turns: how many turns it has.
    """

    def __init__(self, minds: OverheardMinds, turns: int) -> None:
        self._overhearer = Overhearer(minds)
        self._turns = turns

    def verify(self, question: Question) -> Verdict:
        """Whether a question is kept, and if not, why."""
        answer = self._overhearer.answer(question)
        return (
            self._correctness(question, answer) or self._soundness(question, answer) or _quality(question) or ACCEPTED
        )

    def _correctness(self, question: Question, answer: Overheard | None) -> Verdict | None:
        if answer is None:
            return Verdict("reject", "correctness", "nothing that is said answers it")
        if not _says(answer, question):
            return Verdict("reject", "correctness", "what is said leads to another answer than the gold one")
        return None

    def _soundness(self, question: Question, answer: Overheard | None) -> Verdict | None:
        reason = None
        golds = {_bare(question.options[letter]) for letter in question.answer}
        if sum(_bare(text) in golds for text in question.options.values()) > len(question.answer):
            reason = "more than one option is right"
        elif question.select == "one" and _tells(question):
            reason = "the question says its answer"
        elif any(not 0 <= turn < self._turns for turn in question.evidence):
            reason = "its evidence lies outside the dialogue"
        elif answer is not None and _too_late(question, answer):
            reason = "its answer is said only later"
        return None if reason is None else Verdict("reject", "soundness", reason)


def _tells(question: Question) -> bool:
    """Whether the words of the right option stand in the question, one after another."""
    gold, asked = _in_words(question.gold), in_plain_letters(question.question)
    # most have a word that the question has not, which is seen sooner than where its words begin and end
    if not all(word in asked for word in gold.split()):
        return False
    return bool(gold.strip()) and gold in _in_words(question.question)


@lru_cache(maxsize=4096)
def _in_words(text: str) -> str:
    """The words of a text with a space before and behind each: options come again in dialogue after dialogue."""
    return f" {' '.join(words_in_order(text))} "


def _says(answer: Overheard, question: Question) -> bool:
    """Whether an answer is the gold one."""
    if question.select == "any":
        return answer.texts == {question.options[letter] for letter in question.answer}
    return answer.text == question.gold


def _too_late(question: Question, answer: Overheard) -> bool:
    """Whether a question about a turn rests on what is said after it.

    It may if it is not about one turn alone: when a mind changed, or what was so although somebody assumed otherwise.
    """
    if question.turn is None or question.type in _ABOUT_SEVERAL_TURNS:
        return False
    last = question.turn - 1 if question.type is QuestionType.PRE_UPDATE else question.turn
    return max((*answer.evidence, *question.evidence)) > last


_ABOUT_SEVERAL_TURNS = frozenset(
    {QuestionType.FALSE_BELIEF, QuestionType.UPDATE_DETECTION, QuestionType.INFORMATION_ACCESS}
)
_NO_VALUES = frozenset({QuestionType.UPDATE_DETECTION, QuestionType.INFORMATION_ACCESS})
"""Types whose options are turns or names, which are short and may be alike."""


def _bare(text: str) -> str:
    """A text as it is compared with others that may be the same option."""
    return text.casefold().strip(" .")


def _quality(question: Question) -> Verdict | None:
    texts = list(question.options.values())
    if question.type not in _NO_VALUES:
        for one, other in combinations(texts, 2):
            if _similarity(one, other) > MOST_SIMILAR:
                return Verdict("reject", "quality", "two options say nearly the same")
    if len({(text[:1].isupper(), text[-1:].isalnum()) for text in texts}) > 1:
        return Verdict("reject", "quality", "an option stands out by its form")
    lengths = sorted(len(text) for text in texts)
    if question.select == "one" and lengths[-1] > _LONGEST_TO_SHORTEST * lengths[0]:
        return Verdict("reject", "quality", "an option stands out by its length")
    return None


@lru_cache(maxsize=65536)
def _similarity(one: str, other: str) -> float:
    """How alike two options are in the words that they don't share: a topic's values often share most of theirs."""
    mine, theirs = one.lower().split(), other.lower().split()
    shared = {*mine} & {*theirs}
    rest = " ".join(word for word in mine if word not in shared)
    other_rest = " ".join(word for word in theirs if word not in shared)
    return fuzz.ratio(rest, other_rest)
