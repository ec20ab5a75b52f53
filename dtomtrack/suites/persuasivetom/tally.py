"""Faults of what was read, counted by kind, with the first few examples of each."""

from __future__ import annotations

from pydantic import JsonValue

from dtomtrack.items.texts import printable

__all__ = ["Tally"]

_EXAMPLES = 5


class Tally:
    """Counts faults."""

    def __init__(self) -> None:
        self._examples: dict[str, list[str]] = {}
        self._counts: dict[str, int] = {}

    def note(self, kind: str, name: str) -> None:
        """Something of this name has a fault of this kind."""
        self._counts[kind] = self._counts.get(kind, 0) + 1
        examples = self._examples.setdefault(kind, [])
        if len(examples) < _EXAMPLES:
            examples.append(printable(name))

    def count(self, kind: str) -> int:
        """How often this kind was noted."""
        return self._counts.get(kind, 0)

    def told(self) -> list[JsonValue]:
        """Each kind with its count and examples, in the order in which they were first seen."""
        return [
            {"kind": kind, "count": count, "examples": [*self._examples[kind]]} for kind, count in self._counts.items()
        ]
