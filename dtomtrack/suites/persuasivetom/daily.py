"""Files in the form of DailyPersuasion (Jin et al., 2024), from which PersuasiveToM was made, as items of its types.

Four types need no annotator: the persuader's desire is the goal, beliefs about attitudes are the tones, and the
prediction is the strategy of the next round. Distractors are other golds of the file or of the same conversation, so
that nothing but the conversation tells which is right.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from random import Random

from pydantic import BaseModel, ConfigDict, JsonValue, TypeAdapter, ValidationError

from dtomtrack.errors import InputError
from dtomtrack.items.contexts import LinesContext
from dtomtrack.items.item import ContextLine, Item
from dtomtrack.records import first_problem
from dtomtrack.suites.items.importing import file_entries
from dtomtrack.suites.items.records import RejectedLine
from dtomtrack.suites.persuasivetom.items import ABSENT, EARLIER, GOLD, LATER, stage_of
from dtomtrack.suites.persuasivetom.kinds import KINDS
from dtomtrack.suites.persuasivetom.polarity import polarity_of
from dtomtrack.suites.persuasivetom.tally import Tally

__all__ = ["DailyPersuasion"]

_LARGEST = 256 << 20
_MOST_OPTIONS = 4


class _Theirs(BaseModel):
    """A part of their records; other fields are passed over."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class _Said(_Theirs):
    role: str
    strategy: str | None = None
    tone: str | None = None
    response: str


class _Situation(_Theirs):
    background: str
    persuader: str
    persuadee: str
    goal: str
    domain: str = ""


class _Entry(_Theirs):
    id: int | str
    scenario: _Situation
    dialog: dict[str, tuple[_Said, ...]]


_ENTRIES = TypeAdapter(list[_Entry])


class DailyPersuasion:
    """The items of a file.

    Raises:
        InputError: it can't be read.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._tally = Tally()
        entries = _read(path)
        self._tones = sorted({said.tone for said in _all_said(entries) if said.tone})
        self._goals = sorted({entry.scenario.goal for entry in entries})
        self._items = tuple(item for entry in entries for item in self._of_entry(entry))
        if not self._items:
            raise InputError(f"{path}: holds no conversation of at least two rounds with tones and strategies")

    def read(self) -> Iterator[Item | RejectedLine]:
        """The items."""
        return iter(self._items)

    def config(self) -> dict[str, JsonValue]:
        """An account of the import."""
        return {
            "source": self._path.resolve().name,
            "variant": "dailypersuasion",
            "variant_says": "from a file in the form of DailyPersuasion, by its goals, tones and strategies",
            "release": "",
            "official": False,
            "files": [{**entry, "blob": "", "official": False} for entry in _entries_of(self._path)],
            "missing": [],
            "counts": {},
            "problems": self._tally.told(),
            "notes": [f"{len(self._tones)} tones, {len(self._goals)} goals"],
        }

    def _of_entry(self, entry: _Entry) -> Iterator[Item]:
        for name, lines in entry.dialog.items():
            rounds = [(one, other) for one, other in zip(lines[::2], lines[1::2], strict=False)]
            if len(lines) % 2:
                self._tally.note("conversations that end with the persuader, whose last line is left out", name)
            if rounds:
                yield from _Session(entry, name, rounds, self._tones, self._goals).items()


class _Session:
    """One conversation."""

    def __init__(
        self,
        entry: _Entry,
        name: str,
        rounds: Sequence[tuple[_Said, _Said]],
        tones: Sequence[str],
        goals: Sequence[str],
    ) -> None:
        self._scenario = entry.scenario
        self._name = f"{entry.id}/{name}"
        self._rounds = rounds
        self._tones = tones
        self._goals = [goal for goal in goals if goal != entry.scenario.goal]
        speakers = (entry.scenario.persuader, entry.scenario.persuadee)
        said = [(speakers[place], one.response) for both in rounds for place, one in enumerate(both)]
        self._lines = tuple(ContextLine(speaker, text.strip()) for speaker, text in said)

    def items(self) -> Iterator[Item]:
        """The items of all types, round by round."""
        er, ee = self._scenario.persuader, self._scenario.persuadee
        by_er, by_ee = f"What does {er} take {ee}'s attitude to be?", f"What does {ee} take {er}'s attitude to be?"
        for number, (argued, answered) in enumerate(self._rounds):
            if self._goals:
                yield self._desire(number)
            if answered.tone:
                yield from self._attitude("belief_er", number, by_er, answered.tone)
            if argued.tone:
                yield from self._attitude("belief_ee", number, by_ee, argued.tone)
        for number, (_, (argued, _)) in enumerate(pairwise(self._rounds)):
            if argued.strategy:
                yield from self._prediction(number, argued.strategy)

    def _desire(self, number: int) -> Item:
        own = self._rng("desire_er", number).random() < 1 / 2
        goal = self._scenario.goal if own else self._rng("goal", number).choice(self._goals)
        question = f'Is this what {self._scenario.persuader} is after: "{goal}"?'
        return self._item("desire_er", number, question, ("Yes", "No"), int(not own), ("Yes", "No"))

    def _attitude(self, kind: str, number: int, question: str, gold: str) -> Iterator[Item]:
        """Two tones of the right polarity and two of another; none where the list of words does not know the tone."""
        polarity = polarity_of(gold)
        rng = self._rng(kind, number)
        known = {tone: polarity_of(tone) for tone in self._tones}
        same = [tone for tone, own in known.items() if own == polarity and tone.lower() != gold.lower()]
        others = sorted({own for own in known.values() if own is not None and own != polarity})
        there = [own for own in others if list(known.values()).count(own) > 1]
        if polarity is None or not same or not there:
            return
        other = rng.choice(there)
        words = [gold, rng.choice(same), *rng.sample([tone for tone, own in known.items() if own == other], 2)]
        rng.shuffle(words)
        roles = [known.get(word) or polarity for word in words]
        yield self._item(kind, number, question, words, words.index(gold), roles)

    def _prediction(self, number: int, gold: str) -> Iterator[Item]:
        golds = {place: said.strategy for place, (said, _) in enumerate(self._rounds) if said.strategy and place}
        order = [place for place, text in golds.items() if text != gold or place == number + 1]
        self._rng("prediction", number).shuffle(order)
        order = [number + 1, *[place for place in order if place != number + 1]][:_MOST_OPTIONS]
        self._rng("order", number).shuffle(order)
        texts = [str(golds[place]) for place in order]
        if len(set(texts)) < max(3, len(texts)):
            return
        right = order.index(number + 1)
        roles = [GOLD if place == number + 1 else EARLIER if place <= number else LATER for place in order]
        question = f"Which strategy will {self._scenario.persuader} use next?"
        yield self._item("prediction", number, question, texts, right, roles)

    def _item(
        self, kind: str, number: int, question: str, options: Sequence[str], right: int, roles: Sequence[str]
    ) -> Item:
        groups: Mapping[str, str] = {
            "type": kind,
            "holder": {"er": "persuader", "ee": "persuadee"}.get(KINDS[kind].holder, ABSENT),
            "round": str(number),
            "stage": stage_of(number, len(self._rounds)),
            "domain": self._scenario.domain or ABSENT,
        }
        return Item(
            id=f"{self._name} {kind} {number}",
            cluster=self._name,
            question=question,
            options=tuple(options),
            gold=frozenset((right,)),
            groups=groups,
            roles=tuple(roles),
            turn=2 * number,
            context=LinesContext(self._lines[: 2 * number + 2], self._scenario.background),
        )

    def _rng(self, *parts: str | int) -> Random:
        return Random("\0".join(map(str, (self._name, *parts))))  # noqa: S311


def _read(path: Path) -> list[_Entry]:
    try:
        if path.stat().st_size > _LARGEST:
            raise InputError(f"{path}: has more than {_LARGEST >> 20} MiB; split it")
        return _ENTRIES.validate_json(path.read_bytes())
    except OSError as error:
        raise InputError(f"{path}: can't be read ({error.strerror})") from None
    except ValidationError as error:
        raise InputError(f"{path}: {first_problem(error)}") from None


def _all_said(entries: Sequence[_Entry]) -> Iterator[_Said]:
    return (said for entry in entries for lines in entry.dialog.values() for said in lines)


def _entries_of(path: Path) -> Iterator[Mapping[str, JsonValue]]:
    return (entry for entry in file_entries(path) if isinstance(entry, dict))
