"""The next turn of a dialogue, as the agent whose it is may see it.

A channel of the workflow's state: the parts of all agents go in, and the one part whose turn it is comes out. So the
node of the agents needs no router, which would cost as much again as the turn, and its input never holds two parts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

from langgraph.channels.base import BaseChannel
from langgraph.errors import EmptyChannelError, InvalidUpdateError

from dtomtrack.beliefs.scenario import Scenario
from dtomtrack.scenarios.acting.character import Character, Heard
from dtomtrack.scenarios.acting.hearing import Audibility

__all__ = ["AgentTurn", "NextTurn", "Parts"]


@dataclass(frozen=True)
class AgentTurn:
    """All that the agent whose turn it is sees: its own part, and what its character has heard, read and seen."""

    part: Character
    turn: int
    heard: tuple[Heard, ...]


@dataclass(frozen=True)
class Parts:
    """The parts of a scenario, in the order of its agents."""

    scenario: Scenario
    characters: tuple[Character, ...]

    def next_turn(self, said: Sequence[Heard]) -> AgentTurn:
        """The turn after what was said."""
        turn = len(said)
        position = self.scenario.speaks_at(turn)
        heard = self._audibility.heard_by(self.scenario.names[position], said)
        return AgentTurn(self.characters[position], turn, heard)

    @cached_property
    def _audibility(self) -> Audibility:
        return Audibility(self.scenario)


Progress = tuple[Parts, tuple[Heard, ...]]


class NextTurn(BaseChannel[AgentTurn, Parts | Heard, Progress]):
    """Takes the parts once, then each line that is said; gives the next turn."""

    def __init__(self, typ: Any, key: str = "") -> None:
        super().__init__(typ, key)
        self._parts: Parts | None = None
        self._said: list[Heard] = []

    @property
    def ValueType(self) -> type[AgentTurn]:
        """The type of what is read."""
        return AgentTurn

    @property
    def UpdateType(self) -> Any:
        """The type of what is written."""
        return Parts | Heard

    def update(self, values: Sequence[Parts | Heard]) -> bool:
        """Take the parts, or a line that was said."""
        for value in values:
            if isinstance(value, Parts):
                self._parts, self._said = value, []
            elif self._parts is None:
                raise InvalidUpdateError("a line is said before there are parts")
            else:
                self._said.append(value)
        return bool(values)

    def get(self) -> AgentTurn:
        """The next turn."""
        if self._parts is None:
            raise EmptyChannelError
        return self._parts.next_turn(self._said)

    def is_available(self) -> bool:
        """Whether there are parts."""
        return self._parts is not None

    def checkpoint(self) -> Progress | None:
        """All that the channel holds; None while it is empty."""
        return None if self._parts is None else (self._parts, tuple(self._said))

    def from_checkpoint(self, checkpoint: Any) -> Self:
        """The channel as it was."""
        channel = self.__class__(self.typ, self.key)
        if isinstance(checkpoint, tuple):
            channel._parts, channel._said = checkpoint[0], list(checkpoint[1])
        return channel
