"""A dialogue as a subject sees it under RecToM's conditions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from dtomtrack.items.item import ContextLine
from dtomtrack.llm.prompts import as_data, prompt
from dtomtrack.suites.items.reading import quoted_line

__all__ = ["CONDITIONS", "RectomContext"]

CONDITIONS = ("context", "code-book", "no-look-ahead", "asked-utterance", "last-line", "none")
"""A subject sees beside the question all that the item shows; that with a definition of each label; that up to the line
that is asked about; that line alone; the last line alone; or nothing."""

_PACKAGE = "dtomtrack.suites.rectom"


@dataclass(frozen=True, slots=True)
class RectomContext:
    """The lines that an item shows.

    Attributes:
        asked: the number, from 1, of the line that the item asks about or that comes before.
        definitions: by option, what its label says; empty where labels need none.
    """

    lines: Sequence[ContextLine]
    asked: int
    definitions: Mapping[str, str] = field(default_factory=dict)

    def text(self, condition: str) -> str:
        """The lines that are seen, in quotation marks, one a line, or that there is nothing to read."""
        seen = self._seen(condition)
        if not seen:
            return prompt(_PACKAGE, "none").fill()
        lines = "\n".join(map(quoted_line, seen))
        if condition == "code-book" and self.definitions:
            told = "\n".join(f"- {as_data(option)}: {says}" for option, says in self.definitions.items())
            return prompt(_PACKAGE, "code-book").fill(lines=lines, definitions=told)
        return prompt(_PACKAGE, "context").fill(lines=lines)

    def _seen(self, condition: str) -> Sequence[ContextLine]:
        if condition == "none":
            return ()
        if condition == "last-line":
            return self.lines[-1:]
        if condition == "asked-utterance":
            return self.lines[self.asked - 1 : self.asked]
        return self.lines[: self.asked] if condition == "no-look-ahead" else self.lines
