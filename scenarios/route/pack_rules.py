"""Rules for a pack of scenes beyond its shape: what makes gold states, strategies and evidence hold by construction."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import permutations

from dtomtrack.scenarios.located_yaml import FieldPath
from dtomtrack.scenarios.route.overlap import runs_of, telling_stems
from dtomtrack.scenarios.route.pack import Counterpoint, Fact, RoutePack
from dtomtrack.scenarios.route.terms import CUE_TYPES

__all__ = ["problems"]

Problem = tuple[FieldPath, str]

_LEAST_CUES = 2
_LEAST_FACTS = 2
_LEAST_STEMS = 2
_NUMBER_OR_NAME = re.compile(r"\d|(?<=[a-z,;] )[A-Z][a-z]+")


def problems(pack: RoutePack) -> list[Problem]:
    """Everything that is wrong with a pack."""
    known = {one.id for one in pack.concerns}
    return [
        *_repeated("concerns", [one.id for one in pack.concerns]),
        *_repeated("facts", [_plain(one.text) for one in pack.facts]),
        *_repeated("counterpoints", [_plain(one.text) for one in pack.counterpoints]),
        *_repeated("strategies", [_plain(one.name) for one in pack.strategies]),
        *_facts(pack, known),
        *_counterpoints(pack, known),
        *_cues(pack),
        *_strategies(pack, known),
        *_sayings(pack),
    ]


def _plain(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.casefold()))


def _repeated(field: str, texts: Sequence[str]) -> Iterator[Problem]:
    for index, text in enumerate(texts):
        if text in texts[:index]:
            yield (field, index), f"is the same as number {texts.index(text) + 1}; each has to be another"


def _facts(pack: RoutePack, known: set[str]) -> Iterator[Problem]:
    for index, fact in enumerate(pack.facts):
        if not fact.bears_on:
            yield ("facts", index, "bears_on"), "is empty: a fact has to bear on a concern"
        for name in fact.bears_on:
            if name not in known:
                yield ("facts", index, "bears_on"), f"there is no concern {name!r}"
        if not _NUMBER_OR_NAME.search(fact.text):
            yield ("facts", index, "text"), "has neither a number nor a source in it"
    for index, concern in enumerate(pack.concerns):
        if sum(concern.id in fact.bears_on for fact in pack.facts) < _LEAST_FACTS:
            yield ("concerns", index), f"fewer than {_LEAST_FACTS} facts bear on {concern.id!r}"


def _counterpoints(pack: RoutePack, known: set[str]) -> Iterator[Problem]:
    for index, one in enumerate(pack.counterpoints):
        if one.answers not in known:
            yield ("counterpoints", index, "answers"), f"there is no concern {one.answers!r}"
    for index, concern in enumerate(pack.concerns):
        if not any(one.answers == concern.id for one in pack.counterpoints):
            yield ("concerns", index), f"no counterpoint answers {concern.id!r}"


def _cues(pack: RoutePack) -> Iterator[Problem]:
    for kind in CUE_TYPES:
        if len(pack.cues.get(kind, ())) < _LEAST_CUES:
            yield ("cues", kind), f"has fewer than {_LEAST_CUES} phrases"


def _strategies(pack: RoutePack, known: set[str]) -> Iterator[Problem]:
    """One strategy for each ordered pair of concerns: then neither listener nor text gives a gold away."""
    pairs = [(one.high_cog, one.low_cog) for one in pack.strategies]
    for pair in permutations(sorted(known), 2):
        if pair not in pairs:
            yield ("strategies",), f"none answers {pair[0]!r} for high_cog and {pair[1]!r} for low_cog"


def _sayings(pack: RoutePack) -> Iterator[Problem]:
    """The other words have to be others, and still to be known for what they say."""
    texts = {
        **{f"facts {index}": one.text for index, one in enumerate(pack.facts)},
        **{f"counterpoints {index}": one.text for index, one in enumerate(pack.counterpoints)},
    }
    telling = telling_stems(texts)
    both: dict[str, Sequence[Fact | Counterpoint]] = {"facts": pack.facts, "counterpoints": pack.counterpoints}
    for field, items in both.items():
        for index, one in enumerate(items):
            if runs_of(one.text) & runs_of(one.said):
                yield (field, index, "said"), "has six words in a row from the text; say it in other words"
            if len(telling_stems({"": one.said})[""] & telling[f"{field} {index}"]) < _LEAST_STEMS:
                yield (field, index, "said"), "shares fewer than two telling words with the text"
