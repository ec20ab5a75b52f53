"""The analyses of the paper (sections 5.2 and 5.3), each with what it is to be held against, and some of our own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from dtomtrack.evaluation.bounded import Range, mean_score
from dtomtrack.evaluation.records import AskConfig, Interval, Measure
from dtomtrack.evaluation.scored import ScoredAnswer
from dtomtrack.evaluation.statistics import mean, rounded, share, share_against
from dtomtrack.evaluation.together import in_dialogues
from dtomtrack.suites.persuasivetom.items import ABSENT, STAGES
from dtomtrack.suites.persuasivetom.kinds import KINDS
from dtomtrack.suites.persuasivetom.principles import PRINCIPLES

__all__ = ["EXCESS", "consistency_name", "expected_consistency", "measures"]

EXCESS = "excess over independence"
_OPPOSITE = {"positive": "negative", "negative": "positive"}


def measures(given: Sequence[ScoredAnswer], config: AskConfig) -> tuple[Measure, ...]:
    """The suite's own figures from the answers that did not fail."""
    types: dict[str, list[ScoredAnswer]] = {}
    for one in given:
        types.setdefault(one.asked.group("type") or "", []).append(one)
    found: list[Measure] = []
    for name in KINDS:
        for make in _OF_TYPE.get(name, ()):
            found += make(name, types.get(name, []))
    return tuple(one for one in found if one.items)


# -- consistency (section 5.3, Table 6) ------------------------------------------------------------------------------


def consistency_name(kind: str) -> str:
    """The name of the measure of consistency of a kind of question."""
    return f"consistency_{kind}"


def expected_consistency(accuracy: float, sizes: Iterable[int]) -> float:
    """The mean over dialogues of accuracy^n, n items each: how many would be right as a whole by independent errors."""
    return mean([accuracy**size for size in sizes]) or 0.0


def _consistency(name: str, answers: Sequence[ScoredAnswer]) -> Iterator[Measure]:
    """The dialogues of which all items are right, beside what independent errors would give."""
    whole = [one.answers for one in in_dialogues(answers) if one.is_whole("type", (name,))]
    flat = [one.right for own in whole for one in own]
    accuracy = sum(flat) / len(flat) if flat else 0.0
    expected = [accuracy ** len(own) for own in whole]
    right = [(own[0].asked.dialogue, all(one.right for one in own)) for own in whole]
    excess = _excess(whole, accuracy)
    yield Measure(
        name=consistency_name(name),
        label=f"All right in a dialogue: {KINDS[name].label.lower()}",
        estimate=share(right),
        items=len(right),
        over="dialogues",
        dialogues=len({dialogue for dialogue, _ in right}),
        count=sum(held for _, held in right),
        reference=_value(mean(expected)),
        reference_label="independent errors",
        parts={
            EXCESS: _unshifted(excess.value),
            f"{EXCESS}, low": _unshifted(excess.low),
            f"{EXCESS}, high": _unshifted(excess.high),
        },
    )


def _excess(whole: Sequence[Sequence[ScoredAnswer]], accuracy: float) -> Interval:
    """By how much more dialogues are right than by independent errors; from 0 for -1 to 1 for 1.

    The accuracy is estimated from the same answers: a dialogue counts with what it adds to the whole ones less what it
    adds to the line beside them, linear in the accuracy (the delta method).
    """
    items = sum(map(len, whole))
    slope = sum(len(own) * accuracy ** (len(own) - 1) for own in whole) / items if items else 0.0
    found = []
    for own in whole:
        right = sum(one.right for one in own)
        departure = (right == len(own)) - accuracy ** len(own) - slope * (right - accuracy * len(own))
        # it is no contrast of two means, and has an interval also where all are alike
        found.append((own[0].asked.dialogue, (departure + 1) / 2))
    return mean_score(found, Range()).interval


def _unshifted(value: float | None) -> float | None:
    return None if value is None else rounded(2 * value - 1)


def _value(value: float | None) -> Interval | None:
    return None if value is None else Interval(value=rounded(value), low=None, high=None)


# -- desire (Figure 3) -----------------------------------------------------------------------------------------------


def _stages(name: str, answers: Sequence[ScoredAnswer]) -> Iterator[Measure]:
    """The share of the errors at each stage, beside the share of items there; the error rate is a part."""
    wrong = [one for one in answers if not one.right]
    for stage in STAGES:
        there = [one for one in answers if one.asked.group("stage") == stage]
        if not there:
            continue
        yield Measure(
            name=f"errors_{name}_{stage}",
            label=f"Errors at the {stage} stage: {KINDS[name].label.lower()}",
            estimate=share((one.asked.dialogue, one.asked.group("stage") == stage) for one in wrong),
            items=len(wrong),
            over="errors",
            count=sum(one.asked.group("stage") == stage for one in wrong),
            reference=_value(len(there) / len(answers)),
            reference_label="share of the items",
            parts={"error rate": rounded(sum(not one.right for one in there) / len(there))},
        )


def _lags(name: str, answers: Sequence[ScoredAnswer]) -> Iterator[Measure]:
    """Of wrong answers where the label has just changed, those that give the one before; and the same of what follows.

    Chance is the share of that label among the wrong options.
    """
    for group, key, words in (("before", "lag", "round before"), ("after", "anticipation", "round after")):
        wrong = [one for one in answers if _is_telling(one, group)]
        chances = [1 / (one.asked.options - 1) for one in wrong]
        hits = [(one.asked.dialogue, one.asked.group(group) in one.roles) for one in wrong]
        label = f"Wrong with the label of the {words}: {KINDS[name].label.lower()}"
        yield _against_chance(f"{key}_{name}", label, "wrong answers where the labels differ", hits, chances)


def _is_telling(one: ScoredAnswer, group: str) -> bool:
    """Whether a wrong answer could have been the label of the neighbouring round, which differs from the right one."""
    label = one.asked.group(group)
    return one.outcome == "wrong" and label not in {None, ABSENT, _gold_role(one)} and label in one.asked.roles


def _gold_role(one: ScoredAnswer) -> str:
    return one.asked.roles[min(one.asked.gold)] if one.asked.roles else ""


def _confusions(name: str, answers: Sequence[ScoredAnswer]) -> Iterator[Measure]:
    """Which options were chosen where each is right: the rows of a confusion matrix."""
    roles = dict.fromkeys(role for one in answers for role in one.asked.roles)
    for gold in roles:
        own = [one for one in answers if one.asked.roles and _gold_role(one) == gold]
        chosen = Counter(role for one in own for role in one.roles)
        if not own:
            continue
        yield Measure(
            name=f"chosen_{name}_{gold}",
            label=f"Where {gold} is right: {KINDS[name].label.lower()}",
            estimate=share((one.asked.dialogue, one.right) for one in own),
            items=len(own),
            over="answers",
            count=sum(one.right for one in own),
            parts={**{role: rounded(chosen[role] / len(own)) for role in roles}, "unparsed": _unparsed(own)},
        )


def _unparsed(own: Sequence[ScoredAnswer]) -> float | None:
    return rounded(sum(one.outcome == "unparsed" for one in own) / len(own))


# -- belief (Figures 4 and 5) ----------------------------------------------------------------------------------------


def _polarity(name: str, answers: Sequence[ScoredAnswer]) -> Iterator[Measure]:
    """Of wrong answers of the right polarity or the opposite one, those of the right one, beside the chance of it."""
    wrong = [one for one in answers if one.outcome == "wrong"]
    telling = [one for one in wrong if (_gold_role(one) in _OPPOSITE) and _is_sided(one)]
    chances = [_same_by_chance(one) for one in telling]
    same = [(one.asked.dialogue, _gold_role(one) in one.roles) for one in telling]
    label = f"Wrong with the right polarity: {KINDS[name].label.lower()}"
    held = _against_chance(f"polarity_{name}", label, "wrong answers of either polarity", same, chances)
    known = rounded(len(telling) / len(wrong)) if wrong else None
    yield held.model_copy(update={"parts": {"known polarity": known}})


def _is_sided(one: ScoredAnswer) -> bool:
    gold = _gold_role(one)
    return bool({gold, _OPPOSITE[gold]}.intersection(one.roles))


def _same_by_chance(one: ScoredAnswer) -> float:
    """The share of the right polarity among the wrong options that have it or its opposite."""
    gold = _gold_role(one)
    wrong = [role for position, role in enumerate(one.asked.roles) if position not in one.asked.gold]
    same, opposite = wrong.count(gold), wrong.count(_OPPOSITE[gold])
    return same / (same + opposite)


# -- intention of the persuader (Figure 6) ---------------------------------------------------------------------------


def _bias(name: str, answers: Sequence[ScoredAnswer]) -> Iterator[Measure]:
    """Of wrong answers, those that choose each principle, where it is offered and not the right one."""
    wrong = [one for one in answers if one.outcome == "wrong" and one.asked.roles]
    for principle in PRINCIPLES:
        chances = [(one, _chance_of(one, principle)) for one in wrong]
        offered = [(one, chance) for one, chance in chances if chance > 0]
        if not offered:
            continue
        hits = [(one.asked.dialogue, principle in one.roles) for one, _ in offered]
        over = "wrong answers where it is a wrong option"
        expected = [chance for _, chance in offered]
        yield _against_chance(f"bias_{name}_{principle}", f"Wrong with {principle}", over, hits, expected)


def _chance_of(one: ScoredAnswer, principle: str) -> float:
    """The share of a principle among the wrong options."""
    wrong = [role for position, role in enumerate(one.asked.roles) if position not in one.asked.gold]
    return wrong.count(principle) / len(wrong)


# -- judgement -------------------------------------------------------------------------------------------------------


def _flips(name: str, answers: Sequence[ScoredAnswer]) -> Iterator[Measure]:
    """Of strategies that were asked about in both wordings, those to which the two answers go together."""
    pairs: dict[tuple[int, int, int], dict[str, ScoredAnswer]] = {}
    for one in answers:
        joint = next((number for kind, number in one.asked.joint if kind == "wording"), None)
        if joint is not None and one.chosen:
            pairs.setdefault((joint, one.rotation, one.repeat), {})[one.asked.group("wording") or ""] = one
    both = [tuple(own.values()) for own in pairs.values() if len(own) == 2]
    flipped = [(one.asked.dialogue, one.roles != other.roles) for one, other in both]
    yield Measure(
        name="negation",
        label="Answers that turn with the wording: judgement",
        estimate=share(flipped),
        items=len(flipped),
        over="strategies asked about in both wordings",
        count=sum(one for _, one in flipped),
        reference=_value(0.5),
        reference_label="chance",
    )


# -- what they share -------------------------------------------------------------------------------------------------


def _against_chance(
    name: str, label: str, over: str, hits: Sequence[tuple[int, bool]], chances: Sequence[float]
) -> Measure:
    """The share of hits, by dialogue, beside that of wrong answers drawn at random, one chance each."""
    rate, p_value = share_against(hits, chances)
    return Measure(
        name=name,
        label=label,
        estimate=rate,
        items=len(hits),
        over=over,
        count=sum(hit for _, hit in hits),
        reference=_value(mean(chances)),
        reference_label="chance",
        p_value=p_value,
    )


_OF_TYPE: Mapping[str, tuple[Callable[[str, Sequence[ScoredAnswer]], Iterator[Measure]], ...]] = {
    "desire_er": (_consistency, _stages, _confusions),
    "belief_er": (_consistency, _polarity),
    "intention_er": (_consistency, _bias, _confusions),
    "desire_ee": (_consistency, _stages, _lags, _confusions),
    "belief_ee": (_consistency, _polarity),
    "intention_ee": (_consistency,),
    "judgement": (_flips,),
}
