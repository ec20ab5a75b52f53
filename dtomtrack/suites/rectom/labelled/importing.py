"""Importing a file in IARD's format as items: each question once, and judgements as often yes as no."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from pathlib import Path

from pydantic import JsonValue

from dtomtrack.errors import InputError
from dtomtrack.items.item import Item
from dtomtrack.items.texts import normalized
from dtomtrack.suites.items.importing import file_entries
from dtomtrack.suites.items.records import RejectedLine
from dtomtrack.suites.published.folder import blob_hash
from dtomtrack.suites.rectom.findings import Finding
from dtomtrack.suites.rectom.iard import IardDialogue, IardLine, read_iard
from dtomtrack.suites.rectom.items import items_of_records
from dtomtrack.suites.rectom.labelled import SOURCE
from dtomtrack.suites.rectom.labelled.questions import labelled_records, option_labels
from dtomtrack.suites.rectom.labels import FINE, Role
from dtomtrack.suites.rectom.published import PublishedRecord
from dtomtrack.suites.rectom.variants import balanced_judgements, one_gold

__all__ = ["LabelledDialogues"]

_BLOB = "b0f992e2df03"
"""The beginning of the hash of umap2020_IARD_Cai.json as git has it."""
_EXAMPLES = 3
_ROLES: Mapping[str, Role] = {"RECOMMENDER": "recommender", "SEEKER": "seeker"}


class LabelledDialogues:
    """The items of a file in IARD's format.

    Args:
        seed: draws the strategies that are judged.

    Raises:
        InputError: it is no such file, a dialogue has no lines, or a line a label that IARD has not.
    """

    def __init__(self, path: Path, seed: int) -> None:
        self._path = path
        self._seed = seed
        self._iard = read_iard(path)
        asked = tuple(labelled_records(path.name, self._iard, seed))
        self._once = one_gold(asked, _heard, _line_named)
        balanced = balanced_judgements(self._once.records)
        self._records = (*(one for one in self._once.records if one.kind.asks != "judgement"), *balanced)
        self._left_out = len(asked) - len(self._once.records), len(self._once.records) - len(self._records)

    def read(self) -> Iterator[Item | RejectedLine]:
        """The items, and the questions that have several golds."""
        yield from self._once.rejected
        yield from items_of_records(self._records, option_labels())

    def config(self) -> dict[str, JsonValue]:
        """The manifest's account of it."""
        return {
            "source": SOURCE,
            "variant": "from IARD's labels",
            "official": self._is_official(),
            "files": file_entries(self._path),
            "seed": self._seed,
            "lines": sum(len(one.lines) for one in self._iard.values()),
            "problems": [one.told() for one in _findings(self._iard)],
            "notes": list(self._notes()),
        }

    def _notes(self) -> Iterator[str]:
        """Sentences on how much there is, and what was left out of it."""
        again, unbalanced = self._left_out
        yield f"{len(self._iard)} dialogues with {sum(len(one.lines) for one in self._iard.values()):,} lines"
        yield (
            f"{again:,} questions left out: those of the same words about the same lines are asked once, and not at "
            f"all where their golds differ ({len(self._once.rejected)}; see rejected.jsonl)"
        )
        yield f"{unbalanced:,} judgements left out, so that yes is right as often as no for each strategy"

    def _is_official(self) -> bool:
        """Whether these are the very bytes that Cai and Chen published."""
        try:
            return blob_hash(self._path.read_bytes()).startswith(_BLOB)
        except OSError as error:
            raise InputError(f"{self._path}: can't be read ({error.strerror})") from None


def _heard(record: PublishedRecord) -> Hashable:
    """Who said what, whatever the case and the spaces."""
    return tuple((line.speaker, normalized(line.text)) for line in record.lines)


def _line_named(record: PublishedRecord) -> str:
    return f"line {record.number} of dialogue {record.dialogue}"


def _findings(iard: Mapping[str, IardDialogue]) -> Iterator[Finding]:
    """Oddities of lines, counted: nothing of it is mended."""
    for kind, is_odd in _ODD.items():
        places = [
            f"{name}: line {number}"
            for name, dialogue in iard.items()
            for number, line in enumerate(dialogue.lines, 1)
            if is_odd(line)
        ]
        if places:
            yield Finding(kind, len(places), tuple(places[:_EXAMPLES]))


def _is_silent(line: IardLine) -> bool:
    return not line.said.text.strip()


def _disagrees(line: IardLine) -> bool:
    above = FINE[_ROLES[line.said.speaker]]
    return {above[code] for code in line.fine} != line.coarse


_ODD = {"lines without words": _is_silent, "top-level labels that are not those above the sub-labels": _disagrees}
