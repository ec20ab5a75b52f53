"""Rounds of persuasiontrace (jlcmoore/persuasiontrace) as trajectories: people who say how far they believe something.

A file of its ``results`` has an array of rounds a line. After each exchange the target, here a person, gives a belief
from 0 to 1, after the last in many rounds none; below one threshold that is a no, above another a yes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from io import StringIO
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from dtomtrack.beliefs.scenario import MentalState
from dtomtrack.errors import InputError
from dtomtrack.files import bounded_lines
from dtomtrack.items.json_stream import array_elements
from dtomtrack.records import NotBoolean, first_problem
from dtomtrack.suites.trajectories.records import AnnotatedState, AnnotatedTopic, AnnotatedTurn, Trajectory

__all__ = ["THRESHOLDS", "read_persuasiontrace"]

THRESHOLDS = (0.4, 0.6)
"""Below the first somebody does not believe it, above the second they do."""
_VALUES = ("Yes", "No", "Undecided")
_TARGET, _TOPIC = "target", "stance"
_LONGEST_LINE = 32 << 20
"""Bytes: a line is a whole experiment."""


class _Theirs(BaseModel):
    """A part of their records; other fields are passed over."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class _Roles(_Theirs):
    human_target: bool


class _Condition(_Theirs):
    roles: _Roles


class _Message(_Theirs):
    role: str
    content: str | None


Belief = Annotated[float, Field(ge=0.0, le=1.0), NotBoolean]


class _Round(_Theirs):
    proposition: str
    condition: _Condition
    target_initial_belief: Belief | None
    messages: tuple[_Message, ...]
    serial_questions: tuple[Belief, ...] | None


def read_persuasiontrace(path: Path, thresholds: Sequence[float] = THRESHOLDS) -> Iterator[Trajectory]:
    """The rounds with a person as the target, of a file or of all files of a folder, in the order of their names.

    Raises:
        InputError: there is none, a file can't be read, or the thresholds don't stand in order between 0 and 1.
    """
    low, high = thresholds
    if not 0 <= low <= high <= 1:
        raise InputError(f"thresholds are {low:g} and {high:g}; they have to stand in order, from 0 to 1")
    files = sorted(path.rglob("*.jsonl")) if path.is_dir() else [path]
    found = False
    for file in files:
        for number, one in enumerate(_rounds(file), 1):
            trajectory = _trajectory(one, f"{file.parent.name}/{file.stem}/{number}", (low, high))
            if trajectory is not None:
                found = True
                yield trajectory
    if not found:
        raise InputError(f"{path}: holds no round of persuasiontrace with a person as the target and messages")


def _rounds(path: Path) -> Iterator[_Round]:
    try:
        with path.open("rb") as file:
            for number, line in enumerate(bounded_lines(file, path, InputError, _LONGEST_LINE), 1):
                if line.strip():
                    yield from _rounds_of(line, path, number)
    except OSError as error:
        raise InputError(f"{path}: can't be read ({error.strerror})") from None


def _rounds_of(line: bytes, path: Path, line_number: int) -> Iterator[_Round]:
    place = f"{path}:{line_number}"
    try:
        text = StringIO(line.decode("utf-8-sig"))
        for number, record in enumerate(array_elements(text, str(path), line=line_number), 1):
            yield _round(record, f"{place}: round {number}")
    except UnicodeDecodeError:
        raise InputError(f"{place}: is not UTF-8 text") from None


def _round(record: object, place: str) -> _Round:
    try:
        one = _Round.model_validate(record)
    except ValidationError as error:
        raise InputError(f"{place}: {first_problem(error)}") from None
    reports, messages = len(one.serial_questions or ()), sum(message.role == _TARGET for message in one.messages)
    # there may be fewer: what is believed in the end is asked about elsewhere
    if one.condition.roles.human_target and reports > messages:
        raise InputError(
            f"{place}: has {reports} serial_questions after {messages} messages of the target; each has its own"
        )
    return one


def _trajectory(one: _Round, name: str, thresholds: tuple[float, float]) -> Trajectory | None:
    """A round; None where no person is the target, or nobody says anything."""
    said = [message for message in one.messages if _is_said(message)]
    if not one.condition.roles.human_target or not any(message.role == _TARGET for message in said):
        return None
    reports = _reports(one)
    if one.target_initial_belief is not None:
        # what is held before anything is said holds until the first report
        reports.setdefault(0, one.target_initial_belief)
    question = f'Does the target believe this: "{one.proposition}"'
    topic = AnnotatedTopic(id=_TOPIC, label=one.proposition, values=_VALUES, question=question)
    return Trajectory(
        id=name,
        turns=tuple(AnnotatedTurn(speaker=message.role, utterance=message.content or "") for message in said),
        states=tuple(_states(reports, thresholds)),
        topics=(topic,),
    )


def _is_said(message: _Message) -> bool:
    return bool(message.content and message.content.strip())


def _reports(one: _Round) -> dict[int, float]:
    """Beliefs by turn: the n-th is reported after the target's n-th message, which, if it is blank, is no turn."""
    turn, reports, beliefs = -1, {}, iter(one.serial_questions or ())
    for message in one.messages:
        turn += _is_said(message)
        belief = next(beliefs, None) if message.role == _TARGET else None
        if belief is not None:
            reports[max(turn, 0)] = belief
    return reports


def _states(reports: Mapping[int, float], thresholds: tuple[float, float]) -> Iterator[AnnotatedState]:
    low, high = thresholds
    for turn, belief in sorted(reports.items()):
        content = "No" if belief < low else "Yes" if belief > high else "Undecided"
        yield AnnotatedState(turn=turn, holder=_TARGET, mental_state=MentalState.BELIEF, topic=_TOPIC, content=content)
