"""How good a verifier is: what is kept is judged again, intact and with known faults.

A verifier that rejects everything catches every fault, and one that accepts everything raises no false alarm: so each
broken item stands beside its intact twin, and what could not be judged stands apart.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from functools import partial
from typing import Literal, NamedTuple, get_args

from dtomtrack.beliefs.dialogue import Dialogue, Turn
from dtomtrack.beliefs.question import Question
from dtomtrack.beliefs.scenario import PlannedUpdate
from dtomtrack.errors import DatasetError
from dtomtrack.runs.calibration import FaultScore, Separation
from dtomtrack.runs.in_order import in_order
from dtomtrack.verifiers.faults import move_update, never_voiced, remove_update, swap_gold, two_right_options
from dtomtrack.verifiers.judging.judge import Judge
from dtomtrack.verifiers.judging.separation import BROKEN_BY, Grades, separation
from dtomtrack.verifiers.verdicts import Criterion, Decision, Verdict

__all__ = ["FAULTS", "MAX_CONCURRENCY", "Fault", "Judged", "KeptDialogue", "calibrate", "items_of", "judged_again"]

Fault = Literal["remove_update", "move_update", "swap_gold", "two_right_options", "never_voiced"]
FAULTS: tuple[Fault, ...] = get_args(Fault)

MAX_CONCURRENCY = 32
"""Dialogues that are judged at once."""


@dataclass(frozen=True)
class Judged:
    """A kept dialogue and its questions, with what a verifier now says of each."""

    dialogue: Dialogue
    verdict: Verdict
    questions: tuple[tuple[Question, Verdict], ...]


class KeptDialogue(NamedTuple):
    """A kept dialogue with its questions, in the order of the files."""

    dialogue: Dialogue
    questions: tuple[Question, ...]


@dataclass(frozen=True)
class _Trial:
    """An item with a fault beside the intact one; of questions, with the grades that both got."""

    fault: Fault
    intact: Decision
    broken: Decision
    intact_grades: Mapping[Criterion, float] = field(default_factory=dict)
    broken_grades: Mapping[Criterion, float] = field(default_factory=dict)


async def judged_again(judge: Judge, kept: KeptDialogue) -> Judged:
    """A verdict on a dialogue and on each of its questions.

    Raises:
        ModelError: no answer can be had.
    """
    dialogue = kept.dialogue
    slot, attempt = dialogue.slot, dialogue.provenance.attempt
    verdict = await judge.updates(dialogue.scenario, dialogue.turns, slot, attempt)
    verdicts = [(question, await judge.item(dialogue.turns, question, slot, attempt)) for question in kept.questions]
    return Judged(dialogue, verdict, tuple(verdicts))


async def calibrate(
    judge: Judge,
    dialogues: Iterable[Dialogue],
    questions: Iterable[Question],
    *,
    max_concurrency: int = MAX_CONCURRENCY,
) -> tuple[tuple[FaultScore, ...], tuple[Separation, ...]]:
    """Precision and recall of a verifier for each known fault, and what its grades tell, criterion by criterion.

    Args:
        dialogues: of a dataset, in the order of its file; likewise ``questions``.

    Raises:
        DatasetError: a question belongs to no dialogue, or stands out of order.
        ModelError: no answer can be had.
    """
    tallies: dict[Fault, Counter[str]] = {fault: Counter() for fault in FAULTS}
    graded = {criterion: Grades() for criterion in BROKEN_BY}
    async with aclosing(in_order(partial(_trials, judge), items_of(dialogues, questions), max_concurrency)) as results:
        async for trials in results:
            for trial in trials:
                _count(tallies[trial.fault], trial)
                _take_grades(graded, trial)
    scores = tuple(_score(fault, tally) for fault, tally in tallies.items())
    return scores, tuple(separation(criterion, grades) for criterion, grades in graded.items())


def items_of(dialogues: Iterable[Dialogue], questions: Iterable[Question]) -> Iterator[KeptDialogue]:
    """Dialogues with their questions, both in the order of their files.

    Raises:
        DatasetError: a question belongs to no dialogue, or stands out of order.
    """
    left = iter(questions)
    following = next(left, None)
    for dialogue in dialogues:
        own = []
        while following is not None and following.dialogue_id == dialogue.id:
            own.append(following)
            following = next(left, None)
        yield KeptDialogue(dialogue, tuple(own))
    if following is not None:
        raise DatasetError(
            f"question {following.id!r}: its dialogue {following.dialogue_id!r} is not there, or not in the same order"
        )


async def _trials(judge: Judge, item: KeptDialogue) -> list[_Trial]:
    trials = await _update_trials(judge, item.dialogue)
    for question in item.questions:
        trials += await _question_trials(judge, item.dialogue, question)
    return trials


async def _update_trials(judge: Judge, dialogue: Dialogue) -> list[_Trial]:
    async def outcome(turns: Sequence[Turn], what: str) -> Decision:
        slot, attempt = dialogue.slot, dialogue.provenance.attempt
        verdict = await judge.updates(dialogue.scenario, turns, slot, attempt, purpose=f"calibrate {what}")
        return verdict.outcome

    if not dialogue.scenario.updates:
        return []
    intact = await outcome(dialogue.turns, "intact")
    return [
        _Trial(fault, intact, "error" if intact == "error" else await outcome(turns, fault))
        for fault, turns in _broken_updates(dialogue.turns, _one_update(dialogue))
    ]


def _one_update(dialogue: Dialogue) -> PlannedUpdate:
    """The update of a dialogue that is broken: not always the first."""
    updates = dialogue.scenario.updates
    return updates[dialogue.slot % len(updates)]


def _broken_updates(turns: Sequence[Turn], update: PlannedUpdate) -> Iterator[tuple[Fault, tuple[Turn, ...]]]:
    yield "remove_update", remove_update(turns, update)
    yield "move_update", move_update(turns, update)


async def _question_trials(judge: Judge, dialogue: Dialogue, question: Question) -> list[_Trial]:
    async def outcome(turns: Sequence[Turn], asked: Question, what: str) -> tuple[Decision, Mapping[Criterion, float]]:
        slot, attempt = dialogue.slot, dialogue.provenance.attempt
        verdict, grades = await judge.grades(turns, asked, slot, attempt, purpose=f"calibrate {what}")
        return verdict.outcome, grades

    intact, grades = await outcome(dialogue.turns, question, "intact")
    trials = []
    for fault, turns, broken in _broken_questions(dialogue.turns, question):
        if intact == "error":
            trials.append(_Trial(fault, intact, intact))
        else:
            decision, lowered = await outcome(turns, broken, fault)
            trials.append(_Trial(fault, intact, decision, grades, lowered))
    return trials


def _broken_questions(
    turns: tuple[Turn, ...], question: Question
) -> Iterator[tuple[Fault, tuple[Turn, ...], Question]]:
    yield "swap_gold", turns, swap_gold(question)
    yield "two_right_options", turns, two_right_options(question)
    silent = never_voiced(turns, question)
    if silent is not None:
        yield "never_voiced", silent, question


def _count(tally: Counter[str], trial: _Trial) -> None:
    tally["items"] += 1
    if "error" in (trial.intact, trial.broken):
        tally["errors"] += 1
        return
    tally["caught"] += trial.broken == "reject"
    tally["false_alarms"] += trial.intact == "reject"


def _take_grades(graded: Mapping[Criterion, Grades], trial: _Trial) -> None:
    """Keep the grades of those criteria that the fault is about, of the broken question and of its intact twin."""
    for criterion, grades in graded.items():
        if trial.fault in BROKEN_BY[criterion]:
            grades.intact += [grade for one, grade in trial.intact_grades.items() if one == criterion]
            grades.broken += [grade for one, grade in trial.broken_grades.items() if one == criterion]


def _score(fault: Fault, tally: Counter[str]) -> FaultScore:
    rejected = tally["caught"] + tally["false_alarms"]
    judged = tally["items"] - tally["errors"]
    return FaultScore(
        fault=fault,
        items=tally["items"],
        caught=tally["caught"],
        false_alarms=tally["false_alarms"],
        errors=tally["errors"],
        precision=round(tally["caught"] / rejected, 4) if rejected else None,
        recall=round(tally["caught"] / judged, 4) if judged else None,
    )
