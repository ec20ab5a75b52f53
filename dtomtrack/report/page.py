"""The page: one HTML file that needs nothing else, and that runs nothing but its own script."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources

from dtomtrack.report.audit_table import AuditTable
from dtomtrack.report.browsing import Browsing, as_script
from dtomtrack.report.evaluations import Evaluation
from dtomtrack.report.figures import Drawing
from dtomtrack.report.headline import further_rows, headline_rows
from dtomtrack.report.inline_svg import inline_svg
from dtomtrack.runs.manifest import Manifest

__all__ = ["Contents", "page"]


@dataclass(frozen=True)
class Contents:
    """What a page shows."""

    manifest: Manifest
    evaluations: Sequence[Evaluation]
    unfinished: Sequence[str]
    figures: Sequence[Drawing]
    audit: AuditTable | None
    browsing: Browsing


def page(contents: Contents) -> str:
    """The HTML. Text of the dataset and of models is escaped or JSON; the policy lets no other script run."""
    # imported late: only a report needs it
    from jinja2 import Environment, StrictUndefined
    from markupsafe import Markup

    style, script = _file("report.css"), _file("report.js")
    environment = Environment(undefined=StrictUndefined, autoescape=True, trim_blocks=True, lstrip_blocks=True)
    return environment.from_string(_file("report.html.jinja")).render(
        contents=contents,
        manifest=contents.manifest,
        headline=headline_rows(contents.evaluations) if contents.evaluations else [],
        further=further_rows(contents.evaluations) if contents.evaluations else [],
        figures=[(drawing, Markup(inline_svg(drawing))) for drawing in contents.figures],  # noqa: S704  escaped XML
        overview=Markup(as_script(contents.browsing.overview)),  # noqa: S704  escaped for a script element
        style=Markup(style),  # noqa: S704  our own file
        script=Markup(script),  # noqa: S704  our own file
        policy=_policy(style, script),
    )


def _policy(style: str, script: str) -> str:
    return (
        f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; "
        "base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def _file(name: str) -> str:
    return (resources.files("dtomtrack.report") / "page" / name).read_text(encoding="utf-8")
