"""The workflow of two who speak in turn, each with stage directions of its own, until these are used up.

    open ⇄ reply

Each node takes the directions of its own role and the lines that were said, and nothing else: the other's are in a
field of the state that is never handed to it. Who the two are, and what their nodes are called, the workflows say that
are made with this one (`graphs/persuading.py`, `graphs/recommending.py`).
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Generic, Protocol, TypedDict, TypeVar

from langgraph.graph import START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime
from langgraph.types import Command

__all__ = ["Pair", "Speaker", "TwoRoles", "play_directions", "two_roles"]

Direction = TypeVar("Direction", contravariant=True)
Opening = TypeVar("Opening")
Reply = TypeVar("Reply")


class Speaker(Protocol[Direction]):
    """Speaks for one of the two."""

    async def say(self, direction: Direction, heard: Sequence[str]) -> str:
        """The next utterance.

        Raises:
            ReplyError: none can be had that says what it should.
        """
        ...


@dataclass(frozen=True)
class Pair(Generic[Opening, Reply]):
    """The two actors: who speaks first, and who replies."""

    opens: Speaker[Opening]
    replies: Speaker[Reply]


class _State(TypedDict):
    opening: Sequence[object]
    replying: Sequence[object]
    lines: Annotated[list[str], operator.add]


class OpeningSees(TypedDict):
    """The part of the state that the role sees that speaks first."""

    opening: Sequence[object]
    lines: list[str]


class ReplyingSees(TypedDict):
    """The part of the state that the other role sees."""

    replying: Sequence[object]
    lines: list[str]


TwoRoles = CompiledStateGraph[_State, Pair[Any, Any], _State, _State]


def two_roles(name: str, opens: str, replies: str) -> TwoRoles:
    """A workflow of this name, with nodes of these names."""

    async def speak_first(state: OpeningSees, runtime: Runtime[Pair[Any, Any]]) -> dict[str, list[str]]:
        lines = state["lines"]
        return {"lines": [await runtime.context.opens.say(state["opening"][len(lines) // 2], lines)]}

    async def reply(state: ReplyingSees, runtime: Runtime[Pair[Any, Any]]) -> Command[str]:
        lines, directions = state["lines"], state["replying"]
        said = await runtime.context.replies.say(directions[len(lines) // 2], lines)
        is_last = len(lines) + 1 == 2 * len(directions)
        return Command(update={"lines": [said]}, goto="__end__" if is_last else opens)

    builder = StateGraph(_State, context_schema=Pair)
    builder.add_node(opens, speak_first, input_schema=OpeningSees)
    builder.add_node(replies, reply, input_schema=ReplyingSees, destinations=(opens, "__end__"))
    builder.add_edge(START, opens)
    builder.add_edge(opens, replies)
    return builder.compile(name=name)


async def play_directions(
    graph: TwoRoles, pair: Pair[Opening, Reply], opening: Sequence[Opening], replying: Sequence[Reply]
) -> list[str]:
    """The utterances of all rounds, in order; each role has a direction for each round.

    Raises:
        ReplyError: an utterance can't be had that says what it should.
    """
    config: Any = {"recursion_limit": 4 * len(opening) + 5}
    start: _State = {"opening": opening, "replying": replying, "lines": []}
    state = await graph.ainvoke(start, config, context=pair, output_keys=["lines"])
    lines: list[str] = state["lines"]
    return lines
