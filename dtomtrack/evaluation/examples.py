"""Examples with their answers, which a model is shown before an item: few-shot prompting.

They are of the item's type and from other dialogues, each from one of its own, so that nothing of what is asked about
is told. Which they are follows from the seed and the item alone.
"""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

from dtomtrack.errors import InputError
from dtomtrack.evaluation.prompting import option_text, prompt_text
from dtomtrack.evaluation.records import AskConfig
from dtomtrack.items.item import Item
from dtomtrack.items.letters import letter_of
from dtomtrack.items.presented import PresentedItem
from dtomtrack.llm.chat import Message

__all__ = ["MOST_SHOTS", "NO_EXAMPLES", "Examples", "example_messages"]

MOST_SHOTS = 32
_POOL = 128
"""Dialogues of a type that examples are drawn from: so many stay in memory, however large a dataset is."""
_TYPE = "type"


@dataclass(frozen=True)
class Examples:
    """Items that may be shown before others.

    Attributes:
        pool: by type, an item of each dialogue that was drawn.
    """

    pool: Mapping[str, Sequence[Item]] = field(default_factory=dict)
    shots: int = 0
    seed: int = 0

    @classmethod
    def drawn(cls, items: Iterable[Item], config: AskConfig) -> Examples:
        """Examples for a dataset's items.

        Raises:
            InputError: a type has items of too few dialogues.
        """
        if not config.shots:
            return NO_EXAMPLES
        types = set(config.types)
        pool = _pool((one for one in items if not types or one.groups.get(_TYPE) in types), config.seed)
        for name, own in pool.items():
            if len(own) <= config.shots:
                of_type = f" of type {name}" if name else ""
                raise InputError(
                    f"shots is {config.shots}: examples come from other dialogues, and items{of_type} are of "
                    f"{len(own)} dialogues in all; give a smaller number"
                )
        return cls(pool, config.shots, config.seed)

    def for_item(self, item: Item) -> Sequence[Item]:
        """The examples that are shown before an item."""
        if not self.shots:
            return ()
        others = [one for one in self.pool[item.groups.get(_TYPE, "")] if one.cluster != item.cluster]
        return Random(f"{self.seed}/{item.id}").sample(others, self.shots)  # noqa: S311 - reproducible, no secret


NO_EXAMPLES = Examples()


def _pool(items: Iterable[Item], seed: int) -> Mapping[str, Sequence[Item]]:
    """By type, an item of each of the dialogues that come first in an order of the seed's."""
    drawn: defaultdict[str, dict[str, tuple[str, Item]]] = defaultdict(dict)
    for item in items:
        own, key = drawn[item.groups.get(_TYPE, "")], _key(seed, item)
        if item.cluster not in own or key < own[item.cluster][0]:
            own[item.cluster] = (key, item)
        if len(own) > 2 * _POOL:
            _trim(own)
    for own in drawn.values():
        _trim(own)
    return {name: [item for _, item in own.values()] for name, own in drawn.items()}


def _trim(own: dict[str, tuple[str, Item]]) -> None:
    """Keep the first of an order, in this order: what is let go now would not stay in the end either."""
    kept = sorted(own.items(), key=lambda one: one[1][0])[:_POOL]
    own.clear()
    own.update(kept)


def _key(seed: int, item: Item) -> str:
    return hashlib.sha256(json.dumps((seed, item.id)).encode()).hexdigest()


# -- messages --------------------------------------------------------------------------------------------------------


def example_messages(examples: Sequence[Item], config: AskConfig, focus: str = "") -> tuple[Message, ...]:
    """Each example as it would be asked, and its answer in the form that is asked for."""
    messages: list[Message] = []
    for item in examples:
        shown = PresentedItem(item)
        asked, answer = _option(shown, config) if config.mode == "each" else _whole(shown, config, focus)
        messages += [Message("user", asked), Message("assistant", answer)]
    return tuple(messages)


def _whole(shown: PresentedItem, config: AskConfig, focus: str) -> tuple[str, str]:
    letters = sorted(map(letter_of, shown.item.gold))
    asked = prompt_text(shown, config, focus)
    if config.mode != "json":
        return asked, ", ".join(letters)
    return asked, json.dumps({"answer": letters[0] if shown.item.select == "one" else letters})


def _option(shown: PresentedItem, config: AskConfig) -> tuple[str, str]:
    """One of the options, as often a right one as a wrong one."""
    rng = Random(f"{config.seed}/{shown.item.id}")  # noqa: S311 - reproducible, no secret
    right = [letter_of(place) for place in sorted(shown.item.gold)]
    wrong = [letter for letter in shown.shown if letter not in right]
    is_right = not wrong or rng.random() < 0.5
    letter = rng.choice(right if is_right else wrong)
    return option_text(shown, config, letter), "Y" if is_right else "N"
