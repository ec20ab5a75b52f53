"""Oddities of the published files, counted by kind: nothing of it is mended, all of it stands in the card."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from dtomtrack.items.texts import printable
from dtomtrack.suites.rectom.kinds import Kind
from dtomtrack.suites.rectom.labels import ATTITUDES, LIKED
from dtomtrack.suites.rectom.published import SPEAKERS, PublishedRecord
from dtomtrack.suites.rectom.release import PublishedFile, Release

__all__ = ["Finding", "Implied", "asked_line", "findings", "implied_desires", "movie_of"]

_EXAMPLES = 3
_LEFT_OVER = re.compile(r"(?<!\w)@\w+")
_DOUBLED = re.compile(r"<[^<>\n]+>")
_TWO_SPACES = re.compile(r"\S {2,}\S")


@dataclass(frozen=True)
class Finding:
    """A kind of oddity: how many items have it, and the first of them."""

    kind: str
    count: int
    examples: tuple[str, ...]

    def told(self) -> JsonValue:
        """The finding as the manifest has it."""
        return {"kind": self.kind, "count": self.count, "examples": list(self.examples)}


def findings(release: Release) -> Iterator[Finding]:
    """Every kind of oddity that there is, file by file."""
    for one in release.files:
        yield from _found(one.kind, _of_records(one), one.records)
        yield from _repeated(one)
    yield from _desires(release)


def asked_line(record: PublishedRecord) -> int | None:
    """The number, from 1, of the line that an intention item asks about: the last that its role said in these words."""
    name = SPEAKERS[record.kind.role]
    return next(
        (number for number in range(len(record.lines), 0, -1) if record.lines[number - 1] == (name, record.subject)),
        None,
    )


def movie_of(record: PublishedRecord) -> str | None:
    """The movie that an item asks about, spelled alike wherever spaces differ; None where it asks about none."""
    if record.kind.asks not in {"belief", "desire"} or record.subject is None:
        return None
    return " ".join(record.subject.split())


# -- of single records -----------------------------------------------------------------------------------------------


def _of_records(file: PublishedFile) -> Iterator[tuple[str, PublishedRecord]]:
    """Pairs of an oddity and a record that has it."""
    for record in file.records:
        for kind in (*_of_any(record), *(_of_intention(record) if record.kind.is_intention else _of_movie(record))):
            yield kind, record


def _of_any(record: PublishedRecord) -> Iterator[str]:
    if record.position != len(record.lines):
        yield "utterance_pos is not the number of lines"
    if list(record.letters) != sorted(record.letters):
        yield "right letters out of order"
    if record.subject is None and record.kind.asks != "prediction":
        yield "question in another form"
    if any("reommender" in option for option in record.options):
        yield 'the misspelling "reommender" in the options'


def _of_intention(record: PublishedRecord) -> Iterator[str]:
    asked = asked_line(record)
    if asked is None:
        yield "the utterance that is asked about is not in the context"
    elif asked < len(record.lines):
        yield "look-ahead: a line behind the one that is asked about is shown"


def _of_movie(record: PublishedRecord) -> Iterator[str]:
    if record.kind.asks in {"belief", "desire"} and record.subject is not None:
        if not any(record.subject in line.text for line in record.lines):
            yield "the movie is not in the context as it is spelled"
        if _TWO_SPACES.search(record.subject):
            yield "two spaces in the movie's name"


def _found(
    kind: Kind, pairs: Iterable[tuple[str, PublishedRecord]], records: Sequence[PublishedRecord]
) -> Iterator[Finding]:
    counts: Counter[str] = Counter()
    examples: dict[str, list[str]] = defaultdict(list)
    for name, record in (*pairs, *_of_texts(records)):
        counts[name] += 1
        if len(examples[name]) < _EXAMPLES:
            examples[name].append(f"item {record.number}")
    for name, count in counts.items():
        yield Finding(f"{kind.file}: {name}", count, tuple(examples[name]))


def _of_texts(records: Sequence[PublishedRecord]) -> Iterator[tuple[str, PublishedRecord]]:
    for record in records:
        if any(_LEFT_OVER.search(line.text) for line in record.lines):
            yield "an @name is left in the context", record
        if any(_DOUBLED.search(line.text) for line in record.lines):
            yield "a <Title> is left in the context", record


# -- between records -------------------------------------------------------------------------------------------------


def _repeated(file: PublishedFile) -> Iterator[Finding]:
    """Items that ask the same of the same words, in several dialogues."""
    alike: dict[Hashable, list[PublishedRecord]] = defaultdict(list)
    for record in file.records:
        alike[record.question, record.lines].append(record)
    sets = [same for same in alike.values() if len(same) > 1]
    unlike = [same for same in sets if len({one.gold for one in same}) > 1]
    if sets:
        again = sum(len(same) - 1 for same in sets)
        yield Finding(f"{file.kind.file}: same context and question again", again, _pairs(sets))
    if unlike:
        yield Finding(f"{file.kind.file}: same context and question, different golds", len(unlike), _pairs(unlike))


def _pairs(sets: Iterable[Sequence[PublishedRecord]]) -> tuple[str, ...]:
    return tuple("=".join(f"item {one.number}" for one in same[:3]) for same in list(sets)[:_EXAMPLES])


@dataclass(frozen=True)
class Implied:
    """How far belief settles desire, over the movies of a dialogue that both ask about.

    Attributes:
        exceptions: desires that are not what the belief says.
        alone: the desires that no belief settles.
    """

    shared: int
    exceptions: tuple[PublishedRecord, ...]
    alone: tuple[PublishedRecord, ...]


def implied_desires(release: Release) -> Implied:
    """Desires against beliefs: yes where the recommender proposed the movie and the seeker likes it."""
    beliefs = {(one.dialogue, movie_of(one)): one for one in release.of("belief")}
    shared, exceptions, alone = 0, [], []
    for desire in release.of("desire"):
        belief = beliefs.get((desire.dialogue, movie_of(desire)))
        if belief is None:
            alone.append(desire)
            continue
        shared += 1
        (attitude,) = belief.gold
        (answer,) = desire.gold
        if (ATTITUDES[attitude] in LIKED) is not (desire.options[answer].casefold() == "yes"):
            exceptions.append(desire)
    return Implied(shared, tuple(exceptions), tuple(alone))


def _desires(release: Release) -> Iterator[Finding]:
    implied = implied_desires(release)
    if implied.shared > len(implied.exceptions):
        first = tuple(printable(movie_of(one) or "") for one in implied.exceptions[:_EXAMPLES])
        kind = f"desire follows from belief, with {len(implied.exceptions)} exceptions"
        yield Finding(kind, implied.shared, first)
