"""Variants of the published items: the same material without one of its defects, each under a name of its own.

no-look-ahead and one-gold have all items; the others only those of the type that they are about.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from dtomtrack.items.letters import letters_of
from dtomtrack.suites.items.records import RejectedLine
from dtomtrack.suites.rectom.findings import asked_line, implied_desires
from dtomtrack.suites.rectom.iard import IardDialogue
from dtomtrack.suites.rectom.outcomes import outcome_records
from dtomtrack.suites.rectom.published import PublishedRecord
from dtomtrack.suites.rectom.release import Release

__all__ = ["AS_PUBLISHED", "VARIANTS", "Variant", "VariantRecords", "balanced_judgements", "one_gold"]

AS_PUBLISHED = "as-published"
AMBIGUOUS = "one question, different golds"

Iard = Mapping[str, IardDialogue]


@dataclass(frozen=True)
class VariantRecords:
    """The records of a variant, what it leaves out for a reason, and what is to be known of it."""

    records: tuple[PublishedRecord, ...]
    rejected: tuple[RejectedLine, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Variant:
    """A variant: what it is, and how it is made of all records.

    Attributes:
        needs: the types without whose files there is nothing to make it of.
        needs_iard: whether it takes IARD's labels.
    """

    says: str
    make: Callable[[Release, Sequence[PublishedRecord], Iard], VariantRecords]
    needs: tuple[str, ...] = ()
    needs_iard: bool = False


def _as_published(release: Release, records: Sequence[PublishedRecord], iard: Iard) -> VariantRecords:
    return VariantRecords(tuple(records))


def _no_look_ahead(release: Release, records: Sequence[PublishedRecord], iard: Iard) -> VariantRecords:
    """Contexts of intention items end at the line that is asked about."""
    cut = tuple(_cut(record) for record in records)
    changed = sum(len(one.lines) != len(other.lines) for one, other in zip(cut, records, strict=True))
    return VariantRecords(cut, notes=(f"no-look-ahead: {changed:,} contexts end a line earlier than published",))


def _cut(record: PublishedRecord) -> PublishedRecord:
    asked = asked_line(record) if record.kind.is_intention else None
    return record if asked is None else replace(record, lines=record.lines[:asked])


def _one_gold(release: Release, records: Sequence[PublishedRecord], iard: Iard) -> VariantRecords:
    return one_gold(records, lambda one: one.lines, lambda one: f"item {one.number} (dialogue {one.dialogue})")


def one_gold(
    records: Sequence[PublishedRecord],
    about: Callable[[PublishedRecord], Hashable],
    named: Callable[[PublishedRecord], str],
) -> VariantRecords:
    """Each question of the same words once; one with several golds is listed and left out of what is asked.

    Args:
        about: the same for records whose lines are the same.
        named: what a record is called where it is listed.
    """
    alike: dict[Hashable, list[PublishedRecord]] = defaultdict(list)
    for record in records:
        alike[record.kind.type, record.question, about(record)].append(record)
    kept = [same[0] for same in alike.values() if len({one.gold for one in same}) == 1]
    rejected = tuple(_ambiguous(same, named) for same in alike.values() if len({one.gold for one in same}) > 1)
    left_out = len(records) - len(kept)
    note = f"one-gold: {left_out:,} items left out; {len(rejected)} questions have several golds (see rejected.jsonl)"
    return VariantRecords(tuple(kept), rejected, (note,))


def _ambiguous(same: Sequence[PublishedRecord], named: Callable[[PublishedRecord], str]) -> RejectedLine:
    """A question of several golds, with all of them and their union."""
    first = same[0]
    golds = " | ".join(dict.fromkeys(letters_of(one.gold) for one in same))
    union = letters_of(frozenset[int]().union(*(one.gold for one in same)))
    return RejectedLine(
        id=f"{first.kind.type}/{first.dialogue}/{len(first.lines)}",
        file=first.kind.file,
        place=", ".join(map(named, same)),
        reason=f"{AMBIGUOUS}: {golds}; together {union}",
    )


# -- judgement -------------------------------------------------------------------------------------------------------


def _balanced_judge(release: Release, records: Sequence[PublishedRecord], iard: Iard) -> VariantRecords:
    return VariantRecords(balanced_judgements(records))


def balanced_judgements(records: Sequence[PublishedRecord]) -> tuple[PublishedRecord, ...]:
    """Judgement items of which, for each strategy, as many are yes as no."""
    judged = [record for record in records if record.kind.asks == "judgement"]
    by_strategy: dict[Hashable, list[PublishedRecord]] = defaultdict(list)
    for record in judged:
        by_strategy[record.kind.type, record.subject].append(record)
    kept = {one.place for own in by_strategy.values() for one in _balanced(own)}
    return tuple(record for record in judged if record.place in kept)


def _balanced(records: Sequence[PublishedRecord]) -> Iterator[PublishedRecord]:
    """Each item of the rarer answer with one of the other, as far into its dialogue as can be had."""
    golds: dict[frozenset[int], list[PublishedRecord]] = defaultdict(list)
    for record in records:
        golds[record.gold].append(record)
    if len(golds) < 2:
        return
    rare, common = sorted(golds.values(), key=len)[:2]
    left = {one.place: one for one in sorted(common, key=_drawn)}
    for record in sorted(rare, key=_drawn):
        partner = min(left.values(), key=lambda one: abs(len(one.lines) - len(record.lines)))
        del left[partner.place]
        yield record
        yield partner


def _drawn(record: PublishedRecord) -> bytes:
    """A key in whose order records stand as if drawn, whatever the order of the file."""
    return hashlib.sha256(f"{record.kind.type}/{record.dialogue}/{len(record.lines)}".encode()).digest()


def _outcome_judge(release: Release, records: Sequence[PublishedRecord], iard: Iard) -> VariantRecords:
    """Whether the seeker will take a recommendation up, of those that they take up or refuse in so many words."""
    found = tuple(outcome_records(release, iard))
    yes = sum(one.gold == frozenset({0}) for one in found)
    return VariantRecords(found, notes=(f"outcome-judge: {yes} taken up, {len(found) - yes} refused or criticised",))


# -- desire ----------------------------------------------------------------------------------------------------------


def _desire_independent(release: Release, records: Sequence[PublishedRecord], iard: Iard) -> VariantRecords:
    """The desires that no belief item settles."""
    return VariantRecords(implied_desires(release).alone)


VARIANTS: Mapping[str, Variant] = {
    AS_PUBLISHED: Variant("nothing is repaired", _as_published),
    "no-look-ahead": Variant("contexts of intention items end at the line that is asked about", _no_look_ahead),
    "one-gold": Variant("each question once, without those that have several golds", _one_gold),
    "balanced-judge": Variant(
        "judgement with as many yes as no for each strategy", _balanced_judge, ("judgement_rec", "judgement_seeker")
    ),
    "outcome-judge": Variant("whether a recommendation is taken up", _outcome_judge, needs_iard=True),
    "desire-independent": Variant("the desires that no belief settles", _desire_independent, ("desire", "belief")),
}
