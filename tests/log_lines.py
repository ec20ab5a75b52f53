"""The lines of a log (``--log``), read."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Line", "lines_of"]

_LINE = re.compile(
    r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3} trace_id=([0-9a-f]{32}) span_id=([0-9a-f]{16}) (slot \d+ [^:]*): (.*)"
)


@dataclass(frozen=True)
class Line:
    """A line about a call."""

    trace: str
    span: str
    call: str
    said: str

    @property
    def slot(self) -> str:
        """The slot that the call was for."""
        return " ".join(self.call.split()[:2])


def lines_of(log: Path) -> list[Line]:
    """The lines of a log, all of them about calls for slots."""
    found = [_LINE.fullmatch(line) for line in log.read_text(encoding="utf-8").splitlines()]
    assert found and all(found)
    return [Line(*one.groups()) for one in found if one is not None]
