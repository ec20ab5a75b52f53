"""A slot that is done, as records and as the lines that go into a dataset."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from dtomtrack.beliefs.dialogue import Dialogue
from dtomtrack.beliefs.question import Question
from dtomtrack.beliefs.rejection import Rejection
from dtomtrack.runs.lines import to_lines
from dtomtrack.runs.manifest import Counts
from dtomtrack.runs.slot_lines import SlotLines

__all__ = ["DATA_FILES", "DIALOGUES", "QUESTIONS", "REJECTED", "SlotResult"]

DIALOGUES, QUESTIONS, REJECTED = DATA_FILES = ("dialogues.jsonl", "questions.jsonl", "rejected.jsonl")


@dataclass(frozen=True)
class SlotResult:
    """A slot that is done: with a kept dialogue and its questions, or, once its attempts are used up, without."""

    index: int
    dialogue: Dialogue | None
    questions: tuple[Question, ...]
    rejections: tuple[Rejection, ...]

    def lines(self) -> SlotLines:
        """The slot as JSON Lines."""
        data = {
            DIALOGUES: to_lines([self.dialogue] if self.dialogue else []),
            QUESTIONS: to_lines(self.questions),
            REJECTED: to_lines(self.rejections),
        }
        return SlotLines(self.index, data, self._counts())

    def _counts(self) -> Counts:
        judged = [one for one in self.rejections if one.verdict == "reject"]
        dialogues = Counter(
            f"{one.stage}: {one.reason}" for one in judged if one.question is None and one.stage != "slot"
        )
        questions = Counter(f"{one.detail}: {one.reason}" for one in judged if one.question is not None)
        invalid = [one.question for one in judged if one.stage == "sample_validation" and one.question is not None]
        return Counts(
            dialogues=int(self.dialogue is not None),
            questions=len(self.questions),
            unfilled=int(self.dialogue is None),
            totals=_totals(self.dialogue),
            groups={
                "type": dict(Counter(question.type.value for question in self.questions)),
                "mental_state": dict(Counter(question.mental_state.value for question in self.questions)),
            },
            rejected_dialogues=dict(dialogues),
            rejected_questions=dict(questions),
            errors=dict(Counter(one.stage for one in self.rejections if one.verdict == "error")),
            invalid=dict(Counter(question.type.value for question in invalid)),
        )


def _totals(dialogue: Dialogue | None) -> dict[str, int]:
    """Changes of mind, and thoughts that were asked for again because they knew too much, where there were any."""
    if dialogue is None:
        return {"updates": 0}
    overreaching = dialogue.provenance.overreaching
    return {"updates": len(dialogue.scenario.updates)} | ({"overreaching": overreaching} if overreaching else {})
