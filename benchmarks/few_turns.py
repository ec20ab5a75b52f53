"""Which changes of short dialogues are asked about and which turns are on offer, from how often each turn is right.

  python benchmarks/few_turns.py FOLDER... [--write]

The folders hold datasets of ``apart`` of all domains, some 6,000 dialogues each. Questions on when a mind changed are
built again from the dialogues. Printed is, for each folder and for all, by how much a rule that knew the true shares
would exceed chance: by turn, by turn and mental state, and by the place among those on offer. Of 4,000 questions,
chance alone is worth two points by turn. With --write the numbers go into ``few_turns.yaml``.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import resources
from itertools import combinations, product
from math import prod
from pathlib import Path
from typing import get_args
from unittest import mock

import yaml
from wrong_turns import ASKS, Offered, offered, sources, told_by

from dtomtrack.beliefs.mental_state import MentalState
from dtomtrack.beliefs.question import Asks, QuestionType
from dtomtrack.beliefs.questions import about_few_turns
from dtomtrack.beliefs.questions.about_changes import about_changes
from dtomtrack.beliefs.questions.few_turns import FewTurns, Kind
from dtomtrack.beliefs.questions.source import QuestionSource
from dtomtrack.beliefs.questions.spec import NO_TURN
from dtomtrack.beliefs.questions.typical_turns import Side
from dtomtrack.beliefs.questions.when import side_of
from dtomtrack.beliefs.scenario import FIRST_UPDATE_TURN
from dtomtrack.beliefs.tracker import StateKey
from dtomtrack.scenarios.difficulty import preset

TURNS = 6
"""Turns of ten at which a mind may change."""
SIZES = (3, 4)
"""How many turns are on offer: beside "at no turn", and without it."""
MOST = 0.97
"""The share of sets that a turn is in at most: only what is not always there has a weight."""
SCALING, LEAST = 400, 1e-6
"""Corrections by which weights are found, and the least that one can be of the greatest."""

PRIOR = 30
"""Changes, as those of a kind are on all sides, that are added to those of each side: of some there are few."""

Key = tuple[Kind, Side, Asks]
KEYS: list[Key] = list(product(get_args(Kind), get_args(Side), ASKS))
Few = dict[Key, FewTurns]
Shares = dict[MentalState, dict[Side, float]]
Make = Callable[[], QuestionSource]


@contextmanager
def in_force(few: Few, none: Shares) -> Iterator[None]:
    """These are the numbers, in place of those in the file."""

    def numbers(kind: Kind, side: Side, asks: Asks) -> FewTurns:
        return few[kind, side, asks]

    def offers(state: MentalState, side: Side) -> float:
        return none[state][side]

    with (
        mock.patch.object(about_few_turns, "few_turns", numbers),
        mock.patch.object(about_few_turns, "none_on_offer", offers),
    ):
        yield


def questions(makers: list[Make]) -> Iterator[Offered]:
    """The questions about changes with the numbers in force."""
    for make in makers:
        yield from offered(make())


def changes_asked(makers: list[Make]) -> Iterator[tuple[Key, int]]:
    """The kind and the turn of each change that is asked about with the numbers in force."""
    for make in makers:
        source = make()
        for spec in about_changes(source):
            if spec.type is QuestionType.UPDATE_DETECTION and spec.turn is not None:
                key = StateKey(spec.agent, spec.topic)
                update = next(one for one in source.tracker.history(key) if one.source_turn == spec.turn)
                kind, side = about_few_turns.kind_of(source, update), side_of(source, key)
                yield (kind, side, spec.factors.asks), spec.turn


def right_ones(makers: list[Make]) -> dict[Key, list[float]]:
    """How often each turn is right, by the kind of change."""
    counts = Counter(changes_asked(makers))
    found = {key: [float(counts[key, FIRST_UPDATE_TURN + turn]) for turn in range(TURNS)] for key in KEYS}
    every = {
        (kind, asks): [
            sum(at) + 1 / TURNS for at in zip(*(found[kind, side, asks] for side in get_args(Side)), strict=True)
        ]
        for kind, _, asks in KEYS
    }
    return {
        (kind, side, asks): [
            own + PRIOR * one / sum(every[kind, asks]) for own, one in zip(right, every[kind, asks], strict=True)
        ]
        for (kind, side, asks), right in found.items()
    }


def capped(right: list[float]) -> list[float]:
    """The share of the changes at each turn that are asked about, so that none is right more often than it may."""
    kept, most = list(right), 1 / SIZES[-1]
    while max(kept) > (most + 1e-6) * sum(kept):
        kept = [min(one, most * sum(kept)) for one in kept]
    return [one / all_of_them for one, all_of_them in zip(kept, right, strict=True)]


def set_weights(right: list[float], size: int) -> list[float]:
    """Weights of turns with which each turn is in a share of the sets of that size as it is right in.

    A set is drawn with the product of its turns' weights (conditional Poisson sampling; Chen, Dempster and Liu, 1994,
    Biometrika 81): wrong turns that make up such a set with the right one leave each of the set as likely.
    """
    wanted = [min(MOST, size * one / sum(right)) for one in right]
    sets = list(combinations(range(len(right)), size))
    weights = list(wanted)
    for _ in range(SCALING):
        chances = {one: prod(weights[turn] for turn in one) for one in sets}
        within = [sum(chance for one, chance in chances.items() if turn in one) for turn in range(len(right))]
        all_of_them = sum(chances.values())
        weights = [own * want * all_of_them / is_in for own, want, is_in in zip(weights, wanted, within, strict=True)]
        weights = [max(LEAST, own / max(weights)) for own in weights]
    return weights


def offers_of_none(makers: list[Make]) -> Shares:
    """The share of questions about changes that may offer "at no turn", with the numbers in force."""
    changed: Counter[tuple[MentalState, Side]] = Counter()
    never: Counter[tuple[MentalState, Side]] = Counter()
    for make in makers:
        source = make()
        for spec in about_changes(source):
            if spec.type is QuestionType.UPDATE_DETECTION and not source.topics[spec.topic].partners_own:
                side = side_of(source, StateKey(spec.agent, spec.topic))
                (never if spec.gold.text == NO_TURN else changed)[spec.mental_state, side] += 1
    return {
        state: {
            side: min(1.0, (SIZES[-1] - 1) * never[state, side] / max(1, changed[state, side]))
            for side in get_args(Side)
        }
        for state in MentalState
    }


def rounded(weights: list[float]) -> tuple[float, ...]:
    """Weights as they stand in the file."""
    return tuple(float(f"{one:.3g}") for one in weights)


def fitted(makers: list[Make]) -> tuple[Few, Shares]:
    """The numbers for these dialogues."""
    even, never = (1.0,) * TURNS, {state: dict.fromkeys(get_args(Side), 0.0) for state in MentalState}
    few = {key: FewTurns(asked=even, sets=dict.fromkeys(SIZES, even)) for key in KEYS}
    with in_force(few, never):
        right = right_ones(makers)
    few = {key: FewTurns(asked=rounded(capped(right[key])), sets=own.sets) for key, own in few.items()}
    with in_force(few, never):
        right = right_ones(makers)
    few = {
        key: FewTurns(asked=own.asked, sets={size: rounded(set_weights(right[key], size)) for size in SIZES})
        for key, own in few.items()
    }
    with in_force(few, never):
        return few, offers_of_none(makers)


def written(few: Few, none: Shares) -> dict[str, object]:
    """The numbers as they stand in the file."""
    of_none = {
        state.value: {side: float(f"{share:.3g}") for side, share in shares.items()} for state, shares in none.items()
    }
    few_of_all: dict[str, dict[str, dict[str, object]]] = {}
    for (kind, side, asks), numbers in few.items():
        few_of_all.setdefault(kind, {}).setdefault(side, {})[asks] = numbers.model_dump(mode="json")
    return {"none_on_offer": of_none, "few": few_of_all}


def main() -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--write", action="store_true")
    args = parser.parse_args()
    makers = {folder.name: list(sources([folder], preset("apart"))) for folder in args.folders}
    few, none = fitted([make for own in makers.values() for make in own])
    with in_force(few, none):
        asked = {name: list(questions(own)) for name, own in makers.items()}
    for name, own in asked.items():
        print(f"{name}: {told_by(own)}")
    print(f"all: {told_by([one for own in asked.values() for one in own])}")
    if args.write:
        path = Path(str(resources.files("dtomtrack.beliefs.questions").joinpath("few_turns.yaml")))
        comment = "# Made by benchmarks/few_turns.py; what the numbers are is told in few_turns.py.\n"
        path.write_text(
            comment + yaml.safe_dump(written(few, none), sort_keys=False, default_flow_style=None, width=118)
        )


if __name__ == "__main__":
    main()
