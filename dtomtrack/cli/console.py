"""The console that commands print with: text from files and servers comes out without control characters."""

from __future__ import annotations

from typing import Any

from rich.console import Console as RichConsole
from rich.text import Text

from dtomtrack.terminal import without_controls

__all__ = ["Console"]


class Console(RichConsole):
    """A console that prints no control characters of others; all text of tables goes through it."""

    def render_str(self, text: str, **options: Any) -> Text:
        """Text with its markup, without control characters."""
        return super().render_str(without_controls(text), **options)
