"""The answers of subjects to the questions that the page's browser shows."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass, field

from dtomtrack.evaluation.records import Answer
from dtomtrack.report.evaluations import Evaluation

__all__ = ["Given", "all_answers"]

_FLAGS = {"correct": 1, "wrong": 2, "unparsed": 4, "error": 8}
_UNREAD = {"unparsed": "?", "error": "!"}
_LONGEST_REPLY = 700
_SHORTEST_REPLY = 60
_ALL_REPLIES = 24_000_000
"""Characters that all replies together may have: they hardly compress, and the page has to stay small."""


@dataclass
class Given:
    """The answers of one subject to one question, one for each time that it was asked.

    Attributes:
        chosen: the letters of the options; "?" for what can't be read, "!" for what failed.
        flags: which outcomes there are among them: 1 correct, 2 wrong, 4 unparsed, 8 error.
    """

    chosen: list[str] = field(default_factory=list)
    flags: int = 0
    replies: list[str] = field(default_factory=list)


def all_answers(evaluations: Sequence[Evaluation], wanted: Set[str]) -> list[dict[str, Given]]:
    """Every subject's answers by question; the more there are, the shorter the replies.

    Args:
        wanted: identifiers of the questions.
    """
    total = sum(len(wanted) * one.metrics.config.permutations * one.metrics.config.repeats for one in evaluations)
    longest = max(_SHORTEST_REPLY, min(_LONGEST_REPLY, _ALL_REPLIES // max(1, total)))
    return [_answers(one, wanted, longest) for one in evaluations]


def _answers(evaluation: Evaluation, wanted: Set[str], longest: int) -> dict[str, Given]:
    found: dict[str, Given] = {}
    for answer in evaluation.answers:
        if answer.question_id in wanted:
            given = found.setdefault(answer.question_id, Given())
            given.chosen.append(answer.answer or _UNREAD.get(answer.outcome, "?"))
            given.flags |= _FLAGS[answer.outcome]
            given.replies.append(_said(answer, longest))
    return found


def _said(answer: Answer, longest: int) -> str:
    """The text of a reply, where that is more than the letter: its beginning and its end."""
    text = answer.reason or "" if answer.outcome == "error" else answer.reply
    if text.strip() == answer.shown:
        return ""
    head = longest // 3
    return text if len(text) <= longest else f"{text[:head]} […] {text[-(longest - head) :]}"
