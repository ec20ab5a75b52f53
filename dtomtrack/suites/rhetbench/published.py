"""Published figures of RhetBench: parameters of its characters, and recorded episodes turn by turn.

Only numbers are read (classes, agreement, rapport, how it ended): the texts of the published project are not ours.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, TypeVar

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from dtomtrack.errors import InputError
from dtomtrack.files import LONGEST_RECORD, text_of
from dtomtrack.records import NotBoolean, Record, first_problem
from dtomtrack.scenarios.persuasion_npc.arguments import ArgumentClass
from dtomtrack.suites.rhetbench.npc import Mind, opening_state, step
from dtomtrack.suites.rhetbench.rules import Rules

__all__ = [
    "Disagreement",
    "PublishedEpisode",
    "PublishedMind",
    "compare",
    "read_clone_minds",
    "read_episodes",
    "read_minds",
    "read_run",
]

_Finite = Annotated[float, Field(allow_inf_nan=False), NotBoolean]
_Content = TypeVar("_Content")
_TOLERANCE = 1.0001e-4
"""Published values are rounded to four places."""


class PublishedMind(Record):
    """Hidden parameters of a published character."""

    starting_agreement: _Finite
    threshold: _Finite
    close_threshold: _Finite
    repetition_penalty: _Finite
    pivot_threshold: _Finite
    resistance_profile: dict[ArgumentClass, _Finite]
    difficulty: str = ""

    def mind(self) -> Mind:
        """The same parameters for our engine."""
        return Mind(
            self.starting_agreement,
            self.threshold,
            self.close_threshold,
            self.repetition_penalty,
            self.resistance_profile,
            self.pivot_threshold,
        )


class PublishedEpisode(Record):
    """A recorded episode: of each turn the class, agreement and rapport after it, won, closed."""

    run: str
    subject: str
    seed: int
    scenario: str
    parameters: PublishedMind
    turns: list[tuple[ArgumentClass, _Finite, _Finite, bool, bool]]


class _Episodes(Record):
    source: str
    columns: list[str]
    episodes: list[PublishedEpisode]


class _Foreign(BaseModel):
    """A part of a file of the published project: of its many fields, those that are used."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class _Scenario(_Foreign):
    id: str
    starting_agreement: _Finite
    threshold: _Finite
    close_threshold: _Finite = -0.95
    repetition_penalty: _Finite
    pivot_threshold: _Finite = 0.5
    resistance_profile: dict[ArgumentClass, _Finite]


class _Info(_Foreign):
    scenario_id: str
    argument_type: ArgumentClass
    agreement: _Finite
    rapport: _Finite
    won: bool
    closed: bool


class _Step(_Foreign):
    info: _Info | None = None
    """None where the call of the turn failed."""


class _RunEpisode(_Foreign):
    id: str
    seed: int


class _AgentConfig(_Foreign):
    model: str


class _RunConfig(_Foreign):
    agent_config: _AgentConfig


class _RunHead(_Foreign):
    id: str
    config: _RunConfig


class _RunExport(_Foreign):
    run: _RunHead
    episodes: list[_RunEpisode]
    replay: dict[str, list[_Step]]


class Disagreement(Record):
    """A turn (the first is 1) of which a recorded value is not the engine's."""

    turn: int
    field: str
    recorded: float
    computed: float


def read_minds(path: Path) -> Mapping[str, Mind]:
    """Parameter sets by scenario.

    Raises:
        InputError: the file can't be read, is truncated, or is something else.
    """
    found = _read(path, TypeAdapter(dict[str, PublishedMind]))
    return {name: one.mind() for name, one in found.items()}


def read_episodes(path: Path) -> list[PublishedEpisode]:
    """Recorded episodes.

    Raises:
        InputError: the file can't be read, is truncated, or is something else.
    """
    return _read(path, TypeAdapter(_Episodes)).episodes


def read_clone_minds(clone: Path) -> Mapping[str, PublishedMind]:
    """Parameter sets by scenario, from somebody's clone of the published project.

    Raises:
        InputError: the folder has no scenarios, or one can't be read.
    """
    files = sorted((clone / "scenarios").glob("*.json"))
    if not files:
        raise InputError(f"{clone}: is no clone of the published project: scenarios/ has no .json files in it")
    found = [_read(file, TypeAdapter(_Scenario)) for file in files]
    return {one.id: PublishedMind(**one.model_dump(exclude={"id"})) for one in found}


def read_run(path: Path, minds: Mapping[str, PublishedMind]) -> list[PublishedEpisode]:
    """The episodes of a run export of the published project that have turns, those that failed later included.

    Raises:
        InputError: the file can't be read, is truncated, is something else, is of other scenarios, or has no turns.
    """
    export = _read(path, TypeAdapter(_RunExport))
    found = []
    for one in export.episodes:
        infos = [step.info for step in export.replay.get(one.id, ()) if step.info is not None]
        if infos and infos[0].scenario_id not in minds:
            raise InputError(f"{path}: episode {one.id} is of scenario {infos[0].scenario_id!r}, not known here")
        if infos:
            found.append(_episode(export.run, one, infos, minds[infos[0].scenario_id]))
    if not found:
        raise InputError(f"{path}: has no turns in it: the run was exported without its replay")
    return found


def _episode(run: _RunHead, one: _RunEpisode, infos: Sequence[_Info], mind: PublishedMind) -> PublishedEpisode:
    return PublishedEpisode(
        run=run.id,
        subject=run.config.agent_config.model,
        seed=one.seed,
        scenario=infos[0].scenario_id,
        parameters=mind,
        turns=[(info.argument_type, info.agreement, info.rapport, info.won, info.closed) for info in infos],
    )


def _read(path: Path, kind: TypeAdapter[_Content]) -> _Content:
    try:
        return kind.validate_json(text_of(path, "run export", most=LONGEST_RECORD))
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such file") from None
    except ValidationError as error:
        raise InputError(f"{path}: is no run export of RhetBench: {first_problem(error)}") from error


def compare(rules: Rules, episode: PublishedEpisode) -> Iterator[Disagreement]:
    """Where an episode differs from what the engine makes of its classes."""
    mind = episode.parameters.mind()
    state = opening_state(mind)
    for number, (heard, agreement, rapport, won, closed) in enumerate(episode.turns, 1):
        outcome = step(rules, mind, state, heard)
        state = outcome.state
        for field, recorded, computed in (
            ("agreement", agreement, state.agreement),
            ("rapport", rapport, state.rapport),
            ("won", won, outcome.won),
            ("closed", closed, outcome.walked_out),
        ):
            if abs(recorded - computed) > _TOLERANCE:
                yield Disagreement(turn=number, field=field, recorded=recorded, computed=computed)
