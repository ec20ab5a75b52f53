"""The labels of PersuasiveToM as trajectories: desires of the persuadee, and beliefs where their files are."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from pydantic import ValidationError

from dtomtrack.beliefs.scenario import MentalState
from dtomtrack.errors import InputError
from dtomtrack.items.texts import printable
from dtomtrack.records import first_problem
from dtomtrack.suites.persuasivetom.items import by_dialogue
from dtomtrack.suites.persuasivetom.kinds import KNOWN_FILES
from dtomtrack.suites.persuasivetom.published_items import PublishedItem, published_items
from dtomtrack.suites.persuasivetom.tally import Tally
from dtomtrack.suites.published.folder import find_files
from dtomtrack.suites.trajectories.records import AnnotatedState, AnnotatedTopic, AnnotatedTurn, Trajectory

__all__ = ["persuasive_trajectories"]

_TARGET = re.compile(r"^Is .+? likely to (?P<target>.+?)\?*$", re.DOTALL)
_DESIRE, _ATTITUDE = "desire", "attitude"


def persuasive_trajectories(folder: Path) -> Iterator[Trajectory]:
    """A trajectory for each dialogue whose desires are labelled.

    Raises:
        InputError: the folder has no file of the persuadee's desires, or a file can't be read, or its items of one
            dialogue don't go together.
    """
    published = published_items(find_files(folder, KNOWN_FILES), Tally())
    found = by_dialogue(published)
    desires = {dialogue: own for (kind, dialogue), own in found.items() if kind == "desire_ee"}
    if not desires:
        raise InputError(
            f"{folder}: holds no desire_ee.json, whose labels trajectories are made from; give the repository of "
            "PersuasiveToM, RecToM or NegotiationToM, or a .jsonl or .csv file"
        )
    for dialogue, own in desires.items():
        _check_options(folder, list(own.values()))
        beliefs = [found.get((kind, dialogue), {}) for kind in ("belief_er", "belief_ee")]
        try:
            trajectory = _trajectory(dialogue, list(own.values()), [list(one.values()) for one in beliefs])
        except ValidationError as error:
            problem = first_problem(error, "its items")
            raise InputError(f"{folder}: dialogue {dialogue}: {problem}; mend its items, or leave them out") from error
        yield trajectory


def _check_options(folder: Path, desires: Sequence[PublishedItem]) -> None:
    """One question is asked along a dialogue, so its items have one set of options."""
    first = desires[0]
    other = next((item for item in desires if item.answer not in first.options), None)
    if other is not None:
        raise InputError(
            f"{folder}: desire_ee {other.name}: {printable(other.answer)!r} is right, which is no option of "
            f"{first.name} ({', '.join(map(printable, first.options))}); give the items of a dialogue the same options"
        )


def _trajectory(
    dialogue: int, desires: Sequence[PublishedItem], beliefs: Sequence[Sequence[PublishedItem]]
) -> Trajectory:
    longest = max(desires, key=lambda item: len(item.lines)).lines
    persuader, persuadee = longest[0].speaker, longest[1].speaker if len(longest) > 1 else longest[0].speaker
    states = [_desire(item, persuadee) for item in desires]
    topics = [_desire_topic(desires)]
    attitudes = {item.answer: None for own in beliefs for item in own}
    if len(attitudes) > 1:
        topics.append(AnnotatedTopic(id=_ATTITUDE, label="what is proposed", values=tuple(sorted(attitudes)[:26])))
        for own, (holder, about) in zip(beliefs, ((persuader, persuadee), (persuadee, persuader)), strict=True):
            states += [_belief(item, holder, about) for item in own if item.answer in topics[-1].values]
    return Trajectory(
        id=str(dialogue),
        turns=tuple(AnnotatedTurn(speaker=line.speaker or "?", utterance=line.text) for line in longest),
        states=tuple(one for one in states if one.turn < len(longest)),
        topics=tuple(topics),
    )


def _desire_topic(desires: Sequence[PublishedItem]) -> AnnotatedTopic:
    question = desires[0].question.strip()
    target = _TARGET.match(question)
    label = target["target"] if target is not None else question
    return AnnotatedTopic(id=_DESIRE, label=label, values=desires[0].options, question=question)


def _desire(item: PublishedItem, holder: str) -> AnnotatedState:
    # by the lines that are shown, for two published ids don't go with them
    return AnnotatedState(
        turn=len(item.lines) - 1,
        holder=holder,
        mental_state=MentalState.DESIRE,
        topic=_DESIRE,
        content=item.answer,
    )


def _belief(item: PublishedItem, holder: str, about: str) -> AnnotatedState:
    """What is taken for the other's attitude, from the line on in which the other shows it: its gold is their tone."""
    behind = 1 if item.kind.holder == "er" else 2
    return AnnotatedState(
        turn=max(0, len(item.lines) - behind),
        holder=holder,
        about=about,
        mental_state=MentalState.EMOTION,
        topic=_ATTITUDE,
        content=item.answer,
    )
