"""The context of an item, as a subject sees it under each condition."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from dtomtrack.items.item import ContextLine, ItemContext
from dtomtrack.llm.prompts import as_data, prompt
from dtomtrack.suites.items.reading import quoted_line
from dtomtrack.suites.items.records import ItemLine

__all__ = ["CONDITIONS", "PersuasionContext", "make_context"]

CONDITIONS = ("utterances", "last-round", "asked-utterance", "background+utterances", "none")
"""A subject sees the conversation so far; its last exchange; the line of the person asked about, who is the other one
in beliefs about their attitude; what was known beforehand, too; or nothing."""
_PACKAGE = "dtomtrack.suites.persuasivetom"


class PersuasionContext:
    """The lines of a persuasive conversation up to an exchange.

    Args:
        told_by_persuader: whether what the item asks about shows in the lines of the persuader, who speaks first.
    """

    def __init__(self, lines: Sequence[ContextLine], background: str, *, told_by_persuader: bool) -> None:
        self._lines = lines
        self._background = background
        self._told_by_persuader = told_by_persuader

    @property
    def lines(self) -> Sequence[ContextLine]:
        """Everything that is said, in order."""
        return self._lines

    @property
    def background(self) -> str:
        """A paragraph on the situation, which is shown under one condition only."""
        return self._background

    def text(self, condition: str) -> str:
        """The text beside the question: lines in quotation marks, one a line, or that there is nothing to read."""
        if condition == "none":
            return prompt(_PACKAGE, "none").fill()
        lines = "\n".join(map(quoted_line, _SEEN[condition](self)))
        if condition == "background+utterances":
            return prompt(_PACKAGE, "background").fill(background=as_data(self._background), lines=lines)
        return prompt(_PACKAGE, "conversation").fill(lines=lines)

    def _all(self) -> Sequence[ContextLine]:
        return self._lines

    def _last_round(self) -> Sequence[ContextLine]:
        return self._lines[-2:]

    def _asked_utterance(self) -> Sequence[ContextLine]:
        """The last line of the person whose mind shows what is asked; the persuadee's where it is nobody's."""
        speaker = self._lines[0].speaker
        own = [line for line in self._lines if (line.speaker == speaker) == self._told_by_persuader]
        return own[-1:] or self._lines[-1:]


_SEEN: Mapping[str, Callable[[PersuasionContext], Sequence[ContextLine]]] = {
    "utterances": PersuasionContext._all,
    "background+utterances": PersuasionContext._all,
    "last-round": PersuasionContext._last_round,
    "asked-utterance": PersuasionContext._asked_utterance,
}


def make_context(item: ItemLine, lines: Sequence[ContextLine], background: str) -> ItemContext:
    """The context of an item of a dataset."""
    is_belief = item.groups.get("type", "").startswith("belief")
    # what one takes the other's attitude to be is told by the other
    teller = "persuadee" if is_belief else "persuader"
    return PersuasionContext(lines, background, told_by_persuader=item.groups.get("holder") == teller)
