"""The files of a dataset of the toy suite."""

from __future__ import annotations

from dtomtrack.records import Count, Record, Text

__all__ = ["QUIZ", "SCENES", "Quiz", "Scene", "ToyConfig", "Whisper"]

SCENES, QUIZ = "scenes.jsonl", "quiz.jsonl"


class Whisper(Record):
    """One person tells another."""

    teller: Text
    listener: Text


class Scene(Record):
    """A line of ``scenes.jsonl``: an evening on which a secret goes round, stored once for all its questions."""

    id: Text
    room: Text
    whispers: tuple[Whisper, ...]


class Quiz(Record):
    """A line of ``quiz.jsonl``.

    Attributes:
        right: the numbers of the right choices.
        told: how often each of those present was told, by name.
    """

    id: Text
    scene: Text
    kind: Text
    room: Text
    ask: Text
    choices: tuple[Text, ...]
    right: tuple[Count, ...]
    told: dict[str, int]


class ToyConfig(Record):
    """What decides the bytes of a dataset."""

    scenes: Count
    seed: int
