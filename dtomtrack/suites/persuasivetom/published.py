"""The published files as something that can be imported: their items in a variant, and an account of their faults."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import JsonValue

from dtomtrack.items.item import Item
from dtomtrack.items.problems import item_faults
from dtomtrack.suites.items.records import RejectedLine
from dtomtrack.suites.persuasivetom.items import WORDING, wording_of
from dtomtrack.suites.persuasivetom.kinds import KINDS, RELEASE, kind_of_file
from dtomtrack.suites.persuasivetom.published_items import PublishedItem, published_items
from dtomtrack.suites.persuasivetom.tally import Tally
from dtomtrack.suites.persuasivetom.variants import VARIANTS, items_in, needed_kinds
from dtomtrack.suites.published.folder import FoundFolder

if TYPE_CHECKING:
    from dtomtrack.suites.persuasivetom.model_polarity import ModelPolarities

__all__ = ["PublishedBenchmark"]


class PublishedBenchmark:
    """The published benchmark in a variant.

    Args:
        polarities: of attitudes, as a model says; by the list of words where there are none.

    Raises:
        InputError: a file or an item can't be read, or the variant needs a file that is missing.
    """

    def __init__(
        self, folder: Path, found: FoundFolder, variant: str, polarities: ModelPolarities | None = None
    ) -> None:
        needed_kinds(variant, {kind_of_file(one.name).name for one in found.files})
        self._folder = folder
        self._found = found
        self._variant = variant
        self._tally = Tally()
        self._published = published_items(found, self._tally)
        _note_faults(self._published, self._tally)
        self._polarities = polarities
        items = items_in(variant, self._published, self._tally)
        self._items = tuple(items if polarities is None else map(polarities.given_to, items))

    def read(self) -> Iterator[Item | RejectedLine]:
        """The items; none is rejected: what can't be read is refused, and what is odd is counted."""
        return iter(self._items)

    def config(self) -> dict[str, JsonValue]:
        """An account of the import: what was read, in which variant, and what is wrong with it."""
        found = self._found
        return {
            "source": self._folder.resolve().name,
            "variant": self._variant,
            "variant_says": VARIANTS[self._variant],
            "release": RELEASE,
            "official": found.official,
            "files": found.entries(),
            "missing": [*found.missing],
            "counts": _counts(self._published),
            "problems": self._tally.told(),
            "polarity": "own list of words" if self._polarities is None else self._polarities.model,
            "notes": [*_notes(found, self._variant), *([self._polarities.told()] if self._polarities else [])],
        }


def _counts(published: Sequence[PublishedItem]) -> dict[str, JsonValue]:
    """By kind of question, how many items were read, and how many the paper counts."""
    there = Counter(item.kind.name for item in published)
    return {name: {"read": there[name], "paper": kind.paper} for name, kind in KINDS.items()}


def _notes(found: FoundFolder, variant: str) -> Iterator[str]:
    if found.official:
        yield f"every file that is there is that of the official release ({RELEASE})"
    for one in found.files:
        if not one.official:
            yield f"{one.name} is not the file of the official release ({RELEASE})"
    if found.missing:
        yield f"missing, so not read: {', '.join(found.missing)}"
    if variant != "as-published":
        yield f"variant {variant}: {VARIANTS[variant]}"


# -- faults ----------------------------------------------------------------------------------------------------------


def _note_faults(published: Sequence[PublishedItem], tally: Tally) -> None:
    """Count what is wrong with items, each kind by its name; nothing is repaired."""
    names: Counter[str] = Counter()
    for item in published:
        name = f"{item.kind.name} {item.name}"
        names[name] += 1
        if names[name] > 1:
            tally.note("ids that are the same", name)
        for fault in item_faults(item.question, item.options):
            tally.note(fault, name)
        _note_shape(item, name, tally)
    _note_dialogues(published, tally)
    _note_wordings(published, tally)


def _note_shape(item: PublishedItem, name: str, tally: Tally) -> None:
    if len(item.lines) != item.turn + 2:
        tally.note("lines that do not go with the id", name)
    if len(item.options) != item.kind.options:
        tally.note(f"options other than the {item.kind.options} of this type", name)
    if item.kind.name == "intention_ee":
        stops = [option.rstrip().endswith(".") for option in item.options]
        if sum(stops) == 1 and stops[item.gold]:
            tally.note("only the right option ends in a full stop", name)


def _note_dialogues(published: Sequence[PublishedItem], tally: Tally) -> None:
    """Dialogues that a kind lacks, and contexts of one dialogue that don't begin alike."""
    dialogues = sorted({item.dialogue for item in published})
    longest: dict[int, PublishedItem] = {}
    for item in published:
        if len(item.lines) > len(longest.setdefault(item.dialogue, item).lines):
            longest[item.dialogue] = item
    for item in published:
        if longest[item.dialogue].lines[: len(item.lines)] != item.lines:
            tally.note("contexts that are no beginning of the dialogue's longest", f"{item.kind.name} {item.name}")
    for name in dict.fromkeys(item.kind.name for item in published):
        there = {item.dialogue for item in published if item.kind.name == name}
        for dialogue in dialogues:
            if dialogue not in there:
                tally.note(f"dialogues without {name}", str(dialogue))


def _note_wordings(published: Sequence[PublishedItem], tally: Tally) -> None:
    """Judgements whose wording alone tells the answer."""
    golds: Mapping[str, set[str]] = {wording: set() for wording in WORDING}
    judged = [item for item in published if item.kind.name == "judgement"]
    for item in judged:
        golds[wording_of(item.question)].add(item.answer.strip().lower())
    if all(len(own) == 1 for own in golds.values()) and golds[WORDING[0]] != golds[WORDING[1]]:
        for item in judged:
            tally.note('the word "not" in the question tells the answer', f"judgement {item.name}")
