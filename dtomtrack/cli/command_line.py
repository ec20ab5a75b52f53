"""The command under way, as it is written down: so that it can be given again when its configuration file is gone."""

from __future__ import annotations

import math
import shlex
import sys
from collections.abc import Sequence
from contextvars import ContextVar
from unicodedata import category

__all__ = ["command_line", "spell_out", "with_more", "wrong_folder"]

_BUDGETS = {"--max-cost": float, "--max-tokens-total": int}
_SPELLED: ContextVar[tuple[str, ...] | None] = ContextVar("_SPELLED", default=None)


def command_line() -> str:
    """The command under way as a shell takes it: with the options that a file gave it, without the file.

    And without `--fresh-journal`, which given again would waive the shards of machines that are away for a moment.
    """
    words = _SPELLED.get() or sys.argv[1:]
    return shlex.join(["dtomtrack", *(word for word in words if word != "--fresh-journal")])


def spell_out(words: Sequence[str] | None) -> None:
    """Take these for the words of the command under way; None for those that it was started with."""
    _SPELLED.set(None if words is None else tuple(words))


def with_more(line: str, least_tokens: int = 0, least_cost: float = 0.0) -> str:
    """The command line with its budgets doubled.

    Args:
        least_tokens, least_cost: that they have to be in any case, money in US dollars.
    """
    least = {"--max-cost": _rounded_up(least_cost), "--max-tokens-total": least_tokens}
    words = shlex.split(line)
    for place, word in enumerate(words):
        name, equals, value = word.partition("=")
        if name in _BUDGETS and equals:
            words[place] = f"{name}={_more(name, value, least[name])}"
        elif name in _BUDGETS:
            words[place + 1] = _more(name, words[place + 1], least[name])
    return shlex.join(words)


def _rounded_up(cost: float) -> float:
    """Money, rounded up to a hundredth of a cent: what is rounded down would not do."""
    return math.ceil(cost * 10_000) / 10_000


def _more(option: str, value: str, least: float) -> str:
    more = max(_BUDGETS[option](value) * 2 or 1, least)
    return f"{more:.12g}" if isinstance(more, float) else str(more)


def wrong_folder(name: str) -> str | None:
    """A sentence about an ``--out`` that no folder is to be made of; None of any other."""
    if not name:
        # as by a variable of the shell that is not set
        return "--out is empty; name a folder, or . for the one that you are in"
    if any(category(character) == "Cc" for character in name):
        return "--out holds a line break or another control character; name a folder that fits into a line"
    return None
