"""Prompts: text files beside the code that uses them, filled in one pass.

A value that looks like a placeholder is not filled again, so that nothing a model or a file says can pull another
value into a prompt.
"""

from __future__ import annotations

import json
import re
from functools import cache
from importlib import resources

__all__ = ["Prompt", "as_data", "prompt"]

_SLOT = re.compile(r"\{(\w+)\}")


class Prompt:
    """A prompt with ``{slots}``."""

    def __init__(self, text: str) -> None:
        self._text = text
        self.slots = frozenset(_SLOT.findall(text))

    def fill(self, **values: str) -> str:
        """The prompt with its slots filled.

        Raises:
            ValueError: a slot has no value, or a value no slot.
        """
        if self.slots != values.keys():
            raise ValueError(f"the prompt has the slots {sorted(self.slots)}, not {sorted(values)}")
        return _SLOT.sub(lambda slot: values[slot[1]], self._text)


@cache
def prompt(package: str, name: str) -> Prompt:
    """The prompt in ``prompts/NAME.txt`` of a package."""
    text = (resources.files(package) / "prompts" / f"{name}.txt").read_text(encoding="utf-8")
    return Prompt(text.strip())


def as_data(text: str) -> str:
    """Text by others as one quoted line, which it can't end; it holds no control characters and no control tokens."""
    quoted = json.dumps(text, ensure_ascii=False).replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
    # local servers read <|im_end|> and its like as what ends a message, wherever it stands
    return quoted.replace("<|", "<\\u007c")
