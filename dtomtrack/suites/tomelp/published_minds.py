"""Gold mental states of PersuasiveToM's dialogues: its questions about belief, desire and intention, with answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path

from pydantic import ValidationError

from dtomtrack.errors import InputError
from dtomtrack.records import first_problem
from dtomtrack.scenarios.route.state import MIND_FIELDS, MindField, MindQuestion, SceneState
from dtomtrack.scenarios.route.terms import Role
from dtomtrack.suites.persuasivetom.kinds import KINDS, Kind
from dtomtrack.suites.persuasivetom.published_items import PublishedItem, published_items
from dtomtrack.suites.persuasivetom.tally import Tally
from dtomtrack.suites.published.folder import KnownFile, find_files

__all__ = ["PublishedMinds", "count_questions"]

_ROLES: Mapping[str, Role] = {"er": "persuader", "ee": "persuadee"}
_FIELDS: Mapping[str, MindField] = {"belief": "belief", "desire": "desire", "intention": "intent"}
_KINDS = tuple(kind for kind in KINDS.values() if kind.holder)


class PublishedMinds:
    """The questions about both minds that a clone holds; files that it lacks are named, and are no error.

    Attributes:
        missing: names of files that are not there.
        contradicting: questions that are there twice with different answers, and are not taken; by role and field.

    Raises:
        InputError: a file or an item can't be read.
    """

    def __init__(self, folder: Path) -> None:
        found = find_files(folder, [KnownFile(f"{kind.file}.json", kind.blob) for kind in _KINDS])
        self.missing = found.missing
        self.contradicting = Counter[str]()
        self._folder = folder
        self._items: dict[str, dict[str, PublishedItem]] = {}
        answers: dict[tuple[str, str], set[str]] = {}
        for item in published_items(found, Tally()):
            self._items.setdefault(item.name, {}).setdefault(item.kind.name, item)
            answers.setdefault((item.name, item.kind.name), set()).add(item.answer)
        for (name, kind), own in answers.items():
            if len(own) > 1:
                self.contradicting[_told(KINDS[kind])] += 1
                del self._items[name][kind]

    def given_to(self, state: SceneState) -> SceneState:
        """A state with the questions about it.

        Raises:
            InputError: they are about another dialogue, or one can't be a question.
        """
        items = sorted(self._items.get(state.id, {}).values(), key=_order)
        return state.model_copy(update={"questions": tuple(self._question(item, state) for item in items)})

    def _question(self, item: PublishedItem, state: SceneState) -> MindQuestion:
        place = f"{self._folder}: {item.kind.file}.json, {item.name}"
        if [(line.speaker, line.text) for line in item.lines] != [(one.speaker, one.text) for one in state.history]:
            raise InputError(f"{place}: has another dialogue than behavior_qa.json has under this id")
        try:
            return MindQuestion(
                role=_ROLES[item.kind.holder],
                field=_FIELDS[item.kind.state],
                question=item.question,
                options=item.options,
                gold=item.gold,
            )
        except ValidationError as error:
            raise InputError(f"{place}: {first_problem(error, 'question')}") from error


def _told(kind: Kind) -> str:
    return f"{_ROLES[kind.holder]} {_FIELDS[kind.state]}"


def _order(item: PublishedItem) -> tuple[str, int]:
    return _ROLES[item.kind.holder], MIND_FIELDS.index(_FIELDS[item.kind.state])


def count_questions(states: Iterable[SceneState]) -> dict[str, int]:
    """How many states have a question, by role and field."""
    counts = Counter(f"{one.role} {one.field}" for state in states for one in state.questions)
    return dict(sorted(counts.items()))
