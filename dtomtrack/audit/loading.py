"""From a dataset folder, a file or records to items."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from dtomtrack.audit.files import Fields, read_records
from dtomtrack.audit.golds import GoldForm, RawItem, gold_form
from dtomtrack.audit.items import MOST_OPTIONS, Item, letter, normalized, printable, turn_in
from dtomtrack.audit.mapping import FieldMap, field_map, flat, looked_up, options_of, text_of
from dtomtrack.audit.problems import Faults
from dtomtrack.audit.records import ALL, Problem
from dtomtrack.beliefs.dialogue import Dialogue
from dtomtrack.beliefs.question import LETTERS, Question
from dtomtrack.errors import DatasetError, InputError
from dtomtrack.runs.folder import MANIFEST, check_finished, read_manifest
from dtomtrack.runs.lines import read_lines

__all__ = ["Loaded", "load"]

_TURN = re.compile(r"\s*(?:turn\s*)?(\d{1,9})(?:\.0+)?\s*", re.IGNORECASE)


@dataclass(frozen=True)
class Loaded:
    """Items that can be audited, and what was wrong with the others or with their options."""

    source: str
    items: Sequence[Item]
    gold_form: str
    problems: tuple[Problem, ...] = ()
    notes: tuple[str, ...] = ()


def load(source: str | Path | Iterable[Mapping[str, object]], mapping: str | Mapping[str, str] | None = None) -> Loaded:
    """The items of a dataset folder, of a benchmark's file, or of records.

    Raises:
        InputError: they can't be read, or the mapping doesn't fit them.
    """
    if not isinstance(source, str | Path):
        return _from_records("records", [(f"record {number}", one) for number, one in enumerate(source, 1)], mapping)
    path = Path(source)
    if path.is_dir():
        if mapping:
            raise InputError(f"{path}: is a folder; --map is for the file of another benchmark")
        return _from_folder(path)
    if not path.exists():
        raise InputError(f"{path}: there is no such file or folder")
    return _from_records(str(path), list(read_records(path)), mapping)


def _from_folder(path: Path) -> Loaded:
    manifest = read_manifest(path)
    if manifest is None:
        raise DatasetError(f"{path}: holds no dataset (there is no {MANIFEST}); name one that generate made, or a file")
    check_finished(path, manifest)
    said = {
        dialogue.id: "\n".join(turn.utterance for turn in dialogue.turns)
        for dialogue in read_lines(path / "dialogues.jsonl", Dialogue)
    }
    items = [_from_question(question, said) for question in read_lines(path / "questions.jsonl", Question)]
    if not items:
        raise DatasetError(f"{path / 'questions.jsonl'}: holds no questions")
    return Loaded(str(path), items, "letter")


def _from_question(question: Question, said: Mapping[str, str]) -> Item:
    return Item(
        id=question.id,
        question=question.question,
        options=tuple(question.options[one] for one in LETTERS),
        gold=LETTERS.index(question.answer),
        group=question.type.value,
        cluster=question.dialogue_id,
        turn=turn_in(question.question),
        context=said.get(question.dialogue_id),
    )


def _from_records(
    source: str, records: Sequence[tuple[str, Fields]], mapping: str | Mapping[str, str] | None
) -> Loaded:
    if not records:
        raise InputError(f"{source}: holds no items")
    fields = field_map(mapping, [record for _, record in records])
    raw = [_raw(record, fields, place) for place, record in records]
    form = gold_form(raw, fields.gold)
    faults = Faults()
    items = list(_items(records, raw, fields, form, faults))
    if not items:
        raise InputError(
            f"{source}: no item has two options or more and a gold among them; is options the right field?"
        )
    return Loaded(source, items, form.words, tuple(faults.problems()), tuple(_notes(fields)))


def _raw(record: Fields, fields: FieldMap, place: str) -> RawItem:
    options, keys = options_of(record, fields.options, place)
    if len(options) > MOST_OPTIONS:
        raise InputError(f"{place}: has {len(options)} options; an audit takes up to {MOST_OPTIONS}")
    return RawItem(place, _without_labels(options), keys, flat(looked_up(record, fields.gold), place, "gold"))


def _without_labels(options: tuple[str, ...]) -> tuple[str, ...]:
    """Options without the "A) " in front of each, if each has its own."""
    bare = []
    for place, option in enumerate(options):
        found = re.fullmatch(rf"\s*\(?{letter(place)}\s?[).:]\s*(.*)", option, re.DOTALL)
        if found is None:
            return options
        bare.append(found[1])
    return tuple(bare)


def _items(
    records: Sequence[tuple[str, Fields]], raw: Sequence[RawItem], fields: FieldMap, form: GoldForm, faults: Faults
) -> Iterator[Item]:
    for (place, record), own in zip(records, raw, strict=True):
        name = _name(record, fields, place)
        gold = form.read(own)
        if any(not option.strip() for option in own.options):
            faults.note("empty options", name)
        texts = [normalized(option) for option in own.options if option.strip()]
        if len(set(texts)) < len(texts):
            faults.note("options that are the same", name)
        if len(own.options) < 2:
            faults.note("fewer than two options", name)
        elif gold is None:
            faults.note("gold that is no option", name)
        else:
            yield _item(record, fields, own, gold, name)


def _item(record: Fields, fields: FieldMap, own: RawItem, gold: int, name: str) -> Item:
    def part(field: str | None, what: str) -> str | None:
        return None if field is None else flat(looked_up(record, field), own.place, what)

    context = None if fields.context is None else text_of(looked_up(record, fields.context))
    question = text_of(looked_up(record, fields.question))
    group = part(fields.group, "group")
    return Item(
        id=name,
        question=question,
        options=own.options,
        gold=gold,
        group=None if fields.group is None else _group_name(group),
        cluster=part(fields.cluster, "cluster") or context or own.place,
        turn=_turn(part(fields.turn, "turn")) if fields.turn else turn_in(question),
        context=context,
    )


def _name(record: Fields, fields: FieldMap, place: str) -> str:
    found = None if fields.id is None else flat(looked_up(record, fields.id), place, "id")
    return printable(found or "") or printable(place.rpartition("/")[2])


def _group_name(group: str | None) -> str:
    shown = printable(group or "") or "(none)"
    return f"{shown!r}" if shown == ALL else shown


def _turn(text: str | None) -> int | None:
    found = _TURN.fullmatch(text or "")
    return int(found[1]) if found else None


def _notes(fields: FieldMap) -> Iterator[str]:
    if fields.cluster is None and fields.context is None:
        yield "neither cluster nor context is mapped: each item counts as independent of the others"
    elif fields.cluster is None:
        yield "no cluster is mapped: items with the same context count as dependent"
    if fields.context is None:
        yield "no context is mapped: overlap with it is not measured"
