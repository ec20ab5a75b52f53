"""What is asked of a dataset: its questions, each beside its dialogue, as a stream."""

from __future__ import annotations

import fcntl
import hashlib
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from dtomtrack.beliefs.dialogue import Dialogue
from dtomtrack.beliefs.question import LETTERS, Letter, Question
from dtomtrack.errors import DatasetError
from dtomtrack.runs.folder import PROGRESS, check_finished, read_manifest
from dtomtrack.runs.lines import read_lines
from dtomtrack.suites.dtom.slot_result import DIALOGUES, QUESTIONS

__all__ = ["Asked", "Shown", "asked_of", "digest_of", "pairs", "questions_of", "readable_dataset"]

Shown = Mapping[Letter, str]
"""The options of a question under the letters under which a subject sees them."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question as it is asked once: with its dialogue, its options rotated."""

    dialogue: Dialogue
    question: Question
    rotation: int

    @property
    def shown(self) -> dict[Letter, str]:
        """Option i stands under letter i + rotation, counted round; letters in order."""
        options = self.question.options
        meant = LETTERS[-self.rotation :] + LETTERS[: -self.rotation] if self.rotation else LETTERS
        return {letter: options[own] for letter, own in zip(LETTERS, meant, strict=True)}

    def meant(self, shown: Letter) -> Letter:
        """The letter that an option has in the question."""
        return LETTERS[(LETTERS.index(shown) - self.rotation) % len(LETTERS)]


@contextmanager
def readable_dataset(folder: Path) -> Iterator[None]:
    """A dataset that may be read, and that no run of ``generate`` goes on writing meanwhile.

    A copy without a manifest is one, too, if its two files are there.

    Raises:
        DatasetError: the folder holds no dataset, an unfinished one, one of another version, or a run writes it.
    """
    if not folder.is_dir():
        raise DatasetError(f"{folder}: there is no such folder; name one that generate made")
    for name in (DIALOGUES, QUESTIONS):
        if not (folder / name).is_file():
            raise DatasetError(f"{folder}: holds no dataset (there is no {name}); name a folder that generate made")
    manifest = read_manifest(folder)
    if manifest is not None:
        check_finished(folder, manifest)
    with _reading(folder):
        yield


@contextmanager
def _reading(folder: Path) -> Iterator[None]:
    """Holds what a run that writes the folder locks; several may read it together."""
    try:
        file = os.open(folder / PROGRESS, os.O_RDONLY)
    except OSError:
        # a copy, which nobody can go on writing
        yield
        return
    try:
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise DatasetError(f"{folder}: another run is writing this folder; wait for it") from error
        yield
    finally:
        os.close(file)


def digest_of(folder: Path) -> tuple[str, int]:
    """(SHA-256, number of lines) of the question file.

    Raises:
        DatasetError: it can't be read.
    """
    path, lines = folder / QUESTIONS, 0
    told = hashlib.sha256()
    try:
        with path.open("rb") as file:
            while chunk := file.read(1 << 20):
                told.update(chunk)
                lines += chunk.count(b"\n")
    except OSError as error:
        raise DatasetError(f"{path}: can't be read ({error.strerror})") from error
    return told.hexdigest(), lines


def pairs(folder: Path, limit: int | None = None) -> Iterator[tuple[Dialogue, Question]]:
    """The questions of a dataset, each with its dialogue, in the order of the file; both files are read side by side.

    Args:
        limit: only the questions of the first so many dialogues; None for all.

    Raises:
        DatasetError: a line is no such record, or a question's dialogue is not there.
    """
    dialogues = islice(read_lines(folder / DIALOGUES, Dialogue), limit)
    dialogue = next(dialogues, None)
    for number, question in enumerate(read_lines(folder / QUESTIONS, Question), 1):
        while dialogue is not None and dialogue.id != question.dialogue_id:
            dialogue = next(dialogues, None)
        if dialogue is not None:
            yield dialogue, question
        elif limit is None:
            raise DatasetError(
                f"{folder / QUESTIONS}:{number}: dialogue {question.dialogue_id!r} is not in {DIALOGUES}, or not in "
                "the order of the questions"
            )
        else:
            return


def questions_of(folder: Path, limit: int | None = None) -> Iterator[Question]:
    """The questions alone; for all of them no dialogue has to be read."""
    if limit is None:
        return read_lines(folder / QUESTIONS, Question)
    return (question for _, question in pairs(folder, limit))


def asked_of(items: Iterable[tuple[Dialogue, Question]], permutations: int) -> Iterator[Asked]:
    """Each question with its rotations one after another."""
    for dialogue, question in items:
        for rotation in range(permutations):
            yield Asked(dialogue, question, rotation)
