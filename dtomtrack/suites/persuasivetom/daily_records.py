"""Records in the form of DailyPersuasion, read one after another, and the rounds of their conversations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from dtomtrack.errors import InputError
from dtomtrack.items.json_stream import array_elements
from dtomtrack.records import first_problem

__all__ = ["DailyEntry", "Round", "Said", "Situation", "daily_entries", "rounds_of"]

_ROLES = ("persuader", "persuadee")


class _Theirs(BaseModel):
    """A part of their records; other fields are passed over."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class Said(_Theirs):
    """A line; ``role`` is "persuader" or "persuadee", or the name of one of the two."""

    role: str
    strategy: str | None = None
    tone: str | None = None
    response: str


class Situation(_Theirs):
    """Who wants what of whom."""

    background: str
    persuader: str
    persuadee: str
    goal: str
    domain: str = ""


class DailyEntry(_Theirs):
    """A situation, and conversations in it by name."""

    id: int | str
    scenario: Situation
    dialog: dict[str, tuple[Said, ...]]


Round = tuple[Said, Said]
"""What the persuader says, and what the persuadee says to it."""


def daily_entries(path: Path) -> Iterator[DailyEntry]:
    """The records one after another: the published file has some hundred MB.

    Raises:
        InputError: the file can't be read; the message names the record.
    """
    if path.is_dir():
        raise InputError(f"{path}: is a folder; name the file of DailyPersuasion's records")
    try:
        with path.open(encoding="utf-8-sig") as file:
            for number, record in enumerate(array_elements(file, str(path)), 1):
                yield _entry(record, f"{path}: item {number}")
    except UnicodeDecodeError:
        raise InputError(f"{path}: is not UTF-8 text; save it as UTF-8") from None
    except OSError as error:
        raise InputError(f"{path}: can't be read ({error.strerror})") from None


def _entry(record: object, place: str) -> DailyEntry:
    try:
        return DailyEntry.model_validate(record)
    except ValidationError as error:
        raise InputError(f"{place}: {first_problem(error)}") from None


def rounds_of(scenario: Situation, lines: Sequence[Said]) -> list[Round] | None:
    """The whole rounds of a conversation; None where the two don't take turns, the persuader first."""
    roles = [_role(scenario, line.role) for line in lines]
    if any(role != _ROLES[place % 2] for place, role in enumerate(roles)):
        return None
    return list(zip(lines[::2], lines[1::2], strict=False))


def _role(scenario: Situation, given: str) -> str:
    names = {scenario.persuader.casefold(): "persuader", scenario.persuadee.casefold(): "persuadee"}
    role = given.strip().casefold()
    return role if role in _ROLES else names.get(role, "")
