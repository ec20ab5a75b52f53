"""Staged scenarios: drawn from a domain pack (the embedded counterpart of the paper's Table 1 prompt), or one's own."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Mapping
from random import Random

from dtomtrack.beliefs.scenario import Scenario
from dtomtrack.errors import PlanError
from dtomtrack.runs.slots import Slot
from dtomtrack.scenarios.checks import check_scenario, situation_of
from dtomtrack.scenarios.difficulty import Difficulty
from dtomtrack.scenarios.director import direct
from dtomtrack.scenarios.draws import draw_scenario, draw_settings
from dtomtrack.scenarios.pack import DomainPack, PackValue
from dtomtrack.scenarios.placeholders import fill
from dtomtrack.scenarios.planning.plan import plan_scenario
from dtomtrack.scenarios.roles import by_role
from dtomtrack.scenarios.script import DirectedScenario
from dtomtrack.scenarios.structure import structure_of
from dtomtrack.scenarios.threads import persuader

__all__ = ["direct_scenario", "sample_scenario"]


def sample_scenario(pack: DomainPack, slot: Slot, attempt: int, turns: int, difficulty: Difficulty) -> DirectedScenario:
    """Draw a scenario for a slot and lay it out over ``turns`` turns.

    Raises:
        PlanError: the pack has too few topics for what the slot's structure asks.
    """
    if difficulty.comes_apart:
        return plan_scenario(pack, slot, attempt, turns, difficulty)
    structure = structure_of(slot, turns, difficulty)
    rng, learning = slot.random(attempt, "scenario"), slot.random(attempt, "learning")
    for draw in range(difficulty.scenario_draws):
        try:
            balanced = draw < difficulty.scenario_draws / 2
            drawn = draw_scenario(pack, structure, slot, turns, difficulty, rng, learning=learning, balanced=balanced)
            return _laid_out(pack, drawn.scenario, turns, difficulty, rng, drawn.fillings)
        except PlanError:
            if draw == difficulty.scenario_draws - 1:
                raise
    raise AssertionError("unreachable: the last draw returns or raises")


def direct_scenario(
    pack: DomainPack, scenario: Scenario, turns: int, difficulty: Difficulty, rng: Random
) -> DirectedScenario:
    """Lay out a scenario of one's own over ``turns`` turns; what it leaves open is drawn.

    Its ``divergences`` are left out: who was there, and who heard what, is as planned, and minds come apart by it, but
    nobody is made to tell an untruth, to pass anything on or to act on what they wrongly take for so.

    Raises:
        PlanError: the pack has no words for it, its plan doesn't hang together, or the updates leave no room.
    """
    check_scenario(pack, scenario, turns)
    played = scenario.model_copy(update={"divergences": ()})
    return _laid_out(pack, played, turns, difficulty, rng, draw_settings(pack, rng) | _told(pack, scenario.context))


def _told(pack: DomainPack, context: str) -> dict[str, str]:
    """The settings that a context tells of, such as the name of the house."""
    told = {slot: [value for value in values if value in context] for slot, values in pack.settings.items()}
    return {slot: max(values, key=len) for slot, values in told.items() if values}


def _laid_out(
    pack: DomainPack,
    scenario: Scenario,
    turns: int,
    difficulty: Difficulty,
    rng: Random,
    settings: Mapping[str, str],
) -> DirectedScenario:
    situation = situation_of(pack, scenario) or rng.choice(pack.situations)
    fillings = {**settings, **situation.slots, **by_role(scenario.names)}
    known = {one for agent in scenario.agents for one in agent.private_info}
    reasons = {
        (update.topic, update.new): _reason(pack.topic(update.topic).value(update.new), fillings, known, rng)
        for update in scenario.updates
    }
    # first, since many a draw leaves no room
    script = direct(scenario, turns, rng, difficulty, pack.unasked, pack.quizzed)
    return DirectedScenario(
        scenario=_with_private_reasons(scenario, reasons),
        difficulty=difficulty,
        fillings=fillings,
        situation=situation.id,
        reasons=reasons,
        script=script,
    )


def _reason(value: PackValue, fillings: Mapping[str, str], known: Container[str], rng: Random) -> str:
    """The words in which a reason for a value is given: those that somebody knows already, or others."""
    lines = [fill(line, fillings) for line in value.reason]
    drawn = rng.choice(lines)
    return next((line for line in lines if line in known), drawn)


def _with_private_reasons(scenario: Scenario, reasons: Mapping[tuple[str, str], str]) -> Scenario:
    """The scenario in which whoever is to change a mind knows the reason, and nobody else does."""
    secrets: dict[str, list[str]] = defaultdict(list)
    for update in scenario.updates:
        if (teller := persuader(scenario, update)) is not None:
            secrets[teller].append(reasons[update.topic, update.new])
    agents = tuple(
        agent.model_copy(update={"private_info": tuple(dict.fromkeys((*agent.private_info, *secrets[agent.name])))})
        if agent.name in secrets
        else agent
        for agent in scenario.agents
    )
    return scenario.model_copy(update={"agents": agents})
