"""How a prompt shows what others wrote: each text as one quoted line that it can't get out of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from dtomtrack.beliefs.dialogue import Turn
from dtomtrack.llm.prompts import as_data

__all__ = ["LONGEST", "lettered", "listed", "quoted", "quoted_turns"]

LONGEST = 1_000
"""Characters of one text that are shown: an endless one must not push everything else out of the context window."""


def quoted(text: str) -> str:
    """A text by others."""
    return as_data(text if len(text) <= LONGEST else f"{text[:LONGEST]} ...")


def quoted_turns(turns: Iterable[Turn]) -> str:
    """The utterances of turns, a numbered line each; what was thought is not shown."""
    return "\n".join(f"Turn {turn.index}, {quoted(turn.speaker)}: {quoted(turn.utterance)}" for turn in turns)


def lettered(options: Mapping[str, str]) -> str:
    """Options, a line each, behind their letters."""
    return "\n".join(f"{letter}: {text}" for letter, text in options.items())


def listed(texts: Iterable[str]) -> str:
    """Texts by others, a line each, without letters, which would get mixed up with those of the answer."""
    return "\n".join(f"- {quoted(text)}" for text in texts)
