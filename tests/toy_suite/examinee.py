"""A model of the toy suite on loopback: it answers with sets of letters, as they are shown to it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

from loopback import Answer, Request, completion

from dtomtrack.runs.lines import read_lines
from toy_suite.reader import LISTENERS
from toy_suite.records import QUIZ, Quiz

__all__ = ["MANNERS", "toy_examinee"]

MANNERS = ("knows", "leaves one out", "can't say")
"""How scenes' questions on listeners are answered, in turn; of two options the right one is always chosen."""
_OPTION = re.compile(r"^([A-Z])\) (\".*\")$", re.MULTILINE)
_QUESTION = re.compile(r"^Question: (\".*\")$", re.MULTILINE)


def toy_examinee(folder: Path) -> Callable[[Request], Answer]:
    """What a server answers that knows the dataset."""
    known = {quiz.ask: quiz for quiz in read_lines(folder / QUIZ, Quiz)}

    def answer(request: Request) -> Answer:
        (message,) = request["messages"]
        (asked,) = _QUESTION.findall(message["content"])
        shown = {json.loads(text): letter for letter, text in _OPTION.findall(message["content"])}
        quiz = known[json.loads(asked)]
        return completion(_reply(quiz, [shown[quiz.choices[number]] for number in quiz.right]))

    return answer


def _reply(quiz: Quiz, letters: list[str]) -> str:
    manner = MANNERS[int(quiz.scene.removeprefix("scene-")) % len(MANNERS)] if quiz.kind == LISTENERS else "knows"
    if manner == "can't say":
        return "That can't be said."
    return ", ".join(sorted(letters) if manner == "knows" else sorted(letters)[1:])
