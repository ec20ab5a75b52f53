"""The published files of a folder as records, with what has to hold between them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from dtomtrack.errors import InputError
from dtomtrack.items.item import ContextLine
from dtomtrack.suites.published.folder import FoundFile, FoundFolder
from dtomtrack.suites.published.strict_json import array_of_records
from dtomtrack.suites.rectom.kinds import BY_FILE, Kind
from dtomtrack.suites.rectom.published import PublishedRecord, published_record

__all__ = ["PublishedFile", "Release", "read_release"]


@dataclass(frozen=True)
class PublishedFile:
    """A file that was read."""

    kind: Kind
    records: tuple[PublishedRecord, ...]


@dataclass(frozen=True)
class Release:
    """The published files of a folder.

    Attributes:
        missing: the files that are not there.
        dialogues: by name, the longest context of each dialogue.
    """

    files: tuple[PublishedFile, ...]
    missing: tuple[Kind, ...]
    dialogues: Mapping[str, tuple[ContextLine, ...]]

    def of(self, kind: str) -> Sequence[PublishedRecord]:
        """The records of a type; none where its file is missing."""
        return next((one.records for one in self.files if one.kind.type == kind), ())

    @property
    def records(self) -> Iterator[PublishedRecord]:
        """All records, file by file."""
        for one in self.files:
            yield from one.records


def read_release(found: FoundFolder) -> Release:
    """The records of the files that were found.

    Raises:
        InputError: a record can't be read, an item is there twice, or contexts of one dialogue are no beginnings of
            each other.
    """
    dialogues: dict[str, tuple[ContextLine, ...]] = {}
    read = [_file(one, dialogues) for one in found.files]
    files = tuple(replace(one, records=tuple(_with_shared(one.records, dialogues))) for one in read)
    return Release(files, tuple(BY_FILE[name] for name in found.missing), dialogues)


def _file(found: FoundFile, dialogues: dict[str, tuple[ContextLine, ...]]) -> PublishedFile:
    kind = BY_FILE[found.name]
    records: list[PublishedRecord] = []
    seen: dict[tuple[str, int, str], int] = {}
    names: Counter[str] = Counter()
    for number, (place, fields) in enumerate(array_of_records(found.path), 1):
        record = published_record(kind, fields, place, number)
        same = seen.setdefault((record.dialogue, len(record.lines), record.question), number)
        if same != number:
            raise InputError(f"{place}: is the same item as item {same}")
        if records and records[0].is_dict is not record.is_dict:
            raise InputError(f"{place}: has its options in another form, list or object, than item 1")
        _see_context(record, dialogues)
        name = f"{record.dialogue}/{len(record.lines)}"
        names[name] += 1
        records.append(replace(record, name=name if names[name] == 1 else f"{name}#{names[name]}"))
    return PublishedFile(kind, tuple(records))


def _see_context(record: PublishedRecord, dialogues: dict[str, tuple[ContextLine, ...]]) -> None:
    known = dialogues.get(record.dialogue, ())
    shorter, longer = sorted((known, record.lines), key=len)
    if longer[: len(shorter)] != shorter:
        raise InputError(
            f"{record.place}: its context and another of dialogue {record.dialogue} are no beginnings of one dialogue"
        )
    dialogues[record.dialogue] = longer


def _with_shared(
    records: Sequence[PublishedRecord], dialogues: Mapping[str, tuple[ContextLine, ...]]
) -> Iterator[PublishedRecord]:
    """The records with the lines of their dialogues, so that each line is in memory once."""
    for one in records:
        yield replace(one, lines=dialogues[one.dialogue][: len(one.lines)])
