"""The dialogues of DToM-Track for the page's browser: with inner speech, the tracker's records and planned updates."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from random import Random

from dtomtrack.beliefs.dialogue import BeliefRecord, Dialogue
from dtomtrack.beliefs.question import Question
from dtomtrack.beliefs.transcript import Event, transcript_of
from dtomtrack.beliefs.transcript_text import event_words, hearers_words
from dtomtrack.report.shown import Aside, Person, ShownDialogue, ShownItem, ShownLine, Span, Track
from dtomtrack.runs.data_files import count_records, read_records, rows_with
from dtomtrack.suites.dtom.items import item_of, longest_in, read_dialogues
from dtomtrack.suites.dtom.slot_result import DIALOGUES, QUESTIONS

__all__ = ["drawn_dialogues", "shown_dialogues"]

_EXCERPT = 140


def shown_dialogues(folder: Path, limit: int) -> Iterator[ShownDialogue]:
    """The first so many dialogues of a dataset with their questions, those that have none included.

    Raises:
        DatasetError: a line is damaged.
    """
    dialogues, longest = islice(read_dialogues(folder), limit), longest_in(folder)
    for dialogue, questions in _together(dialogues, read_records(folder / QUESTIONS, Question)):
        yield _shown(dialogue, questions, longest)


def drawn_dialogues(folder: Path, count: int) -> Iterator[ShownDialogue]:
    """So many dialogues of a dataset with their questions, drawn at random; no others are read.

    Raises:
        DatasetError: a line is damaged.
    """
    total, longest = count_records(folder / DIALOGUES), longest_in(folder)
    drawn = Random(0).sample(range(total), min(count, total))  # noqa: S311
    dialogues = list(read_dialogues(folder, frozenset(drawn)))
    asked = rows_with(folder / QUESTIONS, "slot", {one.slot for one in dialogues})
    for dialogue, questions in _together(dialogues, read_records(folder / QUESTIONS, Question, asked)):
        yield _shown(dialogue, questions, longest)


def _together(
    dialogues: Iterable[Dialogue], questions: Iterator[Question]
) -> Iterator[tuple[Dialogue, list[Question]]]:
    """Each dialogue with its questions; both files are in the order of slots."""
    ahead = next(questions, None)
    for dialogue in dialogues:
        own: list[Question] = []
        while ahead is not None and ahead.slot <= dialogue.slot:
            if ahead.dialogue_id == dialogue.id:
                own.append(ahead)
            ahead = next(questions, None)
        yield dialogue, own


def _shown(dialogue: Dialogue, questions: Sequence[Question], longest: int | None) -> ShownDialogue:
    scenario = dialogue.scenario
    labels = {topic.id: topic.label for topic in scenario.topics}
    changes: dict[int, list[str]] = {}
    for update in scenario.updates:
        changes.setdefault(update.turn, []).append(_label(labels, update.topic))
    return ShownDialogue(
        id=dialogue.id,
        items=tuple(ShownItem(item_of(question, longest=longest), question.evidence) for question in questions),
        title=" and ".join(agent.name for agent in scenario.agents),
        excerpt=_excerpt(scenario.context),
        tags=(dialogue.domain,),
        introduction=scenario.context,
        people=tuple(
            Person(agent.name, f"{agent.role}. Goal: {agent.goal}", agent.private_info) for agent in scenario.agents
        ),
        lines=tuple(_lines(dialogue, changes)),
        tracks=(*_presence(dialogue), *_tracks(dialogue, labels)),
    )


def _excerpt(text: str) -> str:
    return text if len(text) <= _EXCERPT else f"{text[: _EXCERPT - 1].rstrip()}…"


def _label(labels: dict[str, str], topic: str) -> str:
    return labels.get(topic, topic.replace("_", " "))


def _lines(dialogue: Dialogue, changes: Mapping[int, Sequence[str]]) -> Iterator[ShownLine]:
    """The turns, each with whom it reaches and what happens before it."""
    before: list[str] = []
    for line in transcript_of(dialogue.turns, dialogue.scenario).lines:
        if isinstance(line, Event):
            before.append(event_words(line))
            continue
        thoughts = tuple(
            Aside(thought.text, thought.mental_state.value) for thought in dialogue.turns[line.turn].inner_speech
        )
        note = f"changes: {', '.join(changes[line.turn])}" if line.turn in changes else ""
        yield ShownLine(line.text, line.speaker, thoughts, note, hearers_words(line), tuple(before))
        before = []


def _presence(dialogue: Dialogue) -> Iterator[Track]:
    """For each who is away for a time, a track of when they are there; none where everybody always is."""
    last = len(dialogue.turns)
    for name in dialogue.scenario.names:
        away = sorted((one for one in dialogue.scenario.presence if one.agent == name), key=lambda one: one.from_turn)
        if not away:
            continue
        spans, since = [], 0
        for one in away:
            if one.from_turn > since:
                spans.append(Span("there", since, one.from_turn))
            since = last if one.until_turn is None else one.until_turn
            spans.append(Span(f"away: {one.reason}", one.from_turn, since, warning="hears nothing of it"))
        if since < last:
            spans.append(Span("there", since))
        yield Track(holder=name, about="in the room", spans=tuple(spans))


def _tracks(dialogue: Dialogue, labels: dict[str, str]) -> Iterator[Track]:
    """A track for each state that somebody holds, those about oneself first."""
    own: dict[tuple[object, ...], list[BeliefRecord]] = {}
    for record in dialogue.beliefs:
        key = record.order, record.holder, record.about, record.mental_state, record.topic
        own.setdefault(key, []).append(record)
    for records in sorted(own.values(), key=lambda records: records[0].order):
        first = records[0]
        whose = f"thinks about {first.about}: " if first.order > 1 and first.about else ""
        yield Track(
            holder=first.holder,
            about=f"{whose}{_label(labels, first.topic)} ({first.mental_state.value})",
            spans=tuple(_span(record, dialogue) for record in sorted(records, key=lambda one: one.source_turn)),
        )


def _span(record: BeliefRecord, dialogue: Dialogue) -> Span:
    wrong = _first_mistaken_turn(record, dialogue)
    warning = "" if wrong is None else f"not what {record.about} holds at turn {wrong}"
    return Span(record.content, record.source_turn, record.superseded_at, record.mental_state.value, warning)


def _first_mistaken_turn(record: BeliefRecord, dialogue: Dialogue) -> int | None:
    """The first turn at which somebody holds something else than is thought of them; None if there is none."""
    if record.order != 2:
        return None
    others = [
        other
        for other in dialogue.beliefs
        if other.order == 1
        and (other.holder, other.topic, other.mental_state) == (record.about, record.topic, record.mental_state)
        and other.content != record.content
    ]
    end = len(dialogue.turns) if record.superseded_at is None else record.superseded_at
    turns = range(record.source_turn, max(end, record.source_turn + 1))
    return next((turn for turn in turns if any(_holds(other, turn) for other in others)), None)


def _holds(record: BeliefRecord, turn: int) -> bool:
    return record.source_turn <= turn and (record.superseded_at is None or turn < record.superseded_at)
