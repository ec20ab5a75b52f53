"""One dialogue state through the workflow."""

from __future__ import annotations

from typing import Any

from dtomtrack.errors import InputError
from dtomtrack.graphs.route_judging import judging_graph
from dtomtrack.graphs.route_persuasion import graph
from dtomtrack.graphs.route_state import (
    Panel,
    Persuasion,
    PersuasionState,
    ShownQuestion,
    ShownResources,
    StateBegin,
    Subject,
)
from dtomtrack.scenarios.route.state import SceneState
from dtomtrack.scenarios.route.terms import Cell
from dtomtrack.suites.tomelp.played import PlayedState, played_state, replayed

__all__ = ["begin_state", "judge_again", "play_state", "shown_resources"]


async def play_state(
    index: int,
    state: SceneState,
    subject: Subject,
    panel: Panel,
    cells: tuple[Cell, ...],
    elsewhere: SceneState | None = None,
) -> PlayedState:
    """Infer, choose, write and judge. A call that fails is raised: it is no output.

    Where nobody knows the persuadee's states, nothing is written with gold ones, and the record says so.

    Raises:
        InputError: the state has no resources.
    """
    known = state.gold_mind("persuadee") is not None
    own = tuple(cell for cell in cells if known or cell.variant != "gold")
    found: Any = await graph.ainvoke(begin_state(state, own, elsewhere), context=Persuasion(subject, panel, own))
    played = played_state(index, state, found, None if elsewhere is None else elsewhere.id)
    return played.model_copy(update={"without_gold": len(own) < len(cells)})


def begin_state(state: SceneState, cells: tuple[Cell, ...], elsewhere: SceneState | None = None) -> StateBegin:
    """What the workflow begins with: no gold strategy, no label, and gold states only where a cell is to have them.

    Raises:
        InputError: the state has no resources.
    """
    begin: StateBegin = {
        "lines": state.history,
        "options": {persona: choice.options for persona, choice in state.choices.items()},
        "resources": shown_resources(state),
        "noise": state.noise,
    }
    if elsewhere is not None:
        begin["elsewhere"] = elsewhere.history
    gold = state.gold_mind("persuadee")
    if gold is not None and any(cell.variant == "gold" for cell in cells):
        begin["gold"] = gold
    if state.questions:
        begin["questions"] = [ShownQuestion(one.role, one.field, one.question, one.options) for one in state.questions]
    return begin


def shown_resources(state: SceneState) -> ShownResources:
    """The resources of a state as a writer sees them.

    Raises:
        InputError: it has none.
    """
    if state.resources is None:
        raise InputError(f"state {state.id}: has no facts and cues; import it with --model, which writes them")
    return ShownResources({one.id: one.text for one in state.resources.dossier}, dict(state.resources.cues))


async def judge_again(index: int, state: SceneState, played: PlayedState, panel: Panel) -> PlayedState:
    """The stored replies of a state before another judge."""
    begin: PersuasionState = {**begin_state(state, ()), **replayed(played)}  # type: ignore[typeddict-item]
    nobody: Any = None
    context = Persuasion(nobody, panel, tuple(one.cell for one in played.replies))
    found: Any = await judging_graph.ainvoke(begin, context=context)
    again = played_state(index, state, {**begin, **found}, played.elsewhere)
    return again.model_copy(update={"without_gold": played.without_gold})
