"""What answers add up to.

Each answer is an item, and so is each answer to a question that is asked under several rotations of its options: what
belongs together (before and after an update, say) is put together within a rotation, and intervals are clustered by
dialogue, so that asking more often does not look like knowing more. Answers that failed are left out of everything but
their own count; answers that can't be read are not right, and are counted beside.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, get_args

from dtomtrack.beliefs.question import LETTERS, OptionRole, Question, QuestionType
from dtomtrack.beliefs.scenario import MentalState, Trigger
from dtomtrack.evaluation.items import ABOUT_UPDATES, ABSENT, GROUPINGS, LAGS, Item, Items
from dtomtrack.evaluation.records import (
    Answer,
    AskConfig,
    Gap,
    Group,
    Interval,
    Intrusion,
    Metrics,
    Outcome,
    Trajectory,
)
from dtomtrack.evaluation.statistics import (
    check_packages,
    difference,
    macro_share,
    mean,
    micro_mean,
    rounded,
    share,
    share_against,
)

__all__ = ["metrics"]

_NAMES: Mapping[str, Sequence[str]] = {
    "type": [one.value for one in QuestionType],
    "mental_state": [one.value for one in MentalState],
    "marker": ["implicit", "explicit", ABSENT],
    "trigger": [*(one.value for one in Trigger), ABSENT],
    "lag": [*LAGS, ABSENT],
}
"""In which order groups stand; of updates and of order, by number."""


def metrics(
    config: AskConfig,
    questions: Iterable[Question],
    answers: Iterable[Answer],
    *,
    calls: int = 0,
    tokens: int = 0,
    cost: float = 0.0,
) -> Metrics:
    """What the answers of one subject add up to.

    Args:
        questions: at least those that are answered; each is read once and forgotten.
        answers: in any order; each is read once and forgotten.

    Raises:
        DatasetError: an answer is to none of the questions, is there twice, or does not go with its question.
        InputError: an extra is missing.
    """
    check_packages()
    items = list(Items(questions).of(answers))
    outcomes: dict[Outcome, int] = dict.fromkeys(get_args(Outcome), 0)
    for item in items:
        outcomes[item.outcome] += 1
    groups = {name: _groups(name, items) for name in GROUPINGS}
    given = [item for item in items if item.outcome != "error"]
    return Metrics(
        config=config,
        questions=len({item.asked.number for item in items}),
        answers=len(items),
        outcomes=outcomes,
        micro=_micro(items, groups["type"]),
        macro=macro_share(map(_rights, _by_type(given).values())),
        groups=groups,
        gap=_gap(given),
        intrusion=_intrusion(given),
        trajectory=_trajectory(given),
        roles=_roles(items),
        balanced=_balanced(given, config.permutations) if config.permutations > 1 else None,
        calls=calls,
        tokens=tokens,
        cost=round(cost, 6),
    )


# -- accuracy --------------------------------------------------------------------------------------------------------


def _rights(items: Iterable[Item]) -> Iterator[tuple[int, bool]]:
    return ((item.asked.dialogue, item.right) for item in items)


def _by_type(items: Iterable[Item]) -> dict[str, list[Item]]:
    return _split(items, lambda item: item.asked.facts.type)


def _split(items: Iterable[Item], name_of: Callable[[Item], str]) -> dict[str, list[Item]]:
    groups: dict[str, list[Item]] = {}
    for item in items:
        groups.setdefault(name_of(item), []).append(item)
    return groups


def _groups(by: str, items: Sequence[Item]) -> tuple[Group, ...]:
    place = GROUPINGS.index(by)
    groups = _split(items, lambda item: item.asked.facts[place])
    names = _NAMES.get(by) or sorted(groups, key=int)
    return tuple(_group(name, groups[name]) for name in (*names, *sorted(groups.keys() - set(names))) if name in groups)


def _group(name: str, items: Sequence[Item]) -> Group:
    given = [item for item in items if item.outcome != "error"]
    unparsed = sum(item.outcome == "unparsed" for item in given)
    return Group(
        name=name,
        items=len(given),
        dialogues=len({item.asked.dialogue for item in given}),
        correct=sum(item.right for item in given),
        accuracy=share(_rights(given)),
        unparsed=round(unparsed / len(given), 6) if given else 0.0,
        errors=len(items) - len(given),
    )


def _micro(items: Sequence[Item], types: Sequence[Group]) -> Group:
    """Over all items, as the paper's "Overall" is: the types' accuracies weighted by their items."""
    whole = _group("micro", items)
    counts = {group.name: group.items for group in types if group.items}
    value = micro_mean(counts, {group.name: group.correct / group.items for group in types if group.items})
    return whole.model_copy(update={"accuracy": whole.accuracy.model_copy(update={"value": rounded(value)})})


def _balanced(items: Iterable[Item], permutations: int) -> Interval:
    """The share of questions that are right under every rotation, of those that have an answer under every one."""
    asked: dict[int, list[Item]] = {}
    for item in items:
        asked.setdefault(item.asked.number, []).append(item)
    whole = (answers for answers in asked.values() if len(answers) == permutations)
    return share((answers[0].asked.dialogue, all(item.right for item in answers)) for answers in whole)


def _roles(items: Iterable[Item]) -> dict[str, dict[str, int]]:
    """By type, how often an option of each role was chosen, roles that were never chosen but offered included."""
    counts: dict[str, dict[str, int]] = {}
    for item in items:
        of_type = counts.setdefault(item.asked.facts.type, {})
        for role in item.asked.roles:
            of_type.setdefault(role.value, 0)
        if item.chosen is not None:
            of_type[item.chosen.value] += 1
    order = [role.value for role in OptionRole]
    return {
        name: dict(sorted(counts[name].items(), key=lambda one: order.index(one[0])))
        for name in _NAMES["type"]
        if name in counts
    }


# -- before, after, when ---------------------------------------------------------------------------------------------


class _Update(NamedTuple):
    """One update as asked about under one rotation: by question type, whether all its questions are right."""

    dialogue: int
    right: dict[str, bool]


def _updates(items: Iterable[Item], *needed: QuestionType) -> Iterator[_Update]:
    """The updates of which every question type that is needed was answered."""
    found: dict[tuple[int, int], _Update] = {}
    for item in items:
        if item.asked.update is not None:
            key = item.asked.update, item.rotation
            right = found.setdefault(key, _Update(item.asked.dialogue, {})).right
            name = item.asked.facts.type
            right[name] = right.get(name, True) and item.right
    return (one for one in found.values() if all(kind in one.right for kind in needed))


def _gap(given: Sequence[Item]) -> Gap:
    """Recency (paper, "Recency Bias"), on pairs."""
    before, after = QuestionType.PRE_UPDATE, QuestionType.POST_UPDATE
    result = difference((one.dialogue, one.right[before], one.right[after]) for one in _updates(given, before, after))
    return Gap(
        pairs=result.pairs,
        dialogues=result.dialogues,
        before=result.first,
        after=result.second,
        gap=result.difference,
        p_value=result.p_value,
    )


def _intrusion(given: Iterable[Item]) -> Intrusion:
    """Of wrong answers about before, those that choose what came after; where nothing of the kind was offered: none."""
    wrong = [
        item
        for item in given
        if item.asked.facts.type == QuestionType.PRE_UPDATE
        and item.outcome == "wrong"
        and OptionRole.POST_VALUE in item.asked.roles
    ]
    intrusions = [(item.asked.dialogue, item.chosen is OptionRole.POST_VALUE) for item in wrong]
    chances = [item.asked.roles.count(OptionRole.POST_VALUE) / (len(LETTERS) - 1) for item in wrong]
    rate, p_value = share_against(intrusions, chances)
    return Intrusion(
        wrong=len(wrong),
        intrusions=sum(intruded for _, intruded in intrusions),
        rate=rate,
        chance=rounded(mean(chances)),
        p_value=p_value,
    )


def _trajectory(given: Iterable[Item]) -> Trajectory:
    """Independence multiplies the accuracies of the three question types, over these very updates."""
    updates = list(_updates(given, *ABOUT_UPDATES))
    whole = [(one.dialogue, all(one.right.values())) for one in updates]
    independent = 1.0
    for kind in ABOUT_UPDATES:
        independent *= mean([one.right[kind] for one in updates]) or 0.0
    return Trajectory(
        updates=len(updates),
        whole=sum(right for _, right in whole),
        rate=share(whole),
        independent=rounded(independent) if updates else None,
    )
