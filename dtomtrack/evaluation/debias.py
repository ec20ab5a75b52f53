"""Answers with the bias of a subject for letters taken out.

From the letters' probabilities: of each letter's log-probability its mean over all answers is taken off, and the letter
that then has most is chosen. That takes letters to be right alike often, as they are in balanced data; it is batch
calibration (H. Zhou et al., "Batch calibration", ICLR 2024) over log-probabilities.

From rotations: an item that was asked with its options rotated has each option under several letters. The option with
the highest mean log-probability is chosen, or without probabilities the one that was chosen most often (of equals, the
one that the first rotation chose); where several may be right, each that more than half of the rotations chose.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from dtomtrack.evaluation.records import DebiasMethod, Outcome
from dtomtrack.evaluation.scored import ScoredAnswer

__all__ = ["debiased", "method_of", "most_favoured"]

_LEAST = 1e-6
"""The probability of a letter that a server does not tell."""
_ERRORS = 4.0
_MUCH = 0.05
"""Standard errors, and share of all answers, by which a letter has to be chosen oftener to be told of."""


def method_of(answers: Iterable[ScoredAnswer]) -> DebiasMethod:
    """The way in which the bias of these answers can be taken out."""
    return "rotations" if any(one.rotation for one in answers) else "probabilities"


def debiased(answers: Sequence[ScoredAnswer]) -> list[ScoredAnswer]:
    """The answers without the bias; from rotations, one for all rotations of an item.

    Those that failed, and without rotations those that came without probabilities, are left as they are.
    """
    return _by_rotations(answers) if method_of(answers) == "rotations" else _by_probabilities(answers)


def _by_probabilities(answers: Sequence[ScoredAnswer]) -> list[ScoredAnswer]:
    usual = _means(answers)
    return [
        one
        if one.probabilities is None or one.outcome == "error"
        else _chosen(one, frozenset((_highest(one, one.probabilities, usual[one.asked.options]),)))
        for one in answers
    ]


def _means(answers: Iterable[ScoredAnswer]) -> dict[int, list[float]]:
    """By number of options, the mean log-probability of each letter as it is shown."""
    shown: dict[int, list[list[float]]] = {}
    for one in answers:
        if one.probabilities is not None and one.outcome != "error":
            turned = [one.probabilities[_position(one, letter)] for letter in range(one.asked.options)]
            shown.setdefault(one.asked.options, []).append([_log(share) for share in turned])
    return {size: [math.fsum(column) / len(rows) for column in zip(*rows, strict=True)] for size, rows in shown.items()}


def _position(one: ScoredAnswer, letter: int) -> int:
    return (letter - one.rotation) % one.asked.options


def _log(share: float) -> float:
    return math.log(max(share, _LEAST))


def _highest(one: ScoredAnswer, shares: Sequence[float], usual: Sequence[float]) -> int:
    gains = {_position(one, letter): _log(shares[_position(one, letter)]) - mean for letter, mean in enumerate(usual)}
    return max(sorted(gains), key=lambda position: gains[position])


def _by_rotations(answers: Iterable[ScoredAnswer]) -> list[ScoredAnswer]:
    together: dict[tuple[int, int], list[ScoredAnswer]] = {}
    for one in answers:
        together.setdefault((one.asked.number, one.repeat), []).append(one)
    return [_of_all(sorted(group, key=lambda one: one.rotation)) for group in together.values()]


def _of_all(group: Sequence[ScoredAnswer]) -> ScoredAnswer:
    """The answer that the rotations of an item come to."""
    given = [one for one in group if one.outcome != "error"]
    if not given:
        return group[0]
    first = given[0]
    known = [one.probabilities for one in given if one.probabilities is not None]
    if known and first.asked.select == "one":
        means = [math.fsum(_log(shares[position]) for shares in known) for position in range(first.asked.options)]
        return _chosen(first, frozenset((means.index(max(means)),)))
    votes = Counter(position for one in given for position in sorted(one.chosen or ()))
    if first.asked.select == "any":
        return _chosen(first, frozenset(position for position, count in votes.items() if 2 * count > len(given)))
    most = max(votes.values(), default=0)
    return _chosen(first, frozenset(next(([position] for position in votes if votes[position] == most), [])))


def _chosen(one: ScoredAnswer, positions: frozenset[int]) -> ScoredAnswer:
    outcome: Outcome = "unparsed" if not positions else "correct" if positions == one.asked.gold else "wrong"
    return one._replace(rotation=0, chosen=positions or None, outcome=outcome, probabilities=None)


def most_favoured(letters: Mapping[str, tuple[int, int]]) -> str | None:
    """The letter that is chosen oftener than it is right by more than chance lets expect; None if there is none.

    Args:
        letters: by letter as shown, how often it was chosen, and how often it was right.
    """
    answers = sum(chosen for chosen, _ in letters.values())
    if not answers:
        return None
    letter = max(letters, key=lambda one: letters[one][0] - letters[one][1])
    chosen, right = letters[letter]
    share = right / answers
    error = math.sqrt(answers * share * (1 - share)) if 0 < share < 1 else math.sqrt(answers) / 2
    return letter if chosen - right > max(_ERRORS * error, _MUCH * answers) else None
