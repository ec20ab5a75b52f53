"""The items of the published files, checked field by field and kept as they are."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from dtomtrack.errors import InputError
from dtomtrack.items.item import ContextLine
from dtomtrack.items.letters import MOST_OPTIONS, letter_of
from dtomtrack.suites.persuasivetom.kinds import Kind, kind_of_file
from dtomtrack.suites.persuasivetom.tally import Tally
from dtomtrack.suites.published.folder import FoundFolder
from dtomtrack.suites.published.strict_json import array_of_records

__all__ = ["PublishedItem", "published_items", "rounds_of"]

_FIELDS = ("dialogue_id", "dialogue", "question", "background", "choices", "answerKey")
_MOST_LINES = 200_000
"""Of all dialogues; the published ones have less than a fifth."""
_ID = re.compile(r"(0|[1-9]\d*)-(0|[1-9]\d*)", re.ASCII)
_SPOKEN = re.compile(r"(?P<name>[^\n:]{1,80}?) says: ?(?P<text>.*)", re.DOTALL)


@dataclass(frozen=True)
class PublishedItem:
    """An item of a published file.

    Attributes:
        dialogue: D of its id "D-T"; ``turn``: T, the last of the persuader's lines that it shows.
        gold: the position of the right option.
    """

    kind: Kind
    dialogue: int
    turn: int
    lines: tuple[ContextLine, ...]
    question: str
    background: str
    options: tuple[str, ...]
    gold: int

    @property
    def name(self) -> str:
        """Its id among the items of its kind, as published."""
        return f"{self.dialogue}-{self.turn}"

    @property
    def answer(self) -> str:
        """The text of the right option."""
        return self.options[self.gold]

    @property
    def round(self) -> int:
        """The number of the exchange that it asks about, from 0."""
        return self.turn // 2


def published_items(found: FoundFolder, tally: Tally) -> list[PublishedItem]:
    """The items of all files that are there, file by file, in their order.

    Raises:
        InputError: a file or an item can't be read.
    """
    items: list[PublishedItem] = []
    dialogues = _Dialogues()
    for file in found.files:
        seen: dict[tuple[ContextLine, ...], str] = {}
        for place, record in array_of_records(file.path):
            item = _item(kind_of_file(file.name), record, place, dialogues, tally)
            first = seen.setdefault(item.lines, item.name)
            if first != item.name:
                raise InputError(f"{place}: {item.name} has the same dialogue as {first}; one of them is too many")
            items.append(item)
    return items


def _item(kind: Kind, record: Mapping[str, object], place: str, dialogues: _Dialogues, tally: Tally) -> PublishedItem:
    for name in _FIELDS:
        if name not in record:
            raise InputError(f"{place}: has no field {name!r}; an item has {', '.join(_FIELDS)}")
    dialogue, turn = _place_of(record["dialogue_id"], place)
    lines = dialogues.lines(_text(record, "dialogue", place), place)
    options = _options(record["choices"], place)
    return PublishedItem(
        kind=kind,
        dialogue=dialogue,
        turn=turn,
        lines=lines,
        question=_text(record, "question", place),
        background=_text(record, "background", place),
        options=options,
        gold=_gold(record["answerKey"], len(options), f"{kind.name} {dialogue}-{turn}", place, tally),
    )


def _place_of(value: object, place: str) -> tuple[int, int]:
    found = _ID.fullmatch(value) if isinstance(value, str) else None
    if found is None:
        raise InputError(f'{place}: dialogue_id is {_shown(value)}; it has to be "D-T", two numbers from 0')
    return int(found[1]), int(found[2])


def _text(record: Mapping[str, object], name: str, place: str) -> str:
    value = record[name]
    if not isinstance(value, str):
        raise InputError(f"{place}: {name} is {_shown(value)}; it has to be a text")
    # half a pair of surrogates can't be written
    return value.encode("utf-8", "replace").decode()


class _Dialogues:
    """The lines of dialogues; what several items ask about is kept once."""

    def __init__(self) -> None:
        self._lines: dict[str, tuple[ContextLine, ...]] = {}
        self._count = 0

    def lines(self, text: str, place: str) -> tuple[ContextLine, ...]:
        """The lines of a dialogue.

        Raises:
            InputError: it has none, or there are too many in all.
        """
        if text not in self._lines:
            found = tuple(_lines(text))
            self._count += len(found)
            if self._count > _MOST_LINES:
                raise InputError(
                    f"{place}: dialogues up to here have more than {_MOST_LINES:,} lines; they are not read"
                )
            self._lines[text] = found
        if not self._lines[text]:
            raise InputError(f"{place}: dialogue is empty; there is nothing to ask about")
        return self._lines[text]


def _lines(text: str) -> Iterator[ContextLine]:
    """Lines "Name says: text"; what begins with no name goes on with the line before it."""
    speaker, said = "", ""
    for line in text.replace("\r\n", "\n").split("\n"):
        found = _SPOKEN.fullmatch(line)
        if found is None:
            said = f"{said}\n{line}" if said else line
            continue
        if said.strip():
            yield ContextLine(speaker, said.strip())
        speaker, said = found["name"].strip(), found["text"] or " "
    if said.strip():
        yield ContextLine(speaker, said.strip())


def _options(value: object, place: str) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise InputError(f"{place}: choices is {_shown(value)}; it has to be an array of texts")
    for wrong in (one for one in value if not isinstance(one, str)):
        raise InputError(f"{place}: a choice is {_shown(wrong)}; each has to be a text")
    if not 2 <= len(value) <= MOST_OPTIONS:
        counted = "one choice" if len(value) == 1 else f"{len(value)} choices"
        raise InputError(f"{place}: has {counted}; it has to have 2 to {MOST_OPTIONS}")
    return tuple(one.encode("utf-8", "replace").decode() for one in value)


def _gold(value: object, size: int, name: str, place: str, tally: Tally) -> int:
    letters = [letter_of(position) for position in range(size)]
    told = value.strip() if isinstance(value, str) else ""
    if told.upper() not in letters:
        raise InputError(f"{place}: answerKey is {_shown(value)}; it has to be one of {letters[0]} to {letters[-1]}")
    if told != told.upper():
        tally.note("answer keys in lower case", name)
    return letters.index(told.upper())


def _shown(value: object) -> str:
    if isinstance(value, list | dict):
        return "a list" if isinstance(value, list) else "an object"
    return "null" if value is None else repr(value)[:60]


def rounds_of(items: Sequence[PublishedItem]) -> dict[int, int]:
    """How many exchanges each dialogue has, as far as its items show."""
    rounds: dict[int, int] = {}
    for item in items:
        rounds[item.dialogue] = max(rounds.get(item.dialogue, 0), -(-len(item.lines) // 2))
    return rounds
