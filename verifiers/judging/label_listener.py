"""A language model that hears what an utterance does: one letter for each label, so that none hides another."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterable, Mapping

from dtomtrack.llm.chat import CallKey, ChatModel, ChatRequest
from dtomtrack.llm.prompts import prompt
from dtomtrack.verifiers.judging.one_letter import LETTER_TOKENS, chosen_level
from dtomtrack.verifiers.judging.quotation import quoted

__all__ = ["LabelListener", "hearing_replies"]

_PACKAGE = "dtomtrack.verifiers.judging"
_ANSWERS = {"A": "yes", "B": "no"}


def hearing_replies(wordings: Iterable[str], heard: Collection[str], unit: str) -> dict[CallKey, str]:
    """The letters with which a listener hears these labels and no others.

    Args:
        wordings: the labels that it is asked about.
        unit: the try at a line that the calls belong to.
    """
    return {_hearing_call(unit, name): "A" if name in heard else "B" for name in wordings}


def _hearing_call(unit: str, label: str) -> CallKey:
    return CallKey(unit, f"hear {label}", 0)


class LabelListener:
    """Hears labels in what others wrote.

    Args:
        seed: of the run.
    """

    def __init__(self, model: ChatModel, seed: int) -> None:
        self._model = model
        self._seed = seed

    async def heard(
        self, wordings: Mapping[str, str], speaker: str, utterance: str, unit: str
    ) -> frozenset[str] | None:
        """The labels that the model hears in an utterance; None where it gives no letter on one of them.

        Args:
            wordings: by label, what it says.
            unit: the try at a line that the calls belong to.

        Raises:
            ModelError: no answer can be had.
        """
        letters = await asyncio.gather(
            *(self._letter(name, text, speaker, utterance, unit) for name, text in wordings.items())
        )
        if None in letters:
            return None
        return frozenset(name for name, letter in zip(wordings, letters, strict=True) if letter == "A")

    async def _letter(self, name: str, label: str, speaker: str, utterance: str, unit: str) -> str | None:
        text = prompt(_PACKAGE, "label").fill(speaker=quoted(speaker), utterance=quoted(utterance), label=label)
        call = _hearing_call(unit, name)
        reply = await self._model.chat(
            ChatRequest.asking(call, text, self._seed, LETTER_TOKENS, choices=tuple(_ANSWERS))
        )
        return chosen_level(reply, _ANSWERS)
