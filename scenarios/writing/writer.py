"""The scenario writer: scenarios by a language model (paper, "Scenario and Agent Design" and Table 1).

free      the model writes a whole scenario from the domain's brief, in one call
planned   for weak models: the program plans whose mind changes when and why, and what the two are called; the model
          fills in the words, a little at a time

Either way the model is told once what is wrong with what it wrote, and asked again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from dtomtrack.errors import PlanError
from dtomtrack.llm.chat import ChatModel
from dtomtrack.llm.prompts import prompt
from dtomtrack.runs.slots import Slot
from dtomtrack.scenarios.difficulty import Difficulty
from dtomtrack.scenarios.pack import DomainPack
from dtomtrack.scenarios.script import DirectedScenario
from dtomtrack.scenarios.structure import Structure, structure_of
from dtomtrack.scenarios.writing.examples import EXAMPLES
from dtomtrack.scenarios.writing.output_rules import output_problems
from dtomtrack.scenarios.writing.outputs import ScenarioOutput, tidy
from dtomtrack.scenarios.writing.plan import Plan, PlannedChange, draw_plan
from dtomtrack.scenarios.writing.planned_output import write_planned
from dtomtrack.scenarios.writing.prompter import Prompter
from dtomtrack.scenarios.writing.written import direct_output

__all__ = ["ScenarioWriter"]

_PACKAGE = "dtomtrack.scenarios.writing"
_TOKENS, _TOKENS_A_STATE = 1_200, 350
"""Tokens of a whole scenario: for all that is in it once, and for each state."""
_CHANGES_BACK = (
    "One mind changes and changes back: two changes of the same agent with the same topic and the same mental_state, "
    "an intention or a desire. The later one goes from the new belief back to the old one, for another fact."
)
_CHANGES_ONCE = "No mind changes twice."


class ScenarioWriter:
    """Writes scenarios of one domain.

    Args:
        pack: of it, only name, title, brief, the names of the roles, and the agents' names are used.
        style: "free" asks for a whole scenario at once, "planned" for the words of a plan, a little at a time.
        difficulty: of the scenarios.
    """

    def __init__(
        self,
        model: ChatModel,
        pack: DomainPack,
        *,
        style: Literal["free", "planned"],
        temperature: float,
        difficulty: Difficulty,
    ) -> None:
        self._model = model
        self._pack = pack
        self._style = style
        self._temperature = temperature
        self._difficulty = difficulty

    async def write(self, slot: Slot, attempt: int, turns: int) -> DirectedScenario:
        """A scenario for an attempt at a slot, laid out over ``turns`` turns.

        Raises:
            ReplyError: what the model wrote can't be used, also when it was told what is wrong; the message says why.
            PlanError: nothing can be planned in so few turns.
            ModelError: no answer can be had.
        """
        structure = structure_of(slot, turns, self._difficulty)
        plan = draw_plan(slot, attempt, turns, structure, self._difficulty)
        prompter = Prompter(self._model, slot, attempt, self._temperature)
        room = _Room(slot, attempt, turns, structure, plan, self._difficulty)
        if self._style == "free":
            return room.stage(await self._write_freely(prompter, plan, room))
        return room.stage(await write_planned(prompter, self._pack, plan))

    async def _write_freely(self, prompter: Prompter, plan: Plan, room: _Room) -> ScenarioOutput:
        structure = room.structure
        text = prompt(_PACKAGE, "free_scenario").fill(
            title=self._pack.title,
            brief=self._pack.brief,
            role_a=self._pack.roles.a.role,
            role_b=self._pack.roles.b.role,
            turns=str(room.turns),
            last=str(room.turns - 1),
            before_last=str(room.turns - 2),
            changes=str(structure.updates),
            steady=str(structure.stable),
            plan=_changes_in_words(plan),
            states=_states_in_words(plan),
            back=_CHANGES_BACK if structure.changes_back else _CHANGES_ONCE,
            **{state.value: example.new for state, example in EXAMPLES.items()},
        )
        tokens = _TOKENS + _TOKENS_A_STATE * (structure.updates + structure.stable)
        return tidy(
            await prompter.ask("scenario", text, ScenarioOutput, lambda output: room.problems(tidy(output)), tokens)
        )


@dataclass(frozen=True)
class _Room:
    """The room that an output has to fit into."""

    slot: Slot
    attempt: int
    turns: int
    structure: Structure
    plan: Plan
    difficulty: Difficulty

    def problems(self, output: ScenarioOutput) -> list[str]:
        """All that is wrong with an output."""
        wrong = output_problems(output, self.turns, self.structure, self.difficulty)
        if wrong:
            return wrong
        try:
            self.stage(output)
        except PlanError:
            at = " and ".join(str(change.turn) for change in output.planned_belief_changes)
            return [
                f"changes at turn {at} leave no room for all that has to be said before them; take the plan that does: "
                f"changes of {_changes_in_words(self.plan)}; steady states of {_states_in_words(self.plan)}"
            ]
        return []

    def stage(self, output: ScenarioOutput) -> DirectedScenario:
        """The scenario of an output."""
        return direct_output(output, self.slot, self.attempt, self.turns, self.structure, self.difficulty)


def _changes_in_words(plan: Plan) -> str:
    """Whose mind changes at which turn."""
    return ", ".join(
        f"agent {change.agent} at turn {change.turn} ({change.mental_state}{_back_in_words(plan, change)})"
        for change in plan.changes
    )


def _back_in_words(plan: Plan, change: PlannedChange) -> str:
    return "" if change.back_from is None else f", back from the change at turn {plan.changes[change.back_from].turn}"


def _states_in_words(plan: Plan) -> str:
    """Whose states stay."""
    return ", ".join(f"agent {state.agent} ({state.mental_state})" for state in plan.stable)
