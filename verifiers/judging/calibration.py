"""How good a verifier is: what is kept is judged again, intact and with known faults.

A verifier that rejects everything catches every fault, and one that accepts everything raises no false alarm: so each
broken item stands beside its intact twin, and what could not be judged stands apart.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, get_args

from dtomtrack.beliefs.dialogue import Dialogue, Turn
from dtomtrack.beliefs.question import Question
from dtomtrack.beliefs.scenario import PlannedUpdate
from dtomtrack.errors import DatasetError
from dtomtrack.runs.calibration import FaultScore, Separation
from dtomtrack.verifiers.faults import move_update, never_voiced, remove_update, swap_gold, two_right_options
from dtomtrack.verifiers.judging.judge import Judge
from dtomtrack.verifiers.judging.separation import BROKEN_BY, Grades, separation
from dtomtrack.verifiers.verdicts import Criterion, Decision, Verdict

__all__ = [
    "FAULTS",
    "Fault",
    "FaultTallies",
    "FaultTrial",
    "Judged",
    "KeptDialogue",
    "fault_trials",
    "items_of",
    "judged_again",
]

Fault = Literal["remove_update", "move_update", "swap_gold", "two_right_options", "never_voiced"]
FAULTS: tuple[Fault, ...] = get_args(Fault)


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
class FaultTrial:
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
    verdicts = [(question, await judge.item(dialogue, question)) for question in kept.questions]
    return Judged(dialogue, verdict, tuple(verdicts))


class FaultTallies:
    """What trials of a verifier add up to: precision and recall for each fault, and what its grades tell."""

    def __init__(self) -> None:
        self._tallies: dict[Fault, Counter[str]] = {fault: Counter() for fault in FAULTS}
        self._graded = {criterion: Grades() for criterion in BROKEN_BY}

    def take(self, trials: Iterable[FaultTrial]) -> None:
        """Add trials."""
        for trial in trials:
            _count(self._tallies[trial.fault], trial)
            _take_grades(self._graded, trial)

    @property
    def scores(self) -> tuple[FaultScore, ...]:
        """Precision and recall, fault by fault."""
        return tuple(_score(fault, tally) for fault, tally in self._tallies.items())

    @property
    def separations(self) -> tuple[Separation, ...]:
        """How far grades tell broken from intact, criterion by criterion."""
        return tuple(separation(criterion, grades) for criterion, grades in self._graded.items())


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


async def fault_trials(judge: Judge, item: KeptDialogue) -> list[FaultTrial]:
    """A dialogue and its questions with each known fault, beside the intact ones.

    Raises:
        ModelError: no answer can be had.
    """
    trials = await _update_trials(judge, item.dialogue)
    for question in item.questions:
        trials += await _question_trials(judge, item.dialogue, question)
    return trials


async def _update_trials(judge: Judge, dialogue: Dialogue) -> list[FaultTrial]:
    async def outcome(turns: Sequence[Turn], what: str) -> Decision:
        slot, attempt = dialogue.slot, dialogue.provenance.attempt
        verdict = await judge.updates(dialogue.scenario, turns, slot, attempt, purpose=f"calibrate {what}")
        return verdict.outcome

    if not dialogue.scenario.updates:
        return []
    intact = await outcome(dialogue.turns, "intact")
    return [
        FaultTrial(fault, intact, "error" if intact == "error" else await outcome(turns, fault))
        for fault, turns in _broken_updates(dialogue.turns, _one_update(dialogue))
    ]


def _one_update(dialogue: Dialogue) -> PlannedUpdate:
    """The update of a dialogue that is broken: not always the first."""
    updates = dialogue.scenario.updates
    return updates[dialogue.slot % len(updates)]


def _broken_updates(turns: Sequence[Turn], update: PlannedUpdate) -> Iterator[tuple[Fault, tuple[Turn, ...]]]:
    yield "remove_update", remove_update(turns, update)
    moved = move_update(turns, update)
    if moved is not None:
        yield "move_update", moved


async def _question_trials(judge: Judge, dialogue: Dialogue, question: Question) -> list[FaultTrial]:
    async def outcome(turns: Sequence[Turn], asked: Question, what: str) -> tuple[Decision, Mapping[Criterion, float]]:
        shown = dialogue.model_copy(update={"turns": turns})
        verdict, grades = await judge.grades(shown, asked, purpose=f"calibrate {what}")
        return verdict.outcome, grades

    intact, grades = await outcome(dialogue.turns, question, "intact")
    trials = []
    for fault, turns, broken in _broken_questions(dialogue.turns, question):
        if intact == "error":
            trials.append(FaultTrial(fault, intact, intact))
        else:
            decision, lowered = await outcome(turns, broken, fault)
            trials.append(FaultTrial(fault, intact, decision, grades, lowered))
    return trials


def _broken_questions(
    turns: tuple[Turn, ...], question: Question
) -> Iterator[tuple[Fault, tuple[Turn, ...], Question]]:
    yield "swap_gold", turns, swap_gold(question)
    doubled = two_right_options(question)
    if doubled is not None:
        yield "two_right_options", turns, doubled
    silent = never_voiced(turns, question)
    if silent is not None:
        yield "never_voiced", silent, question


def _count(tally: Counter[str], trial: FaultTrial) -> None:
    tally["items"] += 1
    if "error" in (trial.intact, trial.broken):
        tally["errors"] += 1
        return
    tally["caught"] += trial.broken == "reject"
    tally["false_alarms"] += trial.intact == "reject"


def _take_grades(graded: Mapping[Criterion, Grades], trial: FaultTrial) -> None:
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
