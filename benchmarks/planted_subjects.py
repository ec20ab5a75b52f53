"""Answers of made-up subjects, with known skill: for the report's tests and its benchmark."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from dtomtrack.beliefs.question import LETTERS, OptionRole, Question
from dtomtrack.evaluation.metrics import metrics
from dtomtrack.evaluation.records import Answer, AskConfig
from dtomtrack.runs.lines import read_lines, to_lines
from dtomtrack.suites.dtom.verification import folder_name

__all__ = ["PLANTED", "Planted", "plant"]


@dataclass(frozen=True)
class Planted:
    """A subject that answers right with a probability by question type.

    Attributes:
        recency: share of its wrong answers about before an update that choose what was held after it.
        unread: share of its answers in which no option can be read; as many calls fail as a tenth of that.
        reply: what it says beside the letter.
    """

    name: str
    skill: float
    by_type: dict[str, float] = field(default_factory=dict)
    recency: float = 0.6
    unread: float = 0.0
    reply: str = ""
    permutations: int = 1


PLANTED = (
    Planted("openai/gpt-4o-mini", 0.56, {"pre_update": 0.28, "post_update": 0.68, "update_detection": 0.75}),
    Planted("vllm/meta-llama/Llama-3.3-70B-Instruct", 0.62, {"pre_update": 0.41, "post_update": 0.71}, unread=0.004),
    Planted("vllm/mistralai/Mistral-Large-2402", 0.55, {"pre_update": 0.4, "post_update": 0.66}, unread=0.01),
    Planted("ollama/llama3.2:3b", 0.33, {"pre_update": 0.16, "post_update": 0.55}, unread=0.09),
    Planted("baseline/recency", 0.4, {"pre_update": 0.02, "post_update": 0.97}, recency=0.95),
    Planted("baseline/random", 0.25, recency=1 / 3),
)


def plant(dataset: Path, subjects: Sequence[Planted] = PLANTED) -> None:
    """Write the evaluation folder of each subject."""
    questions = list(read_lines(dataset / "questions.jsonl", Question))
    digest = hashlib.sha256((dataset / "questions.jsonl").read_bytes()).hexdigest()
    for subject in subjects:
        config = AskConfig(subject=subject.name, questions=digest, permutations=subject.permutations)
        answers = [answer for question in questions for answer in _answers(subject, question)]
        folder = dataset / "eval" / folder_name(subject.name)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "config.json").write_text(config.model_dump_json(indent=2) + "\n", encoding="utf-8")
        (folder / "answers.jsonl").write_bytes(to_lines(answers))
        found = metrics(config, questions, answers)
        (folder / "metrics.json").write_text(found.model_dump_json(indent=2) + "\n", encoding="utf-8")


def _answers(subject: Planted, question: Question) -> Iterator[Answer]:
    for rotation in range(subject.permutations):
        rng = Random(f"{subject.name} {question.id} {rotation}")
        common = {"question_id": question.id, "dialogue_id": question.dialogue_id, "rotation": rotation}
        luck = rng.random()
        if luck < subject.unread / 10:
            yield Answer.model_validate({**common, "outcome": "error", "reason": "no answer within 300 s"})
        elif luck < subject.unread:
            reply = "It depends on what both of them take for granted."
            yield Answer.model_validate({**common, "outcome": "unparsed", "reply": reply})
        else:
            letter = _choice(subject, question, rng)
            shown = LETTERS[(LETTERS.index(letter) + rotation) % len(LETTERS)]
            outcome = "correct" if letter == question.answer else "wrong"
            reply = f"{subject.reply} The answer is {shown}." if subject.reply else shown
            yield Answer.model_validate(
                {**common, "outcome": outcome, "reply": reply, "shown": shown, "answer": letter}
            )


def _choice(subject: Planted, question: Question, rng: Random) -> str:
    if rng.random() < subject.by_type.get(question.type.value, subject.skill):
        return question.answer
    wrong = [letter for letter in LETTERS if letter != question.answer]
    new = [letter for letter in wrong if question.option_roles[letter] is OptionRole.POST_VALUE]
    if new and rng.random() < subject.recency:
        return new[0]
    return rng.choice([letter for letter in wrong if letter not in new] or wrong)
