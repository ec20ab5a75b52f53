"""Which coarse label each fine letter stands for: derived from the files, never taken for granted.

Every fine gold has a coarse one for the same utterance; the map is the one under which each fine gold gives its coarse
gold. And where the labels of every utterance are known by code, so is which letter stands for which code.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence, Set
from itertools import islice, product
from math import prod
from typing import NamedTuple

from dtomtrack.errors import InputError
from dtomtrack.suites.rectom.labels import COARSE
from dtomtrack.suites.rectom.published import PublishedRecord
from dtomtrack.suites.rectom.release import Release

__all__ = ["Matched", "bijection", "coarse_map", "derived_map", "matched"]

_MOST_TRIED = 100_000


class Matched(NamedTuple):
    """An item with two golds: positions of its options, and the labels that these should stand for."""

    place: str
    gold: frozenset[int]
    labels: frozenset[str]


def matched(release: Release, kind: str) -> list[Matched]:
    """The fine golds of a type, each with the coarse labels of the same utterance.

    The coarse file says them, or where it is missing the fine file itself.
    """
    coarse = release.of(kind.replace("fine", "coarse"))
    known = {_key(one): frozenset(COARSE[one.kind.role][position] for position in one.gold) for one in coarse}
    pairs = ((one, known.get(_key(one), one.coarse)) for one in release.of(kind))
    return [Matched(one.place, one.gold, labels) for one, labels in pairs if labels is not None]


def _key(record: PublishedRecord) -> Hashable:
    return record.dialogue, len(record.lines)


def coarse_map(release: Release, kind: str) -> tuple[str, ...] | None:
    """By position of a fine option, its coarse label; None where nothing says any.

    Raises:
        InputError: under no map, or under several, every fine gold gives its coarse gold.
    """
    pairs = matched(release, kind)
    if not pairs:
        return None
    size = release.of(kind)[0].kind.options
    return derived_map(pairs, size)


def derived_map(pairs: Sequence[Matched], size: int) -> tuple[str, ...]:
    """The one label by position under which the labels of every item are those of its right options.

    Raises:
        InputError: there is none, or there are several.
    """
    candidates = _candidates(pairs, size)
    if prod(map(len, candidates)) > _MOST_TRIED:
        raise InputError(f"{pairs[0].place}: too few items to tell which coarse label each fine letter stands for")
    found = list(islice((one for one in product(*candidates) if _first_wrong(pairs, one) is None), 2))
    if len(found) == 1:
        return found[0]
    if found:
        raise InputError(f"{pairs[0].place}: several maps of fine letters to coarse labels fit the golds")
    wrong = _first_wrong(pairs, [one[0] for one in candidates]) or pairs[0]
    raise InputError(f"{wrong.place}: no map of fine letters to coarse labels gives its coarse gold")


def _candidates(pairs: Iterable[Matched], size: int) -> list[Sequence[str]]:
    """By position, the labels that are right in every item in which it is; in the order of their names.

    An item with one right option and one label decides.
    """
    found: list[Set[str] | None] = [None] * size
    for pair in pairs:
        for position in pair.gold:
            known = found[position]
            found[position] = pair.labels if known is None else known & pair.labels
            if not found[position]:
                raise InputError(f"{pair.place}: no map of fine letters to coarse labels gives its coarse gold")
    return [sorted(one) if one else ("",) for one in found]


def _first_wrong(pairs: Iterable[Matched], labels: Sequence[str]) -> Matched | None:
    return next((pair for pair in pairs if {labels[position] for position in pair.gold} != pair.labels), None)


def bijection(pairs: Sequence[Matched], labels: Iterable[str], size: int) -> Mapping[int, str]:
    """By position the label that is there in exactly the same items, as far as one is; the closest where none is.

    Raises:
        InputError: an item's gold is not what its labels say; the message names it.
    """
    holders = {position: _holders(pairs, position) for position in range(size)}
    having = {label: frozenset(place for place, pair in enumerate(pairs) if label in pair.labels) for label in labels}
    ranked = sorted(
        (
            (-_overlap(own, theirs), position, label)
            for position, own in holders.items()
            for label, theirs in having.items()
        )
    )
    found: dict[int, str] = {}
    for _, position, label in ranked:
        if position not in found and label not in found.values():
            found[position] = label
    wrong = next((pair for pair in pairs if {found.get(position) for position in pair.gold} != pair.labels), None)
    if wrong is not None:
        raise InputError(
            f"{wrong.place}: its gold is not what IARD has for the utterance ({', '.join(sorted(wrong.labels))})"
        )
    return found


def _holders(pairs: Sequence[Matched], position: int) -> frozenset[int]:
    return frozenset(place for place, pair in enumerate(pairs) if position in pair.gold)


def _overlap(own: frozenset[int], theirs: frozenset[int]) -> float:
    return len(own & theirs) / max(1, len(own | theirs))
