"""The errors of an evaluation whose dataset has changed since."""

from __future__ import annotations

from pathlib import Path

from dtomtrack.errors import DatasetError

__all__ = ["FewerQuestionsError", "OtherQuestionsError"]


class OtherQuestionsError(DatasetError):
    """An evaluation holds answers to other questions than those that the dataset has now."""

    def __init__(self, path: Path) -> None:
        super().__init__(
            f"{path}: holds answers to other questions: the dataset was changed or enlarged since. Move config.json, "
            "answers.jsonl and metrics.json out of there and evaluate again: the journal stays, and no reply in it is "
            "asked for twice where the prompt is the same"
        )


class FewerQuestionsError(DatasetError):
    """An evaluation holds answers to the questions that the dataset had before it was enlarged."""

    def __init__(self, path: Path) -> None:
        super().__init__(
            f"{path}: holds answers to the questions that the dataset had before it was enlarged; give the same "
            "evaluate command again: a model is asked the new ones alone"
        )
