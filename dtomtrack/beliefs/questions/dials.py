"""The dials of questions: what is asked of a dialogue, and how."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["QuestionDials"]


@dataclass(frozen=True)
class QuestionDials:
    """The dials of questions.

    Attributes:
        control_share: of questions about what one takes another to hold, those where minds agree.
        event_share: of questions about a moment that an event alone can name, those that do so, not by its turn.
        said_share: of questions whose wrong options are, as far as there are enough, values that were said.
        order: the deepest chain of minds that is asked about.
        types: the types that are asked; empty for all.
        comes_apart: minds are meant to come apart: a dialogue in which none does has no controls either.
        learning_share: of changes of knowledge where everybody hears everything, those of who knew nothing before.
    """

    control_share: float = 0.25
    event_share: float = 0.0
    said_share: float = 1.0
    order: int = 2
    types: tuple[str, ...] = ()
    comes_apart: bool = False
    learning_share: float = 0.25

    def asks(self, kind: str) -> bool:
        """Whether questions of a type are asked."""
        return not self.types or kind in self.types
