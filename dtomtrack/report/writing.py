"""Writing a report into the folder of a dataset."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from dtomtrack.errors import InputError, WriteError
from dtomtrack.report.audit_table import AuditTable, audit_table
from dtomtrack.report.browsing import browsing
from dtomtrack.report.evaluations import read_evaluations
from dtomtrack.report.figures import draw_figures
from dtomtrack.report.page import Contents, page
from dtomtrack.runs.folder import open_dataset, write_atomically

__all__ = ["DIALOGUES_SHOWN", "Report", "report"]

DIALOGUES_SHOWN = 500
"""Dialogues in the page's browser: more make it slow to open."""


@dataclass(frozen=True)
class Report:
    """What was written.

    Attributes:
        page: the HTML file.
        figures: the image files.
        subjects: whose answers it shows.
        unfinished: folders of evaluations that have no metrics yet, which it leaves out.
        dialogues: how many of them can be looked at in the page.
    """

    page: Path
    figures: tuple[Path, ...]
    subjects: tuple[str, ...]
    unfinished: tuple[str, ...]
    dialogues: int


def report(folder: str | os.PathLike[str], *, audit: bool = True, dialogues: int = DIALOGUES_SHOWN) -> Report:
    """Write figures and a page on a dataset and its evaluations to ``FOLDER/report``.

    Args:
        folder: a finished dataset.
        audit: whether to audit it first, and show what was found.
        dialogues: how many dialogues, from the first, can be looked at in the page.

    Raises:
        InputError: the folder is no finished dataset, an evaluation is damaged or of other questions, or an extra is
            missing.
        WriteError: the report can't be written.
    """
    if dialogues < 1:
        raise InputError(f"dialogues is {dialogues}; it has to be 1 or more")
    dataset = Path(folder)
    with open_dataset(dataset) as manifest:
        evaluations, unfinished = read_evaluations(dataset)
        figures = draw_figures(evaluations)
        found: AuditTable | None = audit_table(dataset) if audit else None
        shown = browsing(dataset, evaluations, dialogues)
        text = page(Contents(manifest, evaluations, unfinished, figures, found, shown))
        out = dataset / "report"
        try:
            out.mkdir(exist_ok=True)
            for drawing in figures:
                write_atomically(out / f"{drawing.name}.svg", drawing.svg)
                _write_bytes(out / f"{drawing.name}.png", drawing.png)
            write_atomically(out / "report.html", text)
        except OSError as error:
            raise WriteError(f"{error.filename or out}: can't be written ({error.strerror})") from error
    return Report(
        page=out / "report.html",
        figures=tuple(out / f"{drawing.name}.{form}" for drawing in figures for form in ("svg", "png")),
        subjects=tuple(one.label for one in evaluations),
        unfinished=tuple(unfinished),
        dialogues=shown.dialogues,
    )


def _write_bytes(path: Path, data: bytes) -> None:
    draft = path.with_name(f".{path.name}.draft")
    draft.write_bytes(data)
    draft.replace(path)
