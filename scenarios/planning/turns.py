"""Turns as they are planned."""

from __future__ import annotations

from dataclasses import dataclass, field

from dtomtrack.scenarios.script import Direction

__all__ = ["StagedTurn"]


@dataclass
class StagedTurn:
    """One turn: who says what, and to whom.

    Attributes:
        hearers: those it is for, where it is not for everybody who is there.
        read_at: of a note, by name, when it is read.
    """

    speaker: str
    directions: list[Direction]
    present: tuple[str, ...]
    hearers: tuple[str, ...] | None = None
    read_at: dict[str, int | None] = field(default_factory=dict)

    @property
    def heard_by(self) -> tuple[str, ...]:
        """Those who hear it when it is said, the speaker among them."""
        if self.read_at:
            return (self.speaker,)
        return self.present if self.hearers is None else (self.speaker, *self.hearers)

    def is_on(self, holder: str, topic: str) -> bool:
        """Whether it says anything of somebody's state on a topic."""
        return any((one.holder, one.topic) == (holder, topic) for one in self.directions)
