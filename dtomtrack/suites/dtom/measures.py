"""The figures of DToM-Track beside its accuracies: the recency gap, intrusions of what is new and of what is so, and
questions that are right together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dtomtrack.beliefs.question import OptionRole, QuestionType
from dtomtrack.evaluation.common_measures import joint_groups, whole_groups
from dtomtrack.evaluation.records import AskConfig, Interval, Measure
from dtomtrack.evaluation.scored import ScoredAnswer
from dtomtrack.evaluation.statistics import difference, mean, rounded, share_against
from dtomtrack.suites.dtom.items import ABOUT_UPDATES, ASKS, CHANGES, DIVERGENCE, UPDATE

__all__ = ["measures"]

_BEFORE, _AFTER = QuestionType.PRE_UPDATE.value, QuestionType.POST_UPDATE.value
_OF_PICTURES = (QuestionType.SECOND_ORDER.value, QuestionType.FALSE_BELIEF.value)
_ACTUAL = OptionRole.ACTUAL_VALUE


def measures(given: Sequence[ScoredAnswer], config: AskConfig) -> tuple[Measure, ...]:
    """The suite's own figures from the answers that did not fail."""
    single = [one for one in given if one.asked.group(CHANGES) == "1"]
    trajectory = [kind.value for kind in ABOUT_UPDATES]
    return (
        _gap(given, "gap", "Recency gap"),
        _gap(single, "gap_single", "Recency gap, of what changes once"),
        _confusion(given, (_BEFORE,), OptionRole.POST_VALUE, "intrusion", "Intrusion of the new value"),
        _confusion(given, (_AFTER,), OptionRole.PRE_VALUE, "perseveration", "Perseveration of the old value"),
        *_egocentric(given),
        whole_groups(
            joint_groups(given, UPDATE, trajectory),
            trajectory,
            name="trajectory",
            label="Before, after and when all right",
            over="updates",
        ),
        *_divergences(given),
    )


def _egocentric(given: Sequence[ScoredAnswer]) -> Iterator[Measure]:
    """Of wrong answers about somebody's picture of another, the share that names what is so; where there are such."""
    if any(_ACTUAL in one.asked.roles for one in given):
        yield _confusion(given, _OF_PICTURES, _ACTUAL, "egocentric", "Egocentric intrusion of what is so")


def _divergences(given: Sequence[ScoredAnswer]) -> Iterator[Measure]:
    """How often all questions about one divergence are right together; where there are several about one."""
    groups = joint_groups(given, DIVERGENCE, part=ASKS)
    if groups:
        yield whole_groups(
            groups, name="divergence", label="All about a divergence right", over="divergences with several questions"
        )


def _gap(given: Sequence[ScoredAnswer], name: str, label: str) -> Measure:
    """Recency (paper, "Recency Bias"): accuracy after an update minus accuracy before it, on pairs of questions.

    What goes back to an earlier value (A, B, A) dilutes it: there the last word is right about before, too.
    """
    pairs = joint_groups(given, UPDATE, (_BEFORE, _AFTER))
    result = difference((one.dialogue, one.right[_BEFORE], one.right[_AFTER]) for one in pairs)
    return Measure(
        name=name,
        label=label,
        unit="difference",
        estimate=result.difference,
        items=result.pairs,
        over="pairs",
        dialogues=result.dialogues,
        p_value=result.p_value,
        parts={"after an update": result.second, "before it": result.first},
    )


def _confusion(given: Sequence[ScoredAnswer], kinds: Sequence[str], role: OptionRole, name: str, label: str) -> Measure:
    """Of wrong answers that say something said in the dialogue, the share that names the value of a role.

    Whoever hears what is said and not when chooses the values that were said alike; often there is but one wrong one.
    So only items count of which both options of this role and other wrong ones were said, and only answers that name
    one of these: then chance is the share of this role among them, for readers without order and for guessers alike.
    """
    wrong = [
        one for one in given if one.asked.group("type") in kinds and one.outcome == "wrong" and role in one.asked.roles
    ]
    said = [(one, _chance(one, role)) for one in wrong if one.chosen and one.chosen <= one.asked.said]
    telling = [(one, chance) for one, chance in said if 0 < chance < 1]
    confused = [(one.asked.dialogue, role in one.roles) for one, _ in telling]
    rate, p_value = share_against(confused, [chance for _, chance in telling])
    chance = rounded(mean([chance for _, chance in telling]))
    return Measure(
        name=name,
        label=label,
        estimate=rate,
        items=len(telling),
        over="wrong answers where several wrong options were said",
        dialogues=len({dialogue for dialogue, _ in confused}),
        count=sum(one for _, one in confused),
        reference=None if chance is None else Interval(value=chance, low=None, high=None),
        reference_label="chance",
        p_value=p_value,
        parts={"of all wrong answers": rounded(mean([role in one.roles for one in wrong]))},
    )


def _chance(answer: ScoredAnswer, role: OptionRole) -> float:
    """The share of a role among the wrong options that the dialogue says."""
    asked = answer.asked
    said = [asked.roles[position] for position in sorted(asked.said - asked.gold)]
    return said.count(role) / len(said) if said else 0.0
