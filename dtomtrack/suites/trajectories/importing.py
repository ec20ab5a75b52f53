"""Trajectories as a dataset folder."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from os import PathLike
from pathlib import Path

from pydantic import JsonValue

from dtomtrack.errors import InputError
from dtomtrack.items.item import Item
from dtomtrack.options import names_options, path_of
from dtomtrack.runs.manifest import Manifest
from dtomtrack.suites.items.importing import check_out, check_source, write_imported
from dtomtrack.suites.items.records import RejectedLine
from dtomtrack.suites.persuasivetom.trajectories import persuasive_trajectories
from dtomtrack.suites.published.folder import find_files
from dtomtrack.suites.rectom.kinds import KNOWN_FILES as RECTOM_FILES
from dtomtrack.suites.rectom.trajectories import recommendation_trajectories
from dtomtrack.suites.trajectories.balancing import balanced
from dtomtrack.suites.trajectories.negotiationtom import read_negotiationtom
from dtomtrack.suites.trajectories.persuasiontrace import THRESHOLDS, read_persuasiontrace
from dtomtrack.suites.trajectories.questions import questions
from dtomtrack.suites.trajectories.reading import READERS
from dtomtrack.suites.trajectories.records import Trajectory
from dtomtrack.suites.trajectories.suite import SUITE
from dtomtrack.suites.trajectories.tracking import TrackedTrajectory

__all__ = ["FORMS", "TrajectoryItems", "import_trajectories"]

FORMS = (*READERS, "persuasivetom", "rectom", "negotiationtom", "persuasiontrace")
"""What trajectories can be read from: files of these forms, and folders of published files."""
_MOST_KINDS = 12
"""Kinds of change in the notes; the manifest has all."""


@names_options
def import_trajectories(
    source: str | PathLike[str],
    out: str | PathLike[str],
    *,
    form: str | None = None,
    balance: bool = False,
    thresholds: Sequence[float] = THRESHOLDS,
    iard: str | PathLike[str] | None = None,
    command: str = "",
) -> Manifest:
    """Write annotated conversations as a dataset of questions about before, after and when.

    Args:
        source: a file of trajectories, or a clone of PersuasiveToM's, RecToM's or NegotiationToM's repository.
        out: a folder that does not exist, or is empty.
        form: one of `FORMS`; by the names of files if not given, a folder being PersuasiveToM's if it is no other.
        thresholds: of persuasiontrace's beliefs, below which one is a no and above which a yes.
        balance: keep as many questions of each kind of change, and of each value at a turn.
        iard: IARD's file, which says of RecToM's dialogues where recommendations are taken up.
        command: what the manifest says it was made with.

    Raises:
        InputError: the source can't be read, or nothing can be asked about it.
        DatasetError: ``out`` holds something, or is in the source.
        WriteError: it can't be written; then nothing is.
    """
    path, target = path_of("source", source), path_of("out", out)
    check_out(target, path)
    check_source(path)
    found = _form(path, form)
    if iard is not None and found != "rectom":
        raise InputError(f"{path}: --iard is for RecToM, and this is read as {found}; leave it out")
    if tuple(thresholds) != THRESHOLDS and found != "persuasiontrace":
        raise InputError(f"{path}: --thresholds are for persuasiontrace, and this is read as {found}; leave them out")
    readers: dict[str, Callable[[Path], Iterator[Trajectory]]] = {
        **READERS,
        "persuasivetom": persuasive_trajectories,
        "rectom": partial(recommendation_trajectories, iard_path=None if iard is None else Path(iard)),
        "negotiationtom": read_negotiationtom,
        "persuasiontrace": partial(read_persuasiontrace, thresholds=thresholds),
    }
    made = TrajectoryItems(path, found, readers[found](path), balance=balance)
    if not made.conversations:
        raise InputError(
            f"{path}: holds no conversation (read as {found}); the help of the command says how one is written"
        )
    if made.emptiness is not None:
        raise InputError(f"{path}: {made.emptiness}")
    return write_imported(SUITE, target, made, command)


def _form(path: Path, form: str | None) -> str:
    if not path.exists():
        raise InputError(f"{path}: there is no such file or folder")
    found = form or _form_by_name(path)
    if found not in FORMS:
        raise InputError(f"{path}: form {found!r} is not known; choose one of {', '.join(FORMS)} with --form")
    return found


def _form_by_name(path: Path) -> str:
    if path.stem == "NegotiationToM" or (path.is_dir() and any(path.glob("NegotiationToM.*"))):
        return "negotiationtom"
    if not path.is_dir():
        return path.suffix.lower().removeprefix(".")
    return "rectom" if find_files(path, RECTOM_FILES).files else "persuasivetom"


class TrajectoryItems:
    """The questions about all conversations of a source, and an account of what was read."""

    def __init__(self, path: Path, form: str, given: Iterable[Trajectory], *, balance: bool) -> None:
        self._path = path
        self._form = form
        self._balance = balance
        self._tracked = [TrackedTrajectory(one) for one in given]
        asked = [one for tracked in self._tracked for one in questions(tracked)]
        self._items = tuple(balanced(asked)) if balance else tuple(one.item for one in asked)

    @property
    def conversations(self) -> int:
        """How many conversations the source has."""
        return len(self._tracked)

    @property
    def emptiness(self) -> str | None:
        """Why there is no item, in words; None where there is one."""
        if self._items:
            return None
        if not any(one.given.states for one in self._tracked):
            return "no conversation has a state, so that nothing can be asked; say who holds what from which turn on"
        if self._balance:
            return "no question is left once they are balanced; leave out --balanced, or annotate more conversations"
        return "nobody is known to hold anything before their last turn, so that nothing can be asked; add states"

    def read(self) -> Iterator[Item | RejectedLine]:
        """The items."""
        return iter(self._items)

    def config(self) -> dict[str, JsonValue]:
        """An account: the source, how many conversations, and which changes there are and how often."""
        return {
            "source": self._path.resolve().name,
            "form": self._form,
            "balanced": self._balance,
            "digest": _digest(one.given for one in self._tracked),
            "conversations": self.conversations,
            "changes": dict(_changes(self._tracked)),
            "changing": sum(_changes([one]).total() > 0 for one in self._tracked),
            "problems": [],
            "notes": [*self._notes()],
        }

    def _notes(self) -> Iterator[str]:
        changes: Mapping[str, int] = _changes(self._tracked)
        changing = sum(_changes([one]).total() > 0 for one in self._tracked)
        yield f"{sum(changes.values())} changes in {changing} of {len(self._tracked)} conversations"
        told = dict(list(changes.items())[:_MOST_KINDS])
        for kind, count in told.items():
            yield f"{kind}: {count}"
        if len(told) < len(changes):
            yield f"{len(changes) - len(told)} more kinds of change: {sum(changes.values()) - sum(told.values())}"


def _changes(tracked: Iterable[TrackedTrajectory]) -> Counter[str]:
    """Changes of first-order states by kind, the most frequent first."""
    found = Counter(
        f"{old.content} to {new.content}"
        for one in tracked
        for key in one.tracker.states()
        if key.about is None
        for old, new in one.changes(key)
    )
    return Counter(dict(sorted(found.items(), key=lambda pair: (-pair[1], pair[0]))))


def _digest(given: Iterable[Trajectory]) -> str:
    digest = hashlib.sha256()
    for one in given:
        digest.update(one.model_dump_json().encode())
    return digest.hexdigest()
