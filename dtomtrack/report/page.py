"""The page: one HTML file that needs nothing else, and that runs nothing but its own script."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from typing import TYPE_CHECKING

from dtomtrack.report.audit_table import AuditTable
from dtomtrack.report.browsing import Browsing, as_script
from dtomtrack.report.drawing import Drawing
from dtomtrack.report.evaluations import KINDS, Evaluation
from dtomtrack.report.inline_svg import inline_svg
from dtomtrack.report.old_files import dataset_mark
from dtomtrack.report.paper_tables import PaperTable
from dtomtrack.report.plays import Plays
from dtomtrack.report.presentation import Head
from dtomtrack.report.sections import SuiteSection
from dtomtrack.report.tables import Row
from dtomtrack.runs.manifest import Manifest

if TYPE_CHECKING:
    from markupsafe import Markup

__all__ = ["Contents", "Section", "Tables", "page"]


@dataclass(frozen=True)
class Section:
    """The table of a grouping, with a sentence on what it says and a figure where there is one."""

    label: str
    words: str
    rows: Sequence[Row]
    drawing: Drawing | None


@dataclass(frozen=True)
class Tables:
    """The tables of results.

    Attributes:
        summary: the headline in a sentence or two.
        headline: accuracies; ``further``: the measures; ``parts``: what they are made from; ``asked``: how subjects
            were asked. Their rows are the columns of the page's tables.
        cut: how many types the accuracies are of, where that is not all of them.
        differences: of every two subjects.
        sections: a table for each grouping but that of the headline.
        of_paper: those that are laid out as the paper's.
    """

    summary: str
    headline: Sequence[Row]
    cut: str
    further: Sequence[Row]
    parts: Sequence[Row]
    asked: Sequence[Row]
    differences: Sequence[Row]
    sections: Sequence[Section]
    legend: Mapping[str, str]
    has_sets: bool
    of_paper: Sequence[PaperTable]
    subsets: Mapping[str, int]


@dataclass(frozen=True)
class Contents:
    """The contents of a page; without an evaluation there are no tables."""

    manifest: Manifest
    head: Head
    sections: Sequence[SuiteSection]
    evaluations: Sequence[Evaluation]
    unfinished: Sequence[str]
    figures: Sequence[Drawing]
    tables: Tables | None
    audit: AuditTable | None
    browsing: Browsing
    plays: Sequence[Plays] = ()


def page(contents: Contents, beside: Sequence[str]) -> str:
    """The HTML. Text of the dataset and of models is escaped or JSON; the policy lets no other script run.

    Args:
        beside: names of the files that go with it.
    """
    # imported late: only a report needs it
    from jinja2 import Environment, StrictUndefined
    from markupsafe import Markup

    style, script = _file("report.css"), _file("report.js")
    environment = Environment(undefined=StrictUndefined, autoescape=True, trim_blocks=True, lstrip_blocks=True)
    environment.filters["inline_svg"] = _inline
    return environment.from_string(_file("report.html.jinja")).render(
        contents=contents,
        beside=" ".join(beside),
        mark=dataset_mark(contents.manifest),
        manifest=contents.manifest,
        tables=contents.tables,
        kinds=KINDS,
        overview=Markup(as_script(contents.browsing.overview)),  # noqa: S704  escaped for a script element
        style=Markup(style),  # noqa: S704  our own file
        script=Markup(script),  # noqa: S704  our own file
        policy=_policy(style, script),
    )


def _inline(drawing: Drawing) -> Markup:
    from markupsafe import Markup

    return Markup(inline_svg(drawing))  # noqa: S704  escaped XML


def _policy(style: str, script: str) -> str:
    return (
        # pictures that the page makes of its own figures
        f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; img-src blob:; "
        "base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def _file(name: str) -> str:
    return (resources.files("dtomtrack.report") / "page" / name).read_text(encoding="utf-8")
