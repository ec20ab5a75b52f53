"""A report's page needs nothing from outside, and nothing in it runs but its own script."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from pathlib import Path

import pytest
from hostile_dataset import HOSTILE, SUBJECT
from report_pages import chunks_of, dialogues_of, drawing_of, overview_of, page_of

import dtomtrack


def hash_of(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


@pytest.mark.parametrize("dataset", ["answered", "hostile"])
def test_the_page_needs_nothing_else(dataset: str, request: pytest.FixtureRequest) -> None:
    page = page_of(request.getfixturevalue(dataset))
    loading = {"src", "srcset", "data", "action", "formaction", "background", "poster"}
    for tag, attrs in page.tags:
        assert tag not in {"link", "iframe", "object", "embed", "base", "img", "video", "audio", "source"}
        assert not loading & attrs.keys(), (tag, attrs)
        assert not any(name.startswith("on") or name == "style" for name in attrs), (tag, attrs)
        for name in ("href", "xlink:href"):
            assert (attrs.get(name) or "#").startswith("#")
    assert "url(http" not in page.source
    assert "@import" not in page.source


@pytest.mark.parametrize("dataset", ["answered", "hostile"])
def test_the_policy_lets_only_the_pages_own_script_and_style_in(dataset: str, request: pytest.FixtureRequest) -> None:
    page = page_of(request.getfixturevalue(dataset))
    policy = page.policy()
    assert policy.startswith("default-src 'none';")
    assert "unsafe" not in policy
    running = [text for attrs, text in page.scripts() if "type" not in attrs]
    assert len(running) == 1
    assert f"script-src {hash_of(running[0])};" in policy
    styles = re.findall(r"<style[^>]*>(.*?)</style>", page.source, re.DOTALL)
    assert len(styles) == 1
    assert f"style-src {hash_of(styles[0])};" in policy


def test_hostile_text_stays_text(hostile: Path) -> None:
    page = page_of(hostile)
    kinds = [attrs.get("type") for tag, attrs in page.tags if tag == "script"]
    assert kinds == ["application/json", "text/plain", "text/plain", None]
    assert HOSTILE[2] not in page.source
    assert "\u2028" not in page.source
    dialogues = json.dumps(dialogues_of(page), ensure_ascii=False)
    replies = json.dumps(chunks_of(page, "data-replies"), ensure_ascii=False)
    for text in HOSTILE:
        assert json.dumps(text, ensure_ascii=False)[1:-1] in dialogues
        assert json.dumps(text, ensure_ascii=False)[1:-1] in replies
    entries = overview_of(page)["dialogues"]
    assert entries[0]["excerpt"] == HOSTILE[0]


def test_a_hostile_name_is_no_markup_in_a_figure(hostile: Path) -> None:
    root = drawing_of(hostile, "before-and-after")
    assert {element.tag.rpartition("}")[2] for element in root.iter()} <= {
        *("svg", "metadata", "defs", "style", "g", "path", "use", "text", "clipPath", "rect"),
        *("RDF", "Work", "type", "format", "tspan"),
    }
    assert SUBJECT.rpartition("/")[2][:8] in "".join(root.itertext())


def test_scripts_of_the_page_never_make_markup_of_text() -> None:
    script = Path(dtomtrack.__file__).with_name("report").joinpath("page", "report.js").read_text(encoding="utf-8")
    for danger in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "Function("):
        assert danger not in script
