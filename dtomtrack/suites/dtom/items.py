"""The questions of DToM-Track as items."""

from __future__ import annotations

from bisect import bisect_right
from collections import deque
from collections.abc import Iterator, Mapping, Sequence, Set
from contextlib import suppress
from itertools import count, islice, pairwise
from pathlib import Path

from dtomtrack.beliefs.dialogue import Dialogue
from dtomtrack.beliefs.question import Factors, Question, QuestionType
from dtomtrack.errors import DatasetError
from dtomtrack.items.item import ContextLine, Item
from dtomtrack.runs.data_files import place_in, read_records
from dtomtrack.runs.folder import read_manifest
from dtomtrack.suites.dtom.consistency import dialogue_problem, question_problem
from dtomtrack.suites.dtom.contexts import context_text
from dtomtrack.suites.dtom.slot_result import DIALOGUES, QUESTIONS

__all__ = [
    "ABOUT_UPDATES",
    "ABSENT",
    "APART",
    "ASKS",
    "CHANGES",
    "DIFFERS",
    "DIVERGENCE",
    "INTERFERENCE",
    "LAGS",
    "RETURNS",
    "REVISIONS",
    "SINCE",
    "TURNS",
    "UPDATE",
    "DialogueContext",
    "context_of",
    "item_of",
    "items_of",
    "longest_in",
    "read_dialogues",
    "read_pairs",
]

ABSENT = "none"
"""Names the group of questions to which what they are grouped by does not apply."""
UPDATE = "update"
"""The kind of joint group that the questions about one update form."""
DIVERGENCE = "divergence"
"""The kind of joint group that the questions about one divergence form: what is so, what is ascribed, who knows."""
ASKS = "asks"
"""The grouping by what exactly is asked: the state, its first or last change, what is so or assumed, who knows."""
DIFFERS, APART = "differs", "apart"
"""The groupings by whether a picture is apart from what is so, and by the way in which it came apart."""
REVISIONS, INTERFERENCE, SINCE, TURNS = "revisions", "interference", "since", "turns"
"""The groupings by how often the holder's state changes, by how many other values are said between the expression and
the turn asked about, by the turns between the two, and by the turns of the dialogue."""
CHANGES, RETURNS = "changes", "returns"
"""The groupings by how often the state asked about changes, and by whether it goes back to an earlier value."""
ABOUT_UPDATES = (QuestionType.PRE_UPDATE, QuestionType.POST_UPDATE, QuestionType.UPDATE_DETECTION)
"""The types of the questions about the time before, the time after, and the turn of an update."""

LAGS = ("0-1", "2-3", "4-5", "6-9", "10-19", "20+")
"""Names of the groups of lags, in turns, in dialogues of which only the questions are known."""
_LAG_ENDS = (2, 4, 6, 10, 20)
_LAG_GROUPS = 6
_BETWEEN = ("0", "1", "2", "3", "4-5", "6-9", "10+")
"""Names of the groups of values that are said in between."""
_BETWEEN_ENDS = (1, 2, 3, 4, 6, 10)


class DialogueContext:
    """A dialogue, as it is shown to who is asked one of its questions; texts are kept per dialogue.

    Args:
        texts: those of the dialogue's other questions, which share most of them.
    """

    def __init__(self, dialogue: Dialogue, question: Question, texts: dict[tuple[str, str], str]) -> None:
        self.dialogue = dialogue
        self.question = question
        self._texts = texts

    @property
    def lines(self) -> Sequence[ContextLine]:
        """The utterances."""
        return [ContextLine(turn.speaker, turn.utterance) for turn in self.dialogue.turns]

    def text(self, condition: str) -> str:
        """The context as a prompt shows it."""
        thinker = self.question.agent if condition == "own-thoughts" else ""
        key = condition, thinker
        if key not in self._texts:
            self._texts[key] = context_text(condition, self.dialogue, thinker)
        return self._texts[key]


def context_of(item: Item) -> DialogueContext:
    """The dialogue of an item, and the question that it was.

    Raises:
        TypeError: it is an item of another suite.
    """
    if not isinstance(item.context, DialogueContext):
        raise TypeError(f"{item.id} is no item of DToM-Track")
    return item.context


def items_of(folder: Path, limit: int | None = None) -> Iterator[Item]:
    """The questions of a dataset as items, in the order of the file; one dialogue is in memory at a time.

    Raises:
        DatasetError: a line is damaged, or a question's dialogue is not there.
    """
    texts: dict[tuple[str, str], str] = {}
    current: Dialogue | None = None
    longest = longest_in(folder)
    for dialogue, question in read_pairs(folder, limit):
        if dialogue is not current:
            current, texts = dialogue, {}
        yield item_of(question, DialogueContext(dialogue, question, texts), longest)


def longest_in(folder: Path) -> int | None:
    """The turns of the longest dialogue of a dataset, up to a damaged one; None where all have as many.

    Raises:
        DatasetError: the manifest is damaged.
    """
    manifest = read_manifest(folder)
    turns = manifest.config.get("turns") if manifest is not None else None
    if isinstance(turns, int):
        return None
    if isinstance(turns, list) and turns and all(isinstance(one, int) for one in turns):
        return max(one for one in turns if isinstance(one, int))
    longest = 0
    # a damaged line is told when it is come to, with what was answered before it kept
    with suppress(DatasetError):
        for one in read_dialogues(folder):
            longest = max(longest, len(one.turns))
    return longest or None


def item_of(question: Question, context: DialogueContext | None = None, longest: int | None = None) -> Item:
    """A question as an item.

    Args:
        longest: the turns of the longest dialogue of its dataset, whose groups of lags are those of all; None where it
            is its own.
    """
    letters = sorted(question.options)
    turns = question.factors.turns if context is None else len(context.dialogue.turns)
    return Item(
        id=question.id,
        cluster=question.dialogue_id,
        question=question.question,
        options=tuple(question.options[letter] for letter in letters),
        gold=question.gold_positions,
        select=question.select,
        groups=_groups(question, turns, longest or turns)
        | ({} if context is None else {RETURNS: _returns(context.dialogue, question)}),
        joint=_joint(question),
        roles=tuple(question.option_roles[letter].value for letter in letters),
        turn=question.turn,
        context=context,
    )


def _groups(question: Question, turns: int | None, longest: int | None) -> dict[str, str]:
    """The groups of a question; ``turns`` are those of its dialogue and ``longest`` the most, where they are known."""
    factors = question.factors
    groups = {
        "type": question.type.value,
        "mental_state": question.mental_state.value,
        "marker": _marker_class(factors),
        "trigger": factors.trigger or ABSENT,
        "updates": str(factors.updates),
        CHANGES: str(factors.changes),
        "order": str(question.order),
        ASKS: factors.asks,
        "topic": question.topic,
    }
    return groups | {name: group for name, group in _further_groups(factors, turns, longest) if group is not None}


def _further_groups(factors: Factors, turns: int | None, longest: int | None) -> Iterator[tuple[str, str | None]]:
    """The groups that not every question has: None where one does not apply."""
    between = factors.interference
    yield "lag", None if factors.lag is None else _span(factors.lag, longest)
    yield "signal", factors.signal and factors.signal.value
    yield DIFFERS, factors.differs
    yield APART, factors.apart and factors.apart.value
    yield REVISIONS, None if factors.revisions is None else str(factors.revisions)
    yield INTERFERENCE, None if between is None else _BETWEEN[bisect_right(_BETWEEN_ENDS, between)]
    yield SINCE, None if factors.since is None else _span(factors.since, longest)
    yield TURNS, None if turns is None else str(turns)
    yield "asked_by", factors.asked_by


def _span(lag: int, longest: int | None) -> str:
    """The group of a number of turns: one of six of equal width, as far as the longest dialogue allows."""
    if longest is None:
        return LAGS[bisect_right(_LAG_ENDS, lag)]
    width = max(1, -(-longest // _LAG_GROUPS))
    start = lag // width * width
    return str(start) if width == 1 else f"{start}-{start + width - 1}"


def _marker_class(factors: Factors) -> str:
    if factors.names_old is None:
        return ABSENT
    return "explicit" if factors.names_old else "implicit"


def _returns(dialogue: Dialogue, question: Question) -> str:
    """Whether the state asked about goes back to a value that it had before (A, B, A), by the records."""
    state = question.agent, question.topic, question.about
    records = [one for one in dialogue.beliefs if (one.holder, one.topic, one.about) == state]
    held = [one.content for one in sorted(records, key=lambda one: one.source_turn)]
    values = held[:1] + [new for old, new in pairwise(held) if new != old]
    if len(values) < 2:
        return ABSENT
    return "yes" if len(set(values)) < len(values) else "no"


def _joint(question: Question) -> Mapping[str, str]:
    """The update and the divergence that a question is about, where it is about one."""
    joint = {}
    if question.type in ABOUT_UPDATES and question.turn is not None:
        joint[UPDATE] = f"{question.dialogue_id} {question.agent} {question.topic} {question.turn}"
    if question.divergence is not None:
        joint[DIVERGENCE] = f"{question.dialogue_id} {question.divergence}"
    return joint


def read_dialogues(folder: Path, rows: Set[int] | None = None) -> Iterator[Dialogue]:
    """The dialogues of a dataset, in the order of the file.

    Args:
        rows: numbers, from 0, of the only ones that are wanted.

    Raises:
        DatasetError: a line is no dialogue, is inconsistent in itself, or is out of place.
    """
    last = -1
    numbers = count() if rows is None else iter(sorted(rows))
    for row, dialogue in zip(numbers, read_records(folder / DIALOGUES, Dialogue, rows), strict=False):
        wrong = dialogue_problem(dialogue)
        if dialogue.slot <= last:
            wrong = f"slot {dialogue.slot} comes after slot {last}"
        if wrong is not None:
            raise DatasetError(f"{place_in(folder / DIALOGUES, row + 1)}: {wrong}; it was edited or damaged")
        last = dialogue.slot
        yield dialogue


def read_pairs(folder: Path, limit: int | None = None) -> Iterator[tuple[Dialogue, Question]]:
    """The questions of a dataset, each with its dialogue, in the order of the file; both files are read side by side.

    Args:
        limit: only the questions of the first so many dialogues; None for all.

    Raises:
        DatasetError: a line is no such record, or a question's dialogue is not there.
    """
    dialogues = islice(read_dialogues(folder), limit)
    dialogue = next(dialogues, None)
    asked: set[str] = set()
    for number, question in enumerate(read_records(folder / QUESTIONS, Question), 1):
        while dialogue is not None and dialogue.id != question.dialogue_id:
            dialogue = next(dialogues, None)
            asked.clear()
        if dialogue is not None:
            wrong = question_problem(question, dialogue, asked)
            asked.add(question.id)
            if wrong is not None:
                raise DatasetError(f"{place_in(folder / QUESTIONS, number)}: {wrong}; it was edited or damaged")
            yield dialogue, question
        elif limit is None:
            raise DatasetError(
                f"{place_in(folder / QUESTIONS, number)}: dialogue {question.dialogue_id!r} is not in {DIALOGUES}, "
                "or not in the order of the questions"
            )
        else:
            return
    # those without questions have to be right, too
    deque(dialogues, maxlen=0)
