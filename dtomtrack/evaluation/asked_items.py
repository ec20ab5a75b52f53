"""The items that a configuration asks, found for answers that were given in another order.

Answers stand in the order of the questions, but for what was asked of fewer dialogues before: that stands first, though
questions on other dialogues may stand between in the file.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import TypeAlias

from dtomtrack.errors import DatasetError
from dtomtrack.evaluation.records import Answer
from dtomtrack.items.presented import PresentedItem

__all__ = ["AskedItems", "not_asked"]

_Key: TypeAlias = tuple[str, int, int]


class AskedItems:
    """Items as they are shown, each of which is found once; in memory are those alone that were passed by.

    Args:
        items: in the order in which they are asked.
    """

    def __init__(self, items: Iterator[PresentedItem]) -> None:
        self._items = items
        self._passed: dict[_Key, PresentedItem] = {}

    def of(self, answer: Answer, where: str) -> PresentedItem | None:
        """The item that is answered; None if it is not among those that are left.

        Args:
            where: the file and line of the answer, for messages.

        Raises:
            DatasetError: another item of its dialogue comes first.
        """
        wanted = answer.question_id, answer.rotation, answer.repeat
        if wanted in self._passed:
            return self._passed.pop(wanted)
        for shown in self._items:
            key = shown.item.id, shown.rotation, shown.repeat
            if key == wanted:
                return shown
            if shown.item.cluster == answer.dialogue_id:
                raise DatasetError(
                    f"{where}: answers {answer.question_id!r} with rotation {answer.rotation}, sample {answer.repeat}, "
                    f"where {key[0]!r} with rotation {key[1]}, sample {key[2]}, was asked; move the folder away"
                )
            self._passed[key] = shown
        return None

    def left(self) -> Iterator[PresentedItem]:
        """Those for which there was no answer, in their order."""
        return chain(self._passed.values(), self._items)


def not_asked(where: str) -> DatasetError:
    """What is wrong where an answer is to none of the items that are left."""
    return DatasetError(f"{where}: there are more answers than questions; move the folder away")
