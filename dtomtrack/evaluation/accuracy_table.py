"""Several subjects in one table: the accuracy of each by type of question, with its interval; as CSV, and for LaTeX."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from dtomtrack.errors import InputError, WriteError
from dtomtrack.evaluation.records import Group, Interval, Metrics
from dtomtrack.files import is_something_else
from dtomtrack.runs.files import write_atomically

__all__ = ["FORMS", "AccuracyTable", "accuracy_table", "as_csv", "as_latex", "check_table_file", "write_table"]

_TYPE = "type"
_ALL, _MEAN = "all", "mean of the types"
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""What a cell that a spreadsheet takes for a formula begins with."""
_SPECIAL = re.compile(r"[&%$#_{}~^\\]")
_IN_LATEX = {"~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "\\": r"\textbackslash{}"}
_FIELDS = ("subject", "type", "answers", "dialogues", "accuracy", "low", "high", "chance", "unparsed", "errors")


@dataclass(frozen=True)
class AccuracyTable:
    """Accuracies by subject and type.

    Attributes:
        columns: the types in their order, then all answers and, where there are several types, their mean; a type that
            is called as one of these two stands in quotation marks.
        rows: by subject and column, the accuracies.
        groups: by subject and column, what they are taken over; a mean has none.
        mean_chances: by subject, what guessing gets of the mean.
    """

    columns: tuple[str, ...]
    rows: Mapping[str, Mapping[str, Interval]]
    groups: Mapping[str, Mapping[str, Group]]
    mean_chances: Mapping[str, float | None]


def accuracy_table(found: Mapping[str, Metrics]) -> AccuracyTable:
    """The table of these metrics, which are by the names of their subjects."""
    types = dict.fromkeys(_column(group.name) for one in found.values() for group in one.groups.get(_TYPE, ()))
    groups = {name: _groups(one) for name, one in found.items()}
    rows = {
        name: {**{column: group.accuracy for column, group in groups[name].items()}, _MEAN: one.macro}
        for name, one in found.items()
    }
    chances = {name: one.macro_chance for name, one in found.items()}
    return AccuracyTable((*types, _ALL, *([_MEAN] if len(types) > 1 else [])), rows, groups, chances)


def _groups(one: Metrics) -> dict[str, Group]:
    return {**{_column(group.name): group for group in one.groups.get(_TYPE, ())}, _ALL: one.micro}


def _column(name: str) -> str:
    """A type's name, in quotation marks where it would be taken for all types together."""
    return repr(name) if name.strip("'\"\\") in {_ALL, _MEAN} else name


def as_csv(table: AccuracyTable) -> str:
    """A line for each subject and type; shares from 0 to 1, empty where nothing is known.

    Names that a spreadsheet would take for a formula stand behind an apostrophe.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(_FIELDS)
    writer.writerows(_lines(table))
    return text.getvalue()


def _lines(table: AccuracyTable) -> Iterator[tuple[object, ...]]:
    for subject, groups in table.groups.items():
        for column in table.columns:
            group = groups.get(column)
            share = table.rows[subject].get(column)
            if share is None:
                continue
            ends = (share.value, share.low, share.high)
            names = (_no_formula(subject), _no_formula(column))
            if group is None:
                yield (*names, "", "", *ends, table.mean_chances[subject], "", "")
            else:
                counts = (group.items, group.dialogues)
                yield (*names, *counts, *ends, group.chance, group.unparsed, group.errors)


def _no_formula(name: str) -> str:
    return f"'{name}" if name.startswith(_FORMULA) else name


_COMMENT = "% 95 % intervals clustered by dialogue; needs \\usepackage{booktabs}"


def as_latex(table: AccuracyTable) -> str:
    """A ``tabular`` for the package booktabs: a row for each subject, per cent with the 95 % interval below."""
    heading = " & ".join(["", *(_latex(column.replace("_", " ")) for column in table.columns)])
    lines = [
        _COMMENT,
        f"\\begin{{tabular}}{{l{'r' * len(table.columns)}}}",
        "\\toprule",
        f"{heading} \\\\",
        "\\midrule",
    ]
    for subject, shares in table.rows.items():
        known = [shares.get(column) for column in table.columns]
        lines.append(" & ".join([_latex(subject), *(_value(one) for one in known)]) + r" \\")
        lines.append(" & ".join(["", *(_bounds(one) for one in known)]) + r" \\")
    return "\n".join([*lines, "\\bottomrule", "\\end{tabular}", ""])


def _latex(text: str) -> str:
    return _SPECIAL.sub(lambda found: _IN_LATEX.get(found[0], f"\\{found[0]}"), text)


def _value(share: Interval | None) -> str:
    return "--" if share is None or share.value is None else f"{100 * share.value:.1f}"


def _bounds(share: Interval | None) -> str:
    if share is None or share.low is None or share.high is None:
        return ""
    return f"{{\\scriptsize [{100 * share.low:.1f}, {100 * share.high:.1f}]}}"


FORMS = {".csv": as_csv, ".tex": as_latex}
"""The forms of a table by the endings of its file."""
_BEGINNINGS = {".csv": "subject,type,", ".tex": _COMMENT}


def check_table_file(path: Path) -> None:
    """See that a table can be written in the form that a file's ending asks for, and that nothing else is there.

    Raises:
        InputError: there is no such form, or somebody else's file.
    """
    if path.suffix.lower() not in FORMS:
        raise InputError(f"{path}: a table is written as {' or '.join(FORMS)}; let the name end so")
    if is_something_else(path, _BEGINNINGS[path.suffix.lower()]):
        raise InputError(f"{path}: is there already, and is no table of accuracies; name another file")


def write_table(table: AccuracyTable, path: Path) -> None:
    """Write a table in the form that the file's ending asks for.

    Raises:
        InputError: there is no such form.
        WriteError: it can't be written.
    """
    check_table_file(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, FORMS[path.suffix.lower()](table))
    except OSError as error:
        raise WriteError(f"{path}: can't be written ({error.strerror}); choose another file") from error
