"""The persuasion workflow: one persuades, the other listens, until one of them has had enough.

    persuade ⇄ listen

The persuader's node takes the briefing and the spoken lines and nothing else: what the listener keeps in mind is in a
part of the state that is never handed to it.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, NotRequired, Protocol, TypedDict

from langgraph.graph import START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime
from langgraph.types import Command

from dtomtrack.scenarios.persuasion_npc.briefing import Briefing

__all__ = ["Encounter", "Heard", "Listener", "Persuader", "Spoken", "graph", "meet"]


@dataclass(frozen=True, slots=True)
class Spoken:
    """A line that was said aloud."""

    by: Literal["persuader", "character"]
    text: str


@dataclass(frozen=True, slots=True)
class Heard:
    """The outcome of a message: the reply, what the listener keeps in mind from now on, and whether that was all."""

    reply: str
    memory: object
    over: bool


class Persuader(Protocol):
    """Argues. A failed call is raised: it is no turn."""

    async def say(self, briefing: Briefing, lines: Sequence[Spoken]) -> str:
        """The next message."""
        ...


class Listener(Protocol):
    """Listens; a function of what it has in mind and of the message."""

    async def hear(self, memory: object | None, message: str) -> Heard:
        """React; ``memory`` is None before the first message."""
        ...


@dataclass(frozen=True)
class Encounter:
    """The two who meet."""

    persuader: Persuader
    listener: Listener


class _Begin(TypedDict):
    briefing: Briefing
    lines: list[Spoken]


class PersuasionState(TypedDict):
    """The whole state, which the persuader does not see as such."""

    briefing: Briefing
    lines: Annotated[list[Spoken], operator.add]
    memory: NotRequired[object]


class PersuaderSees(TypedDict):
    """The part of the state that the persuader sees."""

    briefing: Briefing
    lines: list[Spoken]


class ListenerSees(TypedDict):
    """The part of the state that the listener sees."""

    lines: list[Spoken]
    memory: NotRequired[object]


async def _persuade(state: PersuaderSees, runtime: Runtime[Encounter]) -> dict[str, list[Spoken]]:
    message = await runtime.context.persuader.say(state["briefing"], state["lines"])
    return {"lines": [Spoken("persuader", message)]}


async def _listen(state: ListenerSees, runtime: Runtime[Encounter]) -> Command[Literal["persuade", "__end__"]]:
    heard = await runtime.context.listener.hear(state.get("memory"), state["lines"][-1].text)
    update = {"lines": [Spoken("character", heard.reply)], "memory": heard.memory}
    return Command(update=update, goto="__end__" if heard.over else "persuade")


def _build() -> CompiledStateGraph[PersuasionState, Encounter, _Begin, PersuasionState]:
    builder = StateGraph(PersuasionState, context_schema=Encounter, input_schema=_Begin)
    builder.add_node("persuade", _persuade, input_schema=PersuaderSees)
    builder.add_node("listen", _listen, input_schema=ListenerSees)
    builder.add_edge(START, "persuade")
    builder.add_edge("persuade", "listen")
    return builder.compile(name="persuasion")


graph = _build()


async def meet(encounter: Encounter, briefing: Briefing, turns: int) -> object:
    """Let them talk for at most so many turns of the persuader; what the listener then has in mind."""
    config: Any = {"recursion_limit": 2 * turns + 5}
    opening: _Begin = {"briefing": briefing, "lines": [Spoken("character", briefing.opening)]}
    state = await graph.ainvoke(opening, config, context=encounter, output_keys=["memory"])
    memory: object = state["memory"]
    return memory
