"""Asking a model for a piece of a scenario, and once more if it can't be used."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from dtomtrack.errors import ReplyError
from dtomtrack.llm.chat import CallKey, ChatModel, ChatRequest, Message
from dtomtrack.llm.prompts import prompt
from dtomtrack.llm.structured import TRIES, ask_for
from dtomtrack.records import Record
from dtomtrack.runs.slots import Slot, attempt_unit

__all__ = ["Asker"]

R = TypeVar("R", bound=Record)

_PACKAGE = "dtomtrack.scenarios.writing"
_MOST_TOLD = 12
"""Problems that a model is told of at once."""
_SHOWN = 20_000
"""Characters of what a model wrote that it is shown again."""


@dataclass(frozen=True)
class Asker:
    """Asks one model for one attempt at a slot."""

    model: ChatModel
    slot: Slot
    attempt: int
    temperature: float

    async def ask(
        self, name: str, text: str, record: type[R], problems: Callable[[R], Sequence[str]], max_tokens: int
    ) -> R:
        """What the model writes, in which nothing is wrong.

        Args:
            name: of the call, unique within the attempt.
            problems: what is wrong with an answer, a sentence each.

        Raises:
            ReplyError: something is wrong with the answer, also after the model was told; the message is the first
                thing that is.
            ModelError: no answer can be had.
        """
        request = self._request(name, (Message("user", text),), max_tokens)
        written = await ask_for(self.model, request, record)
        if not (wrong := problems(written)):
            return written
        again = (*request.messages, *_again(written, wrong))
        written = await ask_for(self.model, self._request(name, again, max_tokens, TRIES), record)
        if wrong := problems(written):
            raise ReplyError(wrong[0])
        return written

    def _request(self, name: str, messages: tuple[Message, ...], max_tokens: int, first_try: int = 0) -> ChatRequest:
        call = CallKey(attempt_unit(self.slot.index, self.attempt), name, first_try)
        seed = call.seed(self.slot.seed)
        return ChatRequest(call, messages, max_tokens, temperature=self.temperature, seed=seed)


def _again(written: Record, wrong: Sequence[str]) -> tuple[Message, Message]:
    told = prompt(_PACKAGE, "scenario_again").fill(problems="\n".join(f"- {problem}" for problem in wrong[:_MOST_TOLD]))
    return Message("assistant", written.model_dump_json()[:_SHOWN]), Message("user", told)
