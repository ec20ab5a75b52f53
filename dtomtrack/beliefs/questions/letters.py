"""Which letter is gold, and in which order the other options stand.

The four slots of a block give their n-th question of a type the four letters, in an order drawn for that block, type
and n. So letters balance within each type although no slot knows of another. The order of the distractors comes from
the question's own content.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from random import Random

from dtomtrack.beliefs.question import LETTERS, Letter, QuestionType
from dtomtrack.beliefs.questions.draft import Draft, Option
from dtomtrack.runs.slots import Slot

__all__ = ["arrange", "gold_letter"]


def gold_letter(slot: Slot, question_type: QuestionType, number: int) -> Letter:
    """The letter of the right option of a slot's ``number``-th question of a type."""
    return _order(slot.seed, slot.domain, slot.block, question_type, number)[slot.position]


@lru_cache(maxsize=1024)
def _order(seed: int, domain: str, block: int, question_type: QuestionType, number: int) -> tuple[Letter, ...]:
    order = list(LETTERS)
    Slot(seed, 0, domain, block, 0).block_random("letters", question_type, number).shuffle(order)
    return tuple(order)


def arrange(draft: Draft, letter: Letter) -> dict[Letter, Option]:
    """Options by letter, the gold one at ``letter``."""
    key = "|".join((draft.question, draft.gold.text, *sorted(option.text for option in draft.distractors)))
    others = sorted(draft.distractors, key=lambda option: option.text)
    Random(key).shuffle(others)  # noqa: S311 - an order, not a secret
    return dict(zip(LETTERS, _with_gold(draft.gold, others, LETTERS.index(letter)), strict=True))


def _with_gold(gold: Option, others: Sequence[Option], place: int) -> list[Option]:
    return [*others[:place], gold, *others[place:]]
