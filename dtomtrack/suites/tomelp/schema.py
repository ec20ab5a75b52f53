"""The files of a dataset of scenes, and scenes as items: which strategy fits next, for either listener."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from dtomtrack.items.item import ContextLine, Item
from dtomtrack.llm.prompts import prompt
from dtomtrack.scenarios.route.pack_files import shared
from dtomtrack.scenarios.route.state import SceneState
from dtomtrack.scenarios.route.terms import PERSONAS, Persona
from dtomtrack.suites.items.records import ContextRecord, ItemLine, SeenContext, StoredLine

__all__ = ["STATES", "PlainContext", "context_of", "item_lines", "items_of_scene", "scenes_of"]

STATES = "states.jsonl"
_PACKAGE = "dtomtrack.suites.tomelp"


def scenes_of(states: Iterable[SceneState]) -> Iterator[tuple[SceneState, ...]]:
    """States by scene, in their order."""
    for _, own in groupby(states, lambda state: state.scene):
        yield tuple(own)


def context_of(scene: Sequence[SceneState]) -> ContextRecord:
    """The dialogue of a scene, as long as any of its states has it."""
    longest = max(scene, key=lambda state: len(state.history))
    lines = tuple(StoredLine(speaker=line.speaker, text=line.text) for line in longest.history)
    return ContextRecord(id=longest.scene, lines=lines)


class PlainContext:
    """The lines so far (a `dtomtrack.items.item.ItemContext`); the suite's items are shown from the stored ones."""

    def __init__(self, lines: Sequence[ContextLine]) -> None:
        self.lines = lines

    def text(self, condition: str) -> str:
        """The lines, a line each."""
        return "\n".join(f"{line.speaker}: {line.text}" for line in self.lines)


def item_lines(state: SceneState) -> Iterator[ItemLine]:
    """The items of a state: one for each listener for whom the strategies or the right one differ."""
    seen = SeenContext(id=state.scene, lines=len(state.history))
    for item in _items(state):
        yield ItemLine.of_item(item, seen)


def items_of_scene(scene: Sequence[SceneState]) -> Iterator[Item]:
    """The items of a scene with what was said."""
    for state in scene:
        context = PlainContext([ContextLine(line.speaker, line.text) for line in state.history])
        yield from _items(state, context)


def _items(state: SceneState, context: PlainContext | None = None) -> Iterator[Item]:
    told_apart = len(set(state.choices.values())) > 1
    for persona in PERSONAS if told_apart else PERSONAS[:1]:
        choice = state.choices[persona]
        yield Item(
            id=f"{state.id}/{persona}" if told_apart else state.id,
            cluster=state.scene,
            question=_question(state, persona if told_apart else None),
            options=choice.options,
            gold=frozenset({choice.gold}),
            groups=_groups(state, persona if told_apart else None),
            roles=choice.roles,
            turn=state.turn,
            context=context,
        )


def _question(state: SceneState, persona: Persona | None) -> str:
    listener = f"{shared().personas[persona].strip()} " if persona else ""
    return prompt(_PACKAGE, "strategy_item").fill(
        listener=listener,
        persuader=state.name_of("persuader"),
        persuadee=state.name_of("persuadee"),
        suggestion=state.suggestion,
    )


def _groups(state: SceneState, persona: Persona | None) -> dict[str, str]:
    groups = {"type": persona or "strategy", "turn": str(state.turn)}
    if state.concern is not None:
        groups["topic"] = state.topic
    if state.effective is not None:
        groups["effectiveness"] = "effective" if state.effective else "ineffective"
    return groups
