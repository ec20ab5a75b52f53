"""Trajectories from files: JSON Lines as `Trajectory` says, or CSV with a turn a line."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path

from pydantic import ValidationError
from pydantic_core import PydanticSerializationError

from dtomtrack.errors import InputError
from dtomtrack.files import bounded_lines
from dtomtrack.items.files import parsed_json
from dtomtrack.records import first_problem
from dtomtrack.suites.trajectories.records import AnnotatedState, Trajectory

__all__ = ["COLUMNS", "READERS", "read_csv", "read_json_lines"]

COLUMNS = ("id", "speaker", "utterance", "holder", "mental_state", "topic", "content")
"""Of a CSV file; ``holder`` to ``content`` are empty where nothing changes; ``about`` may be there, too."""
_UNKNOWN = "?"
_NAMED = 6
"""The most speakers that a message names."""


def read_json_lines(path: Path) -> Iterator[Trajectory]:
    """A trajectory a line.

    Raises:
        InputError: a line is none or contradicts itself, or two have the same id.
    """
    ids: set[str] = set()
    try:
        with path.open("rb") as file:
            for number, line in enumerate(bounded_lines(file, path, InputError), 1):
                if line.strip():
                    place = f"{path}:{number}"
                    yield _checked(parsed_json(_text(line, place), place), place, ids)
    except OSError as error:
        raise InputError(f"{path}: can't be read ({error.strerror})") from None


def _text(line: bytes, place: str) -> str:
    try:
        return line.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError(f"{place}: is not UTF-8 text; save it as UTF-8") from None


def _checked(value: object, place: str, ids: set[str]) -> Trajectory:
    try:
        found = Trajectory.model_validate(value)
    except ValidationError as error:
        raise InputError(f"{place}: {first_problem(error, 'line')}") from None
    contradiction = next(chain(_strangers(found), _contradictions(found.states)), None)
    if contradiction is not None:
        raise InputError(f"{place}: {contradiction}")
    try:
        found.model_dump_json()
    except PydanticSerializationError:
        raise InputError(
            f"{place}: holds half a character, as \\ud83d is one; no file can hold it, so mend the text"
        ) from None
    if found.id in ids:
        raise InputError(f"{place}: there is another conversation with the id {found.id!r}")
    ids.add(found.id)
    return found


def _strangers(trajectory: Trajectory) -> Iterator[str]:
    """Holders who say nothing: mostly a name that is spelled otherwise than in the turns."""
    speakers = list(dict.fromkeys(turn.speaker for turn in trajectory.turns))
    for number, state in enumerate(trajectory.states):
        if state.holder not in speakers:
            known = ", ".join(speakers[:_NAMED]) + (", ..." if len(speakers) > _NAMED else "")
            yield f"states.{number}: holder {state.holder!r} has no turn; the speakers are {known}"


def _contradictions(states: Sequence[AnnotatedState]) -> Iterator[str]:
    """What is said twice of one state at one turn, and differently."""
    first: dict[tuple[object, ...], tuple[int, str | None]] = {}
    for number, state in enumerate(states):
        key = state.turn, state.holder, state.about, state.topic
        place, content = first.setdefault(key, (number, state.content))
        if content != state.content:
            yield (
                f"states.{number}: says otherwise than states.{place} of the same state at the same turn, "
                f"{state.turn}; keep one of them"
            )


def read_csv(path: Path) -> Iterator[Trajectory]:
    """A turn a line; the values of a topic are those that occur with it in the file, in the order of the alphabet.

    Raises:
        InputError: a column is missing, or a line can't be read.
    """
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = list(_rows(csv.DictReader(file), path))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"{path}: is no CSV in UTF-8 that can be read ({error})") from None
    values: dict[str, set[str]] = {}
    for row in rows:
        if row["topic"] and row["content"] not in {"", _UNKNOWN}:
            values.setdefault(row["topic"], set()).add(row["content"])
    conversations: dict[str, list[Mapping[str, str]]] = {}
    for row in rows:
        conversations.setdefault(row["id"], []).append(row)
    ids: set[str] = set()
    for name, own in conversations.items():
        yield _checked(_from_rows(name, own, values), f"{path}: {name}", ids)


def _rows(reader: csv.DictReader[str], path: Path) -> Iterator[Mapping[str, str]]:
    columns = reader.fieldnames or ()
    missing = next((name for name in COLUMNS if name not in columns), None)
    if missing is not None:
        raise InputError(f"{path}: has no column {missing!r}; a CSV of trajectories has {', '.join(COLUMNS)}")
    for row in reader:
        # a DictReader puts cells without a column under None, and None where a column has no cell
        if None in row or None in row.values():
            raise InputError(
                f"{path}:{reader.line_num}: has another number of cells than the {len(columns)} columns; put texts "
                "with commas in quotation marks"
            )
        yield row


def _from_rows(name: str, rows: Sequence[Mapping[str, str]], values: Mapping[str, set[str]]) -> object:
    topics = dict.fromkeys(row["topic"] for row in rows if row["topic"])
    return {
        "id": name,
        "turns": [{"speaker": row["speaker"], "utterance": row["utterance"]} for row in rows],
        "states": [
            {
                "turn": turn,
                "holder": row["holder"],
                "about": row.get("about") or None,
                "mental_state": row["mental_state"],
                "topic": row["topic"],
                "content": None if row["content"] == _UNKNOWN else row["content"],
            }
            for turn, row in enumerate(rows)
            if row["topic"]
        ],
        "topics": [{"id": topic, "label": topic, "values": sorted(values.get(topic, ()))} for topic in topics],
    }


READERS: Mapping[str, Callable[[Path], Iterator[Trajectory]]] = {"jsonl": read_json_lines, "csv": read_csv}
"""By the name of a form, what reads a file of it."""
