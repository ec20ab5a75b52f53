"""How often 95 % intervals hold what is true, on planted answers: python benchmarks/interval_coverage.py [TIMES]

A planted subject answers right with a known probability by question type; where it is wrong about before an update it
chooses the new value with a known probability. In some dialogues it does better than in others, in all question types
alike, so that answers of one dialogue go together. Each time some dialogues of a dataset are drawn and answered, and
metrics and comparisons say what they make of it.

Then the mean of two types and their difference, where one type is in few dialogues: four answers in each, right as
often as the dialogue happens to be easy, which is drawn from 0 to 1.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from math import exp, fsum, pi, prod, sqrt
from pathlib import Path
from random import Random
from statistics import NormalDist, fmean, stdev

from dtomtrack import generate
from dtomtrack.beliefs.question import PAPER_TYPES, OptionRole, QuestionType
from dtomtrack.evaluation.bounded import Part, Range, estimate
from dtomtrack.evaluation.comparison import compare_scored
from dtomtrack.evaluation.metrics import sum_up
from dtomtrack.evaluation.records import Answer, AskConfig, Interval, Metrics
from dtomtrack.evaluation.said import said_options, words_of_lines
from dtomtrack.evaluation.scored import Scorer
from dtomtrack.evaluation.statistics import macro_share
from dtomtrack.items.item import Item
from dtomtrack.items.letters import letter_of
from dtomtrack.suites.dtom.items import ABOUT_UPDATES, items_of
from dtomtrack.suites.dtom.suite import SUITE

__all__ = ["PAPER", "STEEP", "Coverage", "Planted", "coverage", "dialogues_of", "sparse_coverage"]

_NORMAL = NormalDist()
_DRAWN = 60
_FEW = (2, 3, 4, 6, 30)
_EACH = 4
_BEFORE = QuestionType.PRE_UPDATE
_CONFIG = AskConfig(subject="planted", questions="planted")


@dataclass(frozen=True)
class Planted:
    """What a planted subject does.

    Attributes:
        right: by question type, how probably an answer is right.
        intrusion: how probably a wrong answer about before an update is the new value, where others were said, too.
        together: share of the variance (of what decides an answer) that the answers of a dialogue have in common.
    """

    right: Mapping[QuestionType, float]
    intrusion: float
    together: float


@dataclass(frozen=True)
class Coverage:
    """Of one number: what is true, the mean estimate, its standard error, and how often its interval held the truth."""

    truth: float
    mean: float
    error: float
    held: float


PAPER = Planted(
    dict(zip(PAPER_TYPES, (0.277, 0.639, 0.675, 0.501, 0.472, 0.447), strict=True)), intrusion=0.6, together=0.2
)
"""About as right as the models of the paper (Figure 3a)."""
STEEP = Planted(dict(zip(PAPER_TYPES, (0.04, 0.97, 0.25, 0.98, 0.6, 0.9), strict=True)), intrusion=0.95, together=0.3)
"""Nearly always wrong, nearly always right."""


def dialogues_of(items: Iterable[Item]) -> list[list[Item]]:
    """Items by dialogue."""
    dialogues: dict[str, list[Item]] = {}
    for item in items:
        dialogues.setdefault(item.cluster, []).append(item)
    return list(dialogues.values())


def coverage(
    dialogues: Sequence[Sequence[Item]], planted: Planted, *, times: int, drawn: int, seed: int = 0
) -> dict[str, Coverage]:
    """How often the interval of each number holds the truth, over so many draws of so many dialogues."""
    rng = Random(seed)
    worse = _worse(planted)
    items = [item for dialogue in dialogues for item in dialogue]
    truths, scorer = _truths(items, planted, worse), Scorer(items)
    said = {item.id: said_options(item, words_of_lines(item)) for item in items if _type(item) is _BEFORE}
    estimates: defaultdict[str, list[Interval]] = defaultdict(list)
    for _ in range(times):
        sample = rng.sample(dialogues, drawn)
        one, other = (list(scorer.score(_answers(sample, subject, said, rng))) for subject in (planted, worse))
        for name, interval in _intervals(sum_up(SUITE, _CONFIG, one)):
            estimates[name].append(interval)
        (pair,) = compare_scored({"one": one, "other": other}).pairs
        estimates["comparison"].append(pair.compared.overall.difference)
    return {name: _coverage(estimates[name], truth) for name, truth in truths.items()}


def sparse_coverage(few: int, *, times: int, seed: int = 0) -> dict[str, Coverage]:
    """How often the intervals of the mean of two types and of their difference hold, one being in so few dialogues."""
    rng = Random(seed)
    means, contrasts = [], []
    for _ in range(times):
        one, other = _moody(range(few), rng), _moody(range(few, few + _DRAWN), rng)
        means.append(macro_share([one, other]))
        contrasts.append(estimate([Part(one), Part(other, -1.0)], Range(-1, 1)).interval)
    return {"mean of two types": _coverage(means, 0.5), "their difference": _coverage(contrasts, 0.0)}


def _moody(dialogues: Iterable[int], rng: Random) -> list[tuple[int, bool]]:
    easy = {dialogue: rng.random() for dialogue in dialogues}
    return [(dialogue, rng.random() < known) for dialogue, known in easy.items() for _ in range(_EACH)]


def _worse(planted: Planted) -> Planted:
    return Planted({name: 0.8 * p for name, p in planted.right.items()}, planted.intrusion, planted.together)


def _type(item: Item) -> QuestionType:
    return QuestionType(item.groups["type"])


# -- answers -----------------------------------------------------------------------------------------------------------


def _answers(
    dialogues: Sequence[Sequence[Item]], planted: Planted, said: Mapping[str, Set[int]], rng: Random
) -> list[Answer]:
    limits = {name: _NORMAL.inv_cdf(p) for name, p in planted.right.items()}
    answers = []
    for dialogue in dialogues:
        common = sqrt(planted.together) * rng.gauss()
        for item in dialogue:
            right = common + sqrt(1 - planted.together) * rng.gauss() < limits[_type(item)]
            chosen = min(item.gold) if right else _wrong(item, planted, said.get(item.id, frozenset()), rng)
            answers.append(_answer(item, chosen))
    return answers


def _answer(item: Item, chosen: int) -> Answer:
    outcome = "correct" if chosen in item.gold else "wrong"
    return Answer.model_validate(
        {"question_id": item.id, "dialogue_id": item.cluster, "answer": letter_of(chosen), "outcome": outcome}
    )


def _wrong(item: Item, planted: Planted, said: Set[int], rng: Random) -> int:
    """A wrong option: where several were said about before, the new value or another of them."""
    wrong = sorted(set(range(len(item.options))) - item.gold)
    new = [position for position in wrong if item.roles[position] == OptionRole.POST_VALUE and position in said]
    other = [position for position in wrong if position in said and position not in new]
    if not new or not other:
        return rng.choice(wrong)
    return rng.choice(new if rng.random() < planted.intrusion else other)


# -- truths ------------------------------------------------------------------------------------------------------------


def _truths(items: Sequence[Item], planted: Planted, worse: Planted) -> dict[str, float]:
    groups: defaultdict[str, list[float]] = defaultdict(list)
    for item in items:
        groups["micro"].append(planted.right[_type(item)])
        for by, name in item.groups.items():
            groups[f"{by} {name}"].append(planted.right[_type(item)])
    truths = {name: fsum(members) / len(members) for name, members in groups.items() if len(members) > 100}
    present = {_type(item) for item in items}
    truths["macro"] = fsum(planted.right[name] for name in present) / len(present)
    truths["gap"] = planted.right[QuestionType.POST_UPDATE] - planted.right[QuestionType.PRE_UPDATE]
    truths["intrusion"] = planted.intrusion
    truths["trajectory"] = _trajectory(planted)
    truths["independence"] = prod(planted.right[kind] for kind in ABOUT_UPDATES)
    truths["comparison"] = fsum(planted.right[_type(item)] - worse.right[_type(item)] for item in items) / len(items)
    return truths


def _trajectory(planted: Planted, steps: int = 4000, end: float = 8.0) -> float:
    """How probably before, after and when are all right: by the midpoint rule."""
    width = 2 * end / steps
    points = (-end + (step + 0.5) * width for step in range(steps))
    return fsum(
        width * exp(-(common**2) / 2) / sqrt(2 * pi) * prod(_given(planted, kind, common) for kind in ABOUT_UPDATES)
        for common in points
    )


def _given(planted: Planted, kind: QuestionType, common: float) -> float:
    limit = _NORMAL.inv_cdf(planted.right[kind])
    return _NORMAL.cdf((limit - sqrt(planted.together) * common) / sqrt(1 - planted.together))


# -- estimates ---------------------------------------------------------------------------------------------------------


def _intervals(result: Metrics) -> Iterator[tuple[str, Interval]]:
    yield "micro", result.micro.accuracy
    yield "macro", result.macro
    for one in result.further:
        yield one.name, one.estimate
        if one.name == "trajectory" and one.reference is not None:
            yield "independence", one.reference
    for by, groups in result.groups.items():
        yield from ((f"{by} {group.name}", group.accuracy) for group in groups)


def _coverage(intervals: Sequence[Interval], truth: float) -> Coverage:
    values = [one.value for one in intervals if one.value is not None]
    bounds = [(one.low, one.high) for one in intervals if one.low is not None and one.high is not None]
    held = sum(low <= truth <= high for low, high in bounds)
    return Coverage(truth, fmean(values), stdev(values) / sqrt(len(values)), held / len(bounds))


def main() -> None:
    """Print what is true, what is found, and how often the intervals hold."""
    times = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    with tempfile.TemporaryDirectory() as folder:
        generate("restaurant", n=500, out=Path(folder) / "out")
        dialogues = dialogues_of(items_of(Path(folder) / "out"))
    for label, planted in (("paper", PAPER), ("steep", STEEP)):
        started = time.perf_counter()
        found = coverage(dialogues, planted, times=times, drawn=_DRAWN)
        print(
            f"{label}: {times} draws of {_DRAWN} of {len(dialogues)} dialogues, {time.perf_counter() - started:.0f} s"
        )
        print(f"{'':28}{'true':>8}{'mean':>8}{'held':>8}")
        for name, one in found.items():
            print(f"{name:28}{one.truth:8.4f}{one.mean:8.4f}{one.held:8.3f}")
    for few in _FEW:
        print(f"one type in {few} dialogues, the other in {_DRAWN}: {times} draws")
        for name, one in sparse_coverage(few, times=times).items():
            print(f"{name:28}{one.truth:8.4f}{one.mean:8.4f}{one.held:8.3f}")


if __name__ == "__main__":
    main()
