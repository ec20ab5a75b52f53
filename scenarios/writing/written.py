"""From a checked draft to a scenario that is ready to be played.

The program gives ids and markers; labels and contents are the model's.
"""

from __future__ import annotations

from random import Random

from dtomtrack.beliefs.markers import MARKERS
from dtomtrack.beliefs.scenario import Agent, InitialState, PlannedUpdate, Presumption, Scenario, Topic
from dtomtrack.runs.slots import Slot
from dtomtrack.scenarios.changes import ROLES
from dtomtrack.scenarios.director import direct
from dtomtrack.scenarios.stage import StagedScenario
from dtomtrack.scenarios.structure import Structure
from dtomtrack.scenarios.writing.drafts import ChangeDraft, RoleLetter, ScenarioDraft, SteadyDraft

__all__ = ["stage_draft"]


def stage_draft(
    draft: ScenarioDraft, slot: Slot, attempt: int, turns: int, structure: Structure, *, sparse: bool
) -> StagedScenario:
    """The scenario of a draft, laid out over ``turns`` turns.

    Raises:
        PlanError: the changes leave no room for what has to come before them.
    """
    rng = slot.random(attempt, "stage")
    written = _Written(draft)
    scenario = written.scenario(slot.domain, structure, rng)
    reasons = {(written.id_of(change), change.new_belief): change.fact for change in draft.planned_belief_changes}
    return StagedScenario(
        scenario=scenario,
        slots={},
        situation="",
        reasons=reasons,
        script=direct(scenario, turns, rng, sparse=sparse),
    )


class _Written:
    """A draft, its topics numbered: those that change first."""

    def __init__(self, draft: ScenarioDraft) -> None:
        self._draft = draft
        self._states: dict[tuple[RoleLetter, str], ChangeDraft | SteadyDraft] = {}
        for change in draft.planned_belief_changes:
            self._states.setdefault(change.key, change)
        for steady in draft.steady_states:
            self._states.setdefault(steady.key, steady)
        self._ids = {key: f"topic-{number}" for number, key in enumerate(self._states, 1)}

    def id_of(self, state: ChangeDraft | SteadyDraft) -> str:
        return self._ids[state.key]

    def scenario(self, domain: str, structure: Structure, rng: Random) -> Scenario:
        return Scenario(
            domain=domain,
            context=self._draft.context,
            agents=(self._agent("a"), self._agent("b")),
            topics=tuple(
                Topic(
                    id=self.id_of(state),
                    label=state.topic,
                    mental_state=state.mental_state,
                    holder=self._name(state.agent),
                    values=state.contents,
                )
                for state in self._states.values()
            ),
            updates=self._updates(rng),
            presumptions=(self._presumption(structure, rng),),
        )

    def _name(self, letter: RoleLetter) -> str:
        return self._draft.agents[letter].name

    def _agent(self, letter: RoleLetter) -> Agent:
        """An agent; what changes the other's mind is private to it until it is told."""
        own = self._draft.agents[letter]
        facts = (change.fact for change in self._draft.planned_belief_changes if change.agent != letter)
        return Agent(
            name=own.name,
            role=own.role,
            personality=own.personality,
            goal=own.goal,
            private_info=(own.private_info, *facts),
            initial_states=tuple(
                InitialState(mental_state=state.mental_state, topic=self.id_of(state), content=state.contents[0])
                for state in self._states.values()
                if state.agent == letter
            ),
        )

    def _updates(self, rng: Random) -> tuple[PlannedUpdate, ...]:
        changes = sorted(self._draft.planned_belief_changes, key=lambda change: change.turn)
        return tuple(
            PlannedUpdate(
                turn=change.turn,
                agent=self._name(change.agent),
                trigger=change.trigger_type,
                mental_state=change.mental_state,
                topic=self.id_of(change),
                old=change.old_belief,
                new=change.new_belief,
                marker=marker.id,
            )
            for change, marker in zip(changes, rng.sample(MARKERS, len(changes)), strict=True)
        )

    def _presumption(self, structure: Structure, rng: Random) -> Presumption:
        steady = rng.choice(self._draft.steady_states)
        return Presumption(
            agent=self._name("b" if steady.agent == ROLES[0] else "a"),
            about=self._name(steady.agent),
            topic=self.id_of(steady),
            presumed=steady.wrong_assumption,
            corrected=structure.corrected,
        )
