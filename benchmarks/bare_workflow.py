"""A super-step a turn on LangGraph with nothing in it: what no play by models can be faster than.

Scripts take all their turns in one step instead.

python benchmarks/bare_workflow.py        dialogues a second that it could play, on all cores of this machine
"""

from __future__ import annotations

import asyncio
import multiprocessing
import operator
import os
import sys
import time
from collections.abc import Awaitable, Callable
from typing import Annotated, Any, Literal, TypedDict

from langchain_core.runnables import RunnableConfig
from langgraph.graph import START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Command

from dtomtrack.runs.garbage import rare_collections

__all__ = ["bare_workflow", "played"]

TURNS, DIALOGUES = 10, 1000


class Said(TypedDict):
    """A dialogue so far."""

    slot: int
    said: Annotated[list[str], operator.add]


Graph = CompiledStateGraph[Said, None, Said, Said]


def bare_workflow(turns: int, line: Callable[[int, int], Awaitable[str]]) -> Graph:
    """The workflow of a role-play in shape: a node that directs, one that takes turns, and one that reviews.

    Args:
        line: gives what is said in a slot's turn.
    """

    async def direct(state: Said) -> Command[Literal["agent"]]:
        return Command(goto="agent")

    async def agent(state: Said) -> Command[Literal["agent", "review"]]:
        turn = len(state["said"])
        said = await line(state["slot"], turn)
        goto: Literal["agent", "review"] = "review" if turn + 1 == turns else "agent"
        return Command(update={"said": [said]}, goto=goto)

    async def review(state: Said) -> None:
        return None

    builder = StateGraph(Said)
    builder.add_node("direct", direct)
    builder.add_node("agent", agent)
    builder.add_node("review", review)
    builder.add_edge(START, "direct")
    return builder.compile()


async def played(graph: Graph, turns: int, slot: int) -> None:
    """Play one dialogue, as the role-play is played."""
    config: RunnableConfig = {"recursion_limit": turns + 5}
    start: Any = {"slot": slot, "said": []}
    async for _ in graph.astream(start, config, stream_mode="values", output_keys=["slot"]):
        pass


async def _silence(slot: int, turn: int) -> str:
    return ""


async def _all_played() -> float:
    graph = bare_workflow(TURNS, _silence)
    await played(graph, TURNS, 0)
    started = time.monotonic()
    for slot in range(DIALOGUES):
        await played(graph, TURNS, slot)
    return DIALOGUES / (time.monotonic() - started)


def rate(_: int) -> float:
    """Dialogues a second of one process, which searches for garbage as rarely as a run does."""
    with rare_collections():
        return asyncio.run(_all_played())


def main() -> int:
    """Print how many dialogues a second there could be."""
    cores = os.cpu_count() or 1
    with multiprocessing.get_context("spawn").Pool(cores) as pool:
        rates = pool.map(rate, range(cores), chunksize=1)
    print(f"{sum(rates):.0f} dialogues a second of {TURNS} empty turns, on {cores} cores")
    return 0


if __name__ == "__main__":
    sys.exit(main())
