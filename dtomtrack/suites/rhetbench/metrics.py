"""Metrics of episodes: the win curve, the published scores, adaptation, and what comes after a change.

Episodes of one scenario are not independent: intervals are clustered by scenario, and subjects are compared over the
same (scenario, sample). Sources: RhetBench, "What I Built", for win rate, optimality and score; its scores average
-1 over losses in "turns to win", here losses are left out and counted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeAlias

from dtomtrack.evaluation.bounded import Range, mean_score
from dtomtrack.evaluation.records import Interval
from dtomtrack.evaluation.statistics import Difference, difference, mean, rounded, share
from dtomtrack.records import Record
from dtomtrack.scenarios.persuasion_npc.arguments import ArgumentClass, Tone
from dtomtrack.suites.rhetbench.adaptation import Reviewed, readaptation, review
from dtomtrack.suites.rhetbench.classifying import Concord, declared_and_heard, model_and_rules
from dtomtrack.suites.rhetbench.episode import Episode
from dtomtrack.suites.rhetbench.scores import persuasion_score

__all__ = ["HEADLINE_TURN", "AdaptationFigures", "DriftFigures", "PersuasionMetrics", "measure", "paired_wins"]

HEADLINE_TURN = 10
_CURVE = 25
Clustered: TypeAlias = list[tuple[int, float]]


class AdaptationFigures(Record):
    """Whether tones were listened to.

    Attributes:
        stays_after_positive, shifts_after_resistant: shares of the turns that followed such a tone.
        discovery_turn: mean first turn on the best class, over episodes that came to it; ``found`` is their share.
        best_after_discovery: share of later turns on the best class.
        relapses: mean number in an episode.
        regret: mean shortfall of a turn against the best of that turn.
        doubt: mean distance from an ideal observer.
        pivot_answers: share of the character's questions that were taken up.
    """

    stays_after_positive: Interval
    shifts_after_resistant: Interval
    found: Interval
    discovery_turn: Interval
    best_after_discovery: Interval
    relapses: Interval
    regret: Interval
    doubt: Interval
    pivot_answers: Interval


class DriftFigures(Record):
    """How episodes that had not ended continued after the class that works had changed.

    Attributes:
        readapted: share that came to use what works now; ``lag`` in turns, over these.
        relapses, perseverations: mean numbers in an episode.
    """

    episodes: int
    readapted: Interval
    lag: Interval
    relapses: Interval
    perseverations: Interval


class PersuasionMetrics(Record):
    """All figures of a subject.

    Attributes:
        win_by_10: share of episodes won by turn 10, the headline; ``win_curve`` by turns 1 to 25.
        turns_to_win: over wins only; ``wins`` is their number.
        uses: how often each class was used.
        declared: how far the persuader's word on its messages agrees with what was heard; ``classifiers``: the model
            that classifies with the rules.
    """

    subject: str
    episodes: int
    scenarios: int
    wins: int
    win_by_10: Interval
    win_rate: Interval
    win_curve: tuple[float, ...]
    mean_win_curve: Interval
    walked_out: Interval
    turns_to_win: Interval
    strategy_optimality: Interval
    persuasion_score: float | None
    adaptation: AdaptationFigures
    drift: DriftFigures | None
    uses: dict[ArgumentClass, int]
    declared: Concord | None = None
    classifiers: Concord | None = None


def measure(subject: str, episodes: Iterable[Episode]) -> PersuasionMetrics:
    """The figures of a subject's episodes.

    Raises:
        DatasetError: an episode doesn't agree with the rules it names.
    """
    reviewed = [review(episode) for episode in episodes]
    numbers = _cluster_numbers(reviewed)
    most = max((one.episode.config.turns for one in reviewed), default=1)

    def over(values: Callable[[Reviewed], Iterable[float]]) -> Clustered:
        return [(numbers[one.episode.config.scenario], value) for one in reviewed for value in values(one)]

    return PersuasionMetrics(
        subject=subject,
        episodes=len(reviewed),
        scenarios=len(numbers),
        wins=sum(one.episode.won for one in reviewed),
        win_by_10=_share(over(lambda one: [_won_by(one, HEADLINE_TURN)])),
        win_rate=_share(over(lambda one: [one.episode.won])),
        win_curve=tuple(
            rounded(mean([_won_by(one, turn) for one in reviewed])) or 0.0 for turn in range(1, _CURVE + 1)
        ),
        mean_win_curve=_mean(over(lambda one: [_curve_area(one)])),
        walked_out=_share(over(lambda one: [one.episode.walked_out])),
        turns_to_win=_mean(over(lambda one: [one.episode.won_at] if one.episode.won_at else []), most),
        strategy_optimality=_mean(over(lambda one: [mean([turn.optimality for turn in one.turns]) or 0.0])),
        persuasion_score=rounded(mean([persuasion_score(one.episode) for one in reviewed])),
        adaptation=_adaptation(over, most),
        drift=_drift(reviewed, numbers, most),
        uses=_uses(reviewed),
        declared=declared_and_heard(one.episode for one in reviewed),
        classifiers=model_and_rules(one.episode for one in reviewed),
    )


def paired_wins(first: Sequence[Episode], second: Sequence[Episode], by: int = HEADLINE_TURN) -> Difference:
    """How much oftener the second subject wins by a turn, over the (scenario, sample) that both have played."""
    others = {_pair_key(one): one for one in second}
    pairs = [(one, others[_pair_key(one)]) for one in first if _pair_key(one) in others]
    numbers = {name: number for number, name in enumerate(sorted({one.config.scenario for one, _ in pairs}))}
    return difference((numbers[a.config.scenario], _wins(a, by), _wins(b, by)) for a, b in pairs)


def _pair_key(episode: Episode) -> tuple[str, int]:
    return episode.config.scenario, episode.config.sample


def _wins(episode: Episode, by: int) -> bool:
    return episode.won_at is not None and episode.won_at <= by


def _cluster_numbers(reviewed: Sequence[Reviewed]) -> Mapping[str, int]:
    return {name: number for number, name in enumerate(sorted({one.episode.config.scenario for one in reviewed}))}


def _won_by(one: Reviewed, turn: int) -> bool:
    return _wins(one.episode, turn)


def _curve_area(one: Reviewed) -> float:
    """The mean of won@1 to won@25 of an episode."""
    won_at = one.episode.won_at
    return 0.0 if won_at is None or won_at > _CURVE else (_CURVE + 1 - won_at) / _CURVE


def _share(values: Clustered) -> Interval:
    return share([(number, bool(value)) for number, value in values])


def _mean(values: Clustered, most: float = 1.0) -> Interval:
    """The mean of what is at most so much: a share of something, or of turns as many as an episode may have."""
    return mean_score(values, Range(0.0, most)).interval


def _adaptation(over: Callable[[Callable[[Reviewed], Iterable[float]]], Clustered], most: int) -> AdaptationFigures:
    return AdaptationFigures(
        stays_after_positive=_share(over(lambda one: one.after_tone(Tone.POSITIVE))),
        shifts_after_resistant=_share(over(lambda one: (not same for same in one.after_tone(Tone.RESISTANT)))),
        found=_share(over(lambda one: [one.discovery is not None])),
        discovery_turn=_mean(over(lambda one: [one.discovery] if one.discovery else []), most),
        best_after_discovery=_share(over(lambda one: one.after_discovery())),
        relapses=_mean(over(lambda one: [one.relapses()]), most),
        regret=_mean(over(lambda one: [turn.regret for turn in one.turns])),
        doubt=_mean(over(lambda one: [turn.doubt for turn in one.turns])),
        pivot_answers=_share(over(lambda one: one.pivot_answers())),
    )


def _drift(reviewed: Sequence[Reviewed], numbers: Mapping[str, int], most: int) -> DriftFigures | None:
    found = [(numbers[one.episode.config.scenario], readaptation(one)) for one in reviewed]
    changed = [(number, one) for number, one in found if one is not None]
    if not changed:
        return None
    return DriftFigures(
        episodes=len(changed),
        readapted=_share([(number, one.lag is not None) for number, one in changed]),
        lag=_mean([(number, one.lag) for number, one in changed if one.lag is not None], most),
        relapses=_mean([(number, one.relapses) for number, one in changed], most),
        perseverations=_mean([(number, one.perseverations) for number, one in changed], most),
    )


def _uses(reviewed: Sequence[Reviewed]) -> dict[ArgumentClass, int]:
    counts = dict.fromkeys(ArgumentClass, 0)
    for one in reviewed:
        for turn in one.turns:
            counts[turn.record.argument] += 1
    return counts
