"""The briefing of a persuader before the first turn: the person, the topic, and nothing of what is hidden."""

from __future__ import annotations

from typing import Literal, TypeAlias

from dtomtrack.records import Record, Text
from dtomtrack.scenarios.persuasion_npc.arguments import APPEALS, ArgumentClass
from dtomtrack.scenarios.persuasion_npc.pack import PersuasionPack
from dtomtrack.scenarios.persuasion_npc.pools import shared_lines

__all__ = ["CUES", "Briefing", "Cue", "briefing_of"]

Cue: TypeAlias = Literal["congruent", "neutral", "incongruent"]
"""Whether the context gives away the class that works, nothing, or a class that doesn't."""
CUES: tuple[Cue, ...] = ("congruent", "neutral", "incongruent")


class Briefing(Record):
    """The facts that are public."""

    name: Text
    role: Text
    topic: Text
    position: Text
    context: Text
    opening: Text


def briefing_of(pack: PersuasionPack, cue: Cue = "neutral") -> Briefing:
    """The briefing of a pack; a cue is a last sentence of its context."""
    context = pack.context
    if cue != "neutral":
        told = pack.dominant if cue == "congruent" else _weakest(pack)
        lines = shared_lines().cues[told]
        context = f"{context} {lines[len(pack.id) % len(lines)].replace('{name}', pack.name)}"
    return Briefing(
        name=pack.name,
        role=pack.role,
        topic=pack.topic,
        position=pack.position,
        context=context,
        opening=pack.opening,
    )


def _weakest(pack: PersuasionPack) -> ArgumentClass:
    return min(APPEALS, key=lambda one: pack.mind.profile[one])
