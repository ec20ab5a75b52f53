"""The script of a conversation: the replies with which models make it and read it, for estimates."""

from __future__ import annotations

from collections.abc import Iterable

from dtomtrack.items.item import Item
from dtomtrack.items.letters import letter_of
from dtomtrack.runs.slots import attempt_unit
from dtomtrack.scenarios.voice import line_call
from dtomtrack.suites.generation.rehearsal import Script
from dtomtrack.suites.persuasivetom.generation.conversation import PlayedConversation
from dtomtrack.verifiers.judging.item_reader import reading_call

__all__ = ["script_of"]

_PARTS = ("persuader", "persuadee")


def script_of(played: PlayedConversation, items: Iterable[Item]) -> Script:
    """The lines of a conversation that scripted actors played, and the right answers to its questions."""
    unit = attempt_unit(played.plan.number, 0)
    said = {line_call(unit, _PARTS[place % 2], place): line for place, line in enumerate(played.lines)}
    return said | {reading_call(unit, item): letter_of(min(item.gold)) for item in items}
