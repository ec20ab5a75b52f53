"""Whether a dialogue has the turns that a scenario's plan asks for."""

from __future__ import annotations

from itertools import pairwise

from dtomtrack.beliefs.scenario import PlannedUpdate, Presumption, Scenario, Topic
from dtomtrack.errors import PlanError
from dtomtrack.scenarios.difficulty import MOST_TURNS
from dtomtrack.scenarios.threads import FIRST_MAIN_TURN

__all__ = ["check_length", "check_presumption_turns", "check_room", "updates_of"]


def check_length(scenario: Scenario, turns: int) -> None:
    """See that the dialogue is long enough for what is planned at a turn of it.

    Raises:
        PlanError: it is not, in one sentence.
    """
    planned = [
        *((update.turn, "update") for update in scenario.updates),
        *((audience.turn, "audience") for audience in scenario.audiences),
        *((presence.from_turn, "absence") for presence in scenario.presence),
        *((turn, "reading of a note") for one in scenario.audiences for turn in one.read_at.values() if turn),
        *((max(divergence.turn, divergence.from_turn), "divergence") for divergence in scenario.divergences),
    ]
    turn, what = max(planned, default=(0, ""))
    if turn >= turns:
        longer = f"ask for turns={turn + 1} or more, or " if turn < MOST_TURNS else ""
        raise PlanError(
            f"{what} at turn {turn}: in {turns} turns the last is turn {turns - 1}; {longer}move the {what}"
        )


def check_room(topic: Topic, holder: str, scenario: Scenario, turns: int) -> None:
    """See that somebody gets to say what they hold, and others to give a reason before each change of it.

    Whether there is room beside what else has to be said is found out when the scenario is laid out.

    Raises:
        PlanError: there is no such turn, in one sentence.
    """
    own = [turn for turn in range(FIRST_MAIN_TURN, turns - 1) if scenario.speaker(turn) == holder]
    if not own:
        raise PlanError(
            f"topic {topic.id!r}: {holder!r} has no turn to say what they hold, from turn {FIRST_MAIN_TURN} to turn "
            f"{turns - 2}; change speaking_order, or ask for more turns"
        )
    changes = [update.turn for update in updates_of(topic, holder, scenario)]
    if changes and changes[0] <= own[0]:
        raise PlanError(
            f"update at turn {changes[0]}: {holder!r} has no turn before it, from turn {FIRST_MAIN_TURN} on, to say "
            f"what they hold of {topic.id!r}; move it to a later turn of theirs"
        )
    for said, turn in pairwise([own[0], *changes]):
        if all(scenario.speaker(between) == holder for between in range(said + 1, turn)):
            raise PlanError(
                f"update at turn {turn}: after turn {said} nobody but {holder!r} has a turn before it to give a reason "
                f"to change their mind on {topic.id!r}; move it to a later turn of theirs"
            )


def check_presumption_turns(presumption: Presumption, scenario: Scenario, turns: int) -> None:
    """See that whom a presumption is about has a turn right behind one of who makes it.

    Raises:
        PlanError: there is no such turn, in one sentence.
    """
    speakers = [scenario.speaker(turn) for turn in range(1, turns)]
    if (presumption.agent, presumption.about) not in pairwise(speakers):
        raise PlanError(
            f"presumption of {presumption.agent!r}: {presumption.about!r}, whom it is about, never speaks right behind "
            "them; change speaking_order, or who presumes it"
        )


def updates_of(topic: Topic, holder: str, scenario: Scenario) -> list[PlannedUpdate]:
    """Somebody's changes of mind on a topic, in their order.

    Raises:
        PlanError: two of them are at one turn.
    """
    own = [update for update in scenario.updates if (update.topic, update.agent) == (topic.id, holder)]
    own.sort(key=lambda update: update.turn)
    for one, other in pairwise(own):
        if one.turn == other.turn:
            raise PlanError(
                f"update at turn {one.turn}: {holder!r} changes their mind on {topic.id!r} twice at that turn; "
                "leave one out, or move it to a later turn of theirs"
            )
    return own
