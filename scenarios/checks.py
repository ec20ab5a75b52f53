"""Whether a scenario can be played with the words of a domain pack."""

from __future__ import annotations

from dtomtrack.beliefs.markers import MARKERS
from dtomtrack.beliefs.scenario import InitialState, Scenario, Topic
from dtomtrack.beliefs.scenario_rules import check_company, check_consistency
from dtomtrack.errors import PlanError
from dtomtrack.scenarios.pack import DomainPack, PackTopic, Situation
from dtomtrack.scenarios.sides import sides_of

__all__ = ["check_scenario", "situation_of"]


def check_scenario(pack: DomainPack, scenario: Scenario, turns: int | None = None) -> None:
    """See that a pack has the words for a scenario, and that its plan hangs together.

    Args:
        turns: how long the dialogue is to be; where it is given, each turn has to have a speaker and a hearer, and
            what is planned for a turn has to have that turn.

    Raises:
        PlanError: what is wrong, in one sentence.
    """
    if scenario.domain != pack.name:
        raise PlanError(f"the scenario is of domain {scenario.domain!r}, the pack is {pack.name!r}")
    situation_of(pack, scenario)
    try:
        # again: a copy with changes (`model_copy`) is validated by nobody
        check_consistency(scenario)
        check_company(scenario, turns or 0)
    except ValueError as error:
        raise PlanError(str(error)) from error
    if turns is not None:
        _check_length(scenario, turns)
    known = {topic.id: topic for topic in pack.topics}
    sides = sides_of(pack, scenario.names)
    for topic in scenario.topics:
        if topic.id not in known:
            raise PlanError(f"topic {topic.id!r} is not in the pack {pack.name!r}, so there are no words for it")
        for holder in topic.holders:
            _check_topic(topic, known[topic.id], sides[holder], pack.name)
            _check_history(topic, holder, scenario, known[topic.id])
    for update in scenario.updates:
        if update.marker not in {None, *(marker.id for marker in MARKERS)}:
            raise PlanError(f"update at turn {update.turn}: no marker is called {update.marker!r}")


def _check_length(scenario: Scenario, turns: int) -> None:
    """See that the dialogue is long enough for what is planned at a turn of it."""
    planned = [
        *((update.turn, "update") for update in scenario.updates),
        *((audience.turn, "audience") for audience in scenario.audiences),
        *((presence.from_turn, "absence") for presence in scenario.presence),
        *((turn, "reading of a note") for one in scenario.audiences for turn in one.read_at.values() if turn),
        *((max(divergence.turn, divergence.from_turn), "divergence") for divergence in scenario.divergences),
    ]
    turn, what = max(planned, default=(0, ""))
    if turn >= turns:
        raise PlanError(
            f"{what} at turn {turn}: in {turns} turns the last is turn {turns - 1}; ask for turns={turn + 1} or more, "
            f"or move the {what}"
        )


def _check_topic(topic: Topic, known: PackTopic, role: str, pack: str) -> None:
    if known.holder not in {role, "any"} or known.state != topic.mental_state:
        raise PlanError(
            f"topic {topic.id!r} is a {known.state} of agent {known.holder} in the pack {pack!r}, "
            f"not a {topic.mental_state} of agent {role}"
        )
    for value in topic.values:
        if value not in {*known.clauses, known.ignorance}:
            raise PlanError(f"topic {topic.id!r}: {value!r} is the clause of no value in the pack {pack!r}")


def _check_history(topic: Topic, holder: str, scenario: Scenario, known: PackTopic) -> None:
    """Each update starts from what is held, and what is presumed is not."""
    held = next((state.content for state in _initial_states(scenario, holder) if state.topic == topic.id), None)
    if held is None or held not in topic.values:
        said = "has no initial state" if held is None else f"starts from {held!r}, which is no value of it"
        raise PlanError(f"topic {topic.id!r}: {holder!r} {said}")
    changing = {update.topic for update in scenario.updates if update.agent == holder}
    for presumption in (one for one in scenario.presumptions if one.about == holder):
        if presumption.topic == topic.id and presumption.presumed == held:
            raise PlanError(f"topic {topic.id!r}: {held!r} is held, so it is not wrongly presumed")
        if presumption.topic == topic.id and presumption.presumed == known.ignorance and not presumption.corrected:
            raise PlanError(f"topic {topic.id!r}: that somebody knows nothing can be presumed if it is corrected")
        if presumption.topic == topic.id and not presumption.corrected and topic.id in changing:
            raise PlanError(f"topic {topic.id!r} changes, so what is wrongly presumed of it has to be corrected")
    for update in sorted(scenario.updates, key=lambda update: update.turn):
        if (update.topic, update.agent) == (topic.id, holder):
            if update.new == known.ignorance:
                raise PlanError(f"update at turn {update.turn}: nobody comes to know nothing; change to a value")
            if update.old != held:
                raise PlanError(f"update at turn {update.turn}: {held!r} is held by then, not {update.old!r}")
            held = update.new


def _initial_states(scenario: Scenario, holder: str) -> tuple[InitialState, ...]:
    return next(agent.initial_states for agent in scenario.agents if agent.name == holder)


def situation_of(pack: DomainPack, scenario: Scenario) -> Situation | None:
    """The story that a scenario names; None if it leaves that open.

    Raises:
        PlanError: the pack has no such story.
    """
    if scenario.situation is None:
        return None
    for situation in pack.situations:
        if situation.id == scenario.situation:
            return situation
    raise PlanError(f"situation {scenario.situation!r} is not in the pack {pack.name!r}")
