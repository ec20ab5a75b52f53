"""Groups of items, and the rows that rules get on them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import fmean

from dtomtrack.audit.audit_item import AuditItem, Choice
from dtomtrack.audit.intervals import share_and_p_value
from dtomtrack.audit.learnt import best_constant
from dtomtrack.audit.records import ALL, MIN_ITEMS, MOST_CONSTANT, AuditRow

__all__ = ["Part", "parts_of"]

_DECIMALS = 6


@dataclass(frozen=True)
class Part:
    """Items that get rows of their own, and their places among all."""

    name: str
    places: Sequence[int]
    items: Sequence[AuditItem]

    @cached_property
    def has_sets(self) -> bool:
        """Whether there are items of which any set of options may be right."""
        return any(item.is_set for item in self.items)

    def row(
        self, rule: str, choices: Sequence[Choice], learnt: str | None = None, *, reads_context: bool = False
    ) -> AuditRow:
        """A row from the choices of a rule."""
        scores = [item.score(choice) for item, choice in zip(self.items, choices, strict=True)]
        accuracy, p_value = share_and_p_value(scores, self._expected, self._clusters)
        return AuditRow(
            rule=rule,
            group=self.name,
            reads_context=reads_context,
            accuracy=accuracy,
            jaccard=self._jaccard(choices),
            chance=round(fmean(item.chance for item in self.items), _DECIMALS),
            best_constant=None if self._constant is None else round(self._constant, _DECIMALS),
            expected=round(fmean(self._expected), _DECIMALS),
            p_value=p_value,
            items=len(self.items),
            clusters=len(set(self._clusters)),
            learnt=learnt,
        )

    def _jaccard(self, choices: Sequence[Choice]) -> float | None:
        pairs = zip(self.items, choices, strict=True)
        overlaps = [item.overlap(choice) for item, choice in pairs if item.is_set]
        return round(fmean(overlaps), _DECIMALS) if overlaps else None

    @cached_property
    def _clusters(self) -> Sequence[str]:
        return [item.cluster for item in self.items]

    @cached_property
    def _constant(self) -> float | None:
        """The share of the best constant set."""
        return best_constant([item for item in self.items if item.is_set])

    @cached_property
    def _expected(self) -> Sequence[float]:
        """By item, what a rule gets that tells no items of one group apart."""
        of_set = self._constants
        return [max(item.chance, of_set[item.group]) if item.is_set else item.chance for item in self.items]

    @cached_property
    def _constants(self) -> Mapping[str | None, float]:
        """By group, the share of the best constant set, at most one half; small groups have one together."""
        sets = [item for item in self.items if item.is_set]
        sizes = Counter(item.group for item in sets)
        small = [item for item in sets if sizes[item.group] < MIN_ITEMS]
        of_small = best_constant(small)
        shares = {
            group: best_constant([item for item in sets if item.group == group]) if size >= MIN_ITEMS else of_small
            for group, size in sizes.items()
        }
        return {group: min(share or 0.0, MOST_CONSTANT) for group, share in shares.items()}


def parts_of(items: Sequence[AuditItem], names: Sequence[str]) -> list[Part]:
    """All items, and those of each of these groups."""
    places: dict[str | None, list[int]] = {name: [] for name in names}
    for place, item in enumerate(items):
        if item.group in places:
            places[item.group].append(place)
    grouped = [Part(name, places[name], [items[place] for place in places[name]]) for name in names if places[name]]
    return [Part(ALL, range(len(items)), items), *grouped]
