"""Known faults, to see whether verifiers catch them.

Each function takes something that was kept and breaks it in one way, as new records: what is said, and with it what is
thought. A verifier that keeps what comes out has missed the fault.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dtomtrack.beliefs.dialogue import InnerSpeech, Turn
from dtomtrack.beliefs.inner_speech import thought
from dtomtrack.beliefs.question import OptionRole, Question
from dtomtrack.beliefs.reading import distinctive_words
from dtomtrack.beliefs.scenario import PlannedUpdate
from dtomtrack.items.words import content_words

__all__ = ["FILLER", "move_update", "never_voiced", "remove_update", "silence", "swap_gold", "two_right_options"]

FILLER = "Give me a second, somebody is at the door."
"""Says nothing about anybody's state."""


def remove_update(turns: Sequence[Turn], update: PlannedUpdate) -> tuple[Turn, ...]:
    """The mind does not change: its turn holds small talk, and the old state is what is thought."""
    changed = turns[update.turn]
    thoughts = tuple(_unchanged(one, update) for one in changed.inner_speech)
    still = changed.model_copy(update={"inner_speech": thoughts, "utterance": FILLER})
    return tuple(still if turn.index == update.turn else turn for turn in turns)


def _unchanged(one: InnerSpeech, update: PlannedUpdate) -> InnerSpeech:
    shows_it = one.order == 1 and (one.topic == update.topic or one.content == update.new)
    return thought(update.mental_state, update.old, one.topic) if shows_it else one


def move_update(turns: Sequence[Turn], update: PlannedUpdate) -> tuple[Turn, ...] | None:
    """The mind changes at another turn of the agent, in thought and word: the next, or the one before the last.

    None for an agent that has no other.
    """
    speaker = turns[update.turn].speaker
    own = [turn.index for turn in turns if turn.speaker == speaker]
    if len(own) == 1:
        return None
    at = own.index(update.turn)
    other = own[at + 1] if at + 1 < len(own) else own[at - 1]
    source = {update.turn: turns[other], other: turns[update.turn]}
    return tuple(source.get(turn.index, turn).model_copy(update={"index": turn.index}) for turn in turns)


def silence(turns: Sequence[Turn], indices: Iterable[int]) -> tuple[Turn, ...]:
    """Nobody voices what these turns said."""
    silent = set(indices)
    return tuple(turn.model_copy(update={"utterance": FILLER}) if turn.index in silent else turn for turn in turns)


def never_voiced(turns: Sequence[Turn], question: Question) -> tuple[Turn, ...] | None:
    """The answer is never said: not by its evidence, nor in any other turn that has words which only the gold has.

    None for a question whose answer is that nothing changed, or who knows of something: nobody says these.
    """
    if question.turn is None or question.select == "any":
        return None
    told = distinctive_words(list(question.options.values()))[question.gold] or content_words(question.gold)
    hints = [turn.index for turn in turns if told & content_words(turn.utterance)]
    return silence(turns, [*question.evidence, *hints])


def swap_gold(question: Question) -> Question:
    """A wrong option is gold in the place of a right one; where all are right, one of them counts as wrong."""
    right = question.answer[0]
    wrong = next((letter for letter in sorted(question.options) if letter not in question.answer), None)
    if wrong is None:
        roles = {**question.option_roles, right: OptionRole.NOT_REACHED}
        return question.model_copy(update={"answer": question.answer[1:], "option_roles": roles})
    roles = {**question.option_roles, right: question.option_roles[wrong], wrong: OptionRole.GOLD}
    answer = "".join(sorted((set(question.answer) - {right}) | {wrong}))
    return question.model_copy(update={"answer": answer, "option_roles": roles})


def two_right_options(question: Question) -> Question | None:
    """A second option says the same as the gold one; None where any number of options may be right."""
    if question.select == "any":
        return None
    wrong = next(letter for letter in sorted(question.options) if letter not in question.answer)
    return question.model_copy(update={"options": {**question.options, wrong: question.gold + "."}})
