"""The workflow of route-controlled persuasion: infer, choose, write, judge; one run for each dialogue state.

    infer, infer_elsewhere, choose, write_without ─> give ─> write_with ─> gather ─> judge_blind, judge_outcome,
    infer ─> place                                                                   judge_alignment, judge_minds

Every node takes its own part of the state. Who writes without mental states can't see any: their node's input has no
such key. Gold states go to the writer who is to have them. The judges are in `route_judging`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any, NotRequired, TypedDict

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime

from dtomtrack.graphs.route_judging import add_judges
from dtomtrack.graphs.route_state import (
    Chosen,
    Given,
    Inferred,
    Lines,
    Persuasion,
    PersuasionState,
    Placed,
    Replies,
    ShownQuestion,
    ShownResources,
    StateBegin,
    Subject,
    Task,
    Unusable,
    Written,
    of_persuadee,
)
from dtomtrack.scenarios.route.state import KnownMind
from dtomtrack.scenarios.route.terms import Cell, Persona, Variant

__all__ = ["graph"]


class InferSees(TypedDict):
    """The part that inference sees."""

    lines: Lines


class ElsewhereSees(TypedDict):
    """The part that inference in another scene sees."""

    elsewhere: NotRequired[Lines]


class PlaceSees(TypedDict):
    """The part that is seen by who says which options come nearest to inferred states: no dialogue, no right option."""

    minds: Inferred
    questions: NotRequired[Sequence[ShownQuestion]]


class ChooseSees(TypedDict):
    """The part that the choice of a strategy sees."""

    lines: Lines
    options: Mapping[Persona, Sequence[str]]


class WriteSees(TypedDict):
    """The part that a writer without mental states sees."""

    lines: Lines
    resources: ShownResources
    noise: str


class GiveSees(TypedDict):
    """The part that hands mental states to writers."""

    minds: Inferred
    others: NotRequired[Inferred]
    gold: NotRequired[KnownMind]


class WriteWithSees(WriteSees):
    """The part that a writer with mental states sees."""

    given: Given


async def _infer(state: InferSees, runtime: Runtime[Persuasion]) -> dict[str, Inferred]:
    subject, personas = runtime.context.subject, runtime.context.personas
    found = await asyncio.gather(*(subject.infer(state["lines"], persona) for persona in personas))
    return {"minds": dict(zip(personas, found, strict=True))}


async def _infer_elsewhere(state: ElsewhereSees, runtime: Runtime[Persuasion]) -> dict[str, Inferred]:
    subject, personas, lines = runtime.context.subject, runtime.context.personas, state.get("elsewhere")
    if lines is None:
        return {}
    found = await asyncio.gather(*(subject.infer(lines, persona, elsewhere=True) for persona in personas))
    return {"others": dict(zip(personas, found, strict=True))}


async def _place(state: PlaceSees, runtime: Runtime[Persuasion]) -> dict[str, Placed]:
    subject, questions = runtime.context.subject, state.get("questions", ())
    minds = {who: one for who, one in state["minds"].items() if questions and not isinstance(one, Unusable)}
    found = await asyncio.gather(*(subject.place(one, who, questions) for who, one in minds.items()))
    return {"placed": dict(zip(minds, found, strict=True))}


async def _choose(state: ChooseSees, runtime: Runtime[Persuasion]) -> dict[str, Chosen]:
    subject, audiences = runtime.context.subject, runtime.context.audiences
    found = await asyncio.gather(
        *(subject.choose(state["lines"], persona, route, state["options"][persona]) for persona, route in audiences)
    )
    return {"chosen": dict(zip(audiences, found, strict=True))}


async def _write_without(state: WriteSees, runtime: Runtime[Persuasion]) -> dict[str, Replies]:
    cells = [cell for cell in runtime.context.cells if cell.written and cell.variant == "no_tom"]
    tasks = [Task(cell, state["lines"], state["resources"].of(cell), state["noise"]) for cell in cells]
    found = await asyncio.gather(*map(runtime.context.subject.write, tasks))
    return {"replies": dict(zip(cells, found, strict=True))}


async def _give(state: GiveSees, runtime: Runtime[Persuasion]) -> dict[str, Given]:
    gold, others = state.get("gold"), state.get("others", {})
    given: dict[tuple[Persona, Variant], KnownMind | Unusable] = {}
    for persona in runtime.context.personas:
        given[persona, "inferred"] = of_persuadee(state["minds"][persona])
        if gold is not None:
            given[persona, "gold"] = gold
        if persona in others:
            given[persona, "shuffled"] = of_persuadee(others[persona])
    return {"given": given}


async def _write_with(state: WriteWithSees, runtime: Runtime[Persuasion]) -> dict[str, Replies]:
    cells = [cell for cell in runtime.context.cells if cell.written and cell.variant != "no_tom"]
    found = await asyncio.gather(*(_one_with(cell, state, runtime.context.subject) for cell in cells))
    return {"replies": dict(zip(cells, found, strict=True))}


async def _one_with(cell: Cell, state: WriteWithSees, subject: Subject) -> Written | Unusable:
    mind = state["given"][cell.persona, cell.variant]
    if isinstance(mind, Unusable):
        return Unusable(f"no states to go by: {mind.reason}")
    return await subject.write(Task(cell, state["lines"], state["resources"].of(cell), state["noise"], mind))


def _build() -> CompiledStateGraph[PersuasionState, Persuasion, Any, PersuasionState]:
    builder = StateGraph(PersuasionState, context_schema=Persuasion, input_schema=StateBegin)
    builder.add_node("infer", _infer, input_schema=InferSees)
    builder.add_node("infer_elsewhere", _infer_elsewhere, input_schema=ElsewhereSees)
    builder.add_node("place", _place, input_schema=PlaceSees)
    builder.add_node("choose", _choose, input_schema=ChooseSees)
    builder.add_node("write_without", _write_without, input_schema=WriteSees)
    builder.add_node("give", _give, input_schema=GiveSees)
    builder.add_node("write_with", _write_with, input_schema=WriteWithSees)
    first = ["infer", "infer_elsewhere", "choose", "write_without"]
    for name in first:
        builder.add_edge(START, name)
    builder.add_edge("infer", "place")
    builder.add_edge("place", END)
    builder.add_edge(first, "give")
    builder.add_edge("give", "write_with")
    builder.add_edge("write_with", "gather")
    add_judges(builder)
    return builder.compile(name="route_persuasion")


graph = _build()
