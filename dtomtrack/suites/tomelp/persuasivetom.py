"""Reading PersuasiveToM's strategies (``behavior_qa.json``) as dialogue states, as they are."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random

from pydantic import ValidationError

from dtomtrack.errors import InputError
from dtomtrack.items.letters import position_of
from dtomtrack.records import first_problem
from dtomtrack.scenarios.route.sampler import quiet_line
from dtomtrack.scenarios.route.state import Choice, SceneState, Utterance
from dtomtrack.scenarios.route.terms import PERSONAS, Role
from dtomtrack.suites.published.folder import KnownFile, find_files
from dtomtrack.suites.published.strict_json import array_of_records

__all__ = ["BEHAVIOR", "published_scenes"]

BEHAVIOR = KnownFile("behavior_qa.json", "b0f13f4b817f")
_FIELDS = ("dialogue_id", "dialogue", "background", "answerKey")
_MOST_STATES, _MOST_LINES = 20_000, 100_000
"""The published file has about a tenth."""
_ID = re.compile(r"\d+-\d+")
_LINE = re.compile(r"(?P<speaker>[^:\n]{1,60}?) says:(?P<text>.*)", re.DOTALL)


def published_scenes(folder: Path) -> list[tuple[SceneState, ...]]:
    """The states of a clone of PersuasiveToM, by scene, in the order of the file.

    Raises:
        InputError: the folder has no such file, or a record in it can't be a state; with its place.
    """
    found = find_files(folder, (BEHAVIOR,))
    if not found.files:
        raise InputError(f"{folder}: holds no {BEHAVIOR.name}, here or in data/; name a clone of PersuasiveToM")
    (file,) = found.files
    scenes: dict[str, list[SceneState]] = {}
    seen: set[str] = set()
    lines = 0
    for place, record in array_of_records(file.path):
        state = _state(record, place)
        lines += len(state.history)
        if lines > _MOST_LINES or len(seen) >= _MOST_STATES:
            raise InputError(f"{place}: makes more than {_MOST_STATES:,} states or {_MOST_LINES:,} lines; not read")
        if state.id in seen:
            raise InputError(f"{place}: the id {state.id} is there twice")
        seen.add(state.id)
        scenes.setdefault(state.scene, []).append(state)
    return [tuple(sorted(own, key=lambda state: state.turn)) for own in scenes.values()]


def _state(record: Mapping[str, object], place: str) -> SceneState:
    texts = {name: record.get(name) for name in _FIELDS}
    missing = next((name for name, text in texts.items() if not isinstance(text, str)), None)
    if missing is not None:
        raise InputError(f"{place}: has no text in {missing}")
    name, background = str(texts["dialogue_id"]), str(texts["background"])
    if not _ID.fullmatch(name):
        raise InputError(f"{place}: the id {name[:40]!r} is not of the form D-T, such as 0-2")
    scene, turn = name.split("-")
    history = tuple(_utterances(str(texts["dialogue"]), place))
    choice = _choice(record.get("choices"), str(texts["answerKey"]), place)
    return SceneState(
        id=name,
        scene=scene,
        turn=int(turn),
        topic="persuasivetom",
        suggestion=f"take up what {history[0].speaker} suggests",
        background=background,
        history=history,
        choices=dict.fromkeys(PERSONAS, choice),
        noise=quiet_line(background, history, Random(f"noise/{scene}")),  # noqa: S311 - reproducible, no secret
        generator="imported",
    )


def _utterances(dialogue: str, place: str) -> Iterator[Utterance]:
    lines = [line for line in dialogue.split("\n") if line.strip()]
    if not lines:
        raise InputError(f"{place}: has an empty dialogue")
    persuader = ""
    for number, line in enumerate(lines, 1):
        match = _LINE.fullmatch(line)
        if match is None or not match["text"].strip():
            raise InputError(f"{place}: line {number} of the dialogue is not of the form 'NAME says: ...'")
        speaker = match["speaker"].strip()
        persuader = persuader or speaker
        role: Role = "persuader" if speaker == persuader else "persuadee"
        yield Utterance(role=role, speaker=speaker, text=match["text"].strip())


def _choice(options: object, key: str, place: str) -> Choice:
    if not isinstance(options, list) or not all(isinstance(one, str) for one in options) or len(options) != 4:
        raise InputError(f"{place}: has to have four strategies to choose from")
    if key not in {"A", "B", "C", "D"}:
        raise InputError(f"{place}: the answer {key[:20]!r} is none of A to D")
    try:
        return Choice(options=tuple(options), gold=position_of(key))
    except ValidationError as error:
        raise InputError(f"{place}: {first_problem(error, 'choices')}") from error
