"""Drawing scenarios from a domain pack: names, a story, and whose mind about what changes when."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random

from dtomtrack.beliefs.markers import draw_markers, fitting_to_learn
from dtomtrack.beliefs.scenario import (
    Agent,
    InitialState,
    MentalState,
    PlannedUpdate,
    Presumption,
    Scenario,
    Topic,
    Trigger,
)
from dtomtrack.errors import PlanError
from dtomtrack.runs.slots import Slot
from dtomtrack.scenarios.changes import TRIGGERS, draw_personality, draw_turns
from dtomtrack.scenarios.difficulty import Difficulty
from dtomtrack.scenarios.pack import DomainPack, PackTopic, Role, Situation
from dtomtrack.scenarios.placeholders import fill
from dtomtrack.scenarios.roles import PACK_ROLES, by_role
from dtomtrack.scenarios.structure import Structure

__all__ = ["DrawnScenario", "draw_scenario", "draw_settings"]


@dataclass(frozen=True)
class DrawnScenario:
    """A scenario, and the words that fill the placeholders of its pack's lines."""

    scenario: Scenario
    fillings: dict[str, str]


def draw_scenario(
    pack: DomainPack,
    structure: Structure,
    slot: Slot,
    turns: int,
    difficulty: Difficulty,
    rng: Random,
    *,
    learning: Random,
    balanced: bool,
) -> DrawnScenario:
    """A scenario of this structure; minds change at turns that are ``balanced`` over a block, or drawn.

    Args:
        learning: draws who knew nothing of what they come to know.

    Raises:
        PlanError: the pack has too few topics for it.
    """
    back, single = draw_turns(structure, turns, slot, rng, balanced=balanced)
    plan = _draw_plan(pack, structure, (back, single), difficulty, rng)
    if pack.tells_ignorance:
        plan = replace(plan, changes=tuple(_learnt(one, difficulty, learning) for one in plan.changes))
    return DrawnScenario(plan.scenario(pack, rng), plan.fillings)


def draw_settings(pack: DomainPack, rng: Random) -> dict[str, str]:
    """One filling for each setting of a pack."""
    return {name: rng.choice(values) for name, values in pack.settings.items()}


Turns = tuple[list[int], list[int]]
"""At which one mind changes and changes back, and at which others change."""


@dataclass(frozen=True)
class _Change:
    """A planned change, before it has names."""

    turn: int
    topic: PackTopic
    old: str
    new: str


@dataclass(frozen=True)
class _Plan:
    """The parts of a scenario, drawn before it is written down."""

    names: tuple[str, ...]
    situation: Situation
    fillings: dict[str, str]
    changes: tuple[_Change, ...]
    stable: tuple[tuple[PackTopic, str], ...]
    presumed: tuple[PackTopic, str, bool]

    def scenario(self, pack: DomainPack, rng: Random) -> Scenario:
        held = {change.topic.id: (change.topic, change.old) for change in reversed(self.changes)}
        held |= {topic.id: (topic, value) for topic, value in self.stable}
        name, learns = by_role(self.names), pack.tells_ignorance
        return Scenario(
            domain=pack.name,
            context=fill(self.situation.context, self.fillings),
            situation=self.situation.id,
            agents=tuple(_agent(getattr(pack.roles, role), role, self, held, rng) for role in PACK_ROLES),
            topics=tuple(
                Topic(
                    id=one.id,
                    label=one.label,
                    mental_state=one.state,
                    holder=name[one.holder],
                    values=one.contents if learns else one.clauses,
                )
                for one, _ in held.values()
            ),
            updates=_updates(self.changes, name, rng),
            presumptions=(_presumption(*self.presumed, name),),
        )


def _presumption(topic: PackTopic, presumed: str, corrected: bool, name: dict[str, str]) -> Presumption:
    presumer = next(role for role in PACK_ROLES if role != topic.holder)
    return Presumption(
        agent=name[presumer], about=name[topic.holder], topic=topic.id, presumed=presumed, corrected=corrected
    )


def _agent(role: Role, letter: str, plan: _Plan, held: dict[str, tuple[PackTopic, str]], rng: Random) -> Agent:
    return Agent(
        name=plan.names[PACK_ROLES.index(letter)],
        role=role.role,
        personality=draw_personality(rng),
        goal=fill(rng.choice(role.goals), plan.fillings),
        private_info=(fill(rng.choice(role.knows), plan.fillings),),
        initial_states=tuple(
            InitialState(mental_state=topic.state, topic=topic.id, content=value)
            for topic, value in held.values()
            if topic.holder == letter
        ),
    )


def _updates(changes: tuple[_Change, ...], name: dict[str, str], rng: Random) -> tuple[PlannedUpdate, ...]:
    markers = draw_markers([change.topic.state for change in changes], rng)
    seen: set[str] = set()
    updates = []
    for change, marker in zip(changes, markers, strict=True):
        goes_back = change.topic.id in seen
        seen.add(change.topic.id)
        learns = change.old == change.topic.ignorance
        if learns:
            marker = fitting_to_learn(marker, {one.id for one in markers if one is not marker})
        updates.append(
            PlannedUpdate(
                turn=change.turn,
                agent=name[change.topic.holder],
                trigger=Trigger.NEW_INFORMATION if goes_back or learns else rng.choice(TRIGGERS[change.topic.state]),
                mental_state=change.topic.state,
                topic=change.topic.id,
                old=change.old,
                new=change.new,
                marker=marker.id,
            )
        )
    return tuple(updates)


def _draw_plan(pack: DomainPack, structure: Structure, turns: Turns, difficulty: Difficulty, rng: Random) -> _Plan:
    situation = rng.choice(pack.situations)
    names = tuple(rng.sample(pack.names, len(PACK_ROLES)))
    fillings = {**draw_settings(pack, rng), **situation.slots, **by_role(names)}
    topics = _Topics(pack, rng)
    changes = _draw_changes(turns, topics, difficulty, rng)
    # what is argued for and stays is a plan or a wish: nobody shuts their eyes to a fact
    argued = [] if structure.corrected else topics.contestable(difficulty)
    drawn = [*argued, *topics.stable(structure.stable - len(argued))]
    stable = tuple((topic, rng.choice(topic.clauses)) for topic in drawn)
    # of their own lives people presume nothing; a pack with few other topics leaves no choice
    presumable = [one for one in stable if not one[0].partners_own] or stable
    topic, value = stable[0] if argued else rng.choice(presumable)
    presumed = rng.choice([clause for clause in topic.clauses if clause != value])
    return _Plan(names, situation, fillings, changes, stable, (topic, presumed, not argued))


class _Topics:
    """Draws topics of a pack, all equally often and none twice."""

    def __init__(self, pack: DomainPack, rng: Random) -> None:
        self._rng = rng
        self._left = [topic.held_by(rng.choice(PACK_ROLES)) if topic.shared else topic for topic in pack.topics]

    def one(self, holder: str | None = None, states: Sequence[MentalState] = tuple(MentalState)) -> PackTopic:
        fitting = [topic for topic in self._left if holder in {None, topic.holder} and topic.state in states]
        if not fitting:
            raise PlanError(f"the pack has too few topics{f' held by agent {holder}' if holder else ''} for a dialogue")
        chosen = self._rng.choice(fitting)
        self._left = [topic for topic in self._left if topic is not chosen]
        return chosen

    def contestable(self, difficulty: Difficulty) -> list[PackTopic]:
        """A topic on which a mind can stay as it is against reasons; none, if there is none left."""
        fitting = any(topic.state in difficulty.contestable for topic in self._left)
        return [self.one(states=difficulty.contestable)] if fitting else []

    def stable(self, count: int) -> list[PackTopic]:
        """So many topics, of either holder as often: or whose they are would tell whether anything changed."""
        drawn = []
        for _ in range(min(count, len(self._left))):
            holder = self._rng.choice(sorted({topic.holder for topic in self._left}))
            drawn.append(self.one(holder))
        return drawn


def _draw_changes(turns: Turns, topics: _Topics, difficulty: Difficulty, rng: Random) -> tuple[_Change, ...]:
    back, single = turns
    changes = []
    if back:
        topic = topics.one(_role_at(back[0]), difficulty.can_change_back)
        old, new = rng.sample(topic.clauses, 2)
        changes += [_Change(back[0], topic, old, new), _Change(back[1], topic, new, old)]
    for turn in single:
        topic = topics.one(_role_at(turn))
        old, new = rng.sample(topic.clauses, 2)
        changes.append(_Change(turn, topic, old, new))
    return tuple(sorted(changes, key=lambda change: change.turn))


def _learnt(change: _Change, difficulty: Difficulty, rng: Random) -> _Change:
    """The change, or the same by who knew nothing before."""
    if not change.topic.ignorance or rng.random() >= difficulty.learning_share:
        return change
    return replace(change, old=change.topic.ignorance)


def _role_at(turn: int) -> str:
    """The role of who speaks at a turn, where the agents of a pack take turns."""
    return PACK_ROLES[turn % len(PACK_ROLES)]
