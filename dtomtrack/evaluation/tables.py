"""Results as tables of pandas or Arrow: a row a number, or a row an answer.

A table of metrics has the columns

    evaluation                                        its folder's name, which says what was asked otherwise
    subject, prompt, context, mode, permutations      who was asked, and how
    by, name                                          "type" and "temporal", say; or "overall" and micro, macro, or the
                                                      name of a further figure
    items, dialogues                                  what the value is taken over
    count                                             how many count: right answers, intrusions, whole trajectories
    value, low, high                                  with its 95 % interval
    unparsed, errors                                  share that could not be read; answers that failed
    chance                                            the value by guessing, or what else a figure is held against
    p_value                                           against that, or against 0

and a table of answers those of ``ANSWER_COLUMNS``, and one for each grouping of the items, as ``group_NAME`` if it is
called as one of them. Where a column does not apply it is empty.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

from dtomtrack.errors import DatasetError, InputError
from dtomtrack.evaluation.records import Answer, Group, Interval, Measure, Metrics
from dtomtrack.items.item import Item
from dtomtrack.items.letters import letters_of, position_of

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

__all__ = ["ANSWER_COLUMNS", "COLUMNS", "answers_to_arrow", "answers_to_frame", "to_arrow", "to_frame"]

Cell: TypeAlias = str | int | float | bool | None
Row: TypeAlias = dict[str, Cell]

COLUMNS: Mapping[str, type] = {
    "evaluation": str,
    "subject": str,
    "prompt": str,
    "context": str,
    "mode": str,
    "permutations": int,
    "by": str,
    "name": str,
    "items": int,
    "dialogues": int,
    "count": int,
    "value": float,
    "low": float,
    "high": float,
    "unparsed": float,
    "errors": int,
    "chance": float,
    "p_value": float,
}
ANSWER_COLUMNS: Mapping[str, type] = {
    "subject": str,
    "question_id": str,
    "dialogue_id": str,
    "rotation": int,
    "repeat": int,
    "outcome": str,
    "correct": bool,
    "answer": str,
    "shown": str,
    "finish": str,
    "role": str,
    "reason": str,
    "question": str,
    "gold": str,
    "gold_text": str,
    "select": str,
    "turn": int,
}
"""``correct`` is empty where the call failed; ``role`` is of the chosen option; ``gold`` are letters."""
_OF_ANSWER = {"question_id", "dialogue_id", "rotation", "repeat", "outcome", "answer", "shown", "finish", "reason"}


def to_frame(metrics: Mapping[str, Metrics]) -> pd.DataFrame:
    """Metrics, by the names of their evaluations, as a pandas table.

    Raises:
        InputError: an extra is missing.
    """
    return _frame(_rows(metrics), COLUMNS)


def to_arrow(metrics: Mapping[str, Metrics]) -> pa.Table:
    """Metrics, by the names of their evaluations, as an Arrow table.

    Raises:
        InputError: an extra is missing.
    """
    return _arrow(_rows(metrics), COLUMNS)


def answers_to_frame(items: Iterable[Item], answers: Iterable[Answer], subject: str = "") -> pd.DataFrame:
    """Answers with their items, as a pandas table.

    Raises:
        DatasetError: an answer is to none of the items.
        InputError: an extra is missing.
    """
    return _frame(*_answer_table(items, answers, subject))


def answers_to_arrow(items: Iterable[Item], answers: Iterable[Answer], subject: str = "") -> pa.Table:
    """Answers with their items, as an Arrow table.

    Raises:
        DatasetError: an answer is to none of the items.
        InputError: an extra is missing.
    """
    return _arrow(*_answer_table(items, answers, subject))


# -- rows ------------------------------------------------------------------------------------------------------------


def _rows(metrics: Mapping[str, Metrics]) -> Iterator[Row]:
    for name, one in metrics.items():
        asked: Row = {
            "evaluation": name,
            "subject": one.config.subject,
            "prompt": one.config.prompt,
            "context": one.config.context,
            "mode": one.config.mode,
            "permutations": one.config.permutations,
        }
        yield from (asked | {"by": "overall"} | row for row in _overall(one))
        yield from (asked | {"by": by} | _of_group(group) for by, groups in one.groups.items() for group in groups)


def _overall(one: Metrics) -> Iterator[Row]:
    micro = one.micro
    yield _of_group(micro)
    yield _row("macro", one.macro, items=micro.items, dialogues=micro.dialogues, chance=one.macro_chance)
    yield from map(_of_measure, one.further)


def _of_measure(one: Measure) -> Row:
    reference = None if one.reference is None else one.reference.value
    cells: Row = {"items": one.items, "dialogues": one.dialogues, "count": one.count, "chance": reference}
    return _row(one.name, one.estimate, **cells, p_value=one.p_value)


def _of_group(group: Group) -> Row:
    return _row(
        group.name,
        group.accuracy,
        items=group.items,
        dialogues=group.dialogues,
        count=group.correct,
        unparsed=group.unparsed,
        errors=group.errors,
        chance=group.chance,
    )


def _row(name: str, interval: Interval, **cells: Cell) -> Row:
    return {"name": name, "value": interval.value, "low": interval.low, "high": interval.high, **cells}


def _answer_table(
    items: Iterable[Item], answers: Iterable[Answer], subject: str
) -> tuple[Iterator[Row], Mapping[str, type]]:
    """Rows of answers, and their columns, one for each grouping of the items among them."""
    known = {one.id: one for one in items}
    groups = _group_columns(known)
    return _answer_rows(known, groups, answers, subject), {**ANSWER_COLUMNS, **dict.fromkeys(groups.values(), str)}


def _group_columns(known: Mapping[str, Item]) -> Mapping[str, str]:
    """The columns of these items' groupings, by their names."""
    found: dict[str, str] = {}
    for name in dict.fromkeys(name for item in known.values() for name in item.groups):
        column = name
        while column in ANSWER_COLUMNS or column in found.values():
            column = f"group_{column}"
        found[name] = column
    return found


def _answer_rows(
    known: Mapping[str, Item], groups: Mapping[str, str], answers: Iterable[Answer], subject: str
) -> Iterator[Row]:
    for answer in answers:
        item = known.get(answer.question_id)
        if item is None:
            raise DatasetError(f"there is an answer to {answer.question_id}, which is not among the questions")
        chosen = [position_of(letter) for letter in answer.answer or ""]
        gold = sorted(item.gold)
        yield {
            **{groups[name]: group for name, group in item.groups.items()},
            **answer.model_dump(include=_OF_ANSWER),
            "subject": subject,
            "correct": None if answer.outcome == "error" else answer.outcome == "correct",
            "role": ", ".join(item.roles[position] for position in chosen) or None if item.roles else None,
            "question": item.question,
            "gold": letters_of(gold),
            "gold_text": "; ".join(item.options[position] for position in gold),
            "select": item.select,
            "turn": item.turn,
        }


# -- libraries -------------------------------------------------------------------------------------------------------


def _frame(rows: Iterable[Row], columns: Mapping[str, type]) -> pd.DataFrame:
    try:
        import pandas as pd
    except ImportError:
        raise InputError("a pandas table needs an extra: pip install 'dtomtrack[evaluate]'") from None
    kinds = {str: "string", int: "Int64", float: "float64", bool: "boolean"}
    table = _columns(rows, columns)
    return pd.DataFrame({name: pd.Series(table[name], dtype=kinds[kind]) for name, kind in columns.items()})


def _arrow(rows: Iterable[Row], columns: Mapping[str, type]) -> pa.Table:
    try:
        import pyarrow as pa
    except ImportError:
        raise InputError("an Arrow table needs an extra: pip install 'dtomtrack[parquet]'") from None
    kinds = {str: pa.string(), int: pa.int64(), float: pa.float64(), bool: pa.bool_()}
    schema = pa.schema([(name, kinds[kind]) for name, kind in columns.items()])
    return pa.table(_columns(rows, columns), schema=schema)


def _columns(rows: Iterable[Row], columns: Mapping[str, type]) -> dict[str, Sequence[object]]:
    table: dict[str, list[object]] = {name: [] for name in columns}
    for row in rows:
        for name, values in table.items():
            values.append(row.get(name))
    return dict(table)
