"""Gold errors: what is wrong with questions, options and golds, whoever answers them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from dtomtrack.audit.items import Item, normalized
from dtomtrack.audit.records import Problem, ProblemKind

__all__ = ["Faults", "doubles"]

_EXAMPLES = 5


class Faults:
    """Counts faults of single items, with a few examples."""

    def __init__(self) -> None:
        self._ids: dict[ProblemKind, list[str]] = defaultdict(list)

    def note(self, kind: ProblemKind, name: str) -> None:
        """An item has this fault."""
        self._ids[kind].append(name)

    def problems(self) -> Iterator[Problem]:
        """What was noted."""
        for kind, ids in self._ids.items():
            yield Problem(kind=kind, count=len(ids), examples=tuple(ids[:_EXAMPLES]))


def doubles(items: Sequence[Item]) -> Iterator[Problem]:
    """Items that ask the same of the same context with the same options, whatever the order of these."""
    alike: dict[tuple[object, ...], list[Item]] = defaultdict(list)
    for item in items:
        about = item.cluster if item.context is None else normalized(item.context)
        alike[normalized(item.question), item.turn, tuple(sorted(item.texts)), about].append(item)
    kinds: tuple[ProblemKind, ...] = ("one question, different golds", "duplicate items")
    sets = [same for same in alike.values() if len(same) > 1]
    for kind, found in zip(kinds, (map(_minority, sets), map(_repeated, sets)), strict=True):
        wrong = [one for one in found if one]
        if wrong:
            examples = tuple("=".join(ids) for _, ids in filter(None, wrong[:_EXAMPLES]))
            yield Problem(kind=kind, count=sum(one[0] for one in wrong if one), examples=examples)


def _minority(same: Sequence[Item]) -> tuple[int, tuple[str, ...]] | None:
    golds = Counter(item.texts[item.gold] for item in same)
    if len(golds) == 1:
        return None
    first: dict[str, str] = {}
    for item in same:
        first.setdefault(item.texts[item.gold], item.id)
    return len(same) - max(golds.values()), tuple(first.values())[:3]


def _repeated(same: Sequence[Item]) -> tuple[int, tuple[str, ...]] | None:
    golds = Counter(item.texts[item.gold] for item in same)
    twice = next((gold for gold, count in golds.items() if count > 1), None)
    if twice is None:
        return None
    return len(same) - len(golds), tuple(item.id for item in same if item.texts[item.gold] == twice)[:3]
