"""How far the readings of messages agree: what was meant with what was heard, and a model with the rules."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dtomtrack.records import Count, Record
from dtomtrack.scenarios.persuasion_npc.arguments import ArgumentClass
from dtomtrack.suites.rhetbench.episode import Episode

__all__ = ["Concord", "declared_and_heard", "model_and_rules"]

_DECIMALS = 4


class Concord(Record):
    """How far two readings of the same messages agree.

    Attributes:
        same: share of messages of which both say the same; ``kappa`` is Cohen's, None where both know but one class.
    """

    messages: Count
    same: float
    kappa: float | None


def declared_and_heard(episodes: Iterable[Episode]) -> Concord | None:
    """What persuaders say that they used, and what was heard; None where nobody says so."""
    return _concord([(turn.meant, turn.argument) for one in episodes for turn in one.turns if turn.meant is not None])


def model_and_rules(episodes: Iterable[Episode]) -> Concord | None:
    """The model that classifies, and the rules; None where none does."""
    return _concord(
        [(turn.argument, turn.by_rules) for one in episodes for turn in one.turns if turn.by_rules is not None]
    )


def _concord(pairs: Sequence[tuple[ArgumentClass, ArgumentClass]]) -> Concord | None:
    if not pairs:
        return None
    same = sum(one is other for one, other in pairs) / len(pairs)
    return Concord(messages=len(pairs), same=round(same, _DECIMALS), kappa=_kappa(pairs))


def _kappa(pairs: Sequence[tuple[ArgumentClass, ArgumentClass]]) -> float | None:
    if len({one for pair in pairs for one in pair}) < 2:
        return None
    # imported late: it takes a second
    from sklearn.metrics import cohen_kappa_score

    ones, others = zip(*pairs, strict=True)
    return round(float(cohen_kappa_score([str(one) for one in ones], [str(one) for one in others])), _DECIMALS)
