"""A planned dialogue, written down: as a scenario, which anybody can read, and as directions for the actors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

from dtomtrack.beliefs.company import PlannedAudience, Presence
from dtomtrack.beliefs.divergence import Fact, PlannedDivergence
from dtomtrack.beliefs.mental_state import MentalState
from dtomtrack.beliefs.scenario import Agent, InitialState, PlannedUpdate, Scenario, Topic, Trigger
from dtomtrack.scenarios.changes import draw_personality
from dtomtrack.scenarios.pack import DomainPack, Role, Situation
from dtomtrack.scenarios.placeholders import fill
from dtomtrack.scenarios.planning.attendance import Absence
from dtomtrack.scenarios.planning.stage import Stage
from dtomtrack.scenarios.planning.trajectories import Trajectory
from dtomtrack.scenarios.script import Move

__all__ = ["Cast", "written"]


@dataclass(frozen=True)
class Cast:
    """Who takes part, in which story.

    Attributes:
        roles: by name, in order, the role in the pack.
        fillings: the words that fill the placeholders of the pack's lines.
    """

    roles: Mapping[str, Role]
    situation: Situation
    fillings: Mapping[str, str]
    context: str


def written(pack: DomainPack, cast: Cast, stage: Stage, trajectories: Sequence[Trajectory], rng: Random) -> Scenario:
    """The scenario of a planned dialogue."""
    said = [one for one in trajectories if stage.ledger.held(one.holder, one.topic.id)]
    return Scenario(
        domain=pack.name,
        context=cast.context,
        situation=cast.situation.id,
        agents=tuple(_agent(name, role, cast, said, rng) for name, role in cast.roles.items()),
        topics=_topics(said),
        updates=tuple(_updates(stage)),
        speaking_order=tuple(stage.names.index(turn.speaker) for turn in stage.turns),
        presence=tuple(
            _presence(one, pack) for one in stage.attendance.absences if one.until is None or one.until > one.since
        ),
        audiences=tuple(_audiences(stage)),
        facts=_facts(said, stage, rng),
        divergences=tuple(_divergences(stage)),
    )


def _agent(name: str, role: Role, cast: Cast, said: Sequence[Trajectory], rng: Random) -> Agent:
    return Agent(
        name=name,
        role=role.role,
        personality=draw_personality(rng),
        goal=fill(rng.choice(role.goals), cast.fillings),
        private_info=(fill(rng.choice(role.knows), cast.fillings),),
        initial_states=tuple(
            InitialState(mental_state=one.topic.state, topic=one.topic.id, content=one.values[0])
            for one in said
            if one.holder == name
        ),
    )


def _topics(said: Sequence[Trajectory]) -> tuple[Topic, ...]:
    holders: dict[str, list[str]] = {}
    for one in said:
        holders.setdefault(one.topic.id, []).append(one.holder)
    topics = {one.topic.id: one.topic for one in said}
    return tuple(
        Topic(
            id=topic.id,
            label=topic.label,
            mental_state=topic.state,
            holder=holders[topic.id][0],
            co_holders=tuple(holders[topic.id][1:]),
            values=topic.contents,
            partners_own=topic.partners_own,
            anybodys=topic.holder == "any",
        )
        for topic in topics.values()
    )


def _updates(stage: Stage) -> list[PlannedUpdate]:
    return [
        PlannedUpdate(
            turn=at,
            agent=turn.speaker,
            trigger=one.trigger or Trigger.NEW_INFORMATION,
            mental_state=stage.pack.topic(one.topic).state,
            topic=one.topic,
            old=one.old,
            new=one.value,
            marker=one.marker or None,
        )
        for at, turn in enumerate(stage.turns)
        for one in turn.directions
        if one.move is Move.UPDATE
    ]


def _presence(one: Absence, pack: DomainPack) -> Presence:
    lines = pack.lines
    reasons = [reason for _, reason in lines.join] if one.since == 0 else [reason for _, _, reason in lines.leave]
    reason = reasons[one.reason % len(reasons)]
    return Presence(agent=one.agent, from_turn=one.since, until_turn=one.until, reason=reason)


def _audiences(stage: Stage) -> list[PlannedAudience]:
    return [
        PlannedAudience(turn=at, hearers=turn.hearers, read_at=turn.read_at)
        for at, turn in enumerate(stage.turns)
        if turn.hearers is not None
    ]


def _facts(said: Sequence[Trajectory], stage: Stage, rng: Random) -> tuple[Fact, ...]:
    """The truth of what can be known: most often what is held in the end, known to who tells it."""
    facts: dict[str, Fact] = {}
    for one in said:
        if one.topic.state in {MentalState.KNOWLEDGE, MentalState.BELIEF} and one.topic.id not in facts:
            last = one.values[-1]
            truth = last if rng.random() < 0.7 or last == one.topic.ignorance else rng.choice(one.topic.clauses)
            if truth == one.topic.ignorance:
                truth = rng.choice(one.topic.clauses)
            knowing = [name for name in stage.names if name not in {other.holder for other in said}]
            facts[one.topic.id] = Fact(topic=one.topic.id, truth=truth, known_by=tuple(knowing[:1]))
    return tuple(facts.values())


def _divergences(stage: Stage) -> list[PlannedDivergence]:
    return [
        PlannedDivergence(
            way=one.way,
            holder=one.holder,
            mistaken=one.mistaken,
            mental_state=one.topic.state,
            topic=one.topic.id,
            from_turn=one.turn,
            until_turn=one.until,
            turn=one.turn,
            actual=one.actual,
            believed=one.believed,
            shown_at=tuple(one.shown_at),
        )
        for one in stage.apart
        if one.until is None or one.until > one.turn
    ]
