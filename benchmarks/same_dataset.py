"""Two dataset folders, held against each other: the same bytes, or questions that are equal field by field.

    python benchmarks/same_dataset.py BEFORE AFTER

``dialogues.jsonl`` and ``rejected.jsonl`` have to be the same bytes. So do the questions, unless AFTER is of format 2
(or later) and BEFORE is not: then every field that a question had has to have the value that it had; fields that are
new are named. One line a file; exit status 1 if one differs.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping
from itertools import zip_longest
from pathlib import Path
from typing import NamedTuple

from dtomtrack.errors import DatasetError
from dtomtrack.runs.folder import read_manifest

__all__ = ["Verdict", "compared"]

FILES = ("dialogues.jsonl", "questions.jsonl", "rejected.jsonl")
QUESTIONS = "questions.jsonl"
_NO_FIELD = object()


class Verdict(NamedTuple):
    """Whether a file of two datasets is the same, and in what sense."""

    same: bool
    said: str


def compared(before: Path, after: Path) -> dict[str, Verdict]:
    """The files of two datasets, by name.

    Raises:
        DatasetError: a folder is no dataset, or a file can't be read.
    """
    formats = _format(before), _format(after)
    return {name: _verdict(before / name, after / name, formats) for name in FILES}


def _format(folder: Path) -> int:
    manifest = read_manifest(folder)
    if manifest is None:
        raise DatasetError(f"{folder}: holds no dataset (there is no manifest.json)")
    return manifest.format_version


def _verdict(before: Path, after: Path, formats: tuple[int, int]) -> Verdict:
    by_field = before.name == QUESTIONS and formats[0] < 2 <= formats[1]
    new: set[str] = set()
    number = 0
    for number, (old, now) in enumerate(zip_longest(_lines(before), _lines(after)), 1):
        if old is None or now is None:
            return Verdict(False, f"{(before if old is None else after)} ends before line {number}")
        if old == now:
            continue
        if not by_field:
            return Verdict(False, f"line {number} is not the same bytes: {_first_difference(old, now)}")
        fields, others = json.loads(old), json.loads(now)
        different = [name for name in fields if fields[name] != others.get(name, _NO_FIELD)]
        if different:
            return Verdict(False, f"line {number}: {different[0]} is not the same")
        new |= others.keys() - fields.keys()
    added = f"; new: {', '.join(sorted(new))}" if new else ""
    return Verdict(True, f"{number} lines, equal field by field{added}" if by_field else f"{number} lines, same bytes")


def _lines(path: Path) -> Iterator[bytes]:
    try:
        with path.open("rb") as file:
            yield from file
    except OSError as error:
        raise DatasetError(f"{path}: can't be read ({error.strerror})") from error


def _first_difference(old: bytes, now: bytes) -> str:
    """The first field that tells two lines apart, if they are JSON objects that differ in one."""
    try:
        fields, others = json.loads(old), json.loads(now)
    except ValueError:
        return "no JSON"
    if not isinstance(fields, Mapping) or not isinstance(others, Mapping):
        return "no objects"
    names = dict.fromkeys((*fields, *others))
    return next(
        (name for name in names if fields.get(name, _NO_FIELD) != others.get(name, _NO_FIELD)), "how it is written"
    )


def main() -> int:
    parser = argparse.ArgumentParser(description="Whether two dataset folders hold the same.")
    parser.add_argument("before", type=Path)
    parser.add_argument("after", type=Path)
    options = parser.parse_args()
    try:
        verdicts = compared(options.before, options.after)
    except DatasetError as error:
        sys.exit(f"same_dataset: {error}")
    for name, verdict in verdicts.items():
        print(f"{'same' if verdict.same else 'DIFFERENT':9}  {name}: {verdict.said}")
    return int(not all(verdict.same for verdict in verdicts.values()))


if __name__ == "__main__":
    sys.exit(main())
