"""Items into a dataset folder: contexts that begin alike are stored once, as long as any item of the cluster sees them.

Items are read twice, and of what they ask about only digests are kept, so that memory does not grow with the texts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from dtomtrack.errors import InputError
from dtomtrack.items.contexts import LinesContext
from dtomtrack.items.item import Item
from dtomtrack.runs.lines import to_lines
from dtomtrack.suites.items.records import CONTEXTS, ITEMS, ContextRecord, ItemLine, SeenContext, stored_line

__all__ = ["WrittenItems", "write_items"]


@dataclass
class WrittenItems:
    """How much was written.

    Attributes:
        groups: items by grouping and by group.
    """

    contexts: int = 0
    items: int = 0
    clusters: set[str] = field(default_factory=set)
    groups: dict[str, Counter[str]] = field(default_factory=dict)
    _ids: set[int] = field(default_factory=set, init=False, repr=False)

    def add(self, item: Item) -> None:
        """An item that was written.

        Raises:
            InputError: another has its id, by which answers would be told apart.
        """
        digest = hash(item.id)
        if digest in self._ids:
            raise InputError(f"two items have the id {item.id!r}; give each record an id of its own")
        self._ids.add(digest)
        self.items += 1
        self.clusters.add(item.cluster)
        for name, value in item.groups.items():
            self.groups.setdefault(name, Counter())[value] += 1


def write_items(folder: Path, items: Callable[[], Iterable[Item]]) -> WrittenItems:
    """Write ``dialogues.jsonl`` and ``questions.jsonl`` of a new dataset.

    Args:
        items: gives the items from the first, each time the same.

    Raises:
        InputError: two items have the same id.
    """
    contexts = _StoredContexts(items())
    written = WrittenItems()
    with (folder / CONTEXTS).open("wb") as context_file, (folder / ITEMS).open("wb") as item_file:
        for number, item in enumerate(items()):
            for record in contexts.complete_at(number, item):
                context_file.write(to_lines([record]))
                written.contexts += 1
            item_file.write(to_lines([ItemLine.of_item(item, contexts.seen_by(item))]))
            written.add(item)
    return written


_Digests = tuple[int, ...]
"""A number for each line of a context, alike only for lines that are alike."""


@dataclass
class _Stored:
    """A context that is to be stored.

    Attributes:
        whole: the item that sees most of it.
    """

    id: str
    lines: _Digests
    whole: int


class _StoredContexts:
    """Which contexts are stored, and by which item's eyes."""

    def __init__(self, items: Iterable[Item]) -> None:
        self._by_cluster: dict[str, list[_Stored]] = {}
        self._ids: set[str] = set()
        for number, item in enumerate(items):
            lines = _digests(item)
            if lines:
                self._see(number, item.cluster, lines)
        self._whole: Mapping[int, _Stored] = {one.whole: one for own in self._by_cluster.values() for one in own}

    def _see(self, number: int, cluster: str, lines: _Digests) -> None:
        own = self._by_cluster.setdefault(cluster, [])
        for stored in own:
            if _begins_with(stored.lines, lines):
                return
            if _begins_with(lines, stored.lines):
                stored.lines, stored.whole = lines, number
                return
        own.append(_Stored(self._new_id(cluster, len(own) + 1), lines, number))

    def _new_id(self, cluster: str, number: int) -> str:
        """The cluster's name, with a number where it is taken."""
        name = cluster if number == 1 else f"{cluster}/{number}"
        while name in self._ids:
            number += 1
            name = f"{cluster}/{number}"
        self._ids.add(name)
        return name

    def complete_at(self, number: int, item: Item) -> Iterator[ContextRecord]:
        """The context that this item sees the whole of, if it is to be stored here."""
        stored = self._whole.get(number)
        if stored is not None and item.context is not None:
            background = item.context.background if isinstance(item.context, LinesContext) else ""
            lines = tuple(map(stored_line, item.context.lines))
            yield ContextRecord(id=stored.id, lines=lines, background=background)

    def seen_by(self, item: Item) -> SeenContext | None:
        """The part of a stored context that an item sees."""
        lines = _digests(item)
        for stored in self._by_cluster.get(item.cluster, ()):
            if lines and _begins_with(stored.lines, lines):
                return SeenContext(id=stored.id, lines=len(lines))
        return None


def _digests(item: Item) -> _Digests:
    return () if item.context is None else tuple(hash(tuple(line)) for line in item.context.lines)


def _begins_with(whole: _Digests, beginning: _Digests) -> bool:
    return whole[: len(beginning)] == beginning
