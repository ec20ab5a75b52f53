"""Which items of a dataset an evaluation asks: all, some types, the first dialogues, or dialogues that are drawn.

Clusters are taken whole, since answers within one are not independent. A draw is an order of all clusters that depends
on its seed alone: of two draws with one seed the smaller is the beginning of the larger.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path

from dtomtrack.errors import InputError
from dtomtrack.evaluation.benchmark import Benchmark
from dtomtrack.evaluation.records import AskConfig
from dtomtrack.items.item import Item

__all__ = ["check_types", "count_asked", "selected_items"]

_TYPE = "type"


def selected_items(benchmark: Benchmark, folder: Path, config: AskConfig) -> Iterator[Item]:
    """The items that a configuration asks, in the order in which it asks them.

    A draw holds its items in memory, and no others.

    Raises:
        DatasetError: a line is damaged, or an item's context is missing.
    """
    if config.sample_seed is not None:
        return _drawn(benchmark, folder, config, config.sample_seed)
    if config.types:
        return _first(_of_types(benchmark.items(folder), config.types), config.limit)
    return benchmark.items(folder, config.limit)


def count_asked(benchmark: Benchmark, folder: Path, config: AskConfig) -> int:
    """How many answers a configuration asks for.

    Raises:
        DatasetError: a line is damaged, or an item's context is missing.
    """
    items = selected_items(benchmark, folder, config)
    return sum(min(config.permutations, len(item.options)) for item in items) * config.repeats


def check_types(benchmark: Benchmark, folder: Path, types: Iterable[str]) -> None:
    """See that a dataset has items of these types.

    Raises:
        InputError: there are none of one of them.
        DatasetError: a line is damaged, or an item's context is missing.
    """
    left = dict.fromkeys(types)
    if not left:
        return
    known: dict[str, None] = {}
    for item in benchmark.items(folder):
        known[item.groups.get(_TYPE, "")] = None
        left.pop(item.groups.get(_TYPE, ""), None)
        if not left:
            return
    there = ", ".join(name for name in known if name) or "no types"
    raise InputError(f"type {next(iter(left))!r}: {folder} has no such questions; there are {there}")


def _of_types(items: Iterable[Item], types: tuple[str, ...]) -> Iterator[Item]:
    return (item for item in items if not types or item.groups.get(_TYPE) in types)


def _first(items: Iterable[Item], limit: int | None) -> Iterator[Item]:
    """The items of the first so many clusters, wherever they stand."""
    clusters: set[str] = set()
    for item in items:
        if item.cluster not in clusters:
            if limit is not None and len(clusters) >= limit:
                continue
            clusters.add(item.cluster)
        yield item


def _drawn(benchmark: Benchmark, folder: Path, config: AskConfig, seed: int) -> Iterator[Item]:
    clusters = dict.fromkeys(item.cluster for item in _of_types(benchmark.items(folder), config.types))
    drawn = sorted(clusters, key=lambda cluster: _place(seed, cluster))[: config.limit]
    found: dict[str, list[Item]] = {cluster: [] for cluster in drawn}
    for item in _of_types(benchmark.items(folder), config.types):
        if item.cluster in found:
            found[item.cluster].append(item)
    for cluster in drawn:
        yield from found[cluster]


def _place(seed: int, cluster: str) -> bytes:
    return hashlib.sha256(f"{seed}/{cluster}".encode()).digest()
