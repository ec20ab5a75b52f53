"""Whether turns on offer lie as right ones do; with --rounds, weights are fitted until they do.

  python benchmarks/wrong_turns.py group FOLDER... [--rounds 10] [--parts 20] [--write]

The folders hold datasets of one preset whose minds come apart, of all domains together, each read by a process of its
own. Questions on when a mind changed are built again from the dialogues, with the weights of ``typical_turns.yaml`` or
those fitted so far. Printed is by how much a rule that knew the true shares would exceed chance: by turn, and by the
place among those on offer. With --write the fitted weights take the place of those in the file. Fitted to too few
dialogues (some 4,000 of ``group``), the weights follow what came out there by chance: 15,000 are enough.

Of ``paper``, in which an agent has no more turns than are on offer, the shares of changes that are asked about are
fitted, and how likely states that never changed are to be asked about; printed is what the shares by mental state are
worth. The turns of ``apart`` are few, too: see ``benchmarks/few_turns.py``.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from functools import cache, partial
from importlib import resources
from itertools import product
from pathlib import Path
from typing import Protocol, TypeVar, get_args
from unittest import mock

import yaml

from dtomtrack.beliefs.dialogue import Dialogue
from dtomtrack.beliefs.mental_state import MentalState
from dtomtrack.beliefs.question import Asks, QuestionType
from dtomtrack.beliefs.questions import about_changes as about_all_changes
from dtomtrack.beliefs.questions import about_detection, typical_turns
from dtomtrack.beliefs.questions.about_changes import about_changes
from dtomtrack.beliefs.questions.source import QuestionSource
from dtomtrack.beliefs.questions.typical_turns import Side
from dtomtrack.beliefs.questions.when import side_of
from dtomtrack.beliefs.reading import read_all
from dtomtrack.beliefs.scenario import FIRST_UPDATE_TURN
from dtomtrack.beliefs.tracker import BeliefTracker, StateKey
from dtomtrack.beliefs.transcript import transcript_of
from dtomtrack.runs.slots import slot_at
from dtomtrack.scenarios.difficulty import PRESETS, Difficulty, preset
from dtomtrack.scenarios.domain import Domain
from dtomtrack.scenarios.pack_files import find_pack, load_pack

ASKS: tuple[Asks, ...] = ("first_change", "last_change")
COUNTS = (2, 3)
SETTLING = 2
"""Turns behind the first word at which the way begins (`dtomtrack.beliefs.questions.about_detection`)."""
FEW = 8.0
"""Expected right answers below which a part keeps its weight."""
FEW_TURNS = 6
"""Turns of ten at which a mind may change, three of either agent."""
EVEN_ENOUGH = 1.1
"""How much more often than the rarest an agent's turn may be right."""
PLANNED = "planned"
LENGTHS = {"paper": PLANNED, "group": "middling", "hard": "long", "extreme": "longest"}

T = TypeVar("T")
Weights = dict[tuple[object, str], list[float]]
Place = tuple[object, ...]


class Weighed(Protocol):
    """Weights that questions can be built with."""

    def in_force(self) -> AbstractContextManager[None]:
        """These are the weights."""
        ...


@dataclass(frozen=True)
class Offered:
    """A question with turns on offer, of which the first is right."""

    asks: str
    state: MentalState
    side: Side
    begun: int
    last: int
    turns: tuple[int, ...]

    @property
    def wrong(self) -> int:
        """How many wrong turns are on offer."""
        return len(self.turns) - 1


@dataclass
class Fitted:
    """The weights that are in force."""

    ways: Weights
    moments: Weights
    sides: Weights
    places: dict[tuple[Side, int, str], list[float]]

    def way(self, _turns: int, count: int, asks: str) -> list[float]:
        """In place of `typical_turns`."""
        return self.ways[count, asks]

    def moment(self, _turns: int, state: MentalState, asks: str) -> list[float]:
        """In place of `typical_moments`."""
        return self.moments[state, asks]

    def of_side(self, _turns: int, side: Side, asks: str) -> list[float]:
        """In place of `typical_of_side`."""
        return self.sides[side, asks]

    def place(self, _turns: int, side: Side, count: int, asks: str) -> list[float]:
        """In place of `typical_places`."""
        return self.places[side, count, asks]

    @contextmanager
    def in_force(self) -> Iterator[None]:
        """These are the weights."""
        with (
            mock.patch.object(about_detection, "typical_turns", self.way),
            mock.patch.object(about_detection, "typical_moments", self.moment),
            mock.patch.object(about_detection, "typical_of_side", self.of_side),
            mock.patch.object(about_detection, "typical_places", self.place),
        ):
            yield


def sources(folders: Iterable[Path], difficulty: Difficulty) -> Iterator[Callable[[], QuestionSource]]:
    """For each dialogue, what makes its questions anew."""
    for folder in folders:
        domain: Domain | None = None
        for line in (folder / "dialogues.jsonl").open(encoding="utf-8"):
            one = Dialogue.model_validate_json(line)
            domain = domain or Domain(load_pack(find_pack(one.domain)))
            scenario, spoken = one.scenario, [(turn.speaker, turn.utterance) for turn in one.turns]
            given = (
                BeliefTracker.of(one.turns, scenario.truths, scenario.names),
                scenario.topics,
                tuple(read_all(domain.reader(scenario.names), spoken)),
                slot_at(one.provenance.seed, one.slot, [one.domain]),
                scenario.updates,
                scenario.divergences,
                transcript_of(one.turns, scenario),
                difficulty.questions,
            )
            yield partial(QuestionSource, *given)


class Readers:
    """Processes that each read a folder and keep its dialogues, to build questions from them again and again."""

    def __init__(self, folders: Sequence[Path], name: str, stack: ExitStack) -> None:
        """One process a folder; they end with the stack."""
        self._name = name
        self._of = {folder: stack.enter_context(ProcessPoolExecutor(1)) for folder in folders}

    def all(self, of: Callable[[QuestionSource], Iterable[T]], weights: Weighed) -> dict[Path, list[T]]:
        """What comes of the questions of each folder with some weights."""
        begun = {one: reader.submit(_read, one, self._name, of, weights) for one, reader in self._of.items()}
        return {one: found.result() for one, found in begun.items()}


def _read(folder: Path, name: str, of: Callable[[QuestionSource], Iterable[T]], weights: Weighed) -> list[T]:
    with weights.in_force():
        return [one for make in _makers(folder, name) for one in of(make())]


@cache
def _makers(folder: Path, name: str) -> list[Callable[[], QuestionSource]]:
    return list(sources([folder], preset(name)))


def offered(source: QuestionSource) -> Iterator[Offered]:
    """The questions of a dialogue in which a turn is right."""
    for spec in about_changes(source):
        turns = [one.text.rpartition(" ")[2] for one in (spec.gold, *spec.distractors)]
        if spec.type is not QuestionType.UPDATE_DETECTION or not turns[0].isdecimal():
            continue
        key = StateKey(spec.agent, spec.topic)
        first = source.tracker.history(key)[0]
        yield Offered(
            spec.factors.asks,
            first.mental_state,
            side_of(source, key),
            first.source_turn,
            source.tracker.last_turn,
            tuple(int(turn) for turn in turns if turn.isdecimal()),
        )


def shares(of: Iterable[Offered], place: Callable[[Offered, int], Place]) -> Mapping[Place, list[float]]:
    """By place: how often a turn there is right, and how often it would be if all on offer were equally so."""
    found: dict[Place, list[float]] = defaultdict(lambda: [0.0, 0.0])
    for one in of:
        for number, turn in enumerate(one.turns):
            here = found[place(one, turn)]
            here[0] += number == 0
            here[1] += 1 / len(one.turns)
    return found


def excess(of: list[Offered], place: Callable[[Offered, int], Place]) -> float:
    """By how much who knew the shares by place would do better than chance."""
    return sum(max(0.0, right - even) for right, even in shares(of, place).values()) / max(1, len(of))


def part(turn: int, first: int, last: int, parts: int) -> int:
    """In which of the equal parts of a way a turn lies."""
    return max(0, min(parts - 1, parts * (turn - first) // max(1, last - first)))


def on_the_way(one: Offered, turn: int, parts: int) -> Place:
    """Where a turn lies on the way from the first word to the end."""
    return one.wrong, one.asks, part(turn, one.begun + SETTLING, one.last, parts)


def corrected(weights: Weights, found: Mapping[Place, list[float]], power: float) -> None:
    """Turns of a part are offered the more often the more often they are right."""
    for (which, asks), own in weights.items():
        for number in range(len(own)):
            right, even = found.get((which, asks, number), (0.0, 0.0))
            if even > FEW:
                own[number] *= max(0.5, min(2.0, (right + 3) / (even + 3))) ** power
        mean = sum(own) / len(own)
        own[:] = [one / mean for one in own]


def evened_out(places: dict[tuple[Side, int, str], list[float]], of: list[Offered]) -> None:
    """Where the right turn stands too often, sets with it there are chosen less."""
    found = Counter((one.side, one.wrong, one.asks, rank_of(one, one.turns[0])) for one in of)
    for (side, count, asks), own in places.items():
        there = [found[side, count, asks, rank] for rank in range(count + 1)]
        for rank in range(count + 1):
            own[rank] *= ((sum(there) / (count + 1) + 3) / (there[rank] + 3)) ** 0.7
        most = max(own)
        own[:] = [one / most for one in own]


def rank_of(one: Offered, turn: int) -> int:
    """How many of the turns on offer lie before one of them."""
    return sum(other < turn for other in one.turns)


def told_by(of: list[Offered]) -> str:
    """By how much who knew the true shares would exceed chance."""
    by_turn = excess(of, lambda one, turn: (one.asks, turn))
    by_state = excess(of, lambda one, turn: (one.state, one.asks, turn))
    by_side = excess(of, lambda one, turn: (one.side, one.asks, turn))
    by_rank = excess(of, lambda one, turn: (one.asks, len(one.turns), rank_of(one, turn)))
    return (
        f"{len(of)} questions; by turn +{100 * by_turn:.2f}, by turn and state "
        f"+{100 * by_state:.2f}, by turn and side +{100 * by_side:.2f}, by place +{100 * by_rank:.2f} points"
    )


def spread(weights: Iterable[float], parts: int) -> list[float]:
    """The same weights over another number of parts."""
    own = list(weights)
    return [own[min(len(own) - 1, number * len(own) // parts)] for number in range(parts)]


def begin(turns: int, parts: int) -> Fitted:
    """The weights in the file."""
    ways: Weights = {
        (count, asks): list(typical_turns.typical_turns(turns, count, asks)) for count, asks in product(COUNTS, ASKS)
    }
    moments: Weights = {
        (state, asks): spread(typical_turns.typical_moments(turns, state, asks), parts)
        for state, asks in product(MentalState, ASKS)
    }
    sides: Weights = {
        (side, asks): spread(typical_turns.typical_of_side(turns, side, asks), parts)
        for side, asks in product(get_args(Side), ASKS)
    }
    places: dict[tuple[Side, int, str], list[float]] = {
        (side, count, asks): list(typical_turns.typical_places(turns, side, count, asks)) or [1.0] * (count + 1)
        for side, count, asks in product(get_args(Side), COUNTS, ASKS)
    }
    return Fitted(ways, moments, sides, places)


def fit(readers: Readers, fitted: Fitted, rounds: int, parts: int) -> None:
    """Correct the weights so many times, and print what they come to; in the end for each folder, too."""
    for number in range(rounds + 1):
        by_folder = readers.all(offered, fitted)
        of = [one for found in by_folder.values() for one in found]
        print(f"{number:2}: {told_by(of)}", flush=True)
        if number == rounds:
            break
        way = partial(on_the_way, parts=len(fitted.ways[2, ASKS[0]]))
        moments = shares(of, lambda one, turn: (one.state, one.asks, part(turn, FIRST_UPDATE_TURN, one.last, parts)))
        sides = shares(of, lambda one, turn: (one.side, one.asks, part(turn, FIRST_UPDATE_TURN, one.last, parts)))
        corrected(fitted.moments, moments, 0.5)
        corrected(fitted.sides, sides, 0.5)
        corrected(fitted.ways, shares(of, way), 0.4)
        evened_out(fitted.places, of)
    for folder, found in by_folder.items():
        print(f"{folder}: {told_by(found)}")


@dataclass
class Chosen:
    """Which changes are asked about, and which states that never changed, where everybody hears everything."""

    asked: Weights
    stable: dict[MentalState, float]

    def share(self, state: MentalState, asks: str) -> list[float]:
        """In place of `asked_shares`."""
        return self.asked[state, asks]

    def weight(self, state: MentalState) -> float:
        """In place of `stable_weight`."""
        return self.stable[state]

    @contextmanager
    def in_force(self) -> Iterator[None]:
        """This is asked about."""
        with (
            mock.patch.object(about_all_changes, "asked_shares", self.share),
            mock.patch.object(about_all_changes, "stable_weight", self.weight),
        ):
            yield


def choose(readers: Readers, rounds: int) -> Chosen:
    """Fit, in so many rounds, what is asked about where an agent has no more turns than are on offer, and print it."""
    chosen = begin_choosing()
    if rounds:
        chosen.asked = {key: [1.0] * len(own) for key, own in chosen.asked.items()}
    for number in range(rounds + 1):
        right = Counter(one for found in readers.all(right_answers, chosen).values() for one in found)
        print(f"{number:2}: {right.total()} questions; by turn and state +{100 * excess_by_state(right):.2f} points")
        if number == rounds:
            break
        if number == 0:
            chosen.asked = {key: evened(right, key, len(own)) for key, own in chosen.asked.items()}
            continue
        for state in MentalState:
            changed = sum(count for (own, _, place), count in right.items() if own == state and place is not None)
            never = sum(count for (own, _, place), count in right.items() if own == state and place is None)
            chosen.stable[state] *= (changed / 3 + 1) / (never + 1)
        most = max(chosen.stable.values())
        chosen.stable = {state: weight / most for state, weight in chosen.stable.items()}
    return chosen


def begin_choosing() -> Chosen:
    """The weights in the file."""
    asked: Weights = {
        (state, asks): list(typical_turns.asked_shares(state, asks)) for state, asks in product(MentalState, ASKS)
    }
    return Chosen(asked, {state: typical_turns.stable_weight(state) for state in MentalState})


def right_answers(source: QuestionSource) -> Iterator[Place]:
    """Of each question on when a mind changed: the state, what is asked, and the right turn, counted from the first."""
    for spec in about_changes(source):
        if spec.type is QuestionType.UPDATE_DETECTION:
            place = None if spec.turn is None else spec.turn - FIRST_UPDATE_TURN
            yield spec.mental_state, spec.factors.asks, place


def evened(right: Mapping[Place, int], key: tuple[object, str], parts: int) -> list[float]:
    """Shares by which an agent's turns, every other one, are right about equally often."""
    counts = [right.get((*key, number), 0) for number in range(parts)]
    return [min(1.0, EVEN_ENOUGH * min(counts[number % 2 :: 2]) / max(1, counts[number])) for number in range(parts)]


def excess_by_state(right: Mapping[Place, int]) -> float:
    """By how much who knew the shares by state, wording, and the agent's turns would exceed chance."""
    of = sum(right.values())
    above = 0.0
    for state, asks in product(MentalState, ASKS):
        never = right.get((state, asks, None), 0) / 2
        for odd in (0, 1):
            golds = [never, *(right.get((state, asks, place), 0) for place in range(odd, FEW_TURNS, 2))]
            above += max(golds) - sum(golds) / len(golds)
    return above / max(1, of)


def written(fitted: Fitted) -> dict[str, object]:
    """The weights as they stand in the file."""

    def by_asks(weights: Weights, which: object) -> dict[str, list[float]]:
        return {asks: [float(f"{one:.3g}") for one in weights[which, asks]] for asks in ASKS}

    return {
        "ways": {count: by_asks(fitted.ways, count) for count in COUNTS},
        "moments": {state.value: by_asks(fitted.moments, state) for state in MentalState},
        "sides": {side: by_asks(fitted.sides, side) for side in get_args(Side)},
        "places": {
            side: {
                count: {asks: [float(f"{one:.3g}") for one in fitted.places[side, count, asks]] for asks in ASKS}
                for count in COUNTS
            }
            for side in get_args(Side)
        },
    }


def written_choice(chosen: Chosen) -> dict[str, object]:
    """What is asked about, as it stands in the file."""
    return {
        "asked": {
            state.value: {asks: [float(f"{one:.3g}") for one in chosen.asked[state, asks]] for asks in ASKS}
            for state in MentalState
        },
        "stable": {state.value: float(f"{weight:.3g}") for state, weight in chosen.stable.items()},
    }


def main() -> None:
    """Measure, fit and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("preset", choices=[name for name in PRESETS if name in LENGTHS])
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--rounds", type=int, default=0)
    parser.add_argument("--parts", type=int, default=20)
    parser.add_argument("--write", action="store_true")
    args = parser.parse_args()
    difficulty = preset(args.preset)
    with ExitStack() as stack:
        readers = Readers(args.folders, args.preset, stack)
        if LENGTHS[args.preset] == PLANNED:
            found = written_choice(choose(readers, args.rounds))
        else:
            fitted = begin(difficulty.turns, args.parts)
            fit(readers, fitted, args.rounds, args.parts)
            found = written(fitted)
    if args.write:
        path = Path(str(resources.files("dtomtrack.beliefs.questions").joinpath("typical_turns.yaml")))
        text = path.read_text(encoding="utf-8")
        weights = {**yaml.safe_load(text), LENGTHS[args.preset]: found}
        comment = "".join(line for line in text.splitlines(keepends=True) if line.startswith("#"))
        path.write_text(comment + yaml.safe_dump(weights, sort_keys=False, default_flow_style=None, width=118))
        print(f"written to {path}", file=sys.stderr)


if __name__ == "__main__":
    main()
