"""Trajectories from files of one's own: JSON Lines as `Trajectory` says, or tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from dtomtrack.errors import InputError
from dtomtrack.files import bounded_lines
from dtomtrack.items.files import parsed_json
from dtomtrack.suites.trajectories.checking import checked
from dtomtrack.suites.trajectories.records import Trajectory
from dtomtrack.suites.trajectories.tables import read_csv

__all__ = ["READERS", "read_json_lines"]


def read_json_lines(path: Path) -> Iterator[Trajectory]:
    """A trajectory a line.

    Raises:
        InputError: a line is none or contradicts itself, or two have the same id.
    """
    lines: dict[str, int] = {}
    try:
        with path.open("rb") as file:
            for number, line in enumerate(bounded_lines(file, path, InputError), 1):
                if line.strip():
                    place = f"{path}:{number}"
                    found = _trajectory(parsed_json(_text(line, place), place), place)
                    if found.id in lines:
                        raise InputError(
                            f"{place}: there is another conversation with the id {found.id!r}, in line "
                            f"{lines[found.id]}; give each an id of its own"
                        )
                    lines[found.id] = number
                    yield found
    except OSError as error:
        raise InputError(f"{path}: can't be read ({error.strerror})") from None


def _text(line: bytes, place: str) -> str:
    try:
        return line.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError(f"{place}: is not UTF-8 text; save it as UTF-8") from None


def _trajectory(value: object, place: str) -> Trajectory:
    try:
        return checked(value)
    except InputError as error:
        raise InputError(f"{place}: {error}") from None


READERS: Mapping[str, Callable[[Path], Iterator[Trajectory]]] = {"jsonl": read_json_lines, "csv": read_csv}
"""By the name of a form, what reads a file of it."""
