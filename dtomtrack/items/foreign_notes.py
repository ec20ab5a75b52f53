"""Notes on a mapping that was followed: what was taken for granted, and what it could not say."""

from __future__ import annotations

from collections.abc import Iterator

from dtomtrack.items.item import Item
from dtomtrack.items.mapping import FieldMap
from dtomtrack.items.texts import printable

__all__ = ["ForeignNotes"]


class _Told:
    """How often something was to be told, and the first time."""

    def __init__(self) -> None:
        self.count = 0
        self.first = ""

    def add(self, what: str) -> None:
        self.first = self.first or what
        self.count += 1


class ForeignNotes:
    """Watches items as they are read."""

    def __init__(self, fields: FieldMap) -> None:
        self._fields = fields
        self._items = 0
        self._clusters: set[str] = set()
        self._no_cluster = _Told()
        self._no_turn = _Told()

    def see(self, item: Item) -> None:
        """An item that was read."""
        self._items += 1
        self._clusters.add(item.cluster)

    def no_cluster(self, place: str) -> None:
        """A record in which the mapped cluster is missing."""
        self._no_cluster.add(place)

    def no_turn(self, place: str, text: str) -> None:
        """A record whose mapped turn is no number."""
        self._no_turn.add(f"{printable(text, 20)!r} at {place}")

    def told(self) -> Iterator[str]:
        """A sentence for each thing to be known."""
        fields = self._fields
        if fields.cluster is None and fields.context is None:
            yield "neither cluster nor context is mapped: each item counts as independent of the others"
        elif fields.cluster is None:
            yield "no cluster is mapped: items with the same context count as dependent"
        elif self._items > 1 and len(self._clusters) == self._items:
            yield self._own_clusters()
        if self._no_cluster.count:
            yield (
                f"{self._no_cluster.count} items have nothing where the cluster is mapped (such as "
                f"{self._no_cluster.first}): those with the same context count as dependent"
            )
        if self._no_turn.count:
            yield f"the turn of {self._no_turn.count} items can't be read (such as {self._no_turn.first})"
        if fields.context is None:
            yield "no context is mapped: overlap with it is not measured"

    def _own_clusters(self) -> str:
        source = self._fields.cluster
        name = source.name if source is not None else ""
        return (
            f"every item has a cluster of its own, so intervals take the {self._items:,} items for independent; where "
            f"the items of a dialogue share a part of {name!r}, map that part: cluster={name}:0 splits at '-', "
            f"cluster={name}/_:0 at '_'"
        )
