"""Datasets of the toy suite: who whispers to whom is drawn at random."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random

from dtomtrack.runs.lines import to_lines
from dtomtrack.runs.manifest import Counts, Manifest
from dtomtrack.version import VERSION
from toy_suite.reader import LISTENERS
from toy_suite.records import QUIZ, SCENES, Quiz, Scene, ToyConfig, Whisper

__all__ = ["write_toy"]

_NAMES = ("Ada", "Bo", "Cleo", "Dag", "Edda", "Finn", "Gwen", "Hal", "Isa", "Juno")
_ROOMS = ("kitchen", "attic")


def write_toy(folder: Path, scenes: int = 12, seed: int = 0) -> Path:
    """A dataset with two questions a scene: one with ten options, several of them right, one with yes and no."""
    random = Random(seed)
    folder.mkdir(parents=True)
    made = [_scene(f"scene-{number}", random) for number in range(scenes)]
    quizzes = [quiz for scene in made for quiz in (_listeners(scene, random), _whether(scene, random))]
    (folder / SCENES).write_bytes(to_lines(made))
    (folder / QUIZ).write_bytes(to_lines(quizzes))
    manifest = _manifest(ToyConfig(scenes=scenes, seed=seed), quizzes)
    (folder / "manifest.json").write_text(manifest.model_dump_json(indent=2) + "\n", encoding="utf-8")
    return folder


def _scene(name: str, random: Random) -> Scene:
    told = random.sample(_NAMES, random.randint(3, 6))
    whispers = [Whisper(teller=random.choice(told[: number + 1]), listener=one) for number, one in enumerate(told[1:])]
    return Scene(id=name, room=random.choice(_ROOMS), whispers=tuple(whispers))


def _listeners(scene: Scene, random: Random) -> Quiz:
    choices = random.sample(_NAMES, len(_NAMES))
    heard = {one.listener for one in scene.whispers}
    right = [number for number, name in enumerate(choices) if name in heard]
    return _quiz(scene, LISTENERS, f"In {scene.id}, who was told?", choices, right)


def _whether(scene: Scene, random: Random) -> Quiz:
    name = random.choice(_NAMES)
    told = any(one.listener == name for one in scene.whispers)
    return _quiz(scene, "whether", f"In {scene.id}, was {name} told?", ("yes", "no"), [0 if told else 1])


def _quiz(scene: Scene, kind: str, ask: str, choices: Sequence[str], right: Sequence[int]) -> Quiz:
    listeners = [one.listener for one in scene.whispers]
    return Quiz(
        id=f"{scene.id}-{kind}",
        scene=scene.id,
        kind=kind,
        room=scene.room,
        ask=ask,
        choices=tuple(choices),
        right=tuple(right),
        told={name: listeners.count(name) for name in sorted({*listeners})},
    )


def _manifest(config: ToyConfig, quizzes: Sequence[Quiz]) -> Manifest:
    kinds = sorted({quiz.kind for quiz in quizzes})
    groups = {"type": {kind: sum(quiz.kind == kind for quiz in quizzes) for kind in kinds}}
    return Manifest(
        format_version=2,
        dtomtrack_version=VERSION,
        suite="toy",
        status="complete",
        command="write_toy",
        config=config.model_dump(mode="json"),
        n=config.scenes,
        counts=Counts(dialogues=config.scenes, questions=len(quizzes), groups=groups),
        models={},
        sessions=1,
        started="2026-01-01T00:00:00+00:00",
        finished="2026-01-01T00:00:01+00:00",
        seconds=1.0,
    )
