"""RecToM's golds against IARD's labels, which they are: every one is compared, and one that differs is named."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from dtomtrack.errors import InputError
from dtomtrack.items.letters import letter_of, letters_of
from dtomtrack.suites.rectom.findings import asked_line
from dtomtrack.suites.rectom.granularity import Matched, bijection
from dtomtrack.suites.rectom.iard import IardDialogue, IardLine
from dtomtrack.suites.rectom.labels import COARSE, FINE
from dtomtrack.suites.rectom.published import PublishedRecord
from dtomtrack.suites.rectom.release import PublishedFile, Release

__all__ = ["Agreement", "agreements", "labelled_line"]


@dataclass(frozen=True)
class Agreement:
    """How many golds of a type are IARD's labels: all of them, or there would have been an error.

    Attributes:
        codes: of fine types, by position the code that the letter stands for, as it was found out.
    """

    type: str
    agreeing: int
    codes: tuple[str, ...] = ()

    @property
    def told(self) -> str:
        """A sentence on it."""
        letters = ", ".join(f"{letter_of(position)} {code}" for position, code in enumerate(self.codes))
        how = f"; its letters stand for {letters}" if letters else ""
        return f"{self.type}: {self.agreeing:,} of {self.agreeing:,} golds are IARD's labels{how}"


def labelled_line(record: PublishedRecord, iard: Mapping[str, IardDialogue]) -> IardLine | None:
    """The line whose labels are the gold, the one asked about or the next one; None where it is not there."""
    number = asked_line(record) if record.kind.is_intention else len(record.lines) + 1
    lines = iard[record.dialogue].lines
    return None if number is None or number > len(lines) else lines[number - 1]


def agreements(release: Release, iard: Mapping[str, IardDialogue]) -> Iterator[Agreement]:
    """The agreement of every type whose golds are labels.

    Raises:
        InputError: a gold is not what IARD has; the message names the record.
    """
    for file in release.files:
        if file.kind.asks == "fine intention":
            yield _fine(file, iard)
        elif file.kind.asks in {"coarse intention", "prediction"}:
            yield _coarse(file, iard)
        elif file.kind.asks == "judgement":
            yield _judged(file, iard)


def _line(record: PublishedRecord, iard: Mapping[str, IardDialogue]) -> IardLine:
    line = labelled_line(record, iard)
    if line is None:
        raise InputError(f"{record.place}: IARD has no line that it asks about")
    return line


def _coarse(file: PublishedFile, iard: Mapping[str, IardDialogue]) -> Agreement:
    labels = COARSE[file.kind.role]
    for record in file.records:
        wanted = frozenset(map(labels.index, _line(record, iard).coarse))
        if record.gold != wanted:
            raise InputError(
                f"{record.place}: its gold is {letters_of(record.gold)}, and IARD's labels are {letters_of(wanted)}"
            )
    return Agreement(file.kind.type, len(file.records))


def _fine(file: PublishedFile, iard: Mapping[str, IardDialogue]) -> Agreement:
    pairs = [Matched(one.place, one.gold, _line(one, iard).fine) for one in file.records]
    codes = bijection(pairs, FINE[file.kind.role], file.kind.options)
    return Agreement(file.kind.type, len(pairs), tuple(codes[position] for position in sorted(codes)))


def _judged(file: PublishedFile, iard: Mapping[str, IardDialogue]) -> Agreement:
    """Yes where the strategy is among the labels of the next line."""
    strategies = _strategies(file.records, iard)
    for record in file.records:
        said_yes = record.options[min(record.gold)].casefold() == "yes"
        used = strategies[record.subject or ""] in _line(record, iard).coarse
        if said_yes is not used:
            raise InputError(
                f"{record.place}: its gold is {letters_of(record.gold)}, and in IARD the strategy is "
                f"{'used' if used else 'not used'}"
            )
    return Agreement(file.kind.type, len(file.records))


def _strategies(records: Sequence[PublishedRecord], iard: Mapping[str, IardDialogue]) -> dict[str, str]:
    """By the text of a strategy, the label that goes with yes best: no text is taken for granted."""
    found = {}
    for text in dict.fromkeys(record.subject or "" for record in records):
        own = [record for record in records if record.subject == text]
        found[text] = max(COARSE[own[0].kind.role], key=lambda label: sum(_goes_with(one, label, iard) for one in own))
    return found


def _goes_with(record: PublishedRecord, label: str, iard: Mapping[str, IardDialogue]) -> bool:
    said_yes = record.options[min(record.gold)].casefold() == "yes"
    return said_yes is (label in _line(record, iard).coarse)
