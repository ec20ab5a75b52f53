"""IARD (Cai & Chen, UMAP 2020): labelled dialogues, from which RecToM's intention, prediction and judgement golds come.

It is read where a user has it; of it, only the codes of its labels are in dtomtrack.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictInt, ValidationError

from dtomtrack.errors import InputError
from dtomtrack.files import refuse_special
from dtomtrack.items.item import ContextLine
from dtomtrack.items.json_stream import first_sign, object_members
from dtomtrack.items.texts import printable
from dtomtrack.records import first_problem
from dtomtrack.suites.published.folder import LARGEST
from dtomtrack.suites.rectom.labels import FINE, TOP_LEVEL
from dtomtrack.suites.rectom.published import SPEAKERS

__all__ = ["IardDialogue", "IardLine", "check_dialogues", "read_iard"]

_NAME = "umap2020_IARD_Cai.json"
_LONGEST_NAME = 60
_MOVIE = re.compile(r"@\d+\s*<([^<>]*)>")


class _Line(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    utterance_pos: Annotated[StrictInt, Field(ge=1)]
    role: Literal["recommender", "seeker"]
    utterance_text: str
    coarse: Annotated[list[str], Field(alias="top-level intent/action", min_length=1)]
    fine: Annotated[list[str], Field(alias="sub-intent/action", min_length=1)]


class _Dialogue(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    accepted_recommendation: list[StrictInt]
    dialogue_info: dict[str, _Line]


@dataclass(frozen=True)
class IardLine:
    """A line with its labels: coarse ones by our names, fine ones by IARD's codes; ``films`` are those it names."""

    said: ContextLine
    coarse: frozenset[str]
    fine: frozenset[str]
    films: tuple[str, ...] = ()


@dataclass(frozen=True)
class IardDialogue:
    """A dialogue; ``accepted`` are the numbers, from 1, of the lines that settle on a recommendation."""

    lines: tuple[IardLine, ...]
    accepted: tuple[int, ...]


def read_iard(path: Path) -> dict[str, IardDialogue]:
    """The dialogues of an IARD file, by name.

    Raises:
        InputError: it is none, a dialogue is there twice or has no lines, or a line has a label that IARD has not.
    """
    found: dict[str, IardDialogue] = {}
    for name, one in _members(path):
        shown = printable(name)[:_LONGEST_NAME]
        if name in found:
            raise InputError(f"{path}: has the dialogue {shown} twice")
        found[name] = _dialogue(one, path, shown)
    if not found:
        raise InputError(f"{path}: is no IARD file (it has no dialogues)")
    return found


def _members(path: Path) -> Iterator[tuple[str, object]]:
    refuse_special(path)
    try:
        if path.stat().st_size > LARGEST:
            raise InputError(f"{path}: has more than {LARGEST >> 20} MiB, and IARD has two; it is {_NAME}")
        with path.open(encoding="utf-8") as file:
            if first_sign(file) not in {"{", ""}:
                raise InputError(f"{path}: is no IARD file (it holds no object of dialogues); it is {_NAME}")
            file.seek(0)
            yield from object_members(file, str(path))
    except UnicodeDecodeError:
        raise InputError(f"{path}: is not UTF-8 text; IARD is {_NAME}") from None
    except OSError as error:
        raise InputError(f"{path}: can't be read ({error.strerror})") from None


def _dialogue(found: object, path: Path, name: str) -> IardDialogue:
    try:
        dialogue = _Dialogue.model_validate(found)
    except ValidationError as error:
        problem = first_problem(error, whole="dialogue")
        raise InputError(f"{path}: is no IARD file ({name}: {problem}); it is {_NAME}") from None
    if not dialogue.dialogue_info:
        raise InputError(f"{path}: {name}: has no lines")
    return IardDialogue(tuple(_lines(dialogue, f"{path}: {name}")), _accepted(dialogue))


def _accepted(dialogue: _Dialogue) -> tuple[int, ...]:
    return tuple(sorted(set(dialogue.accepted_recommendation)))


def _lines(dialogue: _Dialogue, place: str) -> Iterator[IardLine]:
    ordered = sorted(dialogue.dialogue_info.values(), key=lambda line: line.utterance_pos)
    for number, line in enumerate(ordered, 1):
        if line.utterance_pos != number:
            raise InputError(f"{place}: its lines are not numbered 1 to {len(ordered)}")
        names, codes = TOP_LEVEL[line.role], FINE[line.role]
        wrong = next((one for one in line.coarse if one not in names), None) or next(
            (one for one in line.fine if one not in codes), None
        )
        if wrong is not None:
            raise InputError(
                f"{place}: line {number} has the label {printable(wrong)!r}, which is none of the {line.role}'s"
            )
        # the ids of movies are not in RecToM's text
        said = ContextLine(SPEAKERS[line.role], _MOVIE.sub(r"\1", line.utterance_text))
        films = tuple(dict.fromkeys(" ".join(film.split()) for film in _MOVIE.findall(line.utterance_text)))
        yield IardLine(said, frozenset(names[one] for one in line.coarse), frozenset(line.fine), films)


def check_dialogues(
    path: Path, iard: Mapping[str, IardDialogue], dialogues: Mapping[str, tuple[ContextLine, ...]]
) -> None:
    """Make sure that these are the dialogues of RecToM's contexts, word by word.

    Raises:
        InputError: some are not; the message says how many are.
    """
    alike = [name for name, lines in dialogues.items() if name in iard and _begins(iard[name], lines)]
    if len(alike) < len(dialogues):
        other = next(name for name in dialogues if name not in set(alike))
        raise InputError(
            f"{path}: is of other dialogues: {len(alike)} of RecToM's {len(dialogues)} are in it word by word (not "
            f"{printable(other)})"
        )


def _begins(dialogue: IardDialogue, lines: tuple[ContextLine, ...]) -> bool:
    return tuple(line.said for line in dialogue.lines[: len(lines)]) == lines
