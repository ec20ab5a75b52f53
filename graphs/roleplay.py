"""The role-play workflow: two agents take turns, each behind its own inner speech (paper, "Conversation Generation").

    START ──> agent_a <──> agent_b ──> END

A node receives only what its input type names: its own character and what was said aloud. Neither the partner's
character nor anybody's inner speech ever reaches it.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Literal, Protocol, TypedDict

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime
from langgraph.types import Command

from dtomtrack.inner_speech import TopicFinder, parse_thoughts
from dtomtrack.scenarios.scripted_actor import Character, Performance
from dtomtrack.schema import Turn

__all__ = ["Actor", "Cast", "Line", "PartA", "PartB", "RoleplayState", "graph", "play"]

Line = tuple[str, str]
"""(speaker, utterance)"""


class Actor(Protocol):
    """What speaks for a character."""

    async def play(self, character: Character, transcript: Sequence[Line]) -> Performance:
        """The character's next turn."""
        ...


@dataclass(frozen=True)
class Cast:
    """Who plays, and how thoughts are matched to topics."""

    actor_a: Actor
    actor_b: Actor
    find_topic: TopicFinder


class RoleplayState(TypedDict):
    """The whole state, which no node sees as such."""

    length: int
    character_a: Character
    character_b: Character
    transcript: Annotated[list[Line], operator.add]
    turns: Annotated[list[Turn], operator.add]


class PartA(TypedDict):
    """What agent A sees."""

    character_a: Character
    transcript: list[Line]
    length: int


class PartB(TypedDict):
    """What agent B sees."""

    character_b: Character
    transcript: list[Line]
    length: int


async def _agent_a(part: PartA, runtime: Runtime[Cast]) -> Command[Literal["agent_b", "__end__"]]:
    cast = runtime.context
    spoken = await _take_turn(cast.actor_a, part["character_a"], part["transcript"], cast.find_topic)
    return Command(update=spoken, goto=END if _is_last(part) else "agent_b")


async def _agent_b(part: PartB, runtime: Runtime[Cast]) -> Command[Literal["agent_a", "__end__"]]:
    cast = runtime.context
    spoken = await _take_turn(cast.actor_b, part["character_b"], part["transcript"], cast.find_topic)
    return Command(update=spoken, goto=END if _is_last(part) else "agent_a")


def _is_last(part: PartA | PartB) -> bool:
    return len(part["transcript"]) + 1 == part["length"]


async def _take_turn(
    actor: Actor, character: Character, transcript: list[Line], find_topic: TopicFinder
) -> dict[str, list[Line] | list[Turn]]:
    performance = await actor.play(character, transcript)
    turn = Turn(
        index=len(transcript),
        speaker=character.name,
        inner_speech=parse_thoughts(performance.inner_speech, character.name, [character.partner], find_topic),
        utterance=performance.utterance,
    )
    return {"transcript": [(character.name, performance.utterance)], "turns": [turn]}


def _build() -> CompiledStateGraph[RoleplayState, Cast, RoleplayState, RoleplayState]:
    builder = StateGraph(RoleplayState, context_schema=Cast)
    builder.add_node("agent_a", _agent_a, input_schema=PartA)
    builder.add_node("agent_b", _agent_b, input_schema=PartB)
    builder.add_edge(START, "agent_a")
    return builder.compile(name="roleplay")


graph = _build()


async def play(self, character: Character, transcript: Sequence[Line]) -> Performance:
        """The character's next turn."""
        ...


@dataclass(frozen=True)
class Cast:
    """Who plays, and how thoughts are matched to topics."""

    actor_a: Actor
    actor_b: Actor
    find_topic: TopicFinder


class RoleplayState(TypedDict):
    """The whole state, which no node sees as such."""

    length: int
    character_a: Character
    character_b: Character
    transcript: Annotated[list[Line], operator.add]
    turns: Annotated[list[Turn], operator.add]


class PartA(TypedDict):
    """What agent A sees."""

    character_a: Character
    transcript: list[Line]


class PartB(TypedDict):
    """What agent B sees."""

    character_b: Character
    transcript: list[Line]


class Spoken(TypedDict):
    """What a turn adds."""

    transcript: list[Line]
    turns: list[Turn]


async def _agent_a(part: PartA, runtime: Runtime[Cast]) -> Spoken:
    return await _take_turn(runtime.context.actor_a, part["character_a"], part["transcript"], runtime.context.find_topic)


async def _agent_b(part: PartB, runtime: Runtime[Cast]) -> Spoken:
    return await _take_turn(runtime.context.actor_b, part["character_b"], part["transcript"], runtime.context.find_topic)


async def _take_turn(actor: Actor, character: Character, transcript: list[Line], find_topic: TopicFinder) -> Spoken:
    performance = await actor.play(character, transcript)
    turn = Turn(
        index=len(transcript),
        speaker=character.name,
        inner_speech=parse_thoughts(performance.inner_speech, character.name, [character.partner], find_topic),
        utterance=performance.utterance,
    )
    return {"transcript": [(character.name, performance.utterance)], "turns": [turn]}


class _Progress(TypedDict):
    """What the router sees."""

    length: int
    transcript: list[Line]


async def _next_speaker(progress: _Progress) -> str:
    spoken = len(progress["transcript"])
    if spoken >= progress["length"]:
        return END
    return "agent_a" if spoken % 2 == 0 else "agent_b"


def _build() -> CompiledStateGraph[RoleplayState, Cast, RoleplayState, RoleplayState]:
    builder = StateGraph(RoleplayState, context_schema=Cast)
    builder.add_node("agent_a", _agent_a, input_schema=PartA)
    builder.add_node("agent_b", _agent_b, input_schema=PartB)
    builder.add_edge(START, "agent_a")
    builder.add_conditional_edges("agent_a", _next_speaker, ["agent_b", END])
    builder.add_conditional_edges("agent_b", _next_speaker, ["agent_a", END])
    return builder.compile(name="roleplay")


graph = _build()


async def play(characters: tuple[Character, Character], length: int, cast: Cast) -> tuple[Turn, ...]:
    """A dialogue of ``length`` turns."""
    start: RoleplayState = {
        "length": length,
        "character_a": characters[0],
        "character_b": characters[1],
        "transcript": [],
        "turns": [],
    }
    end = await graph.ainvoke(start, {"recursion_limit": length + 5}, context=cast)
    return tuple(end["turns"])
