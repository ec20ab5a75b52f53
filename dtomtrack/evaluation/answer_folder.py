"""The folder of one evaluation: how answers are written, and how a run that was stopped goes on in it.

Answers are appended in the order of the questions, each once it is there; of more dialogues than before, behind those
that are there. A run that was killed leaves the first so many, and perhaps half a line more, which the next run cuts
off; replies that were ahead of their turn are in the journal.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import Self

from pydantic import ValidationError

from dtomtrack.errors import DatasetError, InputError, ModelError, WriteError
from dtomtrack.evaluation.asked_items import AskedItems, not_asked
from dtomtrack.evaluation.other_questions import OtherQuestionsError
from dtomtrack.evaluation.records import Answer, AskConfig, Metrics, Outcome
from dtomtrack.evaluation.rules import PREFIX
from dtomtrack.files import opened, text_of
from dtomtrack.items.presented import PresentedItem
from dtomtrack.records import first_problem
from dtomtrack.runs.files import NO_LINKS, write_atomically
from dtomtrack.runs.leftovers import Leftovers
from dtomtrack.runs.lines import read_lines
from dtomtrack.runs.locks import writing

__all__ = [
    "ANSWERS",
    "CONFIG",
    "EVALUATIONS",
    "METRICS",
    "AnswerFolder",
    "goes_on_with_more",
    "is_shorter",
    "read_config",
    "whole_answers",
]

EVALUATIONS = "eval"
"""The folder of a dataset's evaluations."""

ANSWERS, CONFIG, METRICS = "answers.jsonl", "config.json", "metrics.json"


class AnswerFolder:
    """A folder that an evaluation appends to; use it as a context manager.

    Args:
        is_beginning: whether the dataset had the questions of this digest before it was enlarged.

    Attributes:
        outcomes: of the answers that are written.
    """

    def __init__(self, path: Path, config: AskConfig, is_beginning: Callable[[str], bool]) -> None:
        """Open a folder, new or one of the same evaluation; of more or fewer dialogues than there were, if so wanted.

        Raises:
            DatasetError: it holds another evaluation, is damaged, or another process writes it.
            WriteError: it can't be written.
        """
        self.path = path
        self.outcomes: Counter[Outcome] = Counter()
        self._before: Counter[Outcome] = Counter()
        self._size = self._size_before = 0
        self._leftovers = Leftovers(path)
        self._config = config
        self._is_beginning = is_beginning
        try:
            path.mkdir(parents=True, exist_ok=True)
            binary = getattr(os, "O_BINARY", 0)
            self._file = os.open(path / ANSWERS, os.O_RDWR | os.O_CREAT | os.O_APPEND | NO_LINKS | binary, 0o644)
        except OSError as error:
            raise self._unwritable(error) from error
        self._exits = ExitStack()
        self._exits.callback(os.close, self._file)
        try:
            self._exits.enter_context(writing(path))
            self._begin()
        except OSError as error:
            self._exits.close()
            raise self._unwritable(error) from error
        except DatasetError:
            self._exits.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if isinstance(error, ModelError):
            self._take_back_refusals()
        self._exits.close()
        if isinstance(error, InputError | ModelError) and not self._size:
            self._leftovers.remove()

    def _take_back_refusals(self) -> None:
        """Cut off what was written since this folder was opened, if a server has refused all of it and then ended it.

        Not the items are at fault then, and once the server is mended they are asked again.
        """
        since = self.outcomes - self._before
        if since.total() == since["error"] > 0:
            with suppress(OSError):
                os.ftruncate(self._file, self._size_before)
                self._size = self._size_before

    def left(self, wanted: Iterator[PresentedItem], take: Callable[[Answer], None]) -> Iterator[PresentedItem]:
        """Those of the wanted items that are still to be answered.

        Args:
            take: is given each answer that is there and stays.

        Raises:
            DatasetError: an answer that is there is none, or none to a question that is asked there.
        """
        asked = AskedItems(wanted)
        for number, answer in enumerate(self._there(), 1):
            where = f"{self.path / ANSWERS}:{number}"
            if asked.of(answer, where) is None:
                if self._config.limit is None:
                    raise not_asked(where)
                # asked before the limit was lowered
                self._keep(number - 1)
                break
            take(answer)
            self.outcomes[answer.outcome] += 1
        self._before, self._size_before = self.outcomes.copy(), self._size
        return asked.left()

    def _there(self) -> Iterator[Answer]:
        try:
            yield from read_lines(self.path / ANSWERS, Answer)
        except DatasetError as error:
            wrong = str(error).removesuffix("; is the file whole?")
            raise DatasetError(f"{wrong}; restore the file, or move {self.path} away to ask again") from error

    def append(self, line: bytes, outcome: Outcome) -> None:
        """Write the next answer: its line.

        Raises:
            WriteError: the disk is full or the like; the answers before it are safe.
        """
        try:
            if os.write(self._file, line) != len(line):
                raise OSError(28, "No space left on device")
        except OSError as error:
            with suppress(OSError):
                os.ftruncate(self._file, self._size)
            raise self._unwritable(error) from error
        self._size += len(line)
        self.outcomes[outcome] += 1

    def finish(self, metrics: Metrics) -> None:
        """Write what the answers add up to, once they are on the disk."""
        try:
            os.fsync(self._file)
            write_atomically(self.path / METRICS, metrics.model_dump_json(indent=2) + "\n")
        except OSError as error:
            raise self._unwritable(error) from error

    def _keep(self, answers: int) -> None:
        """Cut off all behind so many answers; replies that they were read from stay in the journal."""
        with opened(self.path / ANSWERS) as file:
            self._size = sum(map(len, islice(file, answers)))
        os.ftruncate(self._file, self._size)

    def _begin(self) -> None:
        before = read_config(self.path)
        if before is None and os.fstat(self._file).st_size:
            raise DatasetError(f"{self.path}: holds {ANSWERS} but no {CONFIG}; move the folder away")
        self._size = self._whole_lines()
        if before is not None and self._size:
            if before.questions != self._config.questions:
                self._go_on_with_more(before)
            _check_same(self.path, before, self._config)
        os.ftruncate(self._file, self._size)
        self._size_before = self._size
        if before != self._config:
            write_atomically(self.path / CONFIG, self._config.model_dump_json(indent=2) + "\n")

    def _go_on_with_more(self, before: AskConfig) -> None:
        """Keep the answers to the first questions of a dataset that was enlarged; a rule may answer otherwise now.

        Raises:
            OtherQuestionsError: its questions are others, or are not asked as they were.
        """
        if not (goes_on_with_more(before) and self._is_beginning(before.questions)) or _asks_fewer(
            self._config, before
        ):
            raise OtherQuestionsError([self.path])
        if before.subject.startswith(PREFIX):
            self._size = 0

    def _whole_lines(self) -> int:
        """Bytes up to the last line that ends."""
        size = os.fstat(self._file).st_size
        while size:
            start = max(0, size - (1 << 16))
            os.lseek(self._file, start, os.SEEK_SET)
            end = os.read(self._file, size - start).rfind(b"\n")
            if end >= 0:
                return start + end + 1
            size = start
        return 0

    def _unwritable(self, error: OSError) -> WriteError:
        safe = self.outcomes.total()
        advice = f"{safe} answers are safe; try again" if safe else "choose another --out"
        return WriteError(f"{self.path}: can't be written ({error.strerror}); {advice}")


def read_config(path: Path) -> AskConfig | None:
    """How the subject of a folder was asked; None if the folder doesn't say.

    Raises:
        DatasetError: the file is damaged, or from another version of dtomtrack.
    """
    file = path / CONFIG
    try:
        return AskConfig.model_validate_json(text_of(file, "configuration", DatasetError))
    except FileNotFoundError:
        return None
    except ValidationError as error:
        raise DatasetError(
            f"{file}: {first_problem(error)}; is it from another version of dtomtrack? If not, move {path} away"
        ) from error


def is_shorter(now: AskConfig, before: AskConfig) -> bool:
    """Whether an evaluation asks the first dialogues of those that another asks, in the same way."""
    return _asks_fewer(now, before) and now == before.model_copy(update={"limit": now.limit, "debias": now.debias})


def goes_on_with_more(config: AskConfig) -> bool:
    """Whether what is asked of the first dialogues stays the same when a dataset gets more of them.

    Examples, and dialogues that are drawn, are drawn from all.
    """
    return not config.shots and config.sample_seed is None


def whole_answers(path: Path) -> Iterator[Answer]:
    """The answers of an evaluation that may have been stopped: all lines that end.

    Raises:
        DatasetError: a line is damaged, or the file can't be read.
    """
    answers = path / ANSWERS
    try:
        with opened(answers) as file:
            ended = sum(line.endswith(b"\n") for line in file)
    except OSError as error:
        raise DatasetError(f"{answers}: can't be read ({error.strerror})") from error
    return islice(read_lines(answers, Answer), ended)


def _asks_fewer(now: AskConfig, before: AskConfig) -> bool:
    return now.limit is not None and (before.limit is None or now.limit < before.limit)


def _check_same(path: Path, before: AskConfig, now: AskConfig) -> None:
    for field in AskConfig.model_fields:
        theirs, ours = getattr(before, field), getattr(now, field)
        if theirs == ours or field in {"questions", "limit", "debias"}:
            continue
        name = field.replace("_", "-")
        raise DatasetError(f"{path}: holds another evaluation ({name} {theirs} there, {ours} here); move it away")
