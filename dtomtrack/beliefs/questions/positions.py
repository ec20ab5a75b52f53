"""Which position the gold option takes, and in which order the others stand.

The four slots of a block give their n-th question of a type the four positions, in an order drawn for that block, type
and n. So positions balance within each type although no slot knows of another. The order of the distractors comes from
the question's own content.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from operator import attrgetter
from random import Random

from dtomtrack.beliefs.question import QuestionType
from dtomtrack.beliefs.questions.spec import Option, QuestionSpec
from dtomtrack.runs.slots import BLOCK, Slot

__all__ = ["arrange", "gold_position", "shuffled"]

_TEXT = attrgetter("text")


def gold_position(slot: Slot, question_type: QuestionType, number: int) -> int:
    """The position of the right option of a slot's ``number``-th question of a type."""
    return _order(slot.seed, slot.domain, slot.block, question_type, number)[slot.position]


@lru_cache(maxsize=1024)
def _order(seed: int, domain: str, block: int, question_type: QuestionType, number: int) -> tuple[int, ...]:
    order = list(range(BLOCK))
    Slot(seed, 0, domain, block, 0).block_random("letters", question_type, number).shuffle(order)
    return tuple(order)


def arrange(spec: QuestionSpec, gold: int) -> tuple[Option, ...]:
    """The options in order, the right one at position ``gold``."""
    others = sorted(spec.distractors, key=_TEXT)
    Random(_key(spec, others)).shuffle(others)  # noqa: S311 - an order, not a secret
    return (*others[:gold], spec.gold, *others[gold:])


def shuffled(spec: QuestionSpec) -> tuple[Option, ...]:
    """All options, any number of them right, in an order from the question's own content."""
    options = sorted((spec.gold, *spec.more_gold, *spec.distractors), key=_TEXT)
    Random(_key(spec, sorted(spec.distractors, key=_TEXT))).shuffle(options)  # noqa: S311 - an order, not a secret
    return tuple(options)


def _key(spec: QuestionSpec, distractors: Sequence[Option]) -> str:
    return "|".join((spec.question, spec.gold.text, *map(_TEXT, distractors)))
