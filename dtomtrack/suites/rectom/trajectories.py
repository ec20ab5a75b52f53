"""The labels of RecToM as trajectories: what the recommender takes the seeker to make of each film; with IARD, which
recommendation the seeker has taken up last.

RecToM asks about each film once. With the whole conversation shown, what was held at a line has to be remembered, and
what is said of other films later is in the way.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from dtomtrack.beliefs.scenario import MentalState
from dtomtrack.errors import InputError
from dtomtrack.items.item import ContextLine
from dtomtrack.suites.published.folder import find_files
from dtomtrack.suites.rectom.iard import IardDialogue, check_dialogues, read_iard
from dtomtrack.suites.rectom.kinds import KNOWN_FILES
from dtomtrack.suites.rectom.published import SPEAKERS, PublishedRecord
from dtomtrack.suites.rectom.release import read_release
from dtomtrack.suites.trajectories.records import AnnotatedState, AnnotatedTopic, AnnotatedTurn, Trajectory

__all__ = ["recommendation_trajectories"]

_TAKEN, _NOTHING = "taken up", "nothing yet"
_MOST_VALUES = 26


def recommendation_trajectories(folder: Path, iard_path: Path | None = None) -> Iterator[Trajectory]:
    """A trajectory for each dialogue of a clone of RecToM's repository.

    Args:
        iard_path: IARD's file, which says where recommendations are accepted.

    Raises:
        InputError: the folder has no file of beliefs, a file can't be read, or IARD's is of other dialogues.
    """
    release = read_release(find_files(folder, KNOWN_FILES))
    believed: defaultdict[str, dict[str, PublishedRecord]] = defaultdict(dict)
    for record in release.of("belief"):
        if record.subject is not None:
            believed[record.dialogue].setdefault(record.subject, record)
    if not believed:
        raise InputError(f"{folder}: holds no 8_belief_rec_2_com.json, whose labels trajectories are made from")
    iard: Mapping[str, IardDialogue] = {}
    if iard_path is not None:
        iard = read_iard(iard_path)
        check_dialogues(iard_path, iard, release.dialogues)
    for name, lines in release.dialogues.items():
        yield _trajectory(name, lines, believed[name], iard.get(name))


def _trajectory(
    name: str, lines: Sequence[ContextLine], believed: Mapping[str, PublishedRecord], iard: IardDialogue | None
) -> Trajectory:
    topics = [_film_topic(film, record) for film, record in believed.items()]
    states = [_believed(film, record) for film, record in believed.items()]
    if iard is not None:
        taken = list(_taken_up(iard, len(lines)))
        topics += _taken_topic(iard, taken)
        states += taken if len(topics) > len(believed) else []
    turns = tuple(AnnotatedTurn(speaker=line.speaker, utterance=line.text) for line in lines)
    return Trajectory(id=name, turns=turns, states=tuple(states), topics=tuple(topics))


# -- beliefs ---------------------------------------------------------------------------------------------------------


def _film_topic(film: str, record: PublishedRecord) -> AnnotatedTopic:
    question = f"What does the seeker make of {film}?"
    return AnnotatedTopic(id=f"film {film}", label=film, values=record.options, question=question)


def _believed(film: str, record: PublishedRecord) -> AnnotatedState:
    return AnnotatedState(
        turn=len(record.lines) - 1,
        holder=SPEAKERS["recommender"],
        about=SPEAKERS["seeker"],
        mental_state=MentalState.BELIEF,
        topic=f"film {film}",
        content=record.options[min(record.gold)],
    )


# -- what is taken up ------------------------------------------------------------------------------------------------


def _taken_topic(iard: IardDialogue, taken: Sequence[AnnotatedState]) -> Iterator[AnnotatedTopic]:
    """The topic, with every film that is named; none where too few are, or more than letters."""
    named = dict.fromkeys(film for line in iard.lines for film in line.films)
    held = {one.content for one in taken if one.content is not None}
    values = (_NOTHING, *(film for film in named if film != _NOTHING))
    if held <= set(values) and 1 < len(values) <= _MOST_VALUES:
        question = "Which recommendation has the seeker taken up last?"
        yield AnnotatedTopic(
            id=_TAKEN, label="what is recommended", values=values, question=question, unsettled=_NOTHING
        )


def _taken_up(iard: IardDialogue, shown: int) -> Iterator[AnnotatedState]:
    """Nothing at first; then at each line that settles on a recommendation, its film, as far as that is told."""
    first = next((turn for turn, line in enumerate(iard.lines) if line.said.speaker == SPEAKERS["seeker"]), None)
    if first is None:
        return
    yield _taking(first, _NOTHING)
    for number in iard.accepted:
        if first < number - 1 < shown:
            yield _taking(number - 1, _film_of(iard, number))


def _taking(turn: int, content: str | None) -> AnnotatedState:
    return AnnotatedState(
        turn=turn,
        holder=SPEAKERS["seeker"],
        mental_state=MentalState.INTENTION,
        topic=_TAKEN,
        content=content,
    )


def _film_of(iard: IardDialogue, number: int) -> str | None:
    """The one film that the line names, or else the one before; None where there are several, or none."""
    for line in (iard.lines[number - 1], iard.lines[number - 2]):
        if line.films:
            return line.films[0] if len(line.films) == 1 else None
    return None
