"""The command under way, as it is written down: so that it can be given again when its configuration file is gone."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from contextvars import ContextVar

__all__ = ["command_line", "spell_out"]

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
