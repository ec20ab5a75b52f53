"""The records of the closed loop: a line for each conversation, with what was said and what the listener held."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from dtomtrack.records import Count, Record, Share, Text
from dtomtrack.scenarios.route.state import Mind
from dtomtrack.scenarios.route.terms import Route, Variant

__all__ = ["LOOPS", "ListensTo", "LoopEpisode", "LoopFlag", "LoopInference", "LoopTurn", "Taken"]

LOOPS = "loops.jsonl"
ListensTo: TypeAlias = Literal["evidence", "cues", "unclear"]
Taken: TypeAlias = Literal["weighed", "passed_over", "felt", "shrugged_off", "half", "nothing", "misled"]
LoopFlag: TypeAlias = Literal["cut", "withheld"]
"""What was wrong with a model's reply: it was cut at the most tokens; it was refused, or a filter cut it."""
Attitude = Annotated[float, Field(ge=-1.0, le=1.0)]


class LoopInference(Record):
    """The subject's picture of the listener before a turn; ``invalid`` says why there is none."""

    mind: Mind | None = None
    listens_to: ListensTo | None = None
    invalid: str | None = None


class LoopTurn(Record):
    """A message, and what became of it.

    Attributes:
        route: that the message follows, as rules read it without tags.
        doubt: the concern that was open when it was heard.
        answered: how far the doubt is answered after it, 0 to 1; it is settled from .45.
        attitude: of the listener after it, -1 against to 1 for.
        taken: how it was received, which the reply puts into words.
        flag: what was wrong with the model's reply that the message is, if anything.
    """

    turn: Annotated[int, Field(ge=1)]
    inferred: LoopInference | None = None
    message: str
    route: Route
    doubt: Text
    answered: Share
    attitude: Attitude
    taken: Taken
    settled: bool
    reply: Text
    flag: LoopFlag | None = Field(default=None, exclude_if=lambda own: own is None)


class LoopEpisode(Record):
    """A conversation, whole.

    Attributes:
        scene, state: where it begins.
        need: need for cognition of the listener, 0 to 1, which the persuader is not told.
        start: the listener's attitude before the first turn.
        agreed: whether the listener came to agree.
    """

    index: Count
    scene: Text
    state: Text
    topic: Text
    need: Share
    variant: Variant
    start: Attitude
    turns: tuple[LoopTurn, ...]
    agreed: bool

    @property
    def change(self) -> float:
        """The change of attitude from before the first turn to after the last."""
        return (self.turns[-1].attitude if self.turns else self.start) - self.start

    def attitude_after(self, turn: int) -> float:
        """The attitude after so many turns; who has agreed keeps to it."""
        return self.start if turn == 0 else self.turns[min(turn, len(self.turns)) - 1].attitude
