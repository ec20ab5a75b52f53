"""A cell of a report's table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = ["Cell"]


@dataclass(frozen=True)
class Cell:
    """A figure as it is printed.

    Attributes:
        interval: its ends, or empty.
        notes: what has to be known beside it: what share could not be read, the chance level.
        rank: the place among those that are compared.
    """

    text: str
    interval: str = ""
    notes: tuple[str, ...] = ()
    rank: Literal["best", "second"] | None = None
