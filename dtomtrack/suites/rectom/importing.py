"""Importing RecToM: its published files, or a variant of them, as items, with an account of what was found."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from pydantic import JsonValue

from dtomtrack.errors import InputError
from dtomtrack.items.item import Item
from dtomtrack.suites.items.records import RejectedLine
from dtomtrack.suites.published.folder import FoundFolder
from dtomtrack.suites.rectom.agreement import Agreement, agreements
from dtomtrack.suites.rectom.findings import findings
from dtomtrack.suites.rectom.granularity import coarse_map
from dtomtrack.suites.rectom.iard import IardDialogue, check_dialogues, read_iard
from dtomtrack.suites.rectom.items import OptionLabels, items_of_records, published_codes
from dtomtrack.suites.rectom.kinds import BY_TYPE, KINDS, REBUILT
from dtomtrack.suites.rectom.labels import COARSE, FINE, Role
from dtomtrack.suites.rectom.rebuilt import rebuilt_records
from dtomtrack.suites.rectom.release import Release, read_release
from dtomtrack.suites.rectom.variants import VARIANTS, Variant, VariantRecords

__all__ = ["PublishedRectom", "published_rectom"]

_FINE_SEEKER = "fine_intention_seeker"


def published_rectom(folder: Path, found: FoundFolder, name: str, iard_path: Path | None) -> PublishedRectom:
    """RecToM's files in a variant, read and checked.

    Args:
        name: of the variant.
        iard_path: IARD's file, against which every label is checked; where the seeker's fine intentions are missing,
            they are built anew from it.

    Raises:
        InputError: a record can't be read, a gold is not what IARD has, or a file is missing that the variant needs.
    """
    variant = VARIANTS[name]
    _check_needs(folder, name, variant, found, iard_path)
    release = read_release(found)
    iard = _checked(iard_path, release)
    agreed = tuple(agreements(release, iard)) if iard else ()
    rebuilt = tuple(rebuilt_records(release, iard)) if iard and not release.of(_FINE_SEEKER) else ()
    made = variant.make(release, (*release.records, *rebuilt), iard)
    if not made.records:
        raise InputError(f"{folder}: nothing is left for variant {name}")
    return PublishedRectom(name, found, release, made, agreed)


def _check_needs(folder: Path, name: str, variant: Variant, found: FoundFolder, iard_path: Path | None) -> None:
    missing = [BY_TYPE[kind].file for kind in variant.needs if BY_TYPE[kind].file in found.missing]
    if missing:
        raise InputError(f"{folder}: variant {name} needs {', '.join(missing)}, which is not there")
    if variant.needs_iard and iard_path is None:
        raise InputError(f"variant {name} is made from IARD's labels; name its file with --iard")


def _checked(path: Path | None, release: Release) -> Mapping[str, IardDialogue]:
    if path is None:
        return {}
    iard = read_iard(path)
    check_dialogues(path, iard, release.dialogues)
    return iard


@dataclass(frozen=True)
class PublishedRectom:
    """The files of RecToM, read, with what is made of them."""

    variant: str
    found: FoundFolder
    release: Release
    made: VariantRecords
    agreed: tuple[Agreement, ...]

    def read(self) -> Iterator[Item | RejectedLine]:
        """The items, and the questions that a variant leaves out for a reason."""
        yield from self.made.rejected
        yield from items_of_records(self.made.records, self.labels())

    def labels(self) -> OptionLabels:
        """The labels of fine options and of strategies, as the files have them."""
        codes = {one.type: one.codes for one in self.agreed if one.codes}
        maps = {kind.type: coarse_map(self.release, kind.type) for kind in KINDS if kind.asks == "fine intention"}
        coarse = {name: labels for name, labels in maps.items() if labels is not None}
        known = {name: published_codes(name) for name in coarse if published_codes(name)}
        rebuilt = FINE["seeker"]
        return OptionLabels(
            {**coarse, REBUILT: tuple(rebuilt.values())},
            {**known, **codes, REBUILT: tuple(rebuilt)},
            dict(_strategies(self.release)),
        )

    def config(self) -> dict[str, JsonValue]:
        """The manifest's account of it."""
        return {
            "source": "RecToM",
            "variant": self.variant,
            "files": self.found.entries(),
            "missing": list(self.found.missing),
            "lines": sum(map(len, self.release.dialogues.values())),
            "iard": bool(self.agreed),
            "problems": [one.told() for one in findings(self.release)],
            "notes": [*self._notes(), *(one.told for one in self.agreed), *self.made.notes],
        }

    def _notes(self) -> Iterator[str]:
        """Sentences on which files there are, and whose."""
        official = sum(one.official for one in self.found.files)
        yield f"{len(self.release.dialogues)} dialogues with {sum(map(len, self.release.dialogues.values())):,} lines"
        yield f"{official} of {len(self.found.files)} files are those of the official release (git blob SHA-1)"
        for kind in self.release.missing:
            yield f"missing: {kind.file} ({kind.type}); the rest is read"


def _strategies(release: Release) -> Iterator[tuple[tuple[Role, str], str]]:
    """By role and text, the label of each option of the coarse questions: judgement names strategies by these texts."""
    for file in release.files:
        if file.kind.asks in {"coarse intention", "prediction"}:
            role = file.kind.role
            for text, label in zip(file.records[0].options, COARSE[role], strict=True):
                yield (role, text), label
