"""Prompts: text files beside the code that uses them, filled in one pass.

A value that looks like a placeholder is not filled again, so that nothing a model or a file says can pull another
value into a prompt.
"""

from __future__ import annotations

import json
import re
from functools import cache, lru_cache
from importlib import resources

__all__ = ["Prompt", "as_data", "prompt"]

_LOUD = re.compile(r"[\x7f-\x9f\u2028\u2029<\[]")
"""Control characters, and what the control tokens of local models begin with, which count wherever they stand."""
_PLACEHOLDER = re.compile(r"\{(\w+)\}")
_QUOTED = json.JSONEncoder(ensure_ascii=False)


class Prompt:
    """A prompt with ``{placeholders}``."""

    def __init__(self, text: str) -> None:
        self._pieces = _PLACEHOLDER.split(text)
        self._names = self._pieces[1::2]
        self.placeholders = frozenset(self._names)

    def fill(self, **values: str) -> str:
        """The prompt with its placeholders filled.

        Raises:
            ValueError: a placeholder has no value, or a value no placeholder.
        """
        if self.placeholders != values.keys():
            raise ValueError(f"the prompt has the placeholders {sorted(self.placeholders)}, not {sorted(values)}")
        pieces = self._pieces.copy()
        pieces[1::2] = [values[name] for name in self._names]
        return "".join(pieces)


@cache
def prompt(package: str, name: str) -> Prompt:
    """The prompt in ``prompts/NAME.txt`` of a package."""
    text = (resources.files(package) / "prompts" / f"{name}.txt").read_text(encoding="utf-8")
    return Prompt(text.strip())


@lru_cache(maxsize=4096)
def as_data(text: str) -> str:
    """Text by others as one quoted line, which it can't end; it holds no control characters and no control tokens."""
    return _LOUD.sub(lambda found: f"\\u{ord(found[0]):04x}", _QUOTED.encode(text))
