"""The states of a dataset folder, read where they stand: a play has few of them in memory at a time."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import NamedTuple, TypeVar

from pydantic import BaseModel, ValidationError

from dtomtrack.errors import DatasetError, InputError
from dtomtrack.files import bounded_lines, opened
from dtomtrack.records import first_problem
from dtomtrack.runs.folder import open_dataset, read_manifest
from dtomtrack.runs.manifest import Manifest
from dtomtrack.scenarios.route.state import MIND_FIELDS, KnownMind, SceneState
from dtomtrack.suites.tomelp.schema import STATES

__all__ = ["StateFile", "digest_of_states", "open_scenes"]

M = TypeVar("M", bound=BaseModel)


@contextmanager
def open_scenes(folder: Path) -> Iterator[Manifest | None]:
    """A finished dataset of the suite, open for reading; gives its manifest, if it has one.

    Raises:
        DatasetError: it is none, is not finished, or is of another suite.
    """
    known = read_manifest(folder) if folder.is_dir() else None
    if known is not None and known.suite != "tomelp":
        raise DatasetError(
            f"{folder}: is of suite {known.suite!r}; this needs scenes, which dtomtrack generate --suite tomelp makes"
        )
    with open_dataset(folder, (STATES,)) as manifest:
        yield manifest


def digest_of_states(folder: Path) -> str:
    """SHA-256 of the file of states, so that plays of other states are told apart.

    Raises:
        DatasetError: it can't be read.
    """
    path = folder / STATES
    try:
        with opened(path) as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise DatasetError(f"{path}: can't be read ({error.strerror})") from error


class _Header(BaseModel):
    """The part of a state that says which it is."""

    id: str
    scene: str


class _Place(NamedTuple):
    start: int
    line: int
    scene: str


class StateFile:
    """The states of a dataset, by number."""

    def __init__(self, folder: Path, limit: int | None = None) -> None:
        """Find them.

        Args:
            limit: only the states of the first so many scenes; None for all.

        Raises:
            DatasetError: there are none, or a line is damaged.
        """
        self.path = folder / STATES
        self._places: list[_Place] = []
        scenes = set[str]()
        try:
            with opened(self.path) as file:
                start = 0
                for number, line in enumerate(bounded_lines(file, self.path), 1):
                    header = self._parsed(_Header, line, number)
                    scenes.add(header.scene)
                    if limit is not None and len(scenes) > limit:
                        break
                    self._places.append(_Place(start, number, header.scene))
                    start += len(line)
        except OSError as error:
            raise DatasetError(f"{self.path}: can't be read ({error.strerror})") from error
        if not self._places:
            raise DatasetError(f"{self.path}: holds no dialogue state")

    def __len__(self) -> int:
        return len(self._places)

    def __getitem__(self, index: int) -> SceneState:
        """A state.

        Raises:
            DatasetError: its line is damaged.
        """
        place = self._places[index]
        with opened(self.path) as file:
            file.seek(place.start)
            return self._parsed(SceneState, file.readline(), place.line)

    def __iter__(self) -> Iterator[SceneState]:
        return (self[index] for index in range(len(self)))

    def firsts(self) -> list[int]:
        """The number of the first state of each scene."""
        found: dict[str, int] = {}
        for number, place in enumerate(self._places):
            found.setdefault(place.scene, number)
        return list(found.values())

    def spread(self, count: int) -> list[tuple[int, int]]:
        """The numbers of so many states with those of their scenes: the first ones of all scenes, then the second."""
        scenes: dict[str, int] = {}
        places: list[tuple[int, int, int]] = []
        turns: dict[str, int] = {}
        for number, place in enumerate(self._places):
            turns[place.scene] = turns.get(place.scene, -1) + 1
            places.append((turns[place.scene], scenes.setdefault(place.scene, len(scenes)), number))
        return [(number, scene) for _, scene, number in sorted(places)[:count]]

    def elsewhere(self, index: int, seed: int, right: Sequence[KnownMind] = ()) -> SceneState:
        """A state of another scene whose persuadee has something else in mind, drawn by seed and number alone.

        Args:
            right: what may be right here, beside what the state's own persuadee has in mind.

        Raises:
            InputError: there is none.
        """
        own = self._places[index].scene
        others = [number for number, place in enumerate(self._places) if place.scene != own]
        minds = [*right, self[index].gold_mind("persuadee")]
        rng = Random(f"elsewhere/{seed}/{index}")  # noqa: S311 - reproducible, no secret
        while others:
            number = rng.choice(others)
            found = self[number]
            if not any(_alike(found.gold_mind("persuadee"), mind) for mind in minds):
                return found
            others.remove(number)
        raise InputError(
            f"{self.path}:{self._places[index].line}: no other scene has states that are wrong here; --tom shuffled "
            "needs some to take, so make scenes of more topics, or leave it out"
        )

    def _parsed(self, model: type[M], line: bytes, number: int) -> M:
        try:
            return model.model_validate_json(line)
        except ValidationError as error:
            raise DatasetError(f"{self.path}:{number}: {first_problem(error, 'line')}") from error


def _alike(one: KnownMind | None, other: KnownMind | None) -> bool:
    """Whether two have a state in common, as far as anybody knows."""
    if one is None or other is None:
        return False
    pairs = [(getattr(one, name), getattr(other, name)) for name in MIND_FIELDS]
    return any(state is not None and state == theirs for state, theirs in pairs)
