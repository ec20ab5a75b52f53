"""The workflow of a persuasive conversation: round by round one argues and the other answers.

    argue ⇄ answer

Each node takes its own direction of the round and the lines that were said, and nothing else: the other's part is in a
field of the state that is never handed to it.
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

from dtomtrack.scenarios.persuasion.script import PersuadeeDirection, PersuaderDirection

__all__ = ["Answering", "Arguing", "Conversation", "graph", "play_conversation"]


class Arguing(Protocol):
    """Speaks for the persuader."""

    async def say(self, direction: PersuaderDirection, heard: Sequence[str]) -> str:
        """The next utterance."""
        ...


class Answering(Protocol):
    """Speaks for who is to be persuaded."""

    async def say(self, direction: PersuadeeDirection, heard: Sequence[str]) -> str:
        """The next utterance."""
        ...


@dataclass(frozen=True)
class Conversation:
    """The two actors."""

    persuader: Arguing
    persuadee: Answering


class _State(TypedDict):
    arguing: Sequence[PersuaderDirection]
    answering: Sequence[PersuadeeDirection]
    lines: Annotated[list[str], operator.add]


class PersuaderSees(TypedDict):
    """The part of the state that the persuader sees."""

    arguing: Sequence[PersuaderDirection]
    lines: list[str]


class PersuadeeSees(TypedDict):
    """The part of the state that the persuadee sees."""

    answering: Sequence[PersuadeeDirection]
    lines: list[str]


async def _argue(state: PersuaderSees, runtime: Runtime[Conversation]) -> dict[str, list[str]]:
    lines = state["lines"]
    return {"lines": [await runtime.context.persuader.say(state["arguing"][len(lines) // 2], lines)]}


async def _answer(state: PersuadeeSees, runtime: Runtime[Conversation]) -> Command[Literal["argue", "__end__"]]:
    lines, directions = state["lines"], state["answering"]
    said = await runtime.context.persuadee.say(directions[len(lines) // 2], lines)
    is_last = len(lines) + 1 == 2 * len(directions)
    return Command(update={"lines": [said]}, goto="__end__" if is_last else "argue")


def _build() -> CompiledStateGraph[_State, Conversation, _State, _State]:
    builder = StateGraph(_State, context_schema=Conversation)
    builder.add_node("argue", _argue, input_schema=PersuaderSees)
    builder.add_node("answer", _answer, input_schema=PersuadeeSees)
    builder.add_edge(START, "argue")
    builder.add_edge("argue", "answer")
    return builder.compile(name="persuading")


graph = _build()


async def play_conversation(
    conversation: Conversation, arguing: Sequence[PersuaderDirection], answering: Sequence[PersuadeeDirection]
) -> list[str]:
    """The utterances of all rounds, the persuader's first."""
    config: Any = {"recursion_limit": 4 * len(arguing) + 5}
    opening: _State = {"arguing": arguing, "answering": answering, "lines": []}
    state = await graph.ainvoke(opening, config, context=conversation, output_keys=["lines"])
    lines: list[str] = state["lines"]
    return lines
