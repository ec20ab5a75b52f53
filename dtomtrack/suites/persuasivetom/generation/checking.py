"""What utterances say against what the tracker has on record: a conversation is kept if both agree on everything."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dtomtrack.scenarios.persuasion.pack_files import expressions
from dtomtrack.scenarios.persuasion.plan import PersuasionPlan, desire_of
from dtomtrack.suites.persuasivetom.generation.conversation import PlayedConversation
from dtomtrack.verifiers.persuasion import PersuasionOverhearer, ReadRound

__all__ = ["disagreement"]


def disagreement(played: PlayedConversation, overhearer: PersuasionOverhearer) -> str | None:
    """The first thing that an overhearer reads otherwise; None if the utterances tell every right answer."""
    try:
        read = overhearer.read(played.lines)
    except ValueError as error:
        return str(error)
    found = (wrong for number, one in enumerate(read) for wrong in _wrong(played, number, one, read))
    return next(found, None)


def _wrong(played: PlayedConversation, number: int, one: ReadRound, read: list[ReadRound]) -> Iterator[str]:
    forms, plan = expressions(), played.plan
    tones = {one.name: one.word(read[number - 1].desire) for one in forms.feelings}
    attitude = None if one.attitude is None else forms.attitude(one.attitude).word(one.desire)
    pairs = {
        "goal": (one.goal, None if number else plan.target),
        "strategy": (one.strategy, played.strategy(number)),
        "attitude of the persuader": (tones.get(one.tone, one.tone), played.believed_by_ee(number)),
        "attitude of the persuadee": (attitude, played.believed_by_er(number)),
        "intention": (one.intention, played.intention(number)),
        "desire": (one.desire, played.desire(number)),
        "desire that goes with the worries": (desire_of(sorted(one.concerns)), played.desire(number)),
        "worries": (sorted(one.concerns), sorted(played.live(number))),
        "principle that the next round argues by": _taken_up(plan, number, read),
    }
    for what, (heard, held) in pairs.items():
        if heard != held:
            yield f"round {number}: the {what} is heard as {heard}, and is {held}"


def _taken_up(plan: PersuasionPlan, number: int, read: Sequence[ReadRound]) -> tuple[str | None, str | None]:
    """The principle that is heard in the next round, and the one that was asked for; nothing where none was."""
    asked = next(one.asks_for for one in expressions().intentions if one.label == read[number].intention)
    if asked is None or number == len(read) - 1:
        return None, None
    return plan.goal.strategy(read[number + 1].strategy).principle, asked
