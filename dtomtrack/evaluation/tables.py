"""Results as tables of pandas or Arrow: a row a number, or a row an answer.

A table of metrics has the columns

    subject, prompt, context, mode, permutations      who was asked, and how
    by, name                                          "type" and "temporal", say; or "overall" and one of micro, macro,
                                                      gap, intrusion, trajectory, balanced
    items, dialogues                                  what the value is taken over
    count                                             what was counted: right answers, intrusions, whole trajectories
    value, low, high                                  with its 95 % interval
    unparsed, errors                                  share that could not be read; answers that failed
    chance                                            the value by guessing; of trajectories, by independent errors
    p_value                                           of the gap against 0, of intrusions against chance

and a table of answers those of ``ANSWER_COLUMNS``. Where a column does not apply it is empty.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

from dtomtrack.beliefs.question import Question
from dtomtrack.errors import DatasetError, InputError
from dtomtrack.evaluation.records import Answer, Group, Interval, Metrics

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

__all__ = ["ANSWER_COLUMNS", "COLUMNS", "answers_to_arrow", "answers_to_frame", "to_arrow", "to_frame"]

Cell: TypeAlias = str | int | float | bool | None
Row: TypeAlias = dict[str, Cell]

COLUMNS: Mapping[str, type] = {
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
    "outcome": str,
    "correct": bool,
    "answer": str,
    "shown": str,
    "finish": str,
    "role": str,
    "reason": str,
    "generator": str,
    "type": str,
    "mental_state": str,
    "order": int,
    "agent": str,
    "about": str,
    "topic": str,
    "turn": int,
    "question": str,
    "gold": str,
    "gold_text": str,
    "asks": str,
    "updates": int,
    "changes": int,
    "lag": int,
    "corrected": bool,
    "marker": str,
    "names_old": bool,
    "trigger": str,
}
"""``correct`` is empty where the call failed; ``role`` is that of the chosen option; ``gold`` is a letter."""
_OF_ANSWER = {"question_id", "dialogue_id", "rotation", "outcome", "answer", "shown", "finish", "reason"}
_OF_QUESTION = {"generator", "type", "mental_state", "order", "agent", "about", "topic", "turn", "question"}


def to_frame(metrics: Iterable[Metrics]) -> pd.DataFrame:
    """Metrics as a pandas table.

    Raises:
        InputError: an extra is missing.
    """
    return _frame(_rows(metrics), COLUMNS)


def to_arrow(metrics: Iterable[Metrics]) -> pa.Table:
    """Metrics as an Arrow table.

    Raises:
        InputError: an extra is missing.
    """
    return _arrow(_rows(metrics), COLUMNS)


def answers_to_frame(questions: Iterable[Question], answers: Iterable[Answer], subject: str = "") -> pd.DataFrame:
    """Answers with what is known of their questions, as a pandas table.

    Raises:
        DatasetError: an answer is to none of the questions.
        InputError: an extra is missing.
    """
    return _frame(_answer_rows(questions, answers, subject), ANSWER_COLUMNS)


def answers_to_arrow(questions: Iterable[Question], answers: Iterable[Answer], subject: str = "") -> pa.Table:
    """Answers with what is known of their questions, as an Arrow table.

    Raises:
        DatasetError: an answer is to none of the questions.
        InputError: an extra is missing.
    """
    return _arrow(_answer_rows(questions, answers, subject), ANSWER_COLUMNS)


# -- rows ------------------------------------------------------------------------------------------------------------


def _rows(metrics: Iterable[Metrics]) -> Iterator[Row]:
    for one in metrics:
        asked: Row = {
            "subject": one.config.subject,
            "prompt": one.config.prompt,
            "context": one.config.context,
            "mode": one.config.mode,
            "permutations": one.config.permutations,
        }
        yield from (asked | {"by": "overall"} | row for row in _overall(one))
        yield from (asked | {"by": by} | _of_group(group) for by, groups in one.groups.items() for group in groups)


def _overall(one: Metrics) -> Iterator[Row]:
    micro, gap, wrong, updates = one.micro, one.gap, one.intrusion, one.trajectory
    yield _of_group(micro)
    yield _row("macro", one.macro, items=micro.items, dialogues=micro.dialogues, chance=micro.chance)
    yield _row("gap", gap.gap, items=gap.pairs, dialogues=gap.dialogues, p_value=gap.p_value)
    yield _row(
        "intrusion", wrong.rate, items=wrong.wrong, count=wrong.intrusions, chance=wrong.chance, p_value=wrong.p_value
    )
    yield _row("trajectory", updates.rate, items=updates.updates, count=updates.whole, chance=updates.independent)
    if one.balanced is not None:
        yield _row("balanced", one.balanced)


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


def _answer_rows(questions: Iterable[Question], answers: Iterable[Answer], subject: str) -> Iterator[Row]:
    known = {one.id: one for one in questions}
    for answer in answers:
        question = known.get(answer.question_id)
        if question is None:
            raise DatasetError(f"there is an answer to {answer.question_id}, which is not among the questions")
        role = question.option_roles[answer.answer].value if answer.answer else None
        correct = None if answer.outcome == "error" else answer.outcome == "correct"
        found: Row = {"subject": subject, "correct": correct, "role": role}
        asked: Row = {**question.factors.model_dump(), "gold": question.answer, "gold_text": question.gold}
        yield (
            question.model_dump(mode="json", include=_OF_QUESTION)
            | answer.model_dump(include=_OF_ANSWER)
            | asked
            | found
        )


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
