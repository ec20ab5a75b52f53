"""When an evaluation was made: a file of its own, so that all others are the same bytes whenever that was."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from pydantic import ValidationError

from dtomtrack.errors import DatasetError, WriteError
from dtomtrack.evaluation.answer_folder import ANSWERS
from dtomtrack.files import LONGEST_RECORD, text_of
from dtomtrack.records import Record, Text
from dtomtrack.runs.files import write_atomically

__all__ = ["DATES", "Dates", "dated", "read_dates"]

DATES = "dates.json"


class Dates(Record):
    """When an evaluation began and when it had all answers, in ISO 8601, UTC; None where that is not known."""

    started: Text | None = None
    finished: Text | None = None

    @property
    def last(self) -> str | None:
        """The later of the two that are known."""
        return self.finished or self.started


@contextmanager
def dated(folder: Path) -> Iterator[None]:
    """Write down when the evaluation in this folder begins, and when it has come to its end with new answers.

    Raises:
        DatasetError: the file that is there is damaged.
        WriteError: it can't be written.
    """
    before = _size(folder)
    dates = read_dates(folder)
    if dates is None:
        dates = Dates(started=None if before else _now())
        _write(folder, dates)
    yield
    if _size(folder) != before or (dates.started is not None and dates.finished is None):
        _write(folder, dates.model_copy(update={"finished": _now()}))


def read_dates(folder: Path) -> Dates | None:
    """When the evaluation in this folder was made; None for one of before this was written down.

    Raises:
        DatasetError: the file is damaged.
    """
    path = folder / DATES
    try:
        return Dates.model_validate_json(text_of(path, "file of dates", DatasetError, LONGEST_RECORD))
    except FileNotFoundError:
        return None
    except ValidationError as error:
        raise DatasetError(f"{path}: is damaged, or from another version of dtomtrack; move it away") from error


def _size(folder: Path) -> int:
    return (folder / ANSWERS).stat().st_size


def _write(folder: Path, dates: Dates) -> None:
    try:
        write_atomically(folder / DATES, dates.model_dump_json(indent=2) + "\n")
    except OSError as error:
        raise WriteError(f"{folder / DATES}: can't be written ({error.strerror}); try the same again") from error


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
