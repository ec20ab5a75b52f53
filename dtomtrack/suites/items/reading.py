"""Items from a dataset folder, each with what it asks about."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path

from pydantic import ValidationError

from dtomtrack.errors import DatasetError
from dtomtrack.files import bounded_lines, opened
from dtomtrack.items.item import ContextLine, Item, ItemContext
from dtomtrack.llm.prompts import as_data, prompt
from dtomtrack.records import first_problem
from dtomtrack.runs.lines import read_lines
from dtomtrack.suites.items.records import CONTEXTS, ITEMS, ContextRecord, ItemLine, SeenContext

__all__ = ["CONDITIONS", "ContextMaker", "StoredContext", "items_of", "quoted_line"]

CONDITIONS = ("context", "none")
"""A subject sees beside the question what it asks about, or nothing."""

_PACKAGE = "dtomtrack.suites.items"
_AT_HAND = 512
"""Contexts in memory: items of one context mostly stand together, or come round again with each type."""
_LINES_AT_HAND = 1 << 14


class StoredContext:
    """The first lines of a stored context, as a subject sees them."""

    def __init__(self, lines: Sequence[ContextLine]) -> None:
        self._lines = lines

    @property
    def lines(self) -> Sequence[ContextLine]:
        """Everything that is said or told, in order."""
        return self._lines

    def text(self, condition: str) -> str:
        """The lines in quotation marks, one a line, or that there is nothing to read."""
        if condition == "none":
            return prompt(_PACKAGE, "none").fill()
        return prompt(_PACKAGE, "context").fill(lines="\n".join(map(quoted_line, self._lines)))


ContextMaker = Callable[[ItemLine, Sequence[ContextLine], str], ItemContext]
"""Makes an item's context from its line, the lines that it sees, and what is known beforehand."""


def _stored(item: ItemLine, lines: Sequence[ContextLine], background: str) -> ItemContext:
    return StoredContext(lines)


@lru_cache(maxsize=_LINES_AT_HAND)
def quoted_line(line: ContextLine) -> str:
    """A line as a subject sees it: who speaks, if anybody is named, and the words in quotation marks."""
    return f"{as_data(line.speaker)}: {as_data(line.text)}" if line.speaker else as_data(line.text)


def items_of(folder: Path, limit: int | None = None, make: ContextMaker = _stored) -> Iterator[Item]:
    """The items of a dataset, in the order of the file; few contexts are in memory at a time.

    Args:
        limit: only those of the first so many clusters, wherever they stand; None for all.
        make: makes their contexts.

    Raises:
        DatasetError: a line is damaged, or what an item asks about is missing.
    """
    path = folder / ITEMS
    contexts = _Contexts(folder / CONTEXTS, told=str(path))
    clusters: set[str] = set()
    for number, line in enumerate(read_lines(path, ItemLine), 1):
        if limit is not None and line.cluster not in clusters:
            if len(clusters) >= limit:
                continue
            clusters.add(line.cluster)
        if line.context is None:
            yield line.to_item(None)
        else:
            yield line.to_item(make(line, *contexts.seen(line.context, number)))


class _Contexts:
    """The contexts of a dataset by name, read where they stand in the file.

    Args:
        told: the file of items in messages.
    """

    def __init__(self, path: Path, told: str) -> None:
        self._path = path
        self._told = told
        self._starts: dict[str, tuple[int, int]] = {}
        self._read = lru_cache(maxsize=_AT_HAND)(self._lines)

    def seen(self, context: SeenContext, number: int) -> tuple[Sequence[ContextLine], str]:
        """As many of a context's lines as are seen, and what is known beforehand.

        Args:
            number: the line of the item.

        Raises:
            DatasetError: it is not there, or shorter.
        """
        self._find_all()
        if context.id not in self._starts:
            raise DatasetError(f"{self._told}:{number}: the dialogue {context.id!r} is not in {CONTEXTS}")
        lines, background = self._read(context.id)
        if context.lines > len(lines):
            raise DatasetError(
                f"{self._told}:{number}: shows {context.lines} lines of the dialogue {context.id!r}, which has "
                f"{len(lines)}"
            )
        return lines[: context.lines], background

    def _find_all(self) -> None:
        """Where each context stands."""
        if self._starts:
            return
        try:
            with opened(self._path) as file:
                start = 0
                for number, line in enumerate(bounded_lines(file, self._path), 1):
                    name = _parsed(line, f"{self._path}:{number}").id
                    if name in self._starts:
                        raise DatasetError(f"{self._path}:{number}: the dialogue {name!r} is there twice")
                    self._starts[name] = start, number
                    start += len(line)
        except OSError as error:
            raise DatasetError(f"{self._path}: can't be read ({error.strerror})") from error

    def _lines(self, name: str) -> tuple[tuple[ContextLine, ...], str]:
        start, number = self._starts[name]
        with opened(self._path) as file:
            file.seek(start)
            record = _parsed(file.readline(), f"{self._path}:{number}")
        return tuple(ContextLine(line.speaker, line.text) for line in record.lines), record.background


def _parsed(line: bytes, where: str) -> ContextRecord:
    try:
        return ContextRecord.model_validate_json(line)
    except ValidationError as error:
        raise DatasetError(f"{where}: {first_problem(error, 'line')}") from error
