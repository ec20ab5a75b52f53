"""How a language model is asked to persuade."""

from __future__ import annotations

from typing import Literal, TypeAlias

from dtomtrack.errors import InputError
from dtomtrack.options import check_range
from dtomtrack.records import Record

__all__ = ["Talking", "Taxonomy"]

Taxonomy: TypeAlias = Literal["told", "untold"]
"""Whether a model is told of the six kinds of argument."""


_HOTTEST = 2.0
_MOST_TOKENS = 10**6


class Talking(Record):
    """How a model is asked.

    Attributes:
        declare: whether it says of each message which kind it is, which the character doesn't hear.
    """

    taxonomy: Taxonomy = "told"
    temperature: float = 0.0
    max_tokens: int = 1024
    declare: bool = False

    def check(self) -> None:
        """Make sure that a model can be asked so.

        Raises:
            InputError: it would have to name kinds that it isn't told of, to say nothing, or at no temperature.
        """
        check_range("max-tokens", self.max_tokens, 1, _MOST_TOKENS)
        check_range("temperature", self.temperature, 0, _HOTTEST)
        if self.declare and self.taxonomy == "untold":
            raise InputError("--declare needs --taxonomy told: who isn't told of the kinds can't name them")
