"""A language model that reads a conversation and answers its questions: what it reads otherwise is not kept.

Where the labelled answer can be told from the utterances, and no other, a reader finds it; so one letter says of a
question whether strategy, desire or attitude can be recognised, and whether exactly one option is right.
"""

from __future__ import annotations

from collections.abc import Sequence

from dtomtrack.items.item import ContextLine, Item
from dtomtrack.items.letters import letter_of
from dtomtrack.items.presented import PresentedItem
from dtomtrack.llm.chat import CallKey, ChatModel, ChatRequest
from dtomtrack.llm.prompts import prompt
from dtomtrack.verifiers.judging.one_letter import LETTER_TOKENS, chosen_letter, withheld
from dtomtrack.verifiers.judging.quotation import lettered, quoted
from dtomtrack.verifiers.verdicts import ACCEPTED, Verdict

__all__ = ["ItemReader", "reading_call"]

_PACKAGE = "dtomtrack.verifiers.judging"


def reading_call(unit: str, item: Item) -> CallKey:
    """The call in which a model reads for an item."""
    return CallKey(unit, f"verify {item.id}", 0)


class ItemReader:
    """Reads what others wrote.

    Args:
        seed: of the run.
    """

    def __init__(self, model: ChatModel, seed: int) -> None:
        self._model = model
        self._seed = seed

    async def verdict(self, item: Item, lines: Sequence[ContextLine], unit: str) -> Verdict:
        """Whether the model, having read these lines, chooses the labelled option.

        Args:
            unit: the attempt that the call belongs to.

        Raises:
            ModelError: no answer can be had.
        """
        options = {letter: quoted(text) for letter, text in PresentedItem(item).shown.items()}
        text = prompt(_PACKAGE, "item").fill(
            lines="\n".join(f"{quoted(line.speaker)}: {quoted(line.text)}" for line in lines),
            question=quoted(item.question),
            options=lettered(options),
        )
        call = reading_call(unit, item)
        reply = await self._model.chat(
            ChatRequest.asking(call, text, self._seed, LETTER_TOKENS, choices=tuple(options))
        )
        letter = chosen_letter(reply, options)
        if letter is None:
            return Verdict("error", reason=withheld(reply) or "no letter can be read")
        if letter != letter_of(min(item.gold)):
            return Verdict("reject", "correctness", "the model reads another answer from the utterances")
        return ACCEPTED
