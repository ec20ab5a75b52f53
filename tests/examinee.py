"""What tests of evaluation share: small datasets in folders, and what a server sees and says as the model examined."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from loopback import Request

from dtomtrack.beliefs.dialogue import Dialogue
from dtomtrack.beliefs.question import Question
from dtomtrack.evaluation.records import Answer
from dtomtrack.runs.lines import read_lines, to_lines
from dtomtrack.suites.dtom.slot_result import DIALOGUES, QUESTIONS, SlotResult

__all__ = ["MODEL", "answers_in", "asked_question", "files_of", "prompt_of", "shown_in", "write_dataset", "write_slots"]

MODEL = "vllm/examinee"
_OPTION = re.compile(r"^([A-D])\) (\".*\")$", re.MULTILINE)
_QUESTION = re.compile(r"^Question: (\".*\")$", re.MULTILINE)


def write_slots(folder: Path, slots: Sequence[SlotResult]) -> Path:
    """A dataset without a manifest, as somebody may have downloaded it."""
    return write_dataset(
        folder,
        [slot.dialogue for slot in slots if slot.dialogue is not None],
        [question for slot in slots for question in slot.questions],
    )


def write_dataset(folder: Path, dialogues: Iterable[Dialogue], questions: Iterable[Question]) -> Path:
    """The two files of a dataset."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / DIALOGUES).write_bytes(to_lines(dialogues))
    (folder / QUESTIONS).write_bytes(to_lines(questions))
    return folder


def prompt_of(request: Request) -> str:
    """All that a model is told."""
    return "\n".join(str(message["content"]) for message in request["messages"])


def shown_in(request: Request) -> Mapping[str, str]:
    """The options of a prompt by the letters under which they stand."""
    return {letter: json.loads(text) for letter, text in _OPTION.findall(prompt_of(request))}


def asked_question(request: Request) -> str:
    """The question of a prompt."""
    (text,) = _QUESTION.findall(prompt_of(request))
    return str(json.loads(text))


def answers_in(evaluation: Path) -> list[Answer]:
    """The answers of an evaluation's folder."""
    return list(read_lines(evaluation / "answers.jsonl", Answer))


def files_of(evaluation: Path) -> dict[str, bytes]:
    """What has to be the same however an evaluation was run."""
    return {name: (evaluation / name).read_bytes() for name in ("answers.jsonl", "config.json", "metrics.json")}
