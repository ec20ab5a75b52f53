"""The figures of DToM-Track beside its accuracies: the recency gap, intrusions, whole trajectories."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dtomtrack.beliefs.question import OptionRole, QuestionType
from dtomtrack.evaluation.common_measures import joint_groups, whole_groups
from dtomtrack.evaluation.records import AskConfig, Interval, Measure
from dtomtrack.evaluation.scored import ScoredAnswer
from dtomtrack.evaluation.statistics import difference, mean, rounded, share_against
from dtomtrack.suites.dtom.items import ABOUT_UPDATES, UPDATE

__all__ = ["measures"]

_BEFORE, _AFTER = QuestionType.PRE_UPDATE.value, QuestionType.POST_UPDATE.value


def measures(given: Sequence[ScoredAnswer], config: AskConfig) -> tuple[Measure, ...]:
    """The suite's own figures from the answers that did not fail."""
    trajectory = [kind.value for kind in ABOUT_UPDATES]
    return (
        _gap(given),
        _intrusion(given),
        whole_groups(
            joint_groups(given, UPDATE, trajectory), trajectory, "trajectory", "Before, after and when all right"
        ),
    )


def _gap(given: Sequence[ScoredAnswer]) -> Measure:
    """Recency (paper, "Recency Bias"): accuracy after an update minus accuracy before it, on pairs of questions."""
    pairs = joint_groups(given, UPDATE, (_BEFORE, _AFTER))
    result = difference((one.dialogue, one.right[_BEFORE], one.right[_AFTER]) for one in pairs)
    return Measure(
        name="gap",
        label="Recency gap",
        unit="difference",
        estimate=result.difference,
        items=result.pairs,
        dialogues=result.dialogues,
        p_value=result.p_value,
        parts={"after an update": result.second, "before it": result.first},
    )


def _intrusion(given: Iterable[ScoredAnswer]) -> Measure:
    """Of wrong answers about before, those that choose what came after; where nothing of the kind was offered: none."""
    wrong = [
        one
        for one in given
        if one.asked.group("type") == _BEFORE and one.outcome == "wrong" and OptionRole.POST_VALUE in one.asked.roles
    ]
    intrusions = [(one.asked.dialogue, OptionRole.POST_VALUE in one.roles) for one in wrong]
    chances = [one.asked.roles.count(OptionRole.POST_VALUE) / (one.asked.options - 1) for one in wrong]
    rate, p_value = share_against(intrusions, chances)
    chance = rounded(mean(chances))
    return Measure(
        name="intrusion",
        label="Intrusion",
        estimate=rate,
        items=len(wrong),
        dialogues=len({dialogue for dialogue, _ in intrusions}),
        count=sum(intruded for _, intruded in intrusions),
        reference=None if chance is None else Interval(value=chance, low=None, high=None),
        reference_label="chance",
        p_value=p_value,
    )
