"""JSON Lines for other tools: some of them take U+2028 and its kin for the end of a line."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

__all__ = ["json_line"]

_LINE_ENDS = re.compile(r"[\x85\u2028\u2029]")


def json_line(fields: Mapping[str, object]) -> str:
    """One line of JSON that every reader takes for one line."""
    text = json.dumps(fields, ensure_ascii=False)
    return _LINE_ENDS.sub(lambda found: f"\\u{ord(found[0]):04x}", text) + "\n"
