"""Company: who is there at which turn, and who hears what is said or written in it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Self

from pydantic import Field, model_validator

from dtomtrack.records import Count, Record, Text

__all__ = ["PlannedAudience", "Presence", "ReadAt"]

ReadAt = Mapping[Text, Count | None]
"""By name, the turn at which a note reaches somebody; None if it never does."""


class Presence(Record):
    """A time for which somebody is away.

    Attributes:
        from_turn: the first turn that the agent misses; 0 for somebody who comes late.
        until_turn: the first turn at which the agent is there again; None for one who does not come back.
        reason: why, in a few words that complete "leaves:" or "is not there yet:" ("another call", "a late train").
    """

    agent: Text
    from_turn: Count
    until_turn: Count | None = None
    reason: Text

    def covers(self, turn: int) -> bool:
        """Whether the agent is away at a turn."""
        return self.from_turn <= turn and (self.until_turn is None or turn < self.until_turn)

    @model_validator(mode="after")
    def _lasts(self) -> Self:
        if self.until_turn is not None and self.until_turn <= self.from_turn:
            raise ValueError(
                f"{self.agent!r} is away from turn {self.from_turn} to turn {self.until_turn}; "
                "until_turn has to be the later of the two"
            )
        return self


class PlannedAudience(Record):
    """A turn that is not for everybody who is there: an aside, or a note.

    Attributes:
        hearers: names of those it is for, without the speaker's.
        read_at: of a note, when each of them reads it: at its own turn or later, or never. Empty of what is said aloud.
    """

    turn: Count
    hearers: Annotated[tuple[Text, ...], Field(min_length=1)]
    read_at: Annotated[ReadAt, Field(exclude_if=lambda read: not read)] = Field(default_factory=dict)

    @property
    def is_note(self) -> bool:
        """Whether it is written, not said."""
        return bool(self.read_at)

    @model_validator(mode="after")
    def _read_by_hearers(self) -> Self:
        if self.read_at and set(self.read_at) != set(self.hearers):
            raise ValueError(f"turn {self.turn}: read_at has to say of each of its hearers when they read the note")
        for name, read in self.read_at.items():
            if read is not None and read < self.turn:
                raise ValueError(
                    f"turn {self.turn}: {name!r} reads the note at turn {read}, before it is written; have it read "
                    "then or later, or never"
                )
        return self
