"""What utterances say against what the tracker has on record: a conversation is kept if both agree on everything."""

from __future__ import annotations

from collections.abc import Iterator

from dtomtrack.scenarios.persuasion.plan import desire_of
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
    announced = played.plan.rounds[number].announced
    pairs = {
        "goal": (one.goal, None if number else played.plan.goal.target),
        "strategy": (one.strategy, played.strategy(number)),
        "attitude of the persuader": (one.tone, played.believed_by_ee(number)),
        "attitude of the persuadee": (one.attitude, played.believed_by_er(number)),
        "intention": (one.intention, played.intention(number)),
        "desire": (one.desire, played.desire(number)),
        "desire that goes with the worries": (desire_of(sorted(one.concerns)), played.desire(number)),
        "worries": (sorted(one.concerns), sorted(played.live(number))),
        "announced strategy": (one.announced, None if announced is None else announced.label),
    }
    for what, (heard, held) in pairs.items():
        if heard != held:
            yield f"round {number}: the {what} is heard as {heard}, and is {held}"
