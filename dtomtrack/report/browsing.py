"""The dialogues of a dataset for the page's browser: an overview that is filtered, and chunks that are shown.

The overview is small and read at once. A chunk holds what a few dialogues are made of; the page reads it when one of
them is opened, or when somebody searches. What subjects replied, which may be long, is in chunks of its own. Everything
is JSON; the script of the page is the only other one that knows these keys.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from dtomtrack.evaluation.metrics import TYPE
from dtomtrack.items.letters import letters_of
from dtomtrack.report.evaluations import Evaluation
from dtomtrack.report.given import Given, all_answers
from dtomtrack.report.groupings import grouping_label, in_order, label_of
from dtomtrack.report.presentation import DrawsDialogues, ReportedSuite
from dtomtrack.report.shown import Person, ShownDialogue, ShownItem, ShownLine, Span, Track

__all__ = ["CHUNK", "MANY", "Browsing", "as_script", "browsing"]

CHUNK = 20
"""Dialogues in a chunk."""
MANY = 2_000
"""Of more dialogues than these, those that are shown are drawn."""
_OF_ANSWERS = ("Model", "Answer", "Search")
"""Filters of every page, by whose names an address sets them."""
_MOST_VALUES = 200
"""Groupings with more groups can't be filtered by: nobody looks through such a list."""

Json = dict[str, object]
_Answers = Sequence[Mapping[str, Given]]
_Values = Mapping[str, Mapping[str, int]]
"""By grouping that can be filtered by, the number of each of its groups."""


@dataclass
class Browsing:
    """The data that the page's browser reads.

    Attributes:
        overview: names, and of each dialogue and question what is filtered by.
        chunks: dialogues, compressed, as text; and what was replied to their questions.
        filters: what the groupings are called that can be filtered by, as many as the overview has, each with
            a sentence on what it says, or an empty one.
        total: how many dialogues there are, of which ``dialogues`` are shown.
        drawn: whether the dialogues are drawn at random, and not the first.
    """

    overview: Json
    chunks: list[tuple[str, str]] = field(default_factory=list)
    filters: tuple[tuple[str, str], ...] = ()
    dialogues: int = 0
    questions: int = 0
    total: int = 0
    drawn: bool = False


def browsing(
    suite: ReportedSuite, dataset: Path, evaluations: Sequence[Evaluation], limit: int, total: int
) -> Browsing:
    """The first so many dialogues of a dataset with their questions and every subject's answers; of many, drawn ones.

    Args:
        total: how many dialogues there are.

    Raises:
        DatasetError: a line of the dataset or of an evaluation is damaged.
    """
    draws = suite if isinstance(suite, DrawsDialogues) and total > max(limit, MANY) else None
    shown = list(draws.drawn_dialogues(dataset, limit) if draws is not None else suite.dialogues(dataset, limit))
    given = all_answers(evaluations, {one.item.id for dialogue in shown for one in dialogue.items})
    values = _values(suite, shown)
    labels = _filter_labels(values)
    overview: Json = {
        "groupings": [
            {"label": labels[name], "groups": [label_of(suite, name, group) for group in numbers]}
            for name, numbers in values.items()
        ],
        "roles": dict(suite.role_labels),
        "words": _words(suite),
        "subjects": [{"label": one.label, "short": one.short, "model": one.is_model} for one in evaluations],
        "chunk": CHUNK,
        "total": total,
        "dialogues": [_entry(dialogue, values, given) for dialogue in shown],
    }
    return Browsing(
        overview,
        [_chunk(shown[start : start + CHUNK], given) for start in range(0, len(shown), CHUNK)],
        tuple((labels[name], suite.legend.get(name, "")) for name in values),
        len(shown),
        sum(len(dialogue.items) for dialogue in shown),
        total,
        draws is not None,
    )


def as_script(value: object) -> str:
    """JSON that can stand inside a script element: nothing in it ends the element, opens a comment or a line."""
    text = json.dumps(value, ensure_ascii=True, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


# -- the overview ----------------------------------------------------------------------------------------------------


def _values(suite: ReportedSuite, shown: Sequence[ShownDialogue]) -> _Values:
    """The groupings that tell items apart, that by type first."""
    found: dict[str, set[str]] = {}
    for dialogue in shown:
        for one in dialogue.items:
            for name, group in one.item.groups.items():
                found.setdefault(name, set()).add(group)
    names = sorted(found, key=lambda name: name != TYPE)
    told = [name for name in names if 1 < len(found[name]) <= _MOST_VALUES or name == TYPE]
    return {name: {group: number for number, group in enumerate(in_order(suite, name, found[name]))} for name in told}


def _filter_labels(names: Iterable[str]) -> Mapping[str, str]:
    """What groupings are called, each otherwise than any other filter of the page."""
    found: dict[str, str] = {}
    for name in names:
        label = grouping_label(name)
        while label in _OF_ANSWERS or label in found.values():
            label = f"{label} (grouping)"
        found[name] = label
    return found


def _words(suite: ReportedSuite) -> Json:
    words = suite.words
    return {
        "asides": words.asides,
        "people": words.people,
        "tracks": words.tracks,
        "tracksNote": words.tracks_note,
        "kinds": words.kinds,
    }


def _entry(dialogue: ShownDialogue, values: _Values, given: _Answers) -> Json:
    """A dialogue as the list and the filters read it: of a question its groups, and a digit of flags a subject."""
    return {
        "id": dialogue.id,
        "title": dialogue.title,
        "tags": dialogue.tags,
        "excerpt": dialogue.excerpt,
        "questions": [
            [
                [numbers.get(one.item.groups.get(name, ""), -1) for name, numbers in values.items()],
                "".join(f"{answers[one.item.id].flags:x}" if one.item.id in answers else "0" for answers in given),
            ]
            for one in dialogue.items
        ],
    }


# -- the chunks ------------------------------------------------------------------------------------------------------


def _chunk(dialogues: Sequence[ShownDialogue], given: _Answers) -> tuple[str, str]:
    whole = [_whole(one, given) for one in dialogues]
    replies = [[_replies(item, given) for item in one.items] for one in dialogues]
    return _compressed(whole), _compressed(replies)


def _compressed(chunk: object) -> str:
    text = json.dumps(chunk, ensure_ascii=False, separators=(",", ":"))
    return base64.b64encode(zlib.compress(text.encode(), 9)).decode()


def _whole(dialogue: ShownDialogue, given: _Answers) -> Json:
    return {
        "introduction": dialogue.introduction,
        "people": [_person(person) for person in dialogue.people],
        "lines": [_line(line) for line in dialogue.lines],
        "tracks": [_track(track) for track in dialogue.tracks],
        "questions": [_question(one, given) for one in dialogue.items],
    }


def _person(person: Person) -> Json:
    return {"name": person.name, "text": person.text, "facts": person.facts}


def _line(line: ShownLine) -> Json:
    return {
        "speaker": line.speaker,
        "text": line.text,
        "note": line.note,
        "heard": line.heard,
        "before": line.before,
        "asides": [{"kind": aside.kind, "text": aside.text} for aside in line.asides],
    }


def _track(track: Track) -> Json:
    return {"holder": track.holder, "about": track.about, "spans": [_span(span) for span in track.spans]}


def _span(span: Span) -> Json:
    return {"text": span.text, "from": span.start, "to": span.end, "kind": span.kind, "warning": span.warning}


def _question(one: ShownItem, given: _Answers) -> Json:
    item = one.item
    return {
        "id": item.id,
        "text": item.question,
        "options": item.options,
        "roles": item.roles,
        "gold": letters_of(item.gold),
        "several": item.select == "any",
        "evidence": one.evidence,
        "seen": one.seen,
        "lines": [_line(line) for line in one.lines],
        "answers": [" ".join(answers[item.id].chosen) if item.id in answers else "" for answers in given],
    }


def _replies(one: ShownItem, given: _Answers) -> list[list[str]]:
    """By subject, what was replied to each asking; nothing where that is no more than a letter."""
    said = [answers[one.item.id].replies if one.item.id in answers else [] for answers in given]
    return [replies if any(replies) else [] for replies in said]
