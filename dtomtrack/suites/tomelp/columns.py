"""Scores with the numbers of their scenes, kept in sixteen bytes each: a play's metrics hold nothing else of it."""

from __future__ import annotations

from array import array
from collections.abc import Hashable, Iterator
from typing import Generic, TypeVar

__all__ = ["Column", "Columns"]

Key = TypeVar("Key", bound=Hashable)


class Column:
    """Pairs of a scene's number and a score, in the order in which they were added."""

    def __init__(self) -> None:
        self._scenes = array("q")
        self._scores = array("d")

    def add(self, scene: int, score: float) -> None:
        """Another score."""
        self._scenes.append(scene)
        self._scores.append(score)

    def __iter__(self) -> Iterator[tuple[int, float]]:
        return zip(self._scenes, self._scores, strict=True)

    def __len__(self) -> int:
        return len(self._scenes)

    @property
    def scores(self) -> array[float]:
        """The scores alone."""
        return self._scores


class Columns(Generic[Key]):
    """Columns by key, in the order in which keys came."""

    def __init__(self) -> None:
        self._columns: dict[Key, Column] = {}

    def add(self, key: Key, scene: int, score: float) -> None:
        """Another score of a key."""
        self._columns.setdefault(key, Column()).add(scene, score)

    def __getitem__(self, key: Key) -> Column:
        """The scores of a key; an empty column where there are none."""
        return self._columns.get(key, Column())

    def __contains__(self, key: Key) -> bool:
        return key in self._columns

    def __iter__(self) -> Iterator[Key]:
        return iter(self._columns)
