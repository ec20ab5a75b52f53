"""Equations 1 to 8 of the paper (appendix C), on rows of scores.

A score that is not known (a judge that failed) is None and in no mean; a mean of nothing is None.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from statistics import fmean

from dtomtrack.scenarios.route.terms import Route

__all__ = [
    "JudgedReply",
    "average",
    "evidence_score",
    "retention",
    "robust_retention",
    "route_fit",
    "route_prediction_accuracy",
    "self_contradiction",
    "strategy_accuracy",
    "substitution_rate",
]


@dataclass(frozen=True, slots=True)
class JudgedReply:
    """The scores of one reply.

    Attributes:
        route: by which it was to persuade; ``predicted``: by which it does, in the judge's eyes.
        match: whether the judge, told the route, finds it kept (elm_match, 0 or 1).
        attitude, alignment: 0 to 2.
        evidence: the five dimensions, 0 to 2 each; None by the peripheral route.
    """

    route: Route
    predicted: Route | None
    match: int | None
    attitude: int | None
    alignment: int | None = None
    evidence: Sequence[int] | None = None


def average(scores: Iterable[float | None]) -> float | None:
    """The mean of what is known: equations 2 (attitude shift) and 4 (persona-ToM consistency, ToM alignment)."""
    known = [score for score in scores if score is not None]
    return fmean(known) if known else None


def strategy_accuracy(chosen: Sequence[str | None], gold: Sequence[str]) -> float | None:
    """Equation 1: the share of strategies that are the gold one; one that can't be read is wrong."""
    return average([float(one == right) for one, right in zip(chosen, gold, strict=True)])


def route_fit(replies: Iterable[JudgedReply]) -> float | None:
    """Equation 3, first half: the share of replies that the judge finds to keep their route."""
    return average(one.match for one in replies)


def route_prediction_accuracy(replies: Iterable[JudgedReply]) -> float | None:
    """Equation 3, second half: the share of replies whose predicted route is theirs."""
    return average(None if one.predicted is None else one.predicted == one.route for one in replies)


def evidence_score(replies: Iterable[JudgedReply]) -> float | None:
    """Equation 5: the mean, over central replies, of the mean of their five dimensions."""
    return average(fmean(one.evidence) for one in replies if one.route == "central" and one.evidence)


def retention(disturbed: float | None, clean: float | None) -> float | None:
    """Equation 6: how much of the attitude change is left, from 0 to 1; None where there was none or it isn't known."""
    if disturbed is None or not clean:
        return None
    return min(1.0, max(0.0, disturbed / clean))


def robust_retention(retained: Mapping[str, Iterable[float | None]]) -> float | None:
    """Equation 7: the mean, over kinds of disturbance, of the mean retention under each; None if one has none."""
    means = [average(values) for values in retained.values()]
    known = [mean for mean in means if mean is not None]
    return fsum(known) / len(known) if known and len(known) == len(means) else None


def substitution_rate(replies: Iterable[JudgedReply]) -> float | None:
    """Equation 8: the share of central replies that are judged peripheral."""
    central = (one for one in replies if one.route == "central" and one.predicted is not None)
    return average(one.predicted == "peripheral" for one in central)


def self_contradiction(replies: Iterable[JudgedReply]) -> float | None:
    """How often a judge that is told the route contradicts itself: its match is not whether its prediction is right."""
    known = (one for one in replies if one.match is not None and one.predicted is not None)
    return average(one.match != (one.predicted == one.route) for one in known)
