"""Faults of items, whoever answers them: in questions, options and golds, and between items."""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from typing import Annotated, Literal

from pydantic import Field

from dtomtrack.items.item import Item
from dtomtrack.items.texts import as_written, normalized, printable
from dtomtrack.records import Record

__all__ = ["Doubles", "Faults", "Problem", "ProblemKind", "item_faults"]

_EXAMPLES = 5
_IN_EXAMPLE = 3

ProblemKind = Literal[
    "one question, different golds",
    "duplicate items",
    "options that are the same",
    "empty options",
    "empty questions",
    "ids that are the same",
    "gold that is no option",
    "gold in another form than most",
    "several golds, one to be selected",
    "fewer than two options",
    "more than 26 options",
]


class Problem(Record):
    """Something wrong with golds or options; ``examples`` are ids, of files of others with the file and the line
    ("q7 at mine.jsonl:3"), of items that are wrong together joined by "=".

    ``count`` counts items, of duplicates all but the first, of different golds those in the minority.
    """

    kind: ProblemKind
    count: Annotated[int, Field(ge=1)]
    examples: tuple[str, ...]


class Faults:
    """Counts faults of single items, with a few examples."""

    def __init__(self) -> None:
        self._counts: Counter[ProblemKind] = Counter()
        self._ids: dict[ProblemKind, list[str]] = defaultdict(list)

    def note(self, kind: ProblemKind, name: str) -> None:
        """An item has this fault."""
        self._counts[kind] += 1
        if len(self._ids[kind]) < _EXAMPLES:
            self._ids[kind].append(printable(name))

    def problems(self) -> Iterator[Problem]:
        """The problems that were noted."""
        for kind, count in self._counts.items():
            yield Problem(kind=kind, count=count, examples=tuple(self._ids[kind]))


def item_faults(question: str, options: Iterable[str]) -> Iterator[ProblemKind]:
    """Faults that an item may have and still be asked."""
    if not question.strip():
        yield "empty questions"
    written = [as_written(option) for option in options if option.strip()]
    if len(written) < len(list(options)):
        yield "empty options"
    if len(set(written)) < len(written):
        yield "options that are the same"


class Doubles:
    """Items that ask the same of the same context with the same options, whatever the order of these.

    Items without a context are not compared: nobody knows whether they are about the same, for the items of a cluster
    may be about several moments of a dialogue. Of each item it keeps 16 bytes and its name.
    """

    def __init__(self) -> None:
        self._alike: dict[bytes, list[tuple[bytes, str]]] = defaultdict(list)
        self._looks: list[str] = []
        self._look_alikes = 0
        self._without = 0

    def add(self, item: Item, context: str | None) -> None:
        """See the next item.

        Args:
            context: its text, if there is one.
        """
        texts = list(map(as_written, item.options))
        if len(set(map(normalized, texts))) < len(set(texts)):
            self._look_alikes += 1
            self._looks = [*self._looks, printable(item.id)][:_IN_EXAMPLE]
        if context is None:
            self._without += 1
            return
        key = _digest(as_written(item.question), str(item.turn), item.select, as_written(context), *sorted(texts))
        gold = _digest(*sorted(texts[position] for position in item.gold))
        self._alike[key].append((gold, item.id))

    def notes(self) -> Iterator[str]:
        """What is no fault and to be known, a sentence each."""
        if self._without:
            counted = "one item is" if self._without == 1 else f"{self._without:,} items are"
            yield f"{counted} without a context: whether one question has two golds was not looked at there"
        if self._look_alikes:
            counted = "one item has" if self._look_alikes == 1 else f"{self._look_alikes:,} items have"
            yield (
                f"{counted} options that differ in nothing but case, the form of a character or a final full stop "
                f"(such as {', '.join(self._looks)})"
            )

    def problems(self) -> Iterator[Problem]:
        """The problems that were seen."""
        sets = [same for same in self._alike.values() if len(same) > 1]
        yield from _problem("one question, different golds", map(_minority, sets))
        yield from _problem("duplicate items", map(_repeated, sets))


_Golds = list[tuple[bytes, str]]
_Found = tuple[int, tuple[str, ...]]


def _problem(kind: ProblemKind, found: Iterable[_Found | None]) -> Iterator[Problem]:
    wrong = [one for one in found if one is not None]
    if wrong:
        examples = tuple("=".join(map(printable, ids)) for _, ids in wrong[:_EXAMPLES])
        yield Problem(kind=kind, count=sum(count for count, _ in wrong), examples=examples)


def _minority(same: _Golds) -> _Found | None:
    golds = Counter(gold for gold, _ in same)
    if len(golds) == 1:
        return None
    first: dict[bytes, str] = {}
    for gold, name in same:
        first.setdefault(gold, name)
    return len(same) - max(golds.values()), tuple(first.values())[:_IN_EXAMPLE]


def _repeated(same: _Golds) -> _Found | None:
    golds = Counter(gold for gold, _ in same)
    twice = next((gold for gold, count in golds.items() if count > 1), None)
    if twice is None:
        return None
    return len(same) - len(golds), tuple(name for gold, name in same if gold == twice)[:_IN_EXAMPLE]


def _digest(*parts: str) -> bytes:
    told = "\x00".join(f"{len(part)}:{part}" for part in parts)
    return hashlib.blake2b(told.encode("utf-8", "surrogatepass"), digest_size=16).digest()
