"""The metrics that answers add up to.

Each answer counts, and so does each answer to an item that is asked under several rotations of its options or sampled
several times: what belongs together is put together within a rotation and a sample, and intervals are clustered by
dialogue, so that asking more often does not look like knowing more. Answers that failed are left out of everything but
their own count; answers that can't be read are not right, and are counted beside.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, get_args

from dtomtrack.evaluation.benchmark import Benchmark
from dtomtrack.evaluation.common_measures import common_measures
from dtomtrack.evaluation.curves import curves_of
from dtomtrack.evaluation.debias import debiased, method_of
from dtomtrack.evaluation.grouping import group_of, groups_of, rights, split
from dtomtrack.evaluation.probabilities import calibration
from dtomtrack.evaluation.records import Answer, AskConfig, Debiased, Metrics, Outcome
from dtomtrack.evaluation.scored import ScoredAnswer, Scorer
from dtomtrack.evaluation.statistics import check_packages, macro_share
from dtomtrack.items.item import Item
from dtomtrack.items.letters import letter_of

__all__ = ["TYPE", "Taken", "metrics", "score_answers", "sum_up"]

TYPE = "type"
"""The grouping that tables have a row for, and over whose groups the macro mean goes."""


class Taken(NamedTuple):
    """Totals of what the answers took: calls to a model, tokens, US dollars."""

    calls: int = 0
    tokens: int = 0
    cost: float = 0.0


NOTHING_TAKEN = Taken()


def metrics(
    benchmark: Benchmark,
    config: AskConfig,
    items: Iterable[Item],
    answers: Iterable[Answer],
    taken: Taken = NOTHING_TAKEN,
    edited: Sequence[str] = (),
) -> Metrics:
    """The metrics that the answers of one subject add up to.

    Args:
        items: those that are asked; each is read once and forgotten. What belongs together counts as a whole only where
            all of these items have answers.
        answers: in any order; each is read once and forgotten.
        edited: files of the dataset that were edited since it was made.

    Raises:
        DatasetError: an answer is to none of the items, is there twice, or does not go with its item.
        InputError: an extra is missing.
    """
    check_packages()
    return sum_up(benchmark, config, score_answers(items, answers), taken, edited)


def score_answers(items: Iterable[Item], answers: Iterable[Answer]) -> list[ScoredAnswer]:
    """The answers, put to their items.

    Raises:
        DatasetError: an answer is to none of the items, is there twice, or does not go with its item.
    """
    return list(Scorer(items).score(answers))


def sum_up(
    benchmark: Benchmark,
    config: AskConfig,
    scored: Sequence[ScoredAnswer],
    taken: Taken = NOTHING_TAKEN,
    edited: Sequence[str] = (),
) -> Metrics:
    """The metrics that scored answers add up to; see `metrics`."""
    given = [one for one in scored if one.outcome != "error"]
    in_order = sorted(scored, key=lambda one: one.asked.number)
    names = dict.fromkeys(name for one in in_order for name, _ in one.asked.groups)
    outcomes = Counter(one.outcome for one in scored)
    return Metrics(
        suite=benchmark.name,
        config=config,
        questions=len({one.asked.number for one in scored}),
        answers=len(scored),
        outcomes={outcome: outcomes[outcome] for outcome in get_args(Outcome)},
        micro=group_of("micro", scored),
        macro=macro_share(rights(group) for group in split(given, TYPE).values()),
        groups={name: groups_of(name, scored, benchmark.group_order.get(name, ())) for name in names},
        curves=curves_of(benchmark, benchmark.group_order, scored),
        further=(*common_measures(given, config), *benchmark.measures(given, config)),
        roles=_roles(scored),
        letters=_letters(scored),
        calibration=calibration(given, config.mode),
        debiased=_debiased(benchmark, config, scored) if config.debias else None,
        calls=taken.calls,
        tokens=taken.tokens,
        cost=round(taken.cost, 6),
        edited=tuple(edited),
    )


def _debiased(benchmark: Benchmark, config: AskConfig, scored: Sequence[ScoredAnswer]) -> Debiased:
    answers = debiased(scored)
    given = [one for one in answers if one.outcome != "error"]
    return Debiased(
        method=method_of(scored),
        answers=len(answers),
        micro=group_of("micro", answers),
        macro=macro_share(rights(group) for group in split(given, TYPE).values()),
        types=groups_of(TYPE, answers, benchmark.group_order.get(TYPE, ())),
        further=benchmark.measures(given, config),
    )


def _roles(answers: Iterable[ScoredAnswer]) -> dict[str, dict[str, int]]:
    """By type, how often an option of each role was chosen, roles that were never chosen but offered included."""
    given = Counter((one.asked.group(TYPE) or "", one.asked.roles, one.chosen) for one in answers if one.asked.roles)
    counts: dict[str, Counter[str]] = {}
    for (name, roles, chosen), times in given.items():
        of_type = counts.setdefault(name, Counter())
        of_type.update(dict.fromkeys(roles, 0))
        of_type.update({roles[position]: times for position in chosen or ()})
    return {name: dict(sorted(of_type.items())) for name, of_type in sorted(counts.items())}


def _letters(answers: Iterable[ScoredAnswer]) -> Mapping[str, tuple[int, int]]:
    """By letter as shown, how often it was chosen, and how often it was right, of the answers that could be read."""
    given = Counter((one.asked.options, one.rotation, one.chosen, one.asked.gold) for one in answers if one.chosen)
    chosen: Counter[int] = Counter()
    right: Counter[int] = Counter()
    for (size, rotation, picked, gold), times in given.items():
        chosen.update({(position + rotation) % size: times for position in picked or ()})
        right.update({(position + rotation) % size: times for position in gold})
    return {letter_of(position): (chosen[position], right[position]) for position in sorted(chosen | right)}
