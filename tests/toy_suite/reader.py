"""The quiz of the toy suite as items."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

from dtomtrack.errors import DatasetError
from dtomtrack.items.item import ContextLine, Item
from dtomtrack.llm.prompts import as_data
from dtomtrack.runs.lines import read_lines
from toy_suite.records import QUIZ, SCENES, Quiz, Scene

__all__ = ["CONDITIONS", "LISTENERS", "items_of"]

CONDITIONS = ("evening", "nothing")
LISTENERS = "listeners"
"""The type of questions of which several options may be right."""


class SceneContext:
    """A scene, as it is shown."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene

    @property
    def lines(self) -> Sequence[ContextLine]:
        """Who whispers to whom."""
        return [ContextLine(one.teller, f"I tell you, {one.listener}.") for one in self._scene.whispers]

    def text(self, condition: str) -> str:
        """All of it, or none."""
        if condition == "nothing":
            return "You were not there."
        return "\n".join(f"{as_data(one.speaker)}: {as_data(one.text)}" for one in self.lines)


def items_of(folder: Path, limit: int | None = None) -> Iterator[Item]:
    """The questions, a scene in memory at a time."""
    scenes = islice(read_lines(folder / SCENES, Scene), limit)
    scene = next(scenes, None)
    for number, quiz in enumerate(read_lines(folder / QUIZ, Quiz), 1):
        while scene is not None and scene.id != quiz.scene:
            scene = next(scenes, None)
        if scene is None and limit is not None:
            return
        if scene is None:
            raise DatasetError(f"{folder / QUIZ}:{number}: scene {quiz.scene!r} is not in {SCENES}")
        yield _item(quiz, scene)


def _item(quiz: Quiz, scene: Scene) -> Item:
    return Item(
        id=quiz.id,
        cluster=scene.id,
        question=quiz.ask,
        options=quiz.choices,
        gold=frozenset(quiz.right),
        select="any" if quiz.kind == LISTENERS else "one",
        groups={"type": quiz.kind, "room": quiz.room},
        context=SceneContext(scene),
    )
