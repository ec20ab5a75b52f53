"""The kinds of argument under letters, as models are told of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dtomtrack.items.letters import letter_of
from dtomtrack.scenarios.persuasion_npc.arguments import APPEALS, ArgumentClass

__all__ = ["lettered", "listed"]

_DEFINED: Mapping[ArgumentClass, str] = {
    ArgumentClass.LOGICAL: "data, evidence, causes and reasons",
    ArgumentClass.EMOTIONAL: "feelings: empathy, fear, hope, what it means to the person",
    ArgumentClass.SOCIAL_PROOF: "what others do: peers, trends, most people",
    ArgumentClass.AUTHORITY: "what experts or institutions say, by name or by title",
    ArgumentClass.ANECDOTE: "the story of somebody it happened to",
    ArgumentClass.CONCESSION: "admitting that the other side is right about something",
    ArgumentClass.GENERIC: "none of these: no argument, or mere politeness",
    ArgumentClass.ASK: "no argument but a question to the other side",
}


def lettered(*, asks: bool, appeals_only: bool = False) -> Mapping[str, ArgumentClass]:
    """Kinds by letter; ``asks`` where a question is a kind of its own."""
    kinds: Sequence[ArgumentClass] = APPEALS if appeals_only else (*APPEALS, ArgumentClass.GENERIC)
    if asks and not appeals_only:
        kinds = (*kinds, ArgumentClass.ASK)
    return {letter_of(position): kind for position, kind in enumerate(kinds)}


def listed(letters: Mapping[str, ArgumentClass]) -> str:
    """A line a kind."""
    return "\n".join(f"{letter}) {_DEFINED[kind]}" for letter, kind in letters.items())
