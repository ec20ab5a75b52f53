"""Lines that every character may say beside its own."""

from __future__ import annotations

from functools import cache
from importlib import resources

import yaml

from dtomtrack.records import Record, Text
from dtomtrack.scenarios.persuasion_npc.arguments import ArgumentClass
from dtomtrack.scenarios.persuasion_npc.pack import PersuasionPack, ToneLines

__all__ = ["SharedLines", "replies_of", "shared_lines"]


class Closings(Record):
    """The last words of a character that is won over, and of one that walks out."""

    won: tuple[Text, ...]
    walked_out: tuple[Text, ...]


class SharedLines(Record):
    """Shared pools.

    Attributes:
        openers: how a reply begins whose tone is to be clear.
        replies: by class and tone; ``generic`` where nothing was said.
        hints: what a question buys, by the class that works; ``no_more_hints`` afterwards.
        cues: what a context says that gives a class away.
        answered: to a message that puts no case but answers the character's question.
        heeded: before the reply to an argument that comes with such an answer.
        closings: how an episode ends.
    """

    openers: ToneLines
    replies: dict[ArgumentClass, ToneLines]
    generic: ToneLines
    hints: dict[ArgumentClass, tuple[Text, ...]]
    no_more_hints: tuple[Text, ...]
    cues: dict[ArgumentClass, tuple[Text, ...]]
    answered: tuple[Text, ...]
    heeded: tuple[Text, ...]
    closings: Closings


@cache
def shared_lines() -> SharedLines:
    """The lines that come with dtomtrack."""
    text = (resources.files("dtomtrack.scenarios.persuasion_npc") / "pools.yaml").read_text(encoding="utf-8")
    return SharedLines.model_validate(yaml.safe_load(text))


def replies_of(pack: PersuasionPack, heard: ArgumentClass) -> ToneLines:
    """All that a character may reply to a class of argument: the shared lines, then its own."""
    shared = shared_lines()
    common = shared.replies.get(heard, shared.generic)
    own = pack.replies.get(heard)
    if own is None:
        return common
    return ToneLines(
        positive=common.positive + own.positive,
        neutral=common.neutral + own.neutral,
        resistant=common.resistant + own.resistant,
    )
