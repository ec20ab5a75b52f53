"""The audit: every rule on every group."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from os import PathLike
from pathlib import Path

from dtomtrack.audit.classifiers import CLASSIFIERS, MOST_ITEMS, check_package, classified, of_places
from dtomtrack.audit.folds import Credits, cross_validated, sampled
from dtomtrack.audit.intervals import share_and_luck
from dtomtrack.audit.items import Item
from dtomtrack.audit.learnt import LEARNERS, group_letter
from dtomtrack.audit.loading import load
from dtomtrack.audit.problems import doubles
from dtomtrack.audit.records import ALL, Audit, AuditRow
from dtomtrack.audit.surface import overlap_with_context, surface_rules
from dtomtrack.errors import InputError

__all__ = ["audit"]

_SMALLEST_GROUP = 20
_MOST_GROUPS = 50

_SEEDS = 2**32


def audit(
    benchmark: str | PathLike[str] | Iterable[Mapping[str, object]],
    mapping: str | Mapping[str, str] | None = None,
    *,
    by_group: bool = True,
    seed: int = 0,
) -> Audit:
    """Whether the questions of a benchmark can be answered without what they are about.

    Args:
        benchmark: a dataset folder, a file in JSON, JSON Lines, CSV or Parquet, or records.
        mapping: "question=FIELD,options=FIELD,gold=FIELD,context=FIELD,group=FIELD,cluster=FIELD,turn=FIELD,id=FIELD";
            nested fields with dots, options in several fields as A|B|C|D. Not for a dataset folder.
        by_group: each group by itself, too: those with 20 items or more, the fifty largest.
        seed: of the folds of cross-validation.

    Raises:
        InputError: the benchmark can't be read, the mapping doesn't fit it, or scikit-learn is missing.
    """
    check_package()
    if not 0 <= seed < _SEEDS:
        raise InputError(f"seed is {seed}; it has to be from 0 to {_SEEDS - 1}")
    loaded = load(Path(benchmark) if isinstance(benchmark, PathLike) else benchmark, mapping)
    groups, group_notes = _groups(loaded.items) if by_group else ((), ())
    rows = list(_rows(loaded.items, groups, seed))
    rows.sort(key=lambda row: (row.reads_context, row.chance - (row.accuracy.value or 0.0)))
    notes = (*loaded.notes, *group_notes, *_sample_note(loaded.items))
    return Audit(
        source=loaded.source,
        items=len(loaded.items),
        clusters=len({item.cluster for item in loaded.items}),
        gold_form=loaded.gold_form,
        rows=tuple(rows),
        problems=(*loaded.problems, *doubles(loaded.items)),
        notes=notes,
    )


@dataclass(frozen=True)
class _Part:
    """Items that get rows of their own, and their places among all."""

    name: str
    places: Sequence[int]
    items: Sequence[Item]

    @cached_property
    def clusters(self) -> Sequence[str]:
        return [item.cluster for item in self.items]

    @cached_property
    def chances(self) -> Sequence[float]:
        return [item.chance for item in self.items]

    def row(self, rule: str, credits: Credits, learnt: str | None = None, *, reads_context: bool = False) -> AuditRow:
        """A row from what the rule gets for each item."""
        accuracy, luck = share_and_luck(credits, self.chances, self.clusters)
        return AuditRow(
            rule=rule,
            group=self.name,
            reads_context=reads_context,
            accuracy=accuracy,
            chance=round(sum(self.chances) / len(self.chances), 6),
            luck=luck,
            items=len(self.items),
            clusters=len(set(self.clusters)),
            learnt=learnt,
        )


def _parts(items: Sequence[Item], names: Sequence[str]) -> list[_Part]:
    """All items, and those of each of these groups."""
    places: dict[str | None, list[int]] = {name: [] for name in names}
    for place, item in enumerate(items):
        if item.group in places:
            places[item.group].append(place)
    grouped = [_Part(name, places[name], [items[place] for place in places[name]]) for name in names if places[name]]
    return [_Part(ALL, range(len(items)), items), *grouped]


def _groups(items: Sequence[Item]) -> tuple[Sequence[str], tuple[str, ...]]:
    """The groups that get rows of their own, with a note on those that don't; a single one is all items."""
    sizes = Counter(item.group for item in items if item.group is not None)
    if len(sizes) < 2:
        return (), ()
    names = [name for name, size in sizes.most_common(_MOST_GROUPS) if size >= _SMALLEST_GROUP]
    left_out = len(sizes) - len(names)
    note = f"{left_out} groups have no rows of their own (fewer than {_SMALLEST_GROUP} items, or not among the largest)"
    return names, (note,) if left_out else ()


def _sample_note(items: Sequence[Item]) -> tuple[str, ...]:
    if len(items) <= MOST_ITEMS:
        return ()
    return (
        f"the classifiers look at {MOST_ITEMS:,} of {len(items):,} items at most, whole clusters drawn by the seed",
    )


def _rows(items: Sequence[Item], groups: Sequence[str], seed: int) -> Iterator[AuditRow]:
    parts = _parts(items, groups)
    yield from _fixed_rows(items, parts)
    yield from _learnt_rows(parts, seed)
    if groups:
        credits = cross_validated(items, lambda train: group_letter(train).solve, seed)
        yield parts[0].row("letter of the group", credits)
    yield from _classifier_rows(sampled(items, MOST_ITEMS, seed), groups, seed)


def _fixed_rows(items: Sequence[Item], parts: Sequence[_Part]) -> Iterator[AuditRow]:
    """Rules that learn nothing get the same for an item in whatever group."""
    for rule, solve in surface_rules(items):
        credits = [solve(item) for item in items]
        for part in parts:
            yield part.row(rule, [credits[place] for place in part.places])
    if any(item.context for item in items):
        credits = [overlap_with_context(item) for item in items]
        for part in parts:
            yield part.row("overlap with the context", [credits[place] for place in part.places], reads_context=True)


def _learnt_rows(parts: Sequence[_Part], seed: int) -> Iterator[AuditRow]:
    for rule, learn in LEARNERS.items():
        for part in parts:
            credits = cross_validated(part.items, lambda train, learn=learn: learn(train).solve, seed)  # type: ignore[misc]
            yield part.row(rule, credits, learn(part.items).says)


def _classifier_rows(items: Sequence[Item], groups: Sequence[str], seed: int) -> Iterator[AuditRow]:
    for rule, see in CLASSIFIERS.items():
        features = see(items)
        for part in _parts(items, groups):
            yield part.row(rule, classified(part.items, of_places(features, part.places), seed))
