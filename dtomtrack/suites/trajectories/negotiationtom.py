"""NegotiationToM (HKUST-KnowComp/NegotiationToM; Chan et al., EMNLP Findings 2024) as trajectories.

Two agents share out food, water and firewood. After each exchange it is annotated which of them each wants most, in the
second place and least, and what each takes the other to want. ``Not Given`` says that it can't be known yet; ``None``
stands where the agent has said nothing in the exchange, so that nothing was annotated and all stays as it is.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from dtomtrack.beliefs.scenario import MentalState
from dtomtrack.errors import InputError
from dtomtrack.records import first_problem
from dtomtrack.suites.published.strict_json import array_of_records
from dtomtrack.suites.trajectories.records import AnnotatedState, AnnotatedTopic, AnnotatedTurn, Trajectory

__all__ = ["read_negotiationtom"]

_NAME = "NegotiationToM.json"
_PLACES = {"high": "wants most", "medium": "wants in the second place", "low": "wants least"}
_AGENTS = {"1": "agent_1", "2": "agent_2"}
_UNKNOWN, _SILENT = "Not Given", "None"
_LINE = re.compile(r"(agent_[12]):\s*(.*)", re.DOTALL)


class _Exchange(BaseModel):
    """A record of theirs, as far as it is read: all that was said until then, and what is annotated of it."""

    model_config = ConfigDict(frozen=True, extra="allow")

    dialogue_id: Annotated[str, Field(pattern=r"^\d+-\d+$")]
    dialogue: Annotated[tuple[str, ...], Field(min_length=1)]
    __pydantic_extra__: dict[str, object]


@dataclass(frozen=True)
class _Said:
    """An exchange with its lines taken apart.

    Attributes:
        cells: what is annotated, by agent, kind and place.
    """

    place: str
    number: int
    lines: tuple[AnnotatedTurn, ...]
    cells: Mapping[tuple[str, str, str], str]


def read_negotiationtom(path: Path) -> Iterator[Trajectory]:
    """The dialogues of a file, or of the one that a folder holds.

    Raises:
        InputError: there is none, it is still packed, or a record is none of theirs or does not go with the others.
    """
    dialogues: defaultdict[str, list[_Said]] = defaultdict(list)
    for place, record in array_of_records(_file_of(path)):
        name, said = _exchange(record, place)
        dialogues[name].append(said)
    values = sorted({value for own in dialogues.values() for said in own for value in said.cells.values()} - _NO_VALUES)
    if len(values) < _LEAST_VALUES:
        raise InputError(f"{path}: nothing in it says what anybody wants; is it NegotiationToM?")
    for name, own in dialogues.items():
        yield _trajectory(name, sorted(own, key=lambda one: one.number), values)


_NO_VALUES = {_UNKNOWN, _SILENT}
_LEAST_VALUES = 2


def _file_of(path: Path) -> Path:
    if path.is_dir():
        found = sorted(path.rglob(_NAME))
        if found:
            return found[0]
        packed = next(iter(sorted(path.rglob("NegotiationToM.zip"))), None)
        if packed is not None:
            raise InputError(f"{packed}: is still packed; unpack it with the password that its README names")
        raise InputError(f"{path}: holds no {_NAME}")
    if path.suffix.lower() == ".zip":
        raise InputError(f"{path}: is still packed; unpack it with the password that its README names")
    return path


def _exchange(record: Mapping[str, object], place: str) -> tuple[str, _Said]:
    try:
        one = _Exchange.model_validate(record)
    except ValidationError as error:
        raise InputError(f"{place}: {first_problem(error)}") from None
    name, _, number = one.dialogue_id.partition("-")
    lines = tuple(_line(text, f"{place}: line {turn}") for turn, text in enumerate(one.dialogue, 1))
    cells = {
        (agent, kind, rank): _cell(one, f"agent{number_of_agent}_{kind}_{rank}", place)
        for number_of_agent, agent in _AGENTS.items()
        for kind in ("desire", "belief")
        for rank in _PLACES
    }
    return name, _Said(place, int(number), lines, cells)


def _line(text: str, place: str) -> AnnotatedTurn:
    found = _LINE.fullmatch(text)
    if found is None:
        raise InputError(f"{place}: begins with no speaker; lines of NegotiationToM begin with agent_1: or agent_2:")
    return AnnotatedTurn(speaker=found[1], utterance=found[2].strip())


def _cell(one: _Exchange, field: str, place: str) -> str:
    value = one.__pydantic_extra__.get(field)
    if not isinstance(value, str) or not value:
        raise InputError(f"{place}: the field {field} is missing or no text; every record of NegotiationToM has it")
    return value


def _trajectory(name: str, exchanges: Sequence[_Said], values: Sequence[str]) -> Trajectory:
    longest = exchanges[-1].lines
    for one in exchanges:
        if one.lines != longest[: len(one.lines)]:
            raise InputError(f"{one.place}: says otherwise than a later record of dialogue {name}")
    topics = [
        AnnotatedTopic(
            id=_topic(agent, rank),
            label=f"what {agent} {wants}",
            values=tuple(values),
            question=f"Which item is it that {agent} {wants}?",
        )
        for agent in _AGENTS.values()
        for rank, wants in _PLACES.items()
    ]
    return Trajectory(id=name, turns=longest, states=tuple(_states(exchanges)), topics=tuple(topics))


def _topic(agent: str, rank: str) -> str:
    return f"{agent} {rank}"


def _states(exchanges: Sequence[_Said]) -> Iterator[AnnotatedState]:
    before = dict[tuple[str, str, str], str]()
    start = 0
    for one in exchanges:
        for cell, value in one.cells.items():
            # as it was says nothing new, and of somebody who is silent nothing is annotated
            if value not in {_SILENT, before.get(cell, _UNKNOWN)}:
                before[cell] = value
                yield _state(cell, value, one, start)
        start = len(one.lines)


def _state(cell: tuple[str, str, str], value: str, one: _Said, start: int) -> AnnotatedState:
    """A desire from the agent's own words on; what somebody takes the other to want, from the end of the exchange."""
    agent, kind, rank = cell
    other = next(name for name in _AGENTS.values() if name != agent)
    last = len(one.lines) - 1
    spoken = [turn for turn in range(start, last + 1) if one.lines[turn].speaker == agent]
    is_desire = kind == "desire"
    return AnnotatedState(
        turn=max(spoken, default=last) if is_desire else last,
        holder=agent,
        about=None if is_desire else other,
        mental_state=MentalState.DESIRE,
        topic=_topic(agent if is_desire else other, rank),
        content=None if value == _UNKNOWN else value,
    )
