"""The audit: every rule on every group."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path

from dtomtrack.audit.audit_item import AuditItem
from dtomtrack.audit.classifiers import CLASSIFIERS, MOST_CLASSIFIED, check_package, choices_by_features, of_places
from dtomtrack.audit.folds import cross_validated, sampled
from dtomtrack.audit.label_classifiers import choices_by_label
from dtomtrack.audit.learnt import LEARNERS, group_letter, same_set
from dtomtrack.audit.parts import Part, parts_of
from dtomtrack.audit.records import ALL, Audit, AuditRow
from dtomtrack.audit.surface import surface_rules
from dtomtrack.errors import InputError
from dtomtrack.items.contexts import plain_text
from dtomtrack.items.foreign import MappingOptions, foreign_items
from dtomtrack.items.item import Item
from dtomtrack.items.problems import Doubles, Faults, Problem, item_faults
from dtomtrack.items.texts import printable
from dtomtrack.options import check_range

__all__ = ["audit_items", "audit_records"]

_GROUPING = "type"
"""The grouping of items if nothing else is said."""
_SMALLEST_GROUP = 20
_MOST_GROUPS = 50
_LARGEST_SEED = 2**32 - 1


def audit_items(
    items: Iterable[Item],
    source: str = "items",
    *,
    by_group: bool = True,
    grouping: str | None = None,
    seed: int = 0,
    classified: int = MOST_CLASSIFIED,
    tell: Callable[[str], None] = lambda _: None,
) -> Audit:
    """Whether items can be answered without what they are about.

    Args:
        items: read once; their contexts are read with them and forgotten.
        source: where they are from, in words.
        by_group: each group by itself, too: those with 20 items or more, the fifty largest.
        grouping: what they are grouped by; None for "type" where they have one.
        seed: of the folds of cross-validation.
        classified: items that the classifiers look at, at most; whole clusters, drawn by the seed.
        tell: called with what is done next, in words.

    Raises:
        InputError: there are no items, none has this grouping, a number is out of range, or scikit-learn is missing.
    """
    _check(seed, classified)
    tell("reading the items")
    faults = Faults()
    seen = _see(_watched(items, faults), source, grouping)
    if not seen.items:
        raise InputError(f"{source}: holds no items")
    sets = sum(item.is_set for item in seen.items)
    selects = "one" if not sets else "any" if sets == len(seen.items) else f"any, of {sets} items"
    found = Audit(source=source, gold_form="letter", selects=selects, problems=tuple(faults.problems()))
    return _audited(found, seen, _Folds(seed, classified, tell), by_group=by_group)


def audit_records(
    benchmark: str | PathLike[str] | Iterable[Mapping[str, object]],
    options: MappingOptions | None = None,
    *,
    by_group: bool = True,
    grouping: str | None = None,
    seed: int = 0,
    classified: int = MOST_CLASSIFIED,
    tell: Callable[[str], None] = lambda _: None,
) -> Audit:
    """Whether the questions of a benchmark by others can be answered without what they are about.

    Args:
        benchmark: a file in JSON, JSON Lines, CSV, TSV or Parquet, a folder of such files, or records.
        options: which field is what.
        by_group, grouping, seed, classified, tell: see `audit_items`.

    Raises:
        InputError: the benchmark can't be read, the mapping doesn't fit it, no item has this grouping, or scikit-learn
            is missing.
    """
    _check(seed, classified)
    tell("reading the items")
    given = foreign_items(Path(benchmark) if isinstance(benchmark, str | PathLike) else benchmark, options)
    seen = _see(given.items(), given.source, grouping)
    found = Audit(
        source=given.source,
        gold_form=given.gold_form,
        selects=given.selects,
        problems=tuple(given.faults.problems()),
        notes=tuple(given.notes.told()),
    )
    return _audited(found, seen, _Folds(seed, classified, tell), by_group=by_group)


@dataclass(frozen=True)
class _Folds:
    """How what learns is cross-validated: the seed, the most items for classifiers, and who is told of it."""

    seed: int
    classified: int
    tell: Callable[[str], None]


def _audited(found: Audit, seen: _Seen, folds: _Folds, *, by_group: bool) -> Audit:
    """The audit: what was found while reading, and what the rules find."""
    groups, notes = _groups(seen.items) if by_group else ((), ())
    rows = list(_rows(seen.items, groups, folds))
    rows.sort(key=lambda row: (row.reads_context, row.expected - (row.accuracy.value or 0.0)))
    return found.model_copy(
        update={
            "items": len(seen.items),
            "clusters": len({item.cluster for item in seen.items}),
            "rows": tuple(rows),
            "problems": (*found.problems, *seen.doubles),
            "notes": (
                *found.notes,
                *seen.notes,
                *notes,
                *_sample_note(seen.items, folds.classified),
                *_single_note(rows),
            ),
        }
    )


def _watched(items: Iterable[Item], faults: Faults) -> Iterator[Item]:
    for item in items:
        for fault in item_faults(item.question, item.options):
            faults.note(fault, item.id)
        yield item


def _check(seed: int, classified: int) -> None:
    check_package()
    check_range("seed", seed, 0, _LARGEST_SEED)
    check_range("classified", classified, 1)


@dataclass(frozen=True)
class _Seen:
    """Items as the rules look at them, and what was found in and between them."""

    items: Sequence[AuditItem]
    doubles: Sequence[Problem]
    notes: Sequence[str]


def _see(items: Iterable[Item], source: str, grouping: str | None) -> _Seen:
    doubles = Doubles()
    seen: list[AuditItem] = []
    groupings: set[str] = set()
    for item in items:
        context = None if item.context is None else plain_text(item.context.lines)
        doubles.add(item, context)
        groupings.update(item.groups)
        group = item.groups.get(_GROUPING if grouping is None else grouping)
        seen.append(AuditItem.of(item, f"{group!r}" if group == ALL else group, context))
    if seen and grouping is not None and grouping not in groupings:
        there = f"they are grouped by {', '.join(sorted(groupings))}" if groupings else "they have no groups"
        raise InputError(f"{source}: no item is grouped by {grouping!r}; {there}")
    return _Seen(seen, tuple(doubles.problems()), tuple(doubles.notes()))


def _groups(items: Sequence[AuditItem]) -> tuple[Sequence[str], tuple[str, ...]]:
    """The groups that get rows of their own, with a note on those that don't; a single one is all items."""
    sizes = Counter(item.group for item in items if item.group is not None)
    if len(sizes) < 2:
        return (), ()
    names = [name for name, size in sizes.most_common(_MOST_GROUPS) if size >= _SMALLEST_GROUP]
    left_out = len(sizes) - len(names)
    note = f"{left_out} groups have no rows of their own (fewer than {_SMALLEST_GROUP} items, or not among the largest)"
    return names, (note,) if left_out else ()


def _sample_note(items: Sequence[AuditItem], most: int) -> tuple[str, ...]:
    if len(items) <= most:
        return ()
    fits = min(Counter(item.cluster for item in items).values()) <= most
    which = "whole clusters drawn by the seed" if fits else "the first ones, as no cluster is that small"
    return (f"the classifiers look at {most:,} of {len(items):,} items at most, {which}",)


def _single_note(rows: Sequence[AuditRow]) -> tuple[str, ...]:
    """What is of a single cluster, which doesn't say how clusters differ; classifiers may look at a part only."""
    several = {row.group for row in rows if row.clusters > 1}
    single = list(dict.fromkeys(row.group for row in rows if row.clusters == 1))
    notes = []
    if of_one := [group for group in single if group not in several]:
        which = "all items are" if ALL in of_one else f"the items of {printable(', '.join(of_one))} are"
        notes.append(f"{which} of a single cluster: there is no interval, and no rule fails the gate on them")
    if in_part := [group for group in single if group in several]:
        which = printable(", ".join(in_part))
        notes.append(f"the classifiers look at a single cluster of {which}: they have no interval, and fail no gate")
    return tuple(notes)


def _rows(items: Sequence[AuditItem], groups: Sequence[str], folds: _Folds) -> Iterator[AuditRow]:
    tell, seed = folds.tell, folds.seed
    parts = parts_of(items, groups)
    tell(f"trying fixed rules on {len(items)} items")
    yield from _fixed_rows(items, parts)
    tell(f"trying rules that learn on {len(items)} items")
    yield from _learnt_rows(parts, seed)
    if groups:
        choices = cross_validated(items, lambda train: group_letter(train).solve, seed)
        yield parts[0].row("letter of the group", choices)
    tell(f"training classifiers on {min(len(items), folds.classified)} items")
    yield from _classifier_rows(sampled(items, folds.classified, seed), groups, seed)


def _fixed_rows(items: Sequence[AuditItem], parts: Sequence[Part]) -> Iterator[AuditRow]:
    """Rules that learn nothing choose the same for an item in whatever group."""
    for rule, solve in surface_rules(items):
        choices = [solve(item) for item in items]
        for part in parts:
            yield part.row(rule, [choices[place] for place in part.places])
    if any(item.overlapping is not None for item in items):
        choices = [item.overlapping or () for item in items]
        for part in parts:
            yield part.row("overlap with the context", [choices[place] for place in part.places], reads_context=True)


def _learnt_rows(parts: Sequence[Part], seed: int) -> Iterator[AuditRow]:
    for part in parts:
        learners = {**LEARNERS, "always the same set": same_set} if part.has_sets else LEARNERS
        for rule, learn in learners.items():
            choices = cross_validated(part.items, lambda train, learn=learn: learn(train).solve, seed)  # type: ignore[misc]
            yield part.row(rule, choices, learn(part.items).says)


def _classifier_rows(items: Sequence[AuditItem], groups: Sequence[str], seed: int) -> Iterator[AuditRow]:
    parts = parts_of(items, groups)
    for rule, see in CLASSIFIERS.items():
        features = see(items)
        for part in parts:
            yield part.row(rule, choices_by_features(part.items, of_places(features, part.places), seed))
    for part in parts:
        if part.has_sets:
            yield part.row("each option text, classifier", choices_by_label(part.items, seed))
