"""Variants of the published items that can't be answered from the outside: each item keeps the id of its source."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from rapidfuzz.fuzz import token_set_ratio

from dtomtrack.errors import InputError
from dtomtrack.items.item import Item
from dtomtrack.suites.persuasivetom.daily_words import NEAR
from dtomtrack.suites.persuasivetom.items import EARLIER, GOLD, LATER, WORDING, ItemMaker, by_dialogue
from dtomtrack.suites.persuasivetom.kinds import KINDS
from dtomtrack.suites.persuasivetom.published_items import PublishedItem
from dtomtrack.suites.persuasivetom.tally import Tally

__all__ = ["VARIANTS", "Variant", "items_in", "needed_kinds"]

Variant = Callable[[Sequence[PublishedItem], Tally], Iterator[Item]]

VARIANTS: Mapping[str, str] = {
    "as-published": "all items as they are",
    "same-dialogue": "the persuadee's intention and the strategy, among those of other rounds of the dialogue",
    "outcome": "judgement by what happened to the desire, in either wording, as many of each",
    "balanced": "the persuadee's desire, labels equally often in each round",
    "both-wordings": "judgement as published, asked in both wordings",
}
_MOST_DISTRACTORS, _LEAST_DISTRACTORS = 3, 2
_RANKS = {"no": 0, "neutral": 1, "yes": 2}
_TAIL = re.compile(r"Is this strategy\s+(?:not\s+)?effective\s*\?\s*$")
_NEEDS: Mapping[str, tuple[tuple[str, ...], ...]] = {
    "as-published": (),
    "same-dialogue": (("intention_ee", "prediction"),),
    "outcome": (("judgement",), ("desire_ee",)),
    "balanced": (("desire_ee",),),
    "both-wordings": (("judgement",),),
}


def needed_kinds(variant: str, there: set[str]) -> None:
    """Make sure that the kinds of items are there that a variant is made from.

    Raises:
        InputError: one is missing; the message names its file.
    """
    for any_of in _NEEDS[variant]:
        if not there.intersection(any_of):
            files = " or ".join(f"{KINDS[name].file}.json" for name in any_of)
            raise InputError(f"the variant {variant} needs {files}, which is missing")


def items_in(variant: str, published: Sequence[PublishedItem], tally: Tally) -> Iterator[Item]:
    """The items of a variant."""
    return _MAKERS[variant](published, tally)


def _as_published(published: Sequence[PublishedItem], tally: Tally) -> Iterator[Item]:
    maker = ItemMaker(published)
    return (maker.make(item) for item in published)


# -- same dialogue ---------------------------------------------------------------------------------------------------


def _same_dialogue(published: Sequence[PublishedItem], tally: Tally) -> Iterator[Item]:
    maker, groups = ItemMaker(published), by_dialogue(published)
    for item in published:
        if item.kind.name not in {"intention_ee", "prediction"}:
            continue
        others = _other_golds(item, groups[item.kind.name, item.dialogue])
        if len(others) < _LEAST_DISTRACTORS:
            tally.note("left out: too few other golds in the dialogue", f"{item.kind.name} {item.name}")
            continue
        options = _in_order([(item.answer, GOLD), *others], item)
        texts = tuple(text for text, _ in options)
        yield maker.make(replace(item, options=texts, gold=texts.index(item.answer)), [role for _, role in options])


def _other_golds(item: PublishedItem, own: Mapping[int, PublishedItem]) -> list[tuple[str, str]]:
    """The golds of other rounds, the nearest first, but for those that say nearly the same as one that is there."""
    found: list[tuple[str, str]] = []
    for other in sorted(own.values(), key=lambda one: (abs(one.turn - item.turn), one.turn)):
        if other.turn == item.turn:
            continue
        texts = [item.answer, *(text for text, _ in found)]
        if all(token_set_ratio(text.lower(), other.answer.lower()) < NEAR for text in texts):
            found.append((other.answer, EARLIER if other.turn < item.turn else LATER))
    return found[:_MOST_DISTRACTORS]


def _in_order(options: Sequence[tuple[str, str]], item: PublishedItem) -> list[tuple[str, str]]:
    """Options in an order that comes from the item's own content."""
    return sorted(options, key=lambda one: _hash(item.kind.name, item.name, item.question, one[0]))


def _hash(*parts: str) -> bytes:
    return hashlib.sha256("\0".join(parts).encode()).digest()


# -- judgement -------------------------------------------------------------------------------------------------------


def _judgements(published: Sequence[PublishedItem], tally: Tally) -> Iterator[PublishedItem]:
    """Those that can be asked in either wording."""
    for item in published:
        if item.kind.name != "judgement":
            continue
        if not _TAIL.search(item.question):
            tally.note("left out: doesn't end by asking whether the strategy is effective", item.name)
        elif sorted(_lowered(item)) != ["no", "yes"]:
            tally.note("left out: its options are not Yes and No", item.name)
        else:
            yield item


def _lowered(item: PublishedItem) -> list[str]:
    return [option.strip().lower() for option in item.options]


def _outcome(published: Sequence[PublishedItem], tally: Tally) -> Iterator[Item]:
    maker, groups = ItemMaker(published), by_dialogue(published)
    cells: dict[tuple[str, int], dict[bool, list[PublishedItem]]] = {}
    for item in _judgements(published, tally):
        desires = groups.get(("desire_ee", item.dialogue), {})
        before, after = (_rank(desires.get(turn)) for turn in (item.turn, item.turn + 2))
        if before is None or after is None:
            tally.note("left out: no desire before or after", item.name)
        elif before == _RANKS["yes"]:
            tally.note("left out: persuaded before", item.name)
        else:
            label = desires[item.turn].answer
            cells.setdefault((label, item.round), {True: [], False: []})[after > before].append(item)
    chosen = [(item, rises) for cell in sorted(cells) for item, rises in _balanced_cell(cells[cell])]
    wordings = _wordings(chosen)
    for item in published:
        if id(item) in wordings:
            yield _judged(maker, item, *wordings[id(item)])


def _rank(item: PublishedItem | None) -> int | None:
    return None if item is None else _RANKS.get(item.answer.strip().lower())


def _balanced_cell(cell: Mapping[bool, list[PublishedItem]]) -> Iterator[tuple[PublishedItem, bool]]:
    """As many items whose strategy helped as items whose strategy did not."""
    size = min(map(len, cell.values()))
    for rises, items in cell.items():
        for item in sorted(items, key=lambda one: _hash("outcome", one.name))[:size]:
            yield item, rises


def _wordings(chosen: Sequence[tuple[PublishedItem, bool]]) -> dict[int, tuple[bool, str]]:
    """By item, what came of the strategy, and in which words it is asked; each half the time, whatever the other is."""
    counts = {True: 0, False: 0}
    found = {}
    for item, rises in chosen:
        found[id(item)] = rises, WORDING[counts[rises] % 2]
        counts[rises] += 1
    return found


def _judged(maker: ItemMaker, item: PublishedItem, effective: bool, wording: str) -> Item:
    """A judgement in this wording, Yes and No in their published order."""
    right = "yes" if effective == (wording == WORDING[0]) else "no"
    question = _TAIL.sub(f"Is this strategy {wording}?", item.question)
    return maker.make(replace(item, question=question, gold=_lowered(item).index(right)), mark="")


def _both_wordings(published: Sequence[PublishedItem], tally: Tally) -> Iterator[Item]:
    maker = ItemMaker(published)
    for item in _judgements(published, tally):
        for wording in WORDING:
            made = _judged(maker, item, True, wording)
            yield replace(made, id=f"judgement {item.name} {wording}", groups={**made.groups, "wording": wording})


# -- desire ----------------------------------------------------------------------------------------------------------


def _balanced(published: Sequence[PublishedItem], tally: Tally) -> Iterator[Item]:
    maker = ItemMaker(published)
    rounds: dict[int, dict[str, list[PublishedItem]]] = {}
    for item in published:
        if item.kind.name == "desire_ee":
            rounds.setdefault(item.round, {}).setdefault(item.answer, []).append(item)
    labels = {label for own in rounds.values() for label in own}
    kept: set[int] = set()
    for own in rounds.values():
        size = min(len(own.get(label, ())) for label in labels)
        for items in own.values():
            kept |= {id(item) for item in sorted(items, key=lambda one: _hash("balanced", one.name))[:size]}
    return (maker.make(item) for item in published if id(item) in kept)


_MAKERS: Mapping[str, Variant] = {
    "as-published": _as_published,
    "same-dialogue": _same_dialogue,
    "outcome": _outcome,
    "balanced": _balanced,
    "both-wordings": _both_wordings,
}
