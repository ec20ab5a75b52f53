"""The dialogues of a dataset for the page's browser: an overview that is filtered, and chunks that are shown.

The overview is small and read at once. A chunk holds what a few dialogues are made of; the page reads it when one of
them is opened, or when somebody searches. What subjects replied, which may be long, is in chunks of its own. Everything
is JSON; the script of the page is the only other one that knows these keys.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from dtomtrack.beliefs.dialogue import BeliefRecord, Dialogue, InnerSpeech, Turn
from dtomtrack.beliefs.question import Question, QuestionType
from dtomtrack.beliefs.scenario import MentalState
from dtomtrack.evaluation.records import Answer
from dtomtrack.report.evaluations import Evaluation
from dtomtrack.runs.lines import read_lines
from dtomtrack.suites.dtom.slot_result import DIALOGUES, QUESTIONS

__all__ = ["CHUNK", "Browsing", "as_script", "browsing"]

CHUNK = 20
"""Dialogues a chunk."""

_TYPES = [kind.value for kind in QuestionType]
_STATES = [state.value for state in MentalState]
_FLAGS = {"correct": 1, "wrong": 2, "unparsed": 4, "error": 8}
_UNREAD = {"unparsed": "?", "error": "!"}
_EXCERPT = 140
_LONGEST_REPLY = 700
_SHORTEST_REPLY = 60
_ALL_REPLIES = 24_000_000
"""Characters that all replies together may have: they hardly compress, and the page has to stay small."""

Json = dict[str, object]


@dataclass
class Browsing:
    """What the page's browser reads.

    Attributes:
        overview: names, and of each dialogue and question what is filtered by.
        chunks: dialogues, compressed, as text; and what was replied to their questions.
    """

    overview: Json
    chunks: list[tuple[str, str]] = field(default_factory=list)
    dialogues: int = 0
    questions: int = 0


@dataclass
class _Given:
    """What one subject answered to one question, a letter a rotation; "?" not readable, "!" failed."""

    letters: str = ""
    flags: int = 0
    replies: list[str] = field(default_factory=list)


def browsing(dataset: Path, evaluations: Sequence[Evaluation], limit: int) -> Browsing:
    """The first so many dialogues of a dataset with their questions and every subject's answers.

    Raises:
        DatasetError: a line of the dataset or of an evaluation is damaged.
    """
    last = -1
    for dialogue in islice(read_lines(dataset / DIALOGUES, Dialogue), limit):
        last = dialogue.slot
    given = _all_answers(evaluations, _wanted(dataset, last))
    entries: list[Json] = []
    found = Browsing(
        {
            "types": _TYPES,
            "states": _STATES,
            "subjects": [{"label": one.label, "short": one.short} for one in evaluations],
            "chunk": CHUNK,
            "dialogues": entries,
        }
    )
    chunk: list[Json] = []
    replies: list[list[list[list[str]]]] = []
    dialogues = islice(read_lines(dataset / DIALOGUES, Dialogue), limit)
    for dialogue, questions in _together(dialogues, read_lines(dataset / QUESTIONS, Question)):
        entries.append(_entry(dialogue, questions, given))
        chunk.append(_whole(dialogue, questions, given))
        replies.append(_replies(questions, given))
        found.dialogues += 1
        found.questions += len(questions)
        if len(chunk) == CHUNK:
            found.chunks.append((_compressed(chunk), _compressed(replies)))
            chunk, replies = [], []
    if chunk:
        found.chunks.append((_compressed(chunk), _compressed(replies)))
    return found


def as_script(value: object) -> str:
    """JSON that can stand inside a script element: nothing in it ends the element, opens a comment or a line."""
    text = json.dumps(value, ensure_ascii=True, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _compressed(chunk: object) -> str:
    text = json.dumps(chunk, ensure_ascii=False, separators=(",", ":"))
    return base64.b64encode(zlib.compress(text.encode(), 9)).decode()


def _wanted(dataset: Path, last: int) -> set[str]:
    """Identifiers of the questions of the slots up to the last."""
    wanted: set[str] = set()
    for question in read_lines(dataset / QUESTIONS, Question):
        if question.slot > last:
            break
        wanted.add(question.id)
    return wanted


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


def _all_answers(evaluations: Sequence[Evaluation], wanted: set[str]) -> list[dict[str, _Given]]:
    """Every subject's answers by question; the more there are, the shorter the replies."""
    total = sum(len(wanted) * one.metrics.config.permutations for one in evaluations)
    longest = max(_SHORTEST_REPLY, min(_LONGEST_REPLY, _ALL_REPLIES // max(1, total)))
    return [_answers(one, wanted, longest) for one in evaluations]


def _answers(evaluation: Evaluation, wanted: set[str], longest: int) -> dict[str, _Given]:
    found: dict[str, _Given] = {}
    for answer in evaluation.answers:
        if answer.question_id in wanted:
            given = found.setdefault(answer.question_id, _Given())
            given.letters += answer.answer or _UNREAD.get(answer.outcome, "?")
            given.flags |= _FLAGS[answer.outcome]
            given.replies.append(_said(answer, longest))
    return found


def _said(answer: Answer, longest: int) -> str:
    """What was replied, where that is more than the letter: its beginning and its end."""
    text = answer.reason or "" if answer.outcome == "error" else answer.reply
    if text.strip() == answer.shown:
        return ""
    head = longest // 3
    return text if len(text) <= longest else f"{text[:head]} […] {text[-(longest - head) :]}"


def _entry(dialogue: Dialogue, questions: Sequence[Question], given: Sequence[dict[str, _Given]]) -> Json:
    """What the list shows and the filters read: of a question type, state and a digit of flags a subject."""
    context = dialogue.scenario.context
    return {
        "id": dialogue.id,
        "domain": dialogue.domain,
        "agents": [agent.name for agent in dialogue.scenario.agents],
        "context": context if len(context) <= _EXCERPT else f"{context[: _EXCERPT - 1].rstrip()}…",
        "questions": [
            [
                _TYPES.index(question.type),
                _STATES.index(question.mental_state),
                "".join(f"{answers[question.id].flags:x}" if question.id in answers else "0" for answers in given),
            ]
            for question in questions
        ],
    }


def _whole(dialogue: Dialogue, questions: Sequence[Question], given: Sequence[dict[str, _Given]]) -> Json:
    scenario = dialogue.scenario
    return {
        "context": scenario.context,
        "agents": [
            {"name": agent.name, "role": agent.role, "goal": agent.goal, "knows": agent.private_info}
            for agent in scenario.agents
        ],
        "topics": {topic.id: topic.label for topic in scenario.topics},
        "updates": [
            {
                "turn": update.turn,
                "agent": update.agent,
                "topic": update.topic,
                "old": update.old,
                "new": update.new,
                "trigger": update.trigger.value,
            }
            for update in scenario.updates
        ],
        "turns": [_turn(turn) for turn in dialogue.turns],
        "beliefs": [_belief(belief) for belief in dialogue.beliefs],
        "questions": [_question(question, given) for question in questions],
    }


def _turn(turn: Turn) -> Json:
    return {
        "index": turn.index,
        "speaker": turn.speaker,
        "said": turn.utterance,
        "thoughts": [_thought(thought) for thought in turn.inner_speech],
    }


def _thought(thought: InnerSpeech) -> Json:
    return {"state": thought.mental_state.value, "order": thought.order, "text": thought.text}


def _belief(belief: BeliefRecord) -> Json:
    return {
        "holder": belief.holder,
        "about": belief.about,
        "order": belief.order,
        "state": belief.mental_state.value,
        "topic": belief.topic,
        "content": belief.content,
        "from": belief.source_turn,
        "to": belief.superseded_at,
    }


def _question(question: Question, given: Sequence[dict[str, _Given]]) -> Json:
    answers = [subject.get(question.id, _Given()) for subject in given]
    return {
        "id": question.id,
        "text": question.question,
        "options": [question.options[letter] for letter in sorted(question.options)],
        "roles": [question.option_roles[letter].value for letter in sorted(question.options)],
        "gold": question.answer,
        "evidence": question.evidence,
        "answers": [answer.letters for answer in answers],
    }


def _replies(questions: Sequence[Question], given: Sequence[dict[str, _Given]]) -> list[list[list[str]]]:
    """By question and subject, what was replied to each rotation; nothing where that is no more than a letter."""
    return [
        [said if any(said := subject.get(question.id, _Given()).replies) else [] for subject in given]
        for question in questions
    ]
