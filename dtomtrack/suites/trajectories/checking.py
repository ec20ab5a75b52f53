"""Whether what somebody wrote is a trajectory, and what keeps it from being one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

from pydantic import ValidationError
from pydantic_core import PydanticSerializationError

from dtomtrack.errors import InputError
from dtomtrack.records import first_problem
from dtomtrack.suites.trajectories.records import AnnotatedState, Trajectory

__all__ = ["checked"]

_NAMED = 6
"""The most speakers that a message names."""


def checked(value: object) -> Trajectory:
    """A trajectory that does not contradict itself.

    Raises:
        InputError: it is none; the message begins with the field, as "turns.2.speaker" or "states.0", not the file.
    """
    try:
        found = Trajectory.model_validate(value)
    except ValidationError as error:
        raise InputError(first_problem(error, "").removeprefix(": ")) from None
    contradiction = next(chain(_strangers(found), _contradictions(found.states)), None)
    if contradiction is not None:
        raise InputError(contradiction)
    try:
        found.model_dump_json()
    except PydanticSerializationError:
        raise InputError("holds half a character, as \\ud83d is one; no file can hold it, so mend the text") from None
    return found


def _strangers(trajectory: Trajectory) -> Iterator[str]:
    """Holders who say nothing: mostly a name that is spelled otherwise than in the turns."""
    speakers = list(dict.fromkeys(turn.speaker for turn in trajectory.turns))
    for number, state in enumerate(trajectory.states):
        if state.holder not in speakers:
            known = ", ".join(speakers[:_NAMED]) + (", ..." if len(speakers) > _NAMED else "")
            yield f"states.{number}: holder {state.holder!r} has no turn; the speakers are {known}"


def _contradictions(states: Sequence[AnnotatedState]) -> Iterator[str]:
    """What is said twice of one state at one turn, and differently."""
    first: dict[tuple[object, ...], tuple[int, str | None]] = {}
    for number, state in enumerate(states):
        key = state.turn, state.holder, state.about, state.topic
        place, content = first.setdefault(key, (number, state.content))
        if content != state.content:
            yield (
                f"states.{number}: says otherwise than states.{place} of the same state at the same turn, "
                f"{state.turn}; keep one of them"
            )
