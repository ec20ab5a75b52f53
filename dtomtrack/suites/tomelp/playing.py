"""One dialogue state through the workflow."""

from __future__ import annotations

from typing import Any

from dtomtrack.errors import InputError
from dtomtrack.graphs.route_persuasion import (
    Panel,
    Persuasion,
    PersuasionState,
    ShownResources,
    StateBegin,
    Subject,
    graph,
    judging_graph,
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

    Raises:
        InputError: the state has no resources, or lacks gold states that are asked for.
    """
    found: Any = await graph.ainvoke(begin_state(state, cells, elsewhere), context=Persuasion(subject, panel, cells))
    return played_state(index, state, found, None if elsewhere is None else elsewhere.id)


def begin_state(state: SceneState, cells: tuple[Cell, ...], elsewhere: SceneState | None = None) -> StateBegin:
    """What the workflow begins with: no gold strategy, no label, and gold states only where a cell is to have them.

    Raises:
        InputError: the state has no resources, or lacks gold states that are asked for.
    """
    begin: StateBegin = {
        "lines": state.history,
        "options": {persona: choice.options for persona, choice in state.choices.items()},
        "resources": shown_resources(state),
        "noise": state.noise,
    }
    if elsewhere is not None:
        begin["elsewhere"] = elsewhere.history
    if any(cell.variant == "gold" for cell in cells):
        if "persuadee" not in state.minds:
            raise InputError(f"state {state.id}: has no gold states of the persuadee; leave out --tom gold")
        begin["gold"] = state.minds["persuadee"]
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
    return played_state(index, state, {**begin, **found}, played.elsewhere)
