"""The published script's reading of replies (PersuasiveToM, evaluation/evaluate.py), to be compared with ours.

The script asks again until it reads a letter; here what it can't read is unparsed. It takes any of A to F, whatever the
item's options are.
"""

from __future__ import annotations

from dtomtrack.evaluation.records import PromptStyle
from dtomtrack.items.letters import letter_of
from dtomtrack.items.presented import PresentedItem

__all__ = ["published_reading"]

_LETTERS = frozenset("ABCDEF")
_MARKS = '"*:.-,'
_ANSWER = ("The answer is", "the answer is")


def published_reading(reply: str, shown: PresentedItem, prompt: PromptStyle) -> frozenset[str] | None:
    """The letter that the published script reads; None where it would ask again."""
    read = _after_reasoning(reply, shown) if prompt == "cot" else _bare(reply)
    return frozenset((read,)) if read in _LETTERS else None


def _bare(reply: str) -> str:
    """The text before the first mark, up to the end of its line."""
    cut = min((place for mark in _MARKS if (place := reply.find(mark)) >= 0), default=len(reply))
    return reply[:cut].strip().split("\n")[0]


def _after_reasoning(reply: str, shown: PresentedItem) -> str:
    """The word behind "the answer is"; without that, the reply's first where it repeats an option."""
    for words in _ANSWER:
        if words in reply:
            return _first_word(reply.split(words)[1])
    listed = (f"{letter_of(place)}. {text}" for place, text in enumerate(shown.shown.values()))
    return _first_word(reply) if any(one.lower() in reply.lower() for one in listed) else reply


def _first_word(text: str) -> str:
    return "".join(sign for sign in text if sign not in _MARKS).strip().split(" ")[0]
