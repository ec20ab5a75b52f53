"""The pages that are made from the code when the site is built."""

from __future__ import annotations

import runpy
from typing import Any

import pytest
from written_pages import REPOSITORY

import dtomtrack


@pytest.fixture(scope="module")
def hooks() -> dict[str, Any]:
    """The names of the file that mkdocs calls."""
    return runpy.run_path(str(REPOSITORY / "docs" / "hooks.py"))


def test_every_command_stands_in_the_page_of_commands(hooks: dict[str, Any]) -> None:
    page = hooks["commands_page"]()
    for command in ("generate", "import items", "play rhetbench", "evaluate", "audit", "domains show", "schema"):
        assert f"\n## dtomtrack {command}\n" in page
        assert f"Usage: dtomtrack {command} " in page
    assert "--difficulty" in page


def test_every_public_name_stands_in_the_page_of_the_library(hooks: dict[str, Any]) -> None:
    page = hooks["names_page"]()
    for name in dtomtrack.__all__:
        assert f".{name}\n" in page


def test_formulas_become_mathml_in_their_line_or_as_a_block(hooks: dict[str, Any]) -> None:
    made = hooks["on_page_markdown"]("With $$n_g$$ items:\n\n$$\nx^2\n$$\n")
    assert "$$" not in made
    assert made.startswith("With <span><math")
    assert 'display="block"' in made
