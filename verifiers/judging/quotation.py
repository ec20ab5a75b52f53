"""How a prompt shows what others wrote: each text as one quoted line that it can't get out of."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from dtomtrack.beliefs.dialogue import Turn
from dtomtrack.beliefs.scenario import Scenario
from dtomtrack.beliefs.transcript import Event, transcript_of
from dtomtrack.beliefs.transcript_text import event_words, line_heading
from dtomtrack.llm.prompts import as_data

__all__ = ["LONGEST", "lettered", "listed", "quoted", "quoted_turns"]

LONGEST = 1_200
"""Characters of one text that are shown, as many as an actor may say: an endless text must not push everything else out
of the context window."""


def quoted(text: str) -> str:
    """A text by others."""
    return as_data(text if len(text) <= LONGEST else f"{text[:LONGEST]} ...")


def quoted_turns(turns: Sequence[Turn], scenario: Scenario, only: Collection[int] | None = None) -> str:
    """The transcript of all turns of a dialogue, a line each; what was thought is not shown.

    Args:
        only: the turns whose words are shown, with nothing of who comes and goes.
    """
    lines = transcript_of(turns, scenario).lines
    shown = lines if only is None else (line for line in lines if not isinstance(line, Event) and line.turn in only)
    return "\n".join(
        f"[{event_words(line, quoted)}]"
        if isinstance(line, Event)
        else f"{line_heading(line, quoted)}: {quoted(line.text)}"
        for line in shown
    )


def lettered(options: Mapping[str, str]) -> str:
    """Options, a line each, behind their letters."""
    return "\n".join(f"{letter}: {text}" for letter, text in options.items())


def listed(texts: Iterable[str]) -> str:
    """Texts by others, a line each, without letters, which would get mixed up with those of the answer."""
    return "\n".join(f"- {quoted(text)}" for text in texts)
