"""Fine answers taken for their coarse labels (paper, Figure 3), and whether a subject's own answers go together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from dtomtrack.evaluation.records import Measure
from dtomtrack.evaluation.scored import ScoredAnswer
from dtomtrack.evaluation.statistics import mean, rounded, share
from dtomtrack.suites.rectom.items import INTENTION
from dtomtrack.suites.rectom.labels import coarse_of
from dtomtrack.suites.rectom.pairing import labels_chosen, labels_right, paired, plainly

__all__ = ["fine_measures"]


def fine_measures(
    kind: str, label: str, answers: Sequence[ScoredAnswer], coarse: Sequence[ScoredAnswer]
) -> Iterator[Measure]:
    """Fine2Coarse accuracy of a fine type, and how often its answers are those to the coarse question, mapped.

    Args:
        coarse: answers to the coarse type of the same role.
    """
    known = [one for one in answers if one.asked.roles]
    if known:
        yield _mapped(kind, label, known, coarse)
    pairs = list(paired(known, coarse, INTENTION))
    if pairs:
        yield _coherent(kind, label, pairs)


def _mapped(kind: str, label: str, answers: Sequence[ScoredAnswer], coarse: Sequence[ScoredAnswer]) -> Measure:
    """The exact coarse set, of fine answers; and the fine set where the coarse one is right."""
    right = [(one.asked.dialogue, _coarse(labels_chosen(one)) == _coarse(labels_right(one))) for one in answers]
    fine_there = [one.right for one, (_, held) in zip(answers, right, strict=True) if held]
    return Measure(
        name=f"fine_to_coarse_{kind}",
        label=f"Fine to coarse, {label}",
        estimate=share(right),
        items=len(right),
        over="answers to fine questions",
        dialogues=len({dialogue for dialogue, _ in right}),
        count=sum(held for _, held in right),
        reference=plainly([one.right for one in coarse]) if coarse else None,
        reference_label="asked coarsely",
        parts={
            "fine set right": rounded(mean([one.right for one in answers])),
            "fine set right where the coarse one is": rounded(mean(fine_there)),
        },
    )


def _coarse(labels: frozenset[str] | None) -> frozenset[str] | None:
    return None if labels is None else frozenset(map(coarse_of, labels))


def _coherent(kind: str, label: str, pairs: Sequence[tuple[ScoredAnswer, ScoredAnswer]]) -> Measure:
    """How often the fine answer, mapped, is the subject's own coarse answer, whatever is right."""
    alike = [(fine.asked.dialogue, _coarse(labels_chosen(fine)) == labels_chosen(coarse)) for fine, coarse in pairs]
    return Measure(
        name=f"own_coarse_{kind}",
        label=f"Fine answer is the own coarse answer, {label}",
        estimate=share(alike),
        items=len(alike),
        over="utterances with both answers",
        dialogues=len({dialogue for dialogue, _ in alike}),
        count=sum(held for _, held in alike),
        reference=plainly([_meeting(pairs)]),
        reference_label="independent answers",
    )


def _meeting(pairs: Sequence[tuple[ScoredAnswer, ScoredAnswer]]) -> float:
    """How often sets would meet that are drawn apart, each as often as it was given."""
    mapped = Counter(_coarse(labels_chosen(fine)) for fine, _ in pairs)
    own: Mapping[frozenset[str] | None, int] = Counter(labels_chosen(coarse) for _, coarse in pairs)
    return sum(count * own.get(labels, 0) for labels, count in mapped.items()) / len(pairs) ** 2
