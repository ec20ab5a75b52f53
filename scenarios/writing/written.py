"""From a checked output to a scenario that is ready to be played.

The program gives ids and markers; labels and contents are the model's.
"""

from __future__ import annotations

from random import Random

from dtomtrack.beliefs.markers import draw_markers
from dtomtrack.beliefs.scenario import Agent, InitialState, PlannedUpdate, Presumption, Scenario, Topic
from dtomtrack.runs.slots import Slot
from dtomtrack.scenarios.difficulty import Difficulty
from dtomtrack.scenarios.director import direct
from dtomtrack.scenarios.roles import PACK_ROLES
from dtomtrack.scenarios.script import DirectedScenario
from dtomtrack.scenarios.structure import Structure
from dtomtrack.scenarios.writing.outputs import ChangeOutput, RoleLetter, ScenarioOutput, StableOutput

__all__ = ["direct_output"]


def direct_output(
    output: ScenarioOutput, slot: Slot, attempt: int, turns: int, structure: Structure, difficulty: Difficulty
) -> DirectedScenario:
    """The scenario of an output, laid out over ``turns`` turns.

    Raises:
        PlanError: the changes leave no room for what has to come before them.
    """
    rng = slot.random(attempt, "stage")
    written = _Written(output)
    scenario = written.scenario(slot.domain, structure, rng)
    reasons = {(written.id_of(change), change.new_belief): change.fact for change in output.planned_belief_changes}
    return DirectedScenario(
        scenario=scenario,
        difficulty=difficulty,
        fillings={},
        situation="",
        reasons=reasons,
        script=direct(scenario, turns, rng, difficulty),
    )


class _Written:
    """An output, its topics numbered: those that change first."""

    def __init__(self, output: ScenarioOutput) -> None:
        self._output = output
        self._states: dict[tuple[RoleLetter, str], ChangeOutput | StableOutput] = {}
        for change in output.planned_belief_changes:
            self._states.setdefault(change.key, change)
        for stable in output.steady_states:
            self._states.setdefault(stable.key, stable)
        self._ids = {key: f"topic-{number}" for number, key in enumerate(self._states, 1)}

    def id_of(self, state: ChangeOutput | StableOutput) -> str:
        return self._ids[state.key]

    def scenario(self, domain: str, structure: Structure, rng: Random) -> Scenario:
        return Scenario(
            domain=domain,
            context=self._output.context,
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
        return self._output.agents[letter].name

    def _agent(self, letter: RoleLetter) -> Agent:
        """An agent; what changes the other's mind is private to it until it is told."""
        own = self._output.agents[letter]
        facts = (change.fact for change in self._output.planned_belief_changes if change.agent != letter)
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
        changes = sorted(self._output.planned_belief_changes, key=lambda change: change.turn)
        markers = draw_markers([change.mental_state for change in changes], rng)
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
            for change, marker in zip(changes, markers, strict=True)
        )

    def _presumption(self, structure: Structure, rng: Random) -> Presumption:
        stable = rng.choice(self._output.steady_states)
        return Presumption(
            agent=self._name("b" if stable.agent == PACK_ROLES[0] else "a"),
            about=self._name(stable.agent),
            topic=self.id_of(stable),
            presumed=stable.wrong_assumption,
            corrected=structure.corrected,
        )
