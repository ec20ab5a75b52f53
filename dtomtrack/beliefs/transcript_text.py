"""Transcripts in words, for prompts and pages."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from dtomtrack.beliefs.transcript import Event, Happening, Line

__all__ = ["and_list", "event_words", "hearers_words", "line_heading"]

Quote = Callable[[str], str]
"""Puts a text by others so that it can't be taken for anything else; gives it as it is where that is no danger."""


def _plain(text: str) -> str:
    return text


def event_words(event: Event, quote: Quote = _plain) -> str:
    """An event as a sentence: "Henrike leaves: another call."."""
    agent = quote(event.agent)
    if event.happening is Happening.READS:
        return f"{agent} reads the note that {quote(event.writer)} wrote at turn {event.note}."
    reason = f": {quote(event.reason)}" if event.reason else ""
    return f"{agent} {event.happening.value}{reason}."


def line_heading(line: Line, quote: Quote = _plain) -> str:
    """The words before what is said: "Turn 7, Marta (to Delphine; Henrike can't hear)"."""
    heading, hearers = f"Turn {line.turn}, {quote(line.speaker)}", hearers_words(line, quote)
    return f"{heading} ({hearers})" if hearers else heading


def hearers_words(line: Line, quote: Quote = _plain) -> str:
    """Whom a line reaches, in words: "to Delphine; Henrike can't hear"; empty where that is everybody who is there."""
    if line.note:
        return f"in a note to {and_list(line.to, quote)}"
    if not line.to:
        return ""
    unhearing = f"; {and_list(line.unhearing, quote)} can't hear" if line.unhearing else ""
    return f"to {and_list(line.to, quote)}{unhearing}"


def and_list(names: Sequence[str], quote: Quote = _plain) -> str:
    """Names within a sentence: "Ben", "Ben and Cleo", "Ben, Cleo and Dee"."""
    *others, last = map(quote, names)
    return f"{', '.join(others)} and {last}" if others else last
