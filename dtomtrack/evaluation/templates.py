"""Prompts of a user's own, from files: which placeholders they may have, and which they need."""

from __future__ import annotations

import hashlib
from pathlib import Path

from dtomtrack.errors import InputError
from dtomtrack.evaluation.records import AnswerMode, Template
from dtomtrack.files import text_of
from dtomtrack.llm.prompts import Prompt
from dtomtrack.runs.names import folder_name

__all__ = ["read_template"]

_NEEDED = ("context", "question", "options")
_FURTHER = ("how_many", "focus")
_NEEDED_FOR_EACH = ("context", "question", "option")
_FURTHER_FOR_EACH = ("options", "letter")
_DIGITS = 8


def read_template(path: Path, mode: AnswerMode) -> Template:
    """The template in a file, by a name that is another for another text.

    Args:
        mode: how the answer is given; with "each" a prompt is about one option.

    Raises:
        InputError: the file can't be read, is empty, has a placeholder that there is none of, or lacks one.
    """
    try:
        text = text_of(path, "template").strip()
    except (FileNotFoundError, NotADirectoryError):
        raise InputError(f"{path}: there is no such file; template names a text with placeholders") from None
    needed, further = (_NEEDED_FOR_EACH, _FURTHER_FOR_EACH) if mode == "each" else (_NEEDED, _FURTHER)
    found = Prompt(text).placeholders
    strange = sorted(found.difference(needed, further))
    if strange:
        known = ", ".join(f"{{{name}}}" for name in (*needed, *further))
        raise InputError(f"{path}: {{{strange[0]}}}: there is no such placeholder; there are {known}")
    missing = [name for name in needed if name not in found]
    if missing:
        raise InputError(f"{path}: lacks {{{missing[0]}}}, without which nobody could answer; put it in")
    digest = hashlib.sha256(text.encode()).hexdigest()[:_DIGITS]
    return Template(name=f"{folder_name(path.stem)}-{digest}", text=text)
