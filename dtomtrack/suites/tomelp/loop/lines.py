"""The words of listeners in the closed loop."""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import Annotated

from pydantic import Field

from dtomtrack.records import Record, Text
from dtomtrack.scenarios.located_yaml import parse

__all__ = ["ListenerLines", "listener_lines"]

_Pool = Annotated[tuple[Text, ...], Field(min_length=3)]


class ListenerLines(Record):
    """Pools of lines.

    Attributes:
        weighed, passed_over: evidence reached the listener, or did not; ``felt``, ``shrugged_off``: cues did.
        half: what was said reached one who listens both ways; ``nothing``: there was nothing in it.
        misled: the message said a false claim as if it were so.
        settled, still: a doubt is gone, or stays; ``agreed`` ends the conversation.
    """

    weighed: _Pool
    passed_over: _Pool
    felt: _Pool
    shrugged_off: _Pool
    half: _Pool
    nothing: _Pool
    misled: _Pool
    settled: _Pool
    still: _Pool
    agreed: _Pool


@cache
def listener_lines() -> ListenerLines:
    """All lines."""
    text = (resources.files("dtomtrack.suites.tomelp.loop") / "lines.yaml").read_text(encoding="utf-8")
    return ListenerLines.model_validate(parse("lines.yaml", text, keys="weighed", trusted=True))
