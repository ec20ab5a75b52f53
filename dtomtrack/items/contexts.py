"""The contexts of items, as lines: dialogues as they come in other people's files."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from dtomtrack.items.item import ContextLine
from dtomtrack.items.values import text_of

__all__ = ["LinesContext", "context_lines", "plain_text"]

_SPOKEN = re.compile(
    r"\s*(?P<name>[^\W\d_](?:[^\S\n]?[\w.'\u2019#-]){0,39}?)(?:\s+says)?\s*[:\uff1a]\s+(?P<text>\S.*)", re.DOTALL
)
_SPEAKERS = ("speaker", "role", "name", "agent", "from", "author")
_TEXTS = ("text", "utterance", "content", "message", "value")


@dataclass(frozen=True, slots=True)
class LinesContext:
    """Lines that are shown as they are.

    Attributes:
        background: what is known beforehand, and is no line; mostly empty.
    """

    lines: Sequence[ContextLine]
    background: str = ""

    def text(self, condition: str) -> str:
        """The lines, whatever the condition."""
        return plain_text(self.lines)


def plain_text(lines: Sequence[ContextLine]) -> str:
    """Lines as text, each behind its speaker's name."""
    return "\n".join(f"{line.speaker}: {line.text}" if line.speaker else line.text for line in lines)


def context_lines(value: object) -> tuple[ContextLine, ...]:
    """The lines of a context that is one text, a list of texts, or a list of objects with speaker and text.

    Lines such as "Ada: Hello." or "Ada says: Hello." have Ada for a speaker; empty lines are left out.

    Raises:
        InputError: it is nested too deep.
    """
    parts = value if isinstance(value, list | tuple) else (value,)
    return tuple(line for part in parts for line in _lines(part))


def _lines(part: object) -> Iterator[ContextLine]:
    if isinstance(part, Mapping):
        speaker = next((name for name in _SPEAKERS if isinstance(part.get(name), str)), None)
        said = next((name for name in _TEXTS if isinstance(part.get(name), str)), None)
        if speaker is not None and said is not None:
            yield ContextLine(text_of(part[speaker]).strip(), text_of(part[said]).strip())
            return
    # nothing but these ends a line: other text may hold U+2028
    for line in text_of(part).replace("\r\n", "\n").split("\n"):
        if line.strip():
            yield _line(line)


def _line(text: str) -> ContextLine:
    found = _SPOKEN.fullmatch(text)
    if found is None or found["name"].count(" ") > 3:
        return ContextLine("", text.strip())
    return ContextLine(found["name"].strip(), found["text"].strip())
