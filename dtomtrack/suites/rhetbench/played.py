"""The folder of a run: one of each subject that has played, all by the same plan."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from pydantic import ValidationError

from dtomtrack.errors import DatasetError
from dtomtrack.records import Record, first_problem
from dtomtrack.runs.folder import MANIFEST, PROGRESS, read_manifest
from dtomtrack.runs.lines import read_lines
from dtomtrack.suites.rhetbench.episode import Episode
from dtomtrack.suites.rhetbench.job import EPISODES, SubjectConfig

__all__ = ["SUITE_NAME", "PlayedSubject", "check_plan", "played_subjects"]

SUITE_NAME = "rhetbench"


@dataclass(frozen=True)
class PlayedSubject:
    """A subject's folder.

    Attributes:
        config: everything that its episodes depend on.
        finished: whether all of them are there; ``episodes_played``: how many are.
    """

    folder: Path
    config: SubjectConfig
    finished: bool
    episodes_played: int

    @property
    def subject(self) -> str:
        """Who persuades."""
        return self.config.subject

    def episodes(self) -> Iterator[Episode]:
        """The episodes that were recorded as whole, one at a time; a kill may have left half of one more.

        Raises:
            DatasetError: a line is damaged.
        """
        return islice(read_lines(self.folder / EPISODES, Episode), _recorded(self.folder))


def played_subjects(out: Path) -> list[PlayedSubject]:
    """The subjects of a run's folder, by the names of their folders; a subject's own folder is a run of one.

    Raises:
        DatasetError: a manifest is damaged.
    """
    if (out / EPISODES).is_file():
        return list(_subject(out))
    folders = sorted(one for one in out.iterdir() if one.is_dir()) if out.is_dir() else []
    return [found for folder in folders for found in _subject(folder)]


def _subject(folder: Path) -> Iterator[PlayedSubject]:
    manifest = read_manifest(folder)
    if manifest is None or manifest.suite != SUITE_NAME or not (folder / EPISODES).is_file():
        return
    try:
        config = SubjectConfig.model_validate(manifest.config)
    except ValidationError as error:
        raise DatasetError(f"{folder / MANIFEST}: config: {first_problem(error)}") from error
    yield PlayedSubject(folder, config, manifest.status == "complete", manifest.counts.dialogues)


def _recorded(folder: Path) -> int | None:
    """How many episodes of a folder were recorded as whole; None for a copy, which has no such record."""
    try:
        return (folder / PROGRESS).read_bytes().count(b"\n")
    except FileNotFoundError:
        return None
    except OSError as error:
        raise DatasetError(f"{folder / PROGRESS}: can't be read ({error.strerror})") from error


def check_plan(out: Path, config: SubjectConfig) -> None:
    """Make sure that whoever has played here did so by the same plan, and models were asked alike, to be compared.

    Raises:
        DatasetError: somebody didn't.
    """
    for one in played_subjects(out):
        # as written: how many samples there are to be is no part of the plan
        if _plan(one.config) != _plan(config):
            raise DatasetError(
                f"{out}: {one.subject} has played other episodes there ({_difference(one.config, config)}); "
                "choose another --out"
            )
        there, now = one.config.talking, config.talking
        # a subject's own folder is refused, or gone on with, by its run
        if one.subject != config.subject and there is not None and now is not None and there != now:
            raise DatasetError(
                f"{out}: {one.subject} was asked otherwise there ({_changed(there, now)}); choose another --out"
            )


def _plan(config: SubjectConfig) -> object:
    return config.play.model_dump(), list(config.scenarios.items())


def _difference(there: SubjectConfig, wanted: SubjectConfig) -> str:
    changed = _changed(there.play, wanted.play)
    if changed is not None:
        return changed
    if there.scenarios == wanted.scenarios:
        return "the same scenarios in another order"
    return "other scenarios, or other versions of them"


def _changed(there: Record, wanted: Record) -> str | None:
    """The first setting that is another; None if none is."""
    now = wanted.model_dump()
    return next(
        (f"{name} {one}, not {now[name]}" for name, one in there.model_dump().items() if one != now[name]), None
    )
