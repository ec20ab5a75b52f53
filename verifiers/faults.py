"""Known faults, to see whether verifiers catch them.

Each function takes something that was kept and breaks it in one way, as new records. A verifier that keeps what comes
out has missed the fault.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dtomtrack.schema import LETTERS, Letter, OptionRole, PlannedUpdate, Question, Turn

__all__ = ["FILLER", "move_update", "remove_update", "silence", "swap_gold", "two_right_options"]

FILLER = "Give me a second, somebody is at the door."
"""Says nothing about anybody's state."""


def remove_update(turns: Sequence[Turn], update: PlannedUpdate) -> tuple[Turn, ...]:
    """The change of mind is not said: its turn holds small talk."""
    return silence(turns, [update.turn])


def move_update(turns: Sequence[Turn], update: PlannedUpdate) -> tuple[Turn, ...]:
    """The change of mind is said at another turn of the same agent: the next, or the one before if there is none."""
    speaker = turns[update.turn].speaker
    own = [turn.index for turn in turns if turn.speaker == speaker]
    at = own.index(update.turn)
    other = own[at + 1] if at + 1 < len(own) else own[at - 1]
    said = {update.turn: turns[other].utterance, other: turns[update.turn].utterance}
    return tuple(turn.model_copy(update={"utterance": said.get(turn.index, turn.utterance)}) for turn in turns)


def silence(turns: Sequence[Turn], indices: Iterable[int]) -> tuple[Turn, ...]:
    """What these turns said is never voiced."""
    silent = set(indices)
    return tuple(turn.model_copy(update={"utterance": FILLER}) if turn.index in silent else turn for turn in turns)


def swap_gold(question: Question) -> Question:
    """A wrong option is gold."""
    wrong = _wrong_letter(question)
    roles = {**question.option_roles, question.answer: question.option_roles[wrong], wrong: OptionRole.GOLD}
    return question.model_copy(update={"answer": wrong, "option_roles": roles})


def two_right_options(question: Question) -> Question:
    """A second option says the same as the gold one."""
    wrong = _wrong_letter(question)
    return question.model_copy(update={"options": {**question.options, wrong: question.gold + "."}})


def _wrong_letter(question: Question) -> Letter:
    return next(letter for letter in LETTERS if letter != question.answer)
