"""The errors of evaluations whose dataset has changed since."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from dtomtrack.errors import DatasetError

__all__ = ["FewerQuestionsError", "OtherQuestionsError"]


class OtherQuestionsError(DatasetError):
    """Evaluations hold answers to other questions than those that the dataset has now.

    Args:
        paths: their folders.
        fewer: of those beside them that hold answers to the questions before the dataset was enlarged.
    """

    def __init__(self, paths: Sequence[Path], fewer: Sequence[Path] = ()) -> None:
        of_fewer = f". {_of_fewer(fewer)}" if fewer else ""
        super().__init__(
            f"{_holding(paths)} answers to other questions: the dataset was changed or enlarged since. Move "
            "config.json, answers.jsonl and metrics.json out of there and evaluate again: the journal stays, and no "
            f"reply in it is asked for twice where the prompt is the same{of_fewer}"
        )


class FewerQuestionsError(DatasetError):
    """Evaluations hold answers to the questions that the dataset had before it was enlarged.

    Args:
        paths: their folders.
    """

    def __init__(self, paths: Sequence[Path]) -> None:
        super().__init__(_of_fewer(paths))


def _of_fewer(paths: Sequence[Path]) -> str:
    again = "command" if len(paths) == 1 else "commands"
    return (
        f"{_holding(paths)} answers to the questions that the dataset had before it was enlarged; give the same "
        f"evaluate {again} again: a model is asked the new ones alone"
    )


def _holding(paths: Sequence[Path]) -> str:
    return f"{', '.join(map(str, paths))}: {'holds' if len(paths) == 1 else 'hold'}"
