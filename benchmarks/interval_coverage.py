"""How often 95 % intervals hold what is true, on planted answers: python benchmarks/interval_coverage.py [TIMES]

A planted subject answers right with a known probability by question type; where it is wrong about before an update it
chooses the new value with a known probability. In some dialogues it does better than in others, in all question types
alike, so that answers of one dialogue go together. Each time some dialogues of a dataset are drawn and answered, and
`metrics` and `compare` say what they make of it.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import exp, fsum, pi, prod, sqrt
from pathlib import Path
from random import Random
from statistics import NormalDist

from dtomtrack import generate
from dtomtrack.beliefs.question import LETTERS, Letter, OptionRole, Question, QuestionType
from dtomtrack.evaluation.comparison import compare
from dtomtrack.evaluation.items import ABOUT_UPDATES, facts
from dtomtrack.evaluation.metrics import metrics
from dtomtrack.evaluation.records import Answer, AskConfig, Interval, Metrics
from dtomtrack.runs.lines import read_lines

__all__ = ["PAPER", "STEEP", "Coverage", "Planted", "coverage", "dialogues_of"]

_NORMAL = NormalDist()
_DRAWN = 60
_CONFIG = AskConfig(subject="planted", questions="planted")


@dataclass(frozen=True)
class Planted:
    """What a planted subject does.

    Attributes:
        right: by question type, how probably an answer is right.
        intrusion: how probably a wrong answer about before an update is the new value.
        together: share of the variance (of what decides an answer) that the answers of a dialogue have in common.
    """

    right: Mapping[QuestionType, float]
    intrusion: float
    together: float


@dataclass(frozen=True)
class Coverage:
    """Of one number: what is true, the mean estimate, and how often its interval held the truth."""

    truth: float
    mean: float
    held: float


PAPER = Planted(
    dict(zip(QuestionType, (0.277, 0.639, 0.675, 0.501, 0.472, 0.447), strict=True)), intrusion=0.6, together=0.2
)
"""About as right as the models of the paper (Figure 3a)."""
STEEP = Planted(dict(zip(QuestionType, (0.04, 0.97, 0.25, 0.98, 0.6, 0.9), strict=True)), intrusion=0.95, together=0.3)
"""Nearly always wrong, nearly always right."""


def dialogues_of(questions: Sequence[Question]) -> list[list[Question]]:
    """Questions by dialogue."""
    dialogues: dict[str, list[Question]] = {}
    for question in questions:
        dialogues.setdefault(question.dialogue_id, []).append(question)
    return list(dialogues.values())


def coverage(
    dialogues: Sequence[Sequence[Question]], planted: Planted, *, times: int, drawn: int, seed: int = 0
) -> dict[str, Coverage]:
    """How often the interval of each number holds the truth, over so many draws of so many dialogues."""
    rng = Random(seed)
    worse = _worse(planted)
    truths = _truths([question for dialogue in dialogues for question in dialogue], planted, worse)
    estimates: defaultdict[str, list[Interval]] = defaultdict(list)
    for _ in range(times):
        sample = rng.sample(dialogues, drawn)
        questions = [question for dialogue in sample for question in dialogue]
        one, other = (_answers(sample, subject, rng) for subject in (planted, worse))
        for name, interval in _intervals(metrics(_CONFIG, questions, one)):
            estimates[name].append(interval)
        estimates["comparison"].append(compare(one, other, questions).overall.difference)
    return {name: _coverage(estimates[name], truth) for name, truth in truths.items()}


def _worse(planted: Planted) -> Planted:
    return Planted({name: 0.8 * p for name, p in planted.right.items()}, planted.intrusion, planted.together)


# -- answers -----------------------------------------------------------------------------------------------------------


def _answers(dialogues: Sequence[Sequence[Question]], planted: Planted, rng: Random) -> list[Answer]:
    limits = {name: _NORMAL.inv_cdf(p) for name, p in planted.right.items()}
    answers = []
    for dialogue in dialogues:
        common = sqrt(planted.together) * rng.gauss()
        for question in dialogue:
            right = common + sqrt(1 - planted.together) * rng.gauss() < limits[question.type]
            answers.append(_answer(question, question.answer if right else _wrong(question, planted, rng)))
    return answers


def _answer(question: Question, letter: Letter) -> Answer:
    outcome = "correct" if letter == question.answer else "wrong"
    return Answer.model_validate(
        {"question_id": question.id, "dialogue_id": question.dialogue_id, "answer": letter, "outcome": outcome}
    )


def _wrong(question: Question, planted: Planted, rng: Random) -> Letter:
    wrong = [letter for letter in LETTERS if letter != question.answer]
    new = [letter for letter in wrong if question.option_roles[letter] is OptionRole.POST_VALUE]
    if question.type is not QuestionType.PRE_UPDATE or not new:
        return rng.choice(wrong)
    other = [letter for letter in wrong if letter not in new]
    return rng.choice(new if rng.random() < planted.intrusion or not other else other)


# -- truths ------------------------------------------------------------------------------------------------------------


def _truths(questions: Sequence[Question], planted: Planted, worse: Planted) -> dict[str, float]:
    groups: defaultdict[str, list[float]] = defaultdict(list)
    for question in questions:
        groups["micro"].append(planted.right[question.type])
        for by, name in facts(question)._asdict().items():
            groups[f"{by} {name}"].append(planted.right[question.type])
    truths = {name: fsum(members) / len(members) for name, members in groups.items() if len(members) > 100}
    present = {question.type for question in questions}
    truths["macro"] = fsum(planted.right[name] for name in present) / len(present)
    truths["gap"] = planted.right[QuestionType.POST_UPDATE] - planted.right[QuestionType.PRE_UPDATE]
    truths["intrusion"] = planted.intrusion
    truths["trajectory"] = _trajectory(planted)
    truths["comparison"] = fsum(planted.right[one.type] - worse.right[one.type] for one in questions) / len(questions)
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
    yield "gap", result.gap.gap
    yield "intrusion", result.intrusion.rate
    yield "trajectory", result.trajectory.rate
    for by, groups in result.groups.items():
        yield from ((f"{by} {group.name}", group.accuracy) for group in groups)


def _coverage(intervals: Sequence[Interval], truth: float) -> Coverage:
    values = [one.value for one in intervals if one.value is not None]
    bounds = [(one.low, one.high) for one in intervals if one.low is not None and one.high is not None]
    held = sum(low <= truth <= high for low, high in bounds)
    return Coverage(truth, fsum(values) / len(values), held / len(bounds))


def main() -> None:
    """Print what is true, what is found, and how often the intervals hold."""
    times = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    with tempfile.TemporaryDirectory() as folder:
        generate("restaurant", n=500, out=Path(folder) / "out")
        dialogues = dialogues_of(list(read_lines(Path(folder) / "out" / "questions.jsonl", Question)))
    for label, planted in (("paper", PAPER), ("steep", STEEP)):
        started = time.perf_counter()
        found = coverage(dialogues, planted, times=times, drawn=_DRAWN)
        print(
            f"{label}: {times} draws of {_DRAWN} of {len(dialogues)} dialogues, {time.perf_counter() - started:.0f} s"
        )
        print(f"{'':28}{'true':>8}{'mean':>8}{'held':>8}")
        for name, one in found.items():
            print(f"{name:28}{one.truth:8.4f}{one.mean:8.4f}{one.held:8.3f}")


if __name__ == "__main__":
    main()
