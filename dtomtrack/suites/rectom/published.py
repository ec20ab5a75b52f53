"""One record of a published file: read, validated, and put into one form, whichever of the seven shapes it has."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StrictInt, StrictStr, ValidationError

from dtomtrack.errors import InputError
from dtomtrack.items.item import ContextLine
from dtomtrack.items.letters import letter_of
from dtomtrack.items.texts import printable
from dtomtrack.records import first_problem
from dtomtrack.suites.rectom.kinds import Kind
from dtomtrack.suites.rectom.labels import TOP_LEVEL

__all__ = ["SPEAKERS", "PublishedRecord", "published_record"]

SPEAKERS = {"recommender": "RECOMMENDER", "seeker": "SEEKER"}
"""By role, the name in front of its lines."""

_LINE = re.compile(r"(SEEKER|RECOMMENDER) says:(?: (.*))?", re.DOTALL)
_OPTION = re.compile(r"\s*([^\W\d_])\s*:\s*(.*)", re.DOTALL)
_SUBJECTS = {
    "coarse intention": re.compile(r'.*? in the "(.*)" given the dialogue history\?', re.DOTALL),
    "fine intention": re.compile(r'.*? in the "(.*)" given the dialogue history\?', re.DOTALL),
    "belief": re.compile(r".*? attitude about the (.*)\?", re.DOTALL),
    "desire": re.compile(r".*? likely to watch the (.*)\?", re.DOTALL),
    "judgement": re.compile(r'.*? will adopt "(.*)" strategy.*', re.DOTALL),
}

Options = list[StrictStr] | dict[StrictStr, StrictStr]


class _Fields(BaseModel):
    """The fields of a record, as they are written."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    dialogue_id: Annotated[StrictStr, Field(min_length=1)]
    utterance_pos: Annotated[StrictInt, Field(ge=1)]
    utterance_context: Annotated[StrictStr, Field(min_length=1)]
    question: Annotated[StrictStr, Field(min_length=1)]
    choice: Options | None = None
    choices: Options | None = None
    answer: list[StrictStr] | None = None
    answer_coarse: list[StrictStr] | None = None
    answer_fine: list[StrictStr] | None = None


@dataclass(frozen=True, slots=True)
class PublishedRecord:
    """A question of a published file.

    Attributes:
        place: the file and the record, as errors name them; ``number`` of the record, from 1.
        position: the number of lines that it says to show; the lines themselves decide.
        gold: positions of the right options.
        letters: the right letters as they are written.
        coarse: beside fine letters, the coarse labels, where the record names them.
        subject: the utterance, movie or strategy that is asked about; None where the question has another form.
        is_dict: whether the options are written as an object.
        name: its dialogue and the lines that it shows as published, with a number where several are of these; variants
            keep it. None of records that no file holds.
    """

    kind: Kind
    place: str
    number: int
    dialogue: str
    position: int
    lines: tuple[ContextLine, ...]
    question: str
    options: tuple[str, ...]
    gold: frozenset[int]
    letters: tuple[str, ...]
    coarse: frozenset[str] | None
    subject: str | None
    is_dict: bool
    name: str | None = None


def published_record(kind: Kind, given: Mapping[str, object], place: str, number: int) -> PublishedRecord:
    """A record of a file, validated.

    Args:
        place: the file and the record, as errors name them; ``number`` of the record, from 1.

    Raises:
        InputError: it can't be read; the message names file, record and what is wrong.
    """
    try:
        fields = _Fields.model_validate(given)
    except ValidationError as error:
        raise InputError(f"{place}: {first_problem(error, 'record')}") from None
    written = _given_options(fields, place)
    options = _options(written, kind, place)
    letters = _letters(fields, kind, place)
    subject = _SUBJECTS[kind.asks].fullmatch(fields.question) if kind.asks in _SUBJECTS else None
    return PublishedRecord(
        kind=kind,
        place=place,
        number=number,
        dialogue=fields.dialogue_id,
        position=fields.utterance_pos,
        lines=_lines(fields.utterance_context, place),
        question=fields.question,
        options=options,
        gold=_gold(letters, options, kind, place),
        letters=letters,
        coarse=_coarse(fields, kind, place) if kind.asks == "fine intention" else None,
        subject=subject[1] if subject else None,
        is_dict=isinstance(written, dict),
    )


def _lines(context: str, place: str) -> tuple[ContextLine, ...]:
    """The lines of a context, as they are; nothing but a line feed ends one."""
    found = []
    for number, line in enumerate(context.split("\n"), 1):
        spoken = _LINE.fullmatch(line)
        if spoken is None:
            raise InputError(
                f'{place}: line {number} of utterance_context does not begin with "SEEKER says:" or '
                f'"RECOMMENDER says:" ({printable(line)!r})'
            )
        found.append(ContextLine(spoken[1], spoken[2] or ""))
    return tuple(found)


def _given_options(fields: _Fields, place: str) -> Options:
    given = [one for one in (fields.choice, fields.choices) if one is not None]
    if len(given) != 1:
        raise InputError(f"{place}: has {'both' if given else 'neither'} choice {'and' if given else 'nor'} choices")
    return given[0]


def _options(given: Options, kind: Kind, place: str) -> tuple[str, ...]:
    """The texts of the options, whose letters have to be A and on."""
    if len(given) != kind.options:
        raise InputError(f"{place}: has {len(given)} options; questions of {kind.file} have {kind.options}")
    lettered = list(given.items()) if isinstance(given, dict) else [_lettered(option, place) for option in given]
    letters = [letter for letter, _ in lettered]
    wanted = [letter_of(position) for position in range(kind.options)]
    if letters != wanted:
        raise InputError(
            f"{place}: the options have the letters {', '.join(map(printable, letters))}, not A to {wanted[-1]} in turn"
        )
    return tuple(text for _, text in lettered)


def _lettered(option: str, place: str) -> tuple[str, str]:
    found = _OPTION.fullmatch(option)
    if found is None:
        raise InputError(f'{place}: the option {printable(option)!r} does not begin with its letter, as "A: ..." does')
    return found[1], found[2]


def _letters(fields: _Fields, kind: Kind, place: str) -> tuple[str, ...]:
    """The right letters as they are written."""
    letters = {"answer": fields.answer, "answer_coarse": fields.answer_coarse, "answer_fine": fields.answer_fine}
    given = letters[kind.gold]
    if given is None:
        raise InputError(f"{place}: {kind.gold} is missing")
    if not given:
        raise InputError(f"{place}: {kind.gold} is empty; it has to name the right options")
    if len(set(given)) < len(given):
        raise InputError(f"{place}: {kind.gold} names an option twice ({', '.join(map(printable, given))})")
    return tuple(given)


def _gold(letters: Sequence[str], options: Sequence[str], kind: Kind, place: str) -> frozenset[int]:
    """The positions of the right options."""
    known = [letter_of(position) for position in range(len(options))]
    wrong = next((letter for letter in letters if letter not in known), None)
    if wrong is not None:
        raise InputError(
            f"{place}: {kind.gold} has {printable(wrong)!r}, which is no letter of its options, A to {known[-1]}"
        )
    if kind.select == "one" and len(letters) > 1:
        raise InputError(f"{place}: {kind.gold} has {len(letters)} letters, and one option is right")
    return frozenset(map(known.index, letters))


def _coarse(fields: _Fields, kind: Kind, place: str) -> frozenset[str] | None:
    """The coarse labels that stand by name beside fine letters, where they do."""
    if fields.answer_coarse is None:
        return None
    names = TOP_LEVEL[kind.role]
    wrong = next((name for name in fields.answer_coarse if name not in names), None)
    if wrong is not None:
        raise InputError(f"{place}: answer_coarse has {printable(wrong)!r}, which is none of {', '.join(names)}")
    return frozenset(names[name] for name in fields.answer_coarse)
