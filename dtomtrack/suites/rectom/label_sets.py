"""Sets of labels against the right sets, label by label: precision, recall, F1, and how large the sets are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from dtomtrack.evaluation.bounded import Range, mean_score
from dtomtrack.evaluation.records import Measure
from dtomtrack.evaluation.scored import ScoredAnswer
from dtomtrack.evaluation.statistics import mean, rounded, share

__all__ = ["labels_of", "set_measures"]


def set_measures(kind: str, label: str, answers: Sequence[ScoredAnswer]) -> Iterator[Measure]:
    """Agreement of sets with the figures by label, and which share of answers chose too much or too little."""
    read = [one for one in answers if one.chosen is not None]
    if read:
        yield _agreement(kind, label, answers, read)
        yield _sizes(f"too_many_{kind}", f"More options than are right, {label}", read, 1)
        yield _sizes(f"too_few_{kind}", f"Fewer options than are right, {label}", read, -1)


def _agreement(kind: str, label: str, answers: Sequence[ScoredAnswer], read: Sequence[ScoredAnswer]) -> Measure:
    """The mean Jaccard index; what can't be read agrees with nothing."""
    return Measure(
        name=f"sets_{kind}",
        label=f"Agreement of sets (Jaccard), {label}",
        estimate=mean_score(((one.asked.dialogue, one.overlap) for one in answers), Range()).interval,
        items=len(answers),
        over="answers",
        dialogues=len({one.asked.dialogue for one in answers}),
        parts=_by_label(read),
    )


def _by_label(read: Sequence[ScoredAnswer]) -> dict[str, float | None]:
    """Micro and macro F1, and of each label precision, recall and its share of the right labels."""
    chosen, right, both = Counter[str](), Counter[str](), Counter[str]()
    # each item has its options in an order of its own; many have the same
    alike = Counter((labels_of(one), one.chosen or frozenset[int](), one.asked.gold) for one in read)
    for (names, picked, gold), times in alike.items():
        for counts, places in ((chosen, picked), (right, gold), (both, picked & gold)):
            for place in places:
                counts[names[place]] += times
    names = labels_of(read[0])
    used = [_f1(both[name], chosen[name], right[name]) or 0.0 for name in names if right[name] + chosen[name]]
    parts: dict[str, float | None] = {
        "micro F1": rounded(_f1(both.total(), chosen.total(), right.total())),
        "macro F1": rounded(mean(used)),
    }
    for name in names:
        parts[f"{name}: precision"] = rounded(_ratio(both[name], chosen[name]))
        parts[f"{name}: recall"] = rounded(_ratio(both[name], right[name]))
        parts[f"{name}: share of right labels"] = rounded(_ratio(right[name], right.total()))
    return parts


def labels_of(answer: ScoredAnswer) -> tuple[str, ...]:
    """The label of each option; its number where options have none."""
    return answer.asked.roles or tuple(str(position + 1) for position in range(answer.asked.options))


def _f1(both: int, chosen: int, right: int) -> float | None:
    return _ratio(2 * both, chosen + right)


def _ratio(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _sizes(name: str, label: str, read: Sequence[ScoredAnswer], sign: int) -> Measure:
    held = [(one.asked.dialogue, sign * (len(one.chosen or ()) - len(one.asked.gold)) > 0) for one in read]
    sizes = (mean([len(one.chosen or ()) for one in read]), mean([len(one.asked.gold) for one in read]))
    return Measure(
        name=name,
        label=label,
        estimate=share(held),
        items=len(held),
        over=f"answers that could be read (on average {sizes[0]:.2f} options, {sizes[1]:.2f} right)",
        dialogues=len({dialogue for dialogue, _ in held}),
        count=sum(one for _, one in held),
    )
