"""Trajectories from a table: CSV with a turn a line, those of a conversation one below the other."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from dtomtrack.errors import InputError
from dtomtrack.items.files import csv_rows
from dtomtrack.items.letters import MOST_OPTIONS
from dtomtrack.suites.trajectories.checking import checked
from dtomtrack.suites.trajectories.records import Trajectory

__all__ = ["COLUMNS", "read_csv"]

COLUMNS = ("id", "speaker", "utterance", "holder", "mental_state", "topic", "content")
"""Of a CSV file; ``holder`` to ``content`` are empty where nothing changes; ``about`` may be there, too."""
_UNKNOWN = "?"
_PART = re.compile(r"\b(turns|states)\.(\d+)")
"""How a message names a part of a conversation."""
_PART_OR_TEXT = re.compile(rf"{_PART.pattern}|'[^']*'")


class _Row(NamedTuple):
    """A row, its cells by column, and the line that it ends in."""

    line: int
    cells: Mapping[str, str]


def read_csv(path: Path) -> Iterator[Trajectory]:
    """A turn a line; the values of a topic are those that occur with it in the file, in the order of the alphabet.

    Raises:
        InputError: a column is missing, a line can't be read, or the lines of a conversation don't stand together.
    """
    try:
        rows = list(_rows(path))
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: is no CSV in UTF-8 that can be read ({error})") from None
    conversations = _conversations(path, rows)
    values = _values(path, rows)
    for name, own in conversations.items():
        yield _trajectory(path, name, own, values)


def _conversations(path: Path, rows: Sequence[_Row]) -> Mapping[str, Sequence[_Row]]:
    """The rows of each conversation, by its id."""
    found: dict[str, list[_Row]] = {}
    for name, group in groupby(rows, lambda row: row.cells["id"]):
        own = list(group)
        if name in found:
            raise InputError(
                f"{path}:{own[0].line}: goes on with the conversation {name!r}, which ended in line "
                f"{found[name][-1].line}; put its lines together, or give each conversation an id of its own"
            )
        found[name] = own
    return found


def _rows(path: Path) -> Iterator[_Row]:
    for line, row in csv_rows(path, COLUMNS):
        cells = {name: (cell or "") if name == "utterance" else (cell or "").strip() for name, cell in row.items()}
        if None in row.values():
            raise InputError(f"{path}:{line}: has fewer cells than the heading; write a comma for each that is empty")
        if cells["topic"] and not cells["content"]:
            raise InputError(f"{path}:{line}: has a topic and no content; write {_UNKNOWN} where it is not known")
        if cells["mental_state"] and not cells["topic"]:
            raise InputError(f"{path}:{line}: has a mental_state and no topic; say what it is about, or leave it empty")
        if cells["content"] and not cells["topic"]:
            raise InputError(f"{path}:{line}: has a content and no topic; say what it is about, or leave both empty")
        yield _Row(line, cells)


def _values(path: Path, rows: Sequence[_Row]) -> Mapping[str, Sequence[str]]:
    """What is held of each topic."""
    found: dict[str, set[str]] = {}
    first: dict[str, int] = {}
    for line, cells in rows:
        if cells["topic"]:
            first.setdefault(cells["topic"], line)
            found.setdefault(cells["topic"], set()).update({cells["content"]} - {_UNKNOWN})
    for topic, values in found.items():
        if not 2 <= len(values) <= MOST_OPTIONS:
            raise InputError(
                f"{path}:{first[topic]}: the topic {topic!r} has to have 2 to {MOST_OPTIONS} different contents in the "
                f"file, which are the options of its questions, not {len(values)}"
            )
    return {topic: sorted(values) for topic, values in found.items()}


def _trajectory(path: Path, name: str, rows: Sequence[_Row], values: Mapping[str, Sequence[str]]) -> Trajectory:
    stated = [turn for turn, row in enumerate(rows) if row.cells["topic"]]
    topics = dict.fromkeys(rows[turn].cells["topic"] for turn in stated)
    given = {
        "id": name,
        "turns": [{"speaker": row.cells["speaker"], "utterance": row.cells["utterance"]} for row in rows],
        "states": [_state(turn, rows[turn].cells) for turn in stated],
        "topics": [{"id": topic, "label": topic, "values": values[topic]} for topic in topics],
    }
    try:
        return checked(given)
    except InputError as error:
        lines = {"turns": [row.line for row in rows], "states": [rows[turn].line for turn in stated]}
        raise InputError(_by_line(path, str(error), lines)) from None


def _state(turn: int, cells: Mapping[str, str]) -> dict[str, object]:
    return {
        "turn": turn,
        "holder": cells["holder"],
        "about": cells.get("about") or None,
        "mental_state": cells["mental_state"],
        "topic": cells["topic"],
        "content": None if cells["content"] == _UNKNOWN else cells["content"],
    }


def _by_line(path: Path, problem: str, lines: Mapping[str, Sequence[int]]) -> str:
    """What is wrong with a conversation, with lines of the file in the place of its turns and states."""

    def in_words(part: re.Match[str]) -> str:
        if not part[1]:
            # a text of the file, in which it may stand as well
            return part[0]
        own, number = lines[part[1]], int(part[2])
        return f"line {own[number]}" if number < len(own) else part[0]

    first = _PART.match(problem)
    if first is None:
        return f"{path}:{lines['turns'][0]}: {problem}"
    rest = problem[first.end() :].lstrip(".: ")
    return f"{path}:{lines[first[1]][int(first[2])]}: {_PART_OR_TEXT.sub(in_words, rest)}"
