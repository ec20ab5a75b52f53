"""The questions of a dataset as a model is asked them, one at a time."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from dtomtrack.beliefs.question import Question
from dtomtrack.evaluation.asked import Asked, pairs
from dtomtrack.llm.prompts import as_data, prompt
from dtomtrack.suites.dtom.contexts import ContextText

__all__ = ["Item", "items", "json_line", "write_lines"]

_PACKAGE = "dtomtrack.evaluation"
_LINE_ENDS = re.compile(r"[\x85\u2028\u2029]")
"""What some readers of JSON Lines take for the end of a line."""


@dataclass(frozen=True)
class Item:
    """A question, and what a model is shown: the evaluation's zero-shot prompt over what was said aloud."""

    question: Question
    prompt: str

    def metadata(self) -> dict[str, object]:
        """What results may be grouped by. No inner speech."""
        question = self.question
        return {
            "dialogue_id": question.dialogue_id,
            "type": question.type.value,
            "mental_state": question.mental_state.value,
            "order": question.order,
            "turn": question.turn,
            "generator": question.generator,
            "option_roles": {letter: role.value for letter, role in question.option_roles.items()},
            "factors": question.factors.model_dump(mode="json"),
        }


def items(folder: Path) -> Iterator[Item]:
    """The questions of a dataset, in its order; one dialogue is in memory at a time.

    Raises:
        DatasetError: a line is damaged, or a question's dialogue is missing.
    """
    contexts = ContextText("utterances")
    zero_shot = prompt(_PACKAGE, "zero-shot")
    for dialogue, question in pairs(folder):
        shown = Asked(dialogue, question, rotation=0).shown
        text = zero_shot.fill(
            context=contexts.of(dialogue, question),
            question=as_data(question.question),
            options="\n".join(f"{letter}) {as_data(option)}" for letter, option in shown.items()),
        )
        yield Item(question, text)


def json_line(fields: Mapping[str, object]) -> str:
    """One line of JSON that every reader takes for one line."""
    text = json.dumps(fields, ensure_ascii=False)
    return _LINE_ENDS.sub(lambda found: f"\\u{ord(found[0]):04x}", text) + "\n"


def write_lines(path: Path, questions: Iterable[Item], fields_of: Callable[[Item], Mapping[str, object]]) -> None:
    """Write a line for each question."""
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(json_line(fields_of(item)) for item in questions)
