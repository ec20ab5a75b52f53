"""Files in the form of DailyPersuasion (Jin et al., 2024), from which PersuasiveToM was made, as items of its types.

Four types need no annotator: the persuader's desire is the goal, beliefs about attitudes are the tones, and the
prediction is the strategy of the next round. Distractors are other golds of the file or of the same conversation, so
that nothing but the conversation tells which is right.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from random import Random

from pydantic import JsonValue

from dtomtrack.errors import InputError
from dtomtrack.items.contexts import LinesContext
from dtomtrack.items.item import ContextLine, Item
from dtomtrack.suites.items.importing import file_entries
from dtomtrack.suites.items.records import RejectedLine
from dtomtrack.suites.persuasivetom.daily_records import DailyEntry, Round, Situation, daily_entries, rounds_of
from dtomtrack.suites.persuasivetom.daily_words import DailyWords
from dtomtrack.suites.persuasivetom.items import ABSENT, EARLIER, GOLD, LATER, stage_of
from dtomtrack.suites.persuasivetom.kinds import KINDS
from dtomtrack.suites.persuasivetom.polarity import polarity_of
from dtomtrack.suites.persuasivetom.tally import Tally

__all__ = ["DailyPersuasion"]

_MOST_TONES, _MOST_GOALS = 10_000, 200_000
_MOST_OPTIONS, _LEAST_OPTIONS = 4, 3
_FEW_STRATEGIES = "predictions left out: fewer than two other strategies in the conversation"
_OUT_OF_TURN = "conversations in which the two don't take turns, the persuader first, which are left out"


class DailyPersuasion:
    """The items of a file.

    Raises:
        InputError: it can't be read.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._tally = Tally()
        self._words = _words(path)

    def read(self) -> Iterator[Item | RejectedLine]:
        """The items.

        Raises:
            InputError: there is none.
        """
        self._tally = Tally()
        found = False
        ids = Counter[str]()
        for entry in daily_entries(self._path):
            ids[str(entry.id)] += 1
            for item in self._of_entry(entry, self._name(entry, ids[str(entry.id)])):
                found = True
                yield item
        if not found:
            raise InputError(
                f"{self._path}: holds no conversation of at least two rounds with tones and strategies whose roles are "
                "persuader and persuadee in turn"
            )

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
            "notes": [f"{len(self._words.tones)} tones, {len(self._words.goals)} goals"],
        }

    def _name(self, entry: DailyEntry, number: int) -> str:
        """The entry's id, with its number among those of the same id."""
        if number == 1:
            return str(entry.id)
        self._tally.note("entries whose id another has, too, which got a number", str(entry.id))
        return f"{entry.id}#{number}"

    def _of_entry(self, entry: DailyEntry, entry_name: str) -> Iterator[Item]:
        for session, lines in entry.dialog.items():
            name = f"{entry_name}/{session}"
            rounds = rounds_of(entry.scenario, lines)
            if rounds is None:
                self._tally.note(_OUT_OF_TURN, name)
            elif len(lines) % 2:
                self._tally.note("conversations that end with the persuader, whose last line is left out", name)
            if rounds:
                yield from _Session(entry.scenario, name, rounds, self._words, self._tally).items()


class _Session:
    """One conversation."""

    def __init__(
        self, scenario: Situation, name: str, rounds: Sequence[Round], words: DailyWords, tally: Tally
    ) -> None:
        self._scenario = scenario
        self._name = name
        self._rounds = rounds
        self._words = words
        self._tally = tally
        speakers = (scenario.persuader, scenario.persuadee)
        said = [(speakers[place], one.response) for both in rounds for place, one in enumerate(both)]
        self._lines = tuple(ContextLine(speaker, text.strip()) for speaker, text in said)

    def items(self) -> Iterator[Item]:
        """The items of all types, round by round."""
        er, ee = self._scenario.persuader, self._scenario.persuadee
        by_er, by_ee = f"What does {er} take {ee}'s attitude to be?", f"What does {ee} take {er}'s attitude to be?"
        for number, (argued, answered) in enumerate(self._rounds):
            yield from self._desire(number)
            if answered.tone:
                yield from self._attitude("belief_er", number, by_er, answered.tone)
            if argued.tone:
                yield from self._attitude("belief_ee", number, by_ee, argued.tone)
        for number, (_, (argued, _)) in enumerate(pairwise(self._rounds)):
            if argued.strategy:
                yield from self._prediction(number, argued.strategy)

    def _desire(self, number: int) -> Iterator[Item]:
        """None where no other goal can be asked about, so that the answer would always be yes."""
        own = self._rng("desire_er", number).random() < 1 / 2
        other = self._words.other_goal(self._scenario.goal, self._rng("goal", number))
        if other is None:
            return
        question = f'Is this what {self._scenario.persuader} is after: "{self._scenario.goal if own else other}"?'
        yield self._item("desire_er", number, question, ("Yes", "No"), int(not own), ("Yes", "No"))

    def _attitude(self, kind: str, number: int, question: str, gold: str) -> Iterator[Item]:
        """Two tones of the right polarity and two of another; none where the list of words does not know the tone."""
        rng = self._rng(kind, number)
        others = self._words.tones_around(gold, rng)
        if others:
            words = [gold, *others]
            rng.shuffle(words)
            roles = [polarity_of(word) or ABSENT for word in words]
            yield self._item(kind, number, question, words, words.index(gold), roles)

    def _prediction(self, number: int, gold: str) -> Iterator[Item]:
        """The strategy of the next round among others of the conversation; none where it has fewer than two others."""
        golds = {place: said.strategy for place, (said, _) in enumerate(self._rounds) if said.strategy and place}
        others = [place for place, text in golds.items() if text != gold]
        self._rng("prediction", number).shuffle(others)
        first: dict[str, int] = {}
        for place in others:
            first.setdefault(golds[place], place)
        order = [number + 1, *first.values()][:_MOST_OPTIONS]
        if len(order) < _LEAST_OPTIONS:
            self._tally.note(_FEW_STRATEGIES, f"{self._name} {number}")
            return
        self._rng("order", number).shuffle(order)
        texts = [str(golds[place]) for place in order]
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


def _words(path: Path) -> DailyWords:
    """The tones and goals of a file."""
    tones: set[str] = set()
    goals: set[str] = set()
    for entry in daily_entries(path):
        goals.add(entry.scenario.goal)
        tones.update(said.tone for lines in entry.dialog.values() for said in lines if said.tone)
        if len(tones) > _MOST_TONES or len(goals) > _MOST_GOALS:
            raise InputError(f"{path}: has more than {_MOST_TONES:,} tones or {_MOST_GOALS:,} goals; split it")
    return DailyWords(tones, goals)


def _entries_of(path: Path) -> Iterator[Mapping[str, JsonValue]]:
    return (entry for entry in file_entries(path) if isinstance(entry, dict))
