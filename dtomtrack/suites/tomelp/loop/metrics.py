"""What conversations of the closed loop add up to; all clustered by scene, contrasts paired by scene and listener."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from dtomtrack.evaluation.bounded import Estimate, Range, mean_score
from dtomtrack.records import Count, Record, Text
from dtomtrack.scenarios.route.terms import VARIANTS, Variant
from dtomtrack.suites.tomelp.contrasts import COMPARED
from dtomtrack.suites.tomelp.loop.giving import listens_to
from dtomtrack.suites.tomelp.loop.listener import best_route
from dtomtrack.suites.tomelp.loop.records import LoopEpisode, LoopFlag, LoopTurn

__all__ = ["LoopContrast", "LoopFigures", "LoopMetrics", "NeedEstimate", "measure_loops"]

_UNIT, _CHANGE = Range(0, 1), Range(-2, 2)


class NeedEstimate(Record):
    """The change of attitude of listeners of one need for cognition."""

    need: float
    change: Estimate


class LoopFigures(Record):
    """The figures of one variant.

    Attributes:
        change: attitude after the last turn minus before the first, -2 to 2; observed, not judged.
        agreed: share of conversations that end in agreement; ``turns_to_agree`` is over those.
        fit: share of messages by the route that reaches the listener, over those who listen one way, without messages
            that say nothing.
        fit_last: the same of the last message: whether the persuader has found out.
        changed_over: after a message that missed, how often the next one takes the other route.
        need_right: share of inferences that say how the listener decides.
        uninferred: inferences that could not be used.
        cut: messages that were cut at the most tokens; ``withheld``: that the model refused, or a filter cut. They
            count as they stand.
        by_need: the change for each need for cognition.
        course: mean attitude after 0, 1, 2 ... turns.
    """

    variant: Variant
    episodes: Count
    change: Estimate
    agreed: Estimate
    turns_to_agree: Estimate
    fit: Estimate
    fit_last: Estimate
    changed_over: Estimate
    need_right: Estimate
    uninferred: Count
    cut: Count = 0
    withheld: Count = 0
    by_need: tuple[NeedEstimate, ...]
    course: tuple[float, ...]


class LoopContrast(Record):
    """The change of attitude under one variant minus that under another, with the same listeners."""

    variant: Variant
    minus: Variant
    estimate: Estimate


class LoopMetrics(Record):
    """Everything that the conversations of a subject add up to; ``seed`` is that of the listeners."""

    subject: Text
    seed: int = 0
    scenes: Count
    episodes: Count
    turns: Count
    variants: tuple[LoopFigures, ...]
    contrasts: tuple[LoopContrast, ...]
    calls: Count = 0
    tokens: Count = 0
    cost: float = 0.0

    @property
    def flagged(self) -> tuple[int, int]:
        """Messages that were cut, and that were withheld, under all variants."""
        return sum(one.cut for one in self.variants), sum(one.withheld for one in self.variants)

    def figures(self, variant: Variant) -> LoopFigures | None:
        """The figures of a variant, if it was played."""
        return next((one for one in self.variants if one.variant == variant), None)

    def contrast(self, variant: Variant, minus: Variant) -> LoopContrast | None:
        """A contrast, if both variants were played."""
        return next((one for one in self.contrasts if (one.variant, one.minus) == (variant, minus)), None)


def measure_loops(
    subject: str,
    episodes: Iterable[LoopEpisode],
    turns: int,
    calls: int = 0,
    tokens: int = 0,
    cost: float = 0.0,
    *,
    seed: int = 0,
) -> LoopMetrics:
    """The metrics of a subject's conversations of at most so many turns."""
    found = list(episodes)
    variants = [one for one in VARIANTS if any(episode.variant == one for episode in found)]
    return LoopMetrics(
        subject=subject,
        seed=seed,
        scenes=len({one.scene for one in found}),
        episodes=len(found),
        turns=sum(len(one.turns) for one in found),
        variants=tuple(_figures(one, [own for own in found if own.variant == one], turns) for one in variants),
        contrasts=tuple(
            LoopContrast(variant=one, minus=other, estimate=_contrast(found, one, other))
            for one, other in COMPARED
            if one in variants and other in variants
        ),
        calls=calls,
        tokens=tokens,
        cost=cost,
    )


def _figures(variant: Variant, own: Sequence[LoopEpisode], turns: int) -> LoopFigures:
    needs = sorted({one.need for one in own})
    agreed = [one for one in own if one.agreed]
    return LoopFigures(
        variant=variant,
        episodes=len(own),
        change=_mean(own, lambda one: [one.change], _CHANGE),
        agreed=_mean(own, lambda one: [float(one.agreed)]),
        turns_to_agree=_mean(agreed, lambda one: [float(len(one.turns))], Range(1, turns)),
        fit=_mean(own, lambda one: list(_fits(one, one.turns))),
        fit_last=_mean(own, lambda one: list(_fits(one, one.turns[-1:]))),
        changed_over=_mean(own, lambda one: list(_changes_over(one))),
        need_right=_mean(own, lambda one: list(_needs_right(one))),
        cut=_flagged(own, "cut"),
        withheld=_flagged(own, "withheld"),
        uninferred=sum(turn.inferred is not None and turn.inferred.mind is None for one in own for turn in one.turns),
        by_need=tuple(
            NeedEstimate(
                need=need, change=_mean([one for one in own if one.need == need], lambda one: [one.change], _CHANGE)
            )
            for need in needs
        ),
        course=tuple(round(sum(one.attitude_after(turn) for one in own) / len(own), 6) for turn in range(turns + 1)),
    )


def _flagged(episodes: Iterable[LoopEpisode], flag: LoopFlag) -> int:
    return sum(turn.flag == flag for one in episodes for turn in one.turns)


def _mean(
    episodes: Iterable[LoopEpisode], scores: Callable[[LoopEpisode], Sequence[float]], within: Range = _UNIT
) -> Estimate:
    return mean_score([(int(one.scene), score) for one in episodes for score in scores(one)], within)


def _fits(episode: LoopEpisode, turns: Sequence[LoopTurn]) -> Iterator[float]:
    best = best_route(episode.need)
    return iter(()) if best is None else (float(turn.route == best) for turn in turns if turn.taken != "nothing")


def _changes_over(episode: LoopEpisode) -> Iterator[float]:
    missed = {"passed_over", "shrugged_off"}
    for turn, following in zip(episode.turns, episode.turns[1:], strict=False):
        if turn.taken in missed:
            yield float(following.route != turn.route)


def _needs_right(episode: LoopEpisode) -> Iterator[float]:
    true = listens_to(episode.need)
    for turn in episode.turns:
        if true != "unclear" and turn.inferred is not None and turn.inferred.listens_to is not None:
            yield float(turn.inferred.listens_to == true)


def _contrast(episodes: Sequence[LoopEpisode], variant: Variant, minus: Variant) -> Estimate:
    changes = {(one.scene, one.need, one.variant): one.change for one in episodes}
    gains = [
        (int(scene), change - changes[scene, need, minus])
        for (scene, need, own), change in changes.items()
        if own == variant and (scene, need, minus) in changes
    ]
    return mean_score(gains, Range(-4, 4))
