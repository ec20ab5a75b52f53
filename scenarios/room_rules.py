"""Whether turns have room for topics, holders and changes of mind: said before anything is made, with how many have."""

from __future__ import annotations

from collections.abc import Iterator

from dtomtrack.errors import InputError
from dtomtrack.scenarios.difficulty import MOST_TURNS, Difficulty, Range
from dtomtrack.scenarios.planning.trajectories import (
    most_revisions,
    turns_needed,
    turns_reaching,
    turns_taken,
    usual_revisions,
)

__all__ = ["check_room", "least_turns", "shown_range"]


def check_room(difficulty: Difficulty, turns: int) -> None:
    """See that so many turns have room for what a difficulty asks for.

    Raises:
        InputError: they have none, and the nearest dials that have.
    """
    least, most = difficulty.revisions
    if _needed(difficulty) > turns:
        raise InputError(
            f"turns={turns} have no room for topics={_topics(difficulty)} of holders={difficulty.holders[0]} each with "
            f"revisions={shown_range(difficulty.revisions)}: ask for {', or '.join(_mends(difficulty, turns))}"
        )
    if most_revisions(turns) < most:
        usual = usual_revisions(turns)
        raise InputError(
            f"revisions is {shown_range(difficulty.revisions)}, and in {turns} turns no mind changes more often than "
            f"{most_revisions(turns)}: ask for revisions={shown_range((min(least, usual), usual))}, or for "
            f"turns={_enough(difficulty)}"
        )


def least_turns(difficulty: Difficulty, turns: int) -> int | None:
    """The fewest turns, these or more, that have room for what a difficulty asks for; None if none have."""
    return next((more for more in range(turns, MOST_TURNS + 1) if _has_room(difficulty, more)), None)


def shown_range(bounds: Range) -> str:
    """A range, as it is given."""
    return "-".join(map(str, dict.fromkeys(bounds)))


def _has_room(difficulty: Difficulty, turns: int) -> bool:
    return _needed(difficulty) <= turns and difficulty.revisions[1] <= most_revisions(turns)


def _needed(difficulty: Difficulty) -> int:
    """Turns that it takes to say the least that is asked for."""
    return turns_needed(_topics(difficulty) * difficulty.holders[0], difficulty.revisions[0])


def _topics(difficulty: Difficulty) -> int:
    return difficulty.topics[0] if difficulty.topics else 1


def _enough(difficulty: Difficulty) -> int:
    """Turns in which a dialogue has all that is asked for without much luck, as far as there can be so many."""
    taken = turns_taken(_topics(difficulty), difficulty) if difficulty.topics else 0
    return min(max(taken, turns_reaching(difficulty.revisions[1]), _needed(difficulty)), MOST_TURNS)


def _mends(difficulty: Difficulty, turns: int) -> Iterator[str]:
    """What to ask for: the fewest turns that have room, those that have it without much luck, or fewer changes."""
    fewest, enough = least_turns(difficulty, turns), _enough(difficulty)
    if fewest is None:
        yield "fewer topics or holders"
    else:
        yield f"turns={fewest}"
        if enough > fewest:
            yield f"for turns={enough}, in which more dialogues have all of that"
    holders = _topics(difficulty) * difficulty.holders[0]
    least, most = difficulty.revisions
    fewer = max((one for one in range(least) if turns_needed(holders, one) <= turns), default=None)
    if fewer is not None:
        yield f"revisions={shown_range((fewer, max(fewer, min(most, usual_revisions(turns)))))}"
