"""The README and the pages of the documentation, and the code that stands in them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

__all__ = ["PAGES", "README", "REPOSITORY", "CodeBlock", "code_blocks"]

REPOSITORY = Path(__file__).parents[1]
README = REPOSITORY / "README.md"
PAGES = (README, *sorted((REPOSITORY / "docs").rglob("*.md")))

_FENCED = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_INDENTED = re.compile(r"(?:(?<=\n\n)|\A)((?: {4}.*\n|\n)+)")


@dataclass(frozen=True)
class CodeBlock:
    """Code in a page; ``language`` is empty where none is said."""

    page: Path
    language: str
    text: str

    def __str__(self) -> str:
        """A name for a test: the page and a line."""
        return f"{self.page.stem}: {self.text.strip().splitlines()[-1][:24]}"


def code_blocks(page: Path) -> Iterator[CodeBlock]:
    """The blocks of a page, those behind fences first."""
    text = page.read_text(encoding="utf-8")
    for language, code in _FENCED.findall(text):
        yield CodeBlock(page, language, code)
    for code in _INDENTED.findall(_FENCED.sub("", text)):
        if code.strip():
            yield CodeBlock(page, "", re.sub(r"^ {4}", "", code.strip("\n"), flags=re.MULTILINE))
