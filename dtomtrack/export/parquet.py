"""The two files of a dataset as Parquet."""

from __future__ import annotations

from pathlib import Path

from dtomtrack.beliefs.dialogue import Dialogue
from dtomtrack.beliefs.question import Question
from dtomtrack.export.arrow import arrow_schema, write_parquet
from dtomtrack.records import Record
from dtomtrack.runs.lines import read_lines
from dtomtrack.suites.dtom.slot_result import DIALOGUES, QUESTIONS

__all__ = ["write_dialogues", "write_parquet_files"]


def write_parquet_files(folder: Path, draft: Path, out: Path) -> None:
    """Write ``dialogues.parquet`` and ``questions.parquet``."""
    write_dialogues(folder, draft / "dialogues.parquet")
    _convert(folder / QUESTIONS, Question, draft / "questions.parquet")


def write_dialogues(folder: Path, path: Path) -> None:
    """Write the dialogues of a dataset, inner speech and all."""
    _convert(folder / DIALOGUES, Dialogue, path)


def _convert(lines: Path, record: type[Record], path: Path) -> None:
    rows = (one.model_dump(mode="json") for one in read_lines(lines, record))
    write_parquet(path, arrow_schema(record), rows)
