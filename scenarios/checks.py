"""Whether a scenario can be played with the words of a domain pack."""

from __future__ import annotations

from dtomtrack.beliefs.markers import MARKERS
from dtomtrack.beliefs.scenario import Agent, InitialState, Presumption, Scenario, Topic
from dtomtrack.beliefs.scenario_rules import check_company, check_consistency
from dtomtrack.errors import PlanError
from dtomtrack.scenarios.pack import DomainPack, PackTopic, Situation
from dtomtrack.scenarios.sides import sides_of
from dtomtrack.scenarios.turn_checks import check_length, check_presumption_turns, check_room, updates_of

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
        raise PlanError(
            f"the scenario is of domain {scenario.domain!r}, the pack is {pack.name!r}; ask for {scenario.domain!r}"
        )
    situation_of(pack, scenario)
    try:
        # again: a copy with changes (`model_copy`) is validated by nobody
        check_consistency(scenario)
        check_company(scenario, turns or 0)
    except ValueError as error:
        raise PlanError(str(error)) from error
    if turns is not None:
        check_length(scenario, turns)
    _check_words(pack, scenario)
    _check_names(scenario)
    for agent in scenario.agents:
        _check_states(agent, scenario)
    for presumption in scenario.presumptions:
        _check_presumption(presumption, scenario)
        if turns is not None:
            check_presumption_turns(presumption, scenario, turns)
    sides = sides_of(pack, scenario.names)
    for topic, holder in ((one, name) for one in scenario.topics for name in one.holders):
        known = pack.topic(topic.id)
        _check_topic(topic, known, sides[holder], pack.name)
        _check_history(topic, holder, scenario, known)
        if turns is not None:
            check_room(topic, holder, scenario, turns)


def _check_words(pack: DomainPack, scenario: Scenario) -> None:
    """See that there are topics and markers, and words for them."""
    if not scenario.topics:
        raise PlanError("the scenario has no topics, so there is nothing to ask about; give it one that somebody holds")
    known = {topic.id for topic in pack.topics}
    if unknown := next((topic.id for topic in scenario.topics if topic.id not in known), None):
        raise PlanError(f"topic {unknown!r} is not in the pack {pack.name!r}, so there are no words for it")
    markers = [marker.id for marker in MARKERS]
    for update in scenario.updates:
        if update.marker not in {None, *markers}:
            raise PlanError(
                f"update at turn {update.turn}: no marker is called {update.marker!r}; there are {', '.join(markers)}"
            )


def _check_names(scenario: Scenario) -> None:
    """See that names and labels keep people and topics apart, in a transcript and in questions."""
    by_letters: dict[str, str] = {}
    for name in scenario.names:
        if ":" in name:
            raise PlanError(f"an agent is called {name!r}; a name has no colon, as one stands before what they say")
        if (other := by_letters.setdefault(name.casefold(), name)) != name:
            raise PlanError(f"agents are called {other!r} and {name!r}, which nobody keeps apart; call one otherwise")
    labelled: dict[str, str] = {}
    for topic in scenario.topics:
        if (first := labelled.setdefault(topic.label.casefold(), topic.id)) != topic.id:
            raise PlanError(f"topics {first!r} and {topic.id!r} have one label, {topic.label!r}; give each its own")


def _check_states(agent: Agent, scenario: Scenario) -> None:
    """See that somebody starts from one state on each topic, of those that they hold, and of its kind."""
    held = {topic.id: topic for topic in scenario.topics if agent.name in topic.holders}
    topics = [state.topic for state in agent.initial_states]
    for state in agent.initial_states:
        where = f"initial state of {agent.name!r} on {state.topic!r}"
        if state.topic not in held:
            raise PlanError(f"{where}: they hold no such topic; leave it out, or name them as a holder of the topic")
        if topics.count(state.topic) > 1:
            raise PlanError(f"{where}: it is given twice; leave one out")
        if (kind := held[state.topic].mental_state) != state.mental_state:
            raise PlanError(f"{where}: the topic is a matter of {kind}, not of {state.mental_state}")


def _check_presumption(presumption: Presumption, scenario: Scenario) -> None:
    same = [one for one in scenario.presumptions if (one.about, one.topic) == (presumption.about, presumption.topic)]
    if len(same) > 1:
        raise PlanError(
            f"presumption of {presumption.agent!r}: {len(same)} are about {presumption.about!r} and "
            f"{presumption.topic!r}, and one can be played; leave the others out"
        )


def _check_topic(topic: Topic, known: PackTopic, role: str, pack: str) -> None:
    if known.holder not in {role, "any"} or known.state != topic.mental_state:
        raise PlanError(
            f"topic {topic.id!r} is the {known.state} of agent {known.holder} in the pack {pack!r}, "
            f"not the {topic.mental_state} of agent {role}"
        )
    for value in topic.values:
        if value not in {*known.clauses, known.ignorance}:
            raise PlanError(f"topic {topic.id!r}: {value!r} is the clause of no value in the pack {pack!r}")


def _check_history(topic: Topic, holder: str, scenario: Scenario, known: PackTopic) -> None:
    """Each update starts from what is held, and what is presumed is not."""
    held = next((state.content for state in _initial_states(scenario, holder) if state.topic == topic.id), None)
    if held is None or held not in topic.values:
        said = "has no initial state" if held is None else f"starts from {held!r}, which is no value of it"
        raise PlanError(f"topic {topic.id!r}: {holder!r} {said}; give one of its values under initial_states")
    changing = {update.topic for update in scenario.updates if update.agent == holder}
    for presumption in (one for one in scenario.presumptions if one.about == holder):
        if presumption.topic == topic.id and presumption.presumed == held:
            raise PlanError(f"topic {topic.id!r}: {held!r} is held, so it is not wrongly presumed")
        if presumption.topic == topic.id and presumption.presumed == known.ignorance and not presumption.corrected:
            raise PlanError(f"topic {topic.id!r}: that somebody knows nothing can be presumed if it is corrected")
        if presumption.topic == topic.id and not presumption.corrected and topic.id in changing:
            raise PlanError(f"topic {topic.id!r} changes, so what is wrongly presumed of it has to be corrected")
    for update in updates_of(topic, holder, scenario):
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
    there = ", ".join(situation.id for situation in pack.situations)
    raise PlanError(f"situation {scenario.situation!r} is not in the pack {pack.name!r}; it has {there}")
