"""Notes on a mapping that was followed: what was taken for granted, and what it could not say."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence

from dtomtrack.items.item import Item
from dtomtrack.items.mapping import FieldMap
from dtomtrack.items.texts import as_written, printable

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
    """Watches items as they are read.

    Args:
        known: what is to be told whatever is read.
    """

    def __init__(self, fields: FieldMap, known: Sequence[str] = ()) -> None:
        self._fields = fields
        self._known = known
        self._items = 0
        self._clusters: set[str] = set()
        self._no_cluster = _Told()
        self._no_turn = _Told()
        self._same = _Told()
        self._other_form = _Told()
        self._seen: dict[bytes, str] = {}

    def see(self, item: Item) -> None:
        """An item that was read."""
        self._items += 1
        self._clusters.add(item.cluster)
        if self._fields.context is None:
            self._compare(item)

    @property
    def _alone(self) -> bool:
        """Whether nothing but its question and options tells an item from others."""
        return self._fields.cluster is None and self._fields.context is None

    def _compare(self, item: Item) -> None:
        about = item.cluster if self._fields.cluster is not None else ""
        told = repr((about, item.turn, as_written(item.question), sorted(map(as_written, item.options))))
        key = hashlib.blake2b(told.encode("utf-8", "surrogatepass"), digest_size=16).digest()
        first = self._seen.setdefault(key, item.id)
        if first != item.id:
            self._same.add(f"{printable(item.id, 40)}, as {printable(first, 40)}")

    def no_cluster(self, place: str) -> None:
        """A record in which the mapped cluster is missing."""
        self._no_cluster.add(place)

    def no_turn(self, place: str, text: str) -> None:
        """A record whose mapped turn is no number."""
        self._no_turn.add(f"{printable(text, 20)!r} at {place}")

    def other_form(self, place: str, gold: str, words: str) -> None:
        """A record whose gold is written otherwise than most are."""
        self._other_form.add(f"{printable(gold, 40)!r} at {place} is the {words}")

    def told(self) -> Iterator[str]:
        """A sentence for each thing to be known."""
        fields = self._fields
        if fields.found:
            yield f"--map doesn't say all, so these fields were taken by their names: {fields.found}"
        yield from self._known
        if self._same.count:
            another = "another" if fields.cluster is None else "another of their cluster"
            yield (
                f"{self._same.count} of the {self._items} items have the question and the options of {another} (such "
                f"as {self._same.first}), and no context is mapped that tells them apart"
            )
        if self._alone:
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
        if self._other_form.count:
            yield (
                f"golds that are written otherwise than most: {self._other_form.count} ({self._other_form.first}); "
                "their items are left out, so write all in one way"
            )
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
