"""The scenario sampler: draws scenarios from a domain pack (the embedded counterpart of the paper's Table 1 prompt)."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from random import Random

from dtomtrack.beliefs.markers import MARKERS
from dtomtrack.beliefs.scenario import Agent, InitialState, PlannedUpdate, Presumption, Scenario, Topic, Trigger
from dtomtrack.errors import PlanError
from dtomtrack.runs.slots import Slot
from dtomtrack.scenarios.changes import CAN_CHANGE_BACK, ROLES, TRIGGERS, draw_personality, draw_turns
from dtomtrack.scenarios.director import direct
from dtomtrack.scenarios.pack import DomainPack, PackTopic, Role, Situation
from dtomtrack.scenarios.slot_text import fill
from dtomtrack.scenarios.stage import StagedScenario
from dtomtrack.scenarios.structure import Structure, structure_of

__all__ = ["check_scenario", "sample_scenario", "stage_scenario"]

_DRAWS = 20
_SPARSE_DRAWS = 100


def sample_scenario(pack: DomainPack, slot: Slot, attempt: int, turns: int, *, sparse: bool = False) -> StagedScenario:
    """Draw a scenario for a slot and lay it out over ``turns`` turns, ``sparse``: one weighty thing a turn at most.

    Raises:
        PlanError: the pack has too few topics for what the slot's structure asks.
    """
    structure = structure_of(slot, turns, sparse=sparse)
    rng = slot.random(attempt, "scenario")
    draws = _SPARSE_DRAWS if sparse else _DRAWS
    for draw in range(draws):
        try:
            cast = _draw_cast(pack, structure, turns, rng)
            return _stage(pack, cast.scenario(pack, rng), turns, rng, cast.slots, sparse=sparse)
        except PlanError:
            if draw == draws - 1:
                raise
    raise AssertionError("unreachable: the last draw returns or raises")


def stage_scenario(
    pack: DomainPack, scenario: Scenario, turns: int, rng: Random, *, sparse: bool = False
) -> StagedScenario:
    """Lay out a scenario of one's own over ``turns`` turns; what it leaves open is drawn.

    Raises:
        PlanError: the pack has no words for it, its plan doesn't hang together, or the updates leave no room.
    """
    check_scenario(pack, scenario)
    return _stage(pack, scenario, turns, rng, _draw_settings(pack, rng), sparse=sparse)


def _stage(
    pack: DomainPack, scenario: Scenario, turns: int, rng: Random, settings: dict[str, str], *, sparse: bool
) -> StagedScenario:
    situation = _situation(pack, scenario) or rng.choice(pack.situations)
    names = {role: agent.name for role, agent in zip(ROLES, scenario.agents, strict=True)}
    slots = {**settings, **situation.slots, **names}
    told = {
        (update.topic, update.new): fill(rng.choice(pack.topic(update.topic).value(update.new).reason), slots)
        for update in scenario.updates
    }
    return StagedScenario(
        scenario=_with_private_reasons(scenario, told),
        slots=slots,
        situation=situation.id,
        reasons=told,
        script=direct(scenario, turns, rng, sparse=sparse),
    )


def check_scenario(pack: DomainPack, scenario: Scenario) -> None:
    """See that a pack has the words for a scenario, and that its plan hangs together.

    Raises:
        PlanError: what is wrong, in one sentence.
    """
    if scenario.domain != pack.name:
        raise PlanError(f"the scenario is of domain {scenario.domain!r}, the pack is {pack.name!r}")
    _situation(pack, scenario)
    known = {topic.id: topic for topic in pack.topics}
    roles = dict(zip((agent.name for agent in scenario.agents), ROLES, strict=True))
    for topic in scenario.topics:
        if topic.id not in known:
            raise PlanError(f"topic {topic.id!r} is not in the pack {pack.name!r}, so there are no words for it")
        _check_topic(topic, known[topic.id], roles[topic.holder], pack.name)
        _check_history(topic, scenario)
    for update in scenario.updates:
        if update.marker not in {marker.id for marker in MARKERS}:
            raise PlanError(f"update at turn {update.turn}: no marker is called {update.marker!r}")


def _check_topic(topic: Topic, known: PackTopic, role: str, pack: str) -> None:
    if (known.holder, known.state) != (role, topic.mental_state):
        raise PlanError(
            f"topic {topic.id!r} is a {known.state} of agent {known.holder} in the pack {pack!r}, "
            f"not a {topic.mental_state} of agent {role}"
        )
    for value in topic.values:
        if value not in known.clauses:
            raise PlanError(f"topic {topic.id!r}: {value!r} is the clause of no value in the pack {pack!r}")


def _check_history(topic: Topic, scenario: Scenario) -> None:
    """Each update starts from what is held, and what is presumed is not."""
    held = next((state.content for state in _initial_states(scenario, topic) if state.topic == topic.id), None)
    if held is None or held not in topic.values:
        said = "has no initial state" if held is None else f"starts from {held!r}, which is no value of it"
        raise PlanError(f"topic {topic.id!r}: {topic.holder!r} {said}")
    changing = {update.topic for update in scenario.updates}
    for presumption in scenario.presumptions:
        if presumption.topic == topic.id and presumption.presumed == held:
            raise PlanError(f"topic {topic.id!r}: {held!r} is held, so it is not wrongly presumed")
        if presumption.topic == topic.id and not presumption.corrected and topic.id in changing:
            raise PlanError(f"topic {topic.id!r} changes, so what is wrongly presumed of it has to be corrected")
    for update in sorted(scenario.updates, key=lambda update: update.turn):
        if update.topic == topic.id:
            if update.old != held:
                raise PlanError(f"update at turn {update.turn}: {held!r} is held by then, not {update.old!r}")
            held = update.new


def _initial_states(scenario: Scenario, topic: Topic) -> tuple[InitialState, ...]:
    return next(agent.initial_states for agent in scenario.agents if agent.name == topic.holder)


def _situation(pack: DomainPack, scenario: Scenario) -> Situation | None:
    if scenario.situation is None:
        return None
    for situation in pack.situations:
        if situation.id == scenario.situation:
            return situation
    raise PlanError(f"situation {scenario.situation!r} is not in the pack {pack.name!r}")


def _with_private_reasons(scenario: Scenario, told: dict[tuple[str, str], str]) -> Scenario:
    """What changes a mind is private to the partner until it is told."""
    secrets: dict[str, list[str]] = defaultdict(list)
    for update in scenario.updates:
        secrets[scenario.partner(update.agent)].append(told[update.topic, update.new])
    agents = tuple(
        agent.model_copy(update={"private_info": (*agent.private_info, *secrets[agent.name])})
        for agent in scenario.agents
    )
    return scenario.model_copy(update={"agents": agents})


def _draw_settings(pack: DomainPack, rng: Random) -> dict[str, str]:
    return {name: rng.choice(values) for name, values in pack.settings.items()}


@dataclass(frozen=True)
class _Change:
    """A planned change, before it has names."""

    turn: int
    topic: PackTopic
    old: str
    new: str


@dataclass(frozen=True)
class _Cast:
    """What is drawn before the scenario is written down."""

    names: tuple[str, str]
    situation: Situation
    slots: dict[str, str]
    changes: tuple[_Change, ...]
    steady: tuple[tuple[PackTopic, str], ...]
    presumed: tuple[PackTopic, str, bool]

    def scenario(self, pack: DomainPack, rng: Random) -> Scenario:
        held = {change.topic.id: (change.topic, change.old) for change in reversed(self.changes)}
        held |= {topic.id: (topic, value) for topic, value in self.steady}
        name = dict(zip(ROLES, self.names, strict=True))
        topic, presumed, corrected = self.presumed
        return Scenario(
            domain=pack.name,
            context=fill(self.situation.context, self.slots),
            situation=self.situation.id,
            agents=(
                _agent(pack.roles.a, "a", self, held, rng),
                _agent(pack.roles.b, "b", self, held, rng),
            ),
            topics=tuple(
                Topic(id=one.id, label=one.label, mental_state=one.state, holder=name[one.holder], values=one.clauses)
                for one, _ in held.values()
            ),
            updates=_updates(self.changes, name, rng),
            presumptions=(
                Presumption(
                    agent=name["b" if topic.holder == "a" else "a"],
                    about=name[topic.holder],
                    topic=topic.id,
                    presumed=presumed,
                    corrected=corrected,
                ),
            ),
        )


def _agent(role: Role, letter: str, cast: _Cast, held: dict[str, tuple[PackTopic, str]], rng: Random) -> Agent:
    return Agent(
        name=cast.names[ROLES.index(letter)],
        role=role.role,
        personality=draw_personality(rng),
        goal=fill(rng.choice(role.goals), cast.slots),
        private_info=(fill(rng.choice(role.knows), cast.slots),),
        initial_states=tuple(
            InitialState(mental_state=topic.state, topic=topic.id, content=value)
            for topic, value in held.values()
            if topic.holder == letter
        ),
    )


def _updates(changes: tuple[_Change, ...], name: dict[str, str], rng: Random) -> tuple[PlannedUpdate, ...]:
    markers = rng.sample(MARKERS, len(changes))
    seen: set[str] = set()
    updates = []
    for change, marker in zip(changes, markers, strict=True):
        goes_back = change.topic.id in seen
        seen.add(change.topic.id)
        updates.append(
            PlannedUpdate(
                turn=change.turn,
                agent=name[change.topic.holder],
                trigger=Trigger.NEW_INFORMATION if goes_back else rng.choice(TRIGGERS[change.topic.state]),
                mental_state=change.topic.state,
                topic=change.topic.id,
                old=change.old,
                new=change.new,
                marker=marker.id,
            )
        )
    return tuple(updates)


def _draw_cast(pack: DomainPack, structure: Structure, turns: int, rng: Random) -> _Cast:
    situation = rng.choice(pack.situations)
    first, second = rng.sample(pack.names, 2)
    slots = {**_draw_settings(pack, rng), **situation.slots, "a": first, "b": second}
    topics = _Topics(pack, rng)
    changes = _draw_changes(structure, turns, topics, rng)
    steady = tuple((topic, rng.choice(topic.clauses)) for topic in topics.any(structure.steady))
    topic, value = rng.choice(steady)
    presumed = rng.choice([clause for clause in topic.clauses if clause != value])
    return _Cast((first, second), situation, slots, changes, steady, (topic, presumed, structure.corrected))


class _Topics:
    """Draws topics of a pack, all equally often and none twice."""

    def __init__(self, pack: DomainPack, rng: Random) -> None:
        self._rng = rng
        self._left = list(pack.topics)

    def one(self, holder: str | None = None, *, wants_or_plans: bool = False) -> PackTopic:
        fitting = [
            topic
            for topic in self._left
            if holder in {None, topic.holder} and not (wants_or_plans and topic.state not in CAN_CHANGE_BACK)
        ]
        if not fitting:
            raise PlanError(f"the pack has too few topics{f' held by agent {holder}' if holder else ''} for a dialogue")
        chosen = self._rng.choice(fitting)
        self._left.remove(chosen)
        return chosen

    def any(self, count: int) -> list[PackTopic]:
        return [self.one() for _ in range(min(count, len(self._left)))]


def _draw_changes(structure: Structure, turns: int, topics: _Topics, rng: Random) -> tuple[_Change, ...]:
    back, single = draw_turns(structure, turns, rng)
    changes = []
    if back:
        topic = topics.one(ROLES[back[0] % 2], wants_or_plans=True)
        old, new = rng.sample(topic.clauses, 2)
        changes += [_Change(back[0], topic, old, new), _Change(back[1], topic, new, old)]
    for turn in single:
        topic = topics.one(ROLES[turn % 2])
        old, new = rng.sample(topic.clauses, 2)
        changes.append(_Change(turn, topic, old, new))
    return tuple(sorted(changes, key=lambda change: change.turn))
