"""Questions about lines with IARD's labels, in our words: what a line is meant to do, and what the next one will do.

Every context ends with the line that is asked about, or with the last one before it, and no question quotes a line.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from random import Random

from dtomtrack.items.letters import letters_of
from dtomtrack.suites.rectom.iard import IardDialogue, IardLine
from dtomtrack.suites.rectom.items import OptionLabels
from dtomtrack.suites.rectom.kinds import KINDS, Kind
from dtomtrack.suites.rectom.labels import COARSE, FINE, Role
from dtomtrack.suites.rectom.published import SPEAKERS, PublishedRecord
from dtomtrack.suites.rectom.wordings import coarse_wordings, fine_wordings

__all__ = ["LABELLED_KINDS", "labelled_records", "option_labels"]

LABELLED_KINDS = tuple(kind for kind in KINDS if kind.asks not in {"belief", "desire"})
"""The types whose golds are labels of lines; belief and desire take somebody who settles them movie by movie."""

_ROLES: tuple[Role, ...] = ("recommender", "seeker")
_INTENTION = "What does the {role} intend with the last line that is shown?"
_PREDICTION = "What will the {role} do in the next line?"
_JUDGEMENT = 'Will the {role}\'s next line do this, perhaps beside other things: "{words}"?'


@dataclass(frozen=True)
class _Asked:
    """A question about a line; ``right`` are the positions of the right options."""

    text: str
    options: tuple[str, ...]
    right: frozenset[int]
    subject: str | None = None


def labelled_records(file: str, iard: Mapping[str, IardDialogue], seed: int) -> Iterator[PublishedRecord]:
    """The questions about every line, type by type; about a dialogue's first line only what it is meant to do.

    Args:
        file: the name of the file that the dialogues are from.
        seed: draws the strategies that are judged, each as often as any other.
    """
    for published in LABELLED_KINDS:
        kind = replace(published, file=file)
        for name, dialogue in iard.items():
            for number, line in enumerate(dialogue.lines, 1):
                if line.said.speaker == SPEAKERS[kind.role] and (kind.is_intention or number > 1):
                    drawn = Random(f"{seed}/{name}/{number}")  # noqa: S311 - reproducible, no secret
                    yield _record(kind, name, dialogue, number, _asked(kind, line, drawn))


def _record(kind: Kind, name: str, dialogue: IardDialogue, number: int, asked: _Asked) -> PublishedRecord:
    shown = number if kind.is_intention else number - 1
    return PublishedRecord(
        kind=kind,
        place=f"{kind.file}: {name}: line {number}",
        number=number,
        dialogue=name,
        position=shown,
        lines=tuple(line.said for line in dialogue.lines[:shown]),
        question=asked.text,
        options=asked.options,
        gold=asked.right,
        letters=tuple(letters_of(asked.right)),
        coarse=dialogue.lines[number - 1].coarse,
        subject=asked.subject,
        is_dict=False,
    )


def _asked(kind: Kind, line: IardLine, drawn: Random) -> _Asked:
    if kind.asks == "judgement":
        return _judgement(kind.role, line, drawn)
    if kind.asks == "fine intention":
        words, labels, right = fine_wordings(kind.role), tuple(FINE[kind.role]), line.fine
    else:
        words, labels, right = coarse_wordings(kind.role), tuple(COARSE[kind.role]), line.coarse
    text = _INTENTION if kind.is_intention else _PREDICTION
    return _Asked(
        text.format(role=kind.role),
        tuple(words[label] for label in labels),
        frozenset(map(labels.index, right)),
        line.said.text if kind.is_intention else None,
    )


def _judgement(role: Role, line: IardLine, drawn: Random) -> _Asked:
    """Whether a strategy that is drawn is among what the line does."""
    strategy = drawn.choice(COARSE[role])
    words = coarse_wordings(role)[strategy]
    right = 0 if strategy in line.coarse else 1
    return _Asked(_JUDGEMENT.format(role=role, words=words), ("yes", "no"), frozenset({right}), words)


def option_labels() -> OptionLabels:
    """The labels that the options stand for: IARD's codes and the coarse labels above them."""
    fine = {kind.type: FINE[kind.role] for kind in LABELLED_KINDS if kind.asks == "fine intention"}
    return OptionLabels(
        {name: tuple(labels.values()) for name, labels in fine.items()},
        {name: tuple(labels) for name, labels in fine.items()},
        {(role, words): label for role in _ROLES for label, words in coarse_wordings(role).items()},
    )
