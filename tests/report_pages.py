"""Reports as tests read them: the page as a browser would take it, its data, its tables."""

from __future__ import annotations

import base64
import html
import json
import re
import xml.etree.ElementTree as Xml
import zlib
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

__all__ = [
    "Page",
    "cells",
    "chunks_of",
    "columns_of",
    "dialogues_of",
    "drawing_of",
    "overview_of",
    "page_of",
    "questions_of",
    "whole_cells",
]


class Page(HTMLParser):
    """What a browser would make of a page: elements with their attributes, and the text of some."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[tuple[str, str]] = []
        self.source = path.read_text(encoding="utf-8")
        self.feed(self.source)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)

    def handle_data(self, data: str) -> None:
        if self.tags:
            self.texts.append((self.tags[-1][0], data))

    def scripts(self) -> list[tuple[dict[str, str | None], str]]:
        """Each script element with its text."""
        attributes = [attrs for tag, attrs in self.tags if tag == "script"]
        return list(zip(attributes, re.findall(r"<script[^>]*>(.*?)</script>", self.source, re.DOTALL), strict=True))

    def policy(self) -> str:
        """The content-security policy."""
        metas = [attrs for tag, attrs in self.tags if tag == "meta"]
        return next(attrs["content"] or "" for attrs in metas if attrs.get("http-equiv") == "Content-Security-Policy")


def page_of(dataset: Path) -> Page:
    """The page of a dataset's report."""
    return Page(dataset / "report" / "report.html")


def overview_of(page: Page) -> dict[str, Any]:
    """What the page's browser reads first."""
    text = next(text for attrs, text in page.scripts() if attrs.get("id") == "overview")
    overview = json.loads(text)
    assert isinstance(overview, dict)
    return overview


def dialogues_of(page: Page) -> list[dict[str, Any]]:
    """The dialogues, whole."""
    return [one for chunk in chunks_of(page, "data-dialogues") for one in chunk]


def questions_of(page: Page) -> list[dict[str, Any]]:
    """The questions of all dialogues."""
    return [question for one in dialogues_of(page) for question in one["questions"]]


def chunks_of(page: Page, kind: str) -> list[Any]:
    """The chunks of a kind, unpacked."""
    texts = [text for attrs, text in page.scripts() if kind in attrs]
    return [json.loads(zlib.decompress(base64.b64decode(text))) for text in texts]


def drawing_of(dataset: Path, name: str) -> Xml.Element:
    """A figure's SVG."""
    return Xml.fromstring((dataset / "report" / f"{name}.svg").read_text(encoding="utf-8"))  # noqa: S314  we wrote it


def cells(page: Page, column: str) -> list[str]:
    """The figures of a column as they are printed, with their marks, a subject after the other."""
    found = [
        re.search(r"<(strong|u|span)[^>]*>([^<]*)<", row[place - 1])
        for place, rows in _tables_with(page, column)
        for row in rows
    ]
    return [{"strong": "*", "u": "_", "span": ""}[one.group(1)] + one.group(2) for one in found if one]


def whole_cells(page: Page, column: str) -> list[str]:
    """The HTML of a column's cells, a subject after the other."""
    return [row[place - 1] for place, rows in _tables_with(page, column) for row in rows]


def columns_of(page: Page, name: str) -> list[str]:
    """The columns of a table with a row a subject."""
    table = re.search(rf'<table class="models" data-name="{name}">(.*?)</table>', page.source, re.DOTALL)
    assert table, name
    return re.findall(r'<th scope="col"[^>]*>([^<]*)</th>', table.group(1))


def _tables_with(page: Page, column: str) -> list[tuple[int, list[list[str]]]]:
    """Of each table with a row a subject that has the column: its number, and the cells of each subject."""
    found = []
    for table in re.findall(r'<table class="models"[^>]*>(.*?)</table>', page.source, re.DOTALL):
        heads = [html.unescape(one) for one in re.findall(r'<th scope="col"[^>]*>([^<]*)</th>', table)]
        bodies = "".join(re.findall(r"<tbody.*?</tbody>", table, re.DOTALL))
        rows = [re.findall(r"<td.*?</td>", row, re.DOTALL) for row in re.findall(r"<tr>.*?</tr>", bodies, re.DOTALL)]
        if column in heads:
            found.append((heads.index(column), rows))
    assert found, column
    return found[:1]
