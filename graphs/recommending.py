"""The workflow of a recommendation dialogue: line by line, one looks for something and the other suggests.

    seek ⇄ suggest

Each node takes the stage directions of its own role and the lines that were said, and nothing else: the other's are in
a field of the state that is never handed to it.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, Protocol, TypedDict

from langgraph.graph import START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime
from langgraph.types import Command

from dtomtrack.scenarios.recommendation.clauses import LinePlan

__all__ = ["Performer", "Session", "graph", "play_session"]


class Performer(Protocol):
    """Speaks for one of the two."""

    async def say(self, direction: LinePlan, heard: Sequence[str]) -> str:
        """The next utterance.

        Raises:
            ReplyError: none can be had that says what it should.
        """
        ...


@dataclass(frozen=True)
class Session:
    """The two actors."""

    seeker: Performer
    recommender: Performer


class _State(TypedDict):
    seeking: Sequence[LinePlan]
    suggesting: Sequence[LinePlan]
    lines: Annotated[list[str], operator.add]


class SeekerSees(TypedDict):
    """The part of the state that the seeker sees."""

    seeking: Sequence[LinePlan]
    lines: list[str]


class RecommenderSees(TypedDict):
    """The part of the state that the recommender sees."""

    suggesting: Sequence[LinePlan]
    lines: list[str]


async def _seek(state: SeekerSees, runtime: Runtime[Session]) -> dict[str, list[str]]:
    lines = state["lines"]
    return {"lines": [await runtime.context.seeker.say(state["seeking"][len(lines) // 2], lines)]}


async def _suggest(state: RecommenderSees, runtime: Runtime[Session]) -> Command[Literal["seek", "__end__"]]:
    lines, directions = state["lines"], state["suggesting"]
    said = await runtime.context.recommender.say(directions[len(lines) // 2], lines)
    is_last = len(lines) + 1 == 2 * len(directions)
    return Command(update={"lines": [said]}, goto="__end__" if is_last else "seek")


def _build() -> CompiledStateGraph[_State, Session, _State, _State]:
    builder = StateGraph(_State, context_schema=Session)
    builder.add_node("seek", _seek, input_schema=SeekerSees)
    builder.add_node("suggest", _suggest, input_schema=RecommenderSees)
    builder.add_edge(START, "seek")
    builder.add_edge("seek", "suggest")
    return builder.compile(name="recommending")


graph = _build()


async def play_session(session: Session, directions: Sequence[LinePlan]) -> list[str]:
    """The utterances of all lines, the seeker's first; there are as many of both.

    Raises:
        ReplyError: an utterance can't be had that says what it should.
    """
    config: Any = {"recursion_limit": 2 * len(directions) + 5}
    opening: _State = {"seeking": directions[::2], "suggesting": directions[1::2], "lines": []}
    state = await graph.ainvoke(opening, config, context=session, output_keys=["lines"])
    lines: list[str] = state["lines"]
    return lines
