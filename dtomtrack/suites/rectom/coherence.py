"""Whether answers about one movie, one line or one moment go together, beside what independent answers would give."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from dtomtrack.evaluation.metrics import TYPE
from dtomtrack.evaluation.records import Measure
from dtomtrack.evaluation.scored import ScoredAnswer
from dtomtrack.evaluation.statistics import mean, rounded, share
from dtomtrack.evaluation.together import in_joint_groups
from dtomtrack.suites.rectom.items import AT_ONCE, MOVIE, NEXT, STRATEGY
from dtomtrack.suites.rectom.labels import LIKED
from dtomtrack.suites.rectom.pairing import labels_chosen, labels_right, paired, plainly

__all__ = ["coherence_measures"]

_Held = list[tuple[int, bool, bool]]
"""The number of a dialogue, and what each of two answers says of the same thing."""


def coherence_measures(given: Mapping[str, Sequence[ScoredAnswer]]) -> Iterator[Measure]:
    """The measures of answers by type that there are two answers for."""
    belief, desire = given.get("belief", ()), given.get("desire", ())
    yield from _agreement(
        "belief_desire",
        "Liked, as believed, and wanted go together",
        "movies with both answers",
        _liked(belief, desire),
        {"right answers": _right_together(belief, desire)},
    )
    for role, label in (("rec", "recommender"), ("seeker", "seeker")):
        judged, predicted = given.get(f"judgement_{role}", ()), given.get(f"prediction_{role}", ())
        yield from _agreement(
            f"judged_predicted_{role}",
            f"Judged effective and predicted go together, {label}",
            "lines with both answers",
            _effective(judged, predicted),
        )
    for kind, answers in (("belief", belief), ("desire", desire)):
        yield from _at_once(kind, answers)


def _liked(beliefs: Sequence[ScoredAnswer], desires: Sequence[ScoredAnswer]) -> _Held:
    pairs = paired(beliefs, desires, MOVIE)
    return [(one.asked.dialogue, one.roles[0] in LIKED, other.roles == ("yes",)) for one, other in pairs]


def _right_together(beliefs: Sequence[ScoredAnswer], desires: Sequence[ScoredAnswer]) -> float | None:
    """How often the right answers to both go together, which they needn't."""
    pairs = paired(beliefs, desires, MOVIE)
    alike = [bool(labels_right(one) & LIKED) is ("yes" in labels_right(other)) for one, other in pairs]
    return rounded(mean(list(map(float, alike))))


def _effective(judged: Sequence[ScoredAnswer], predicted: Sequence[ScoredAnswer]) -> _Held:
    pairs = paired(judged, predicted, NEXT)
    return [(one.asked.dialogue, one.roles == ("yes",), _strategy(one) in _chosen(other)) for one, other in pairs]


def _strategy(answer: ScoredAnswer) -> str:
    return (answer.asked.group(STRATEGY) or "").partition(": ")[2]


def _chosen(answer: ScoredAnswer) -> frozenset[str]:
    return labels_chosen(answer) or frozenset()


def _agreement(
    name: str, label: str, over: str, held: _Held, parts: Mapping[str, float | None] | None = None
) -> Iterator[Measure]:
    """How often two answers say the same, beside how often they would if neither depended on the other."""
    if not held:
        return
    alike = [(dialogue, first is second) for dialogue, first, second in held]
    first, second = (sum(one[place] for one in held) / len(held) for place in (1, 2))
    yield Measure(
        name=name,
        label=label,
        estimate=share(alike),
        items=len(alike),
        over=over,
        dialogues=len({dialogue for dialogue, _ in alike}),
        count=sum(same for _, same in alike),
        reference=plainly([first * second + (1 - first) * (1 - second)]),
        reference_label="independent answers",
        parts=dict(parts or {}),
    )


def _at_once(kind: str, answers: Sequence[ScoredAnswer]) -> Iterator[Measure]:
    """Positions at which several movies are asked about: how often all answers are right, beside independent errors."""
    whole = (one.answers for one in in_joint_groups(answers, AT_ONCE) if one.is_whole(TYPE, (kind,)))
    several = [own for own in whole if len(own) > 1]
    if not several:
        return
    right = [(own[0].asked.dialogue, all(one.right for one in own)) for own in several]
    flat = [one.right for own in several for one in own]
    each = sum(flat) / len(flat)
    yield Measure(
        name=f"at_once_{kind}",
        label=f"All movies asked about at once right, {kind}",
        estimate=share(right),
        items=len(right),
        over=f"positions with several movies ({len(flat)} answers)",
        dialogues=len({dialogue for dialogue, _ in right}),
        count=sum(whole for _, whole in right),
        reference=plainly([each ** len(own) for own in several]),
        reference_label="independent errors",
        parts={"each": round(each, 6)},
    )
