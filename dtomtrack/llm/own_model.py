"""Models of the caller's own making: what is wrong with one is told in a sentence that names it."""

from __future__ import annotations

import reprlib
from inspect import isawaitable
from typing import get_args

from dtomtrack.errors import InputError
from dtomtrack.llm.chat import ChatModel, ChatReply, ChatRequest, Finish, Usage

__all__ = ["OwnModel", "check_own_model"]


def check_own_model(model: object) -> None:
    """See that an object can be asked, as far as that shows before it is.

    Raises:
        InputError: it is a class, keeps no `ChatModel` protocol, or has no text for a name.
    """
    if isinstance(model, type):
        raise InputError(f"model {model.__name__}: is a class; give an object of it, {model.__name__}(...)")
    if not (hasattr(model, "name") and callable(getattr(model, "chat", None))):
        raise InputError(f"model {model!r}: is neither a name nor a ChatModel; baseline/random is a name")
    if not isinstance(model.name, str) or not model.name.strip():
        raise InputError(f"model {model!r}: its name is {model.name!r}; it has to be a text that is not empty")


class OwnModel:
    """A model of the caller's own, which is asked for whatever it is made of."""

    def __init__(self, inner: ChatModel) -> None:
        self._inner = inner

    @property
    def name(self) -> str:
        """The model's name."""
        return self._inner.name

    async def chat(self, request: ChatRequest) -> ChatReply:
        """The answer, if it is one.

        Raises:
            InputError: the model's `chat` can't be awaited, or gives something else than a reply.
        """
        asked: object = self._inner.chat(request)
        if not isawaitable(asked):
            raise InputError(f"model {self.name}: its chat can't be awaited; write async def chat")
        reply: object = await asked
        if not isinstance(reply, ChatReply):
            raise InputError(f"model {self.name}: its chat gives {reprlib.repr(reply)}; it has to give a ChatReply")
        wrong = _wrong_field(reply)
        if wrong is not None:
            value = reprlib.repr(getattr(reply, wrong))
            raise InputError(
                f"model {self.name}: its chat gives a ChatReply whose {wrong} is {value}, which it can't be"
            )
        return reply


def _wrong_field(reply: ChatReply) -> str | None:
    """The first field of a reply that holds what it can't; None where all is well."""
    fine = {
        "text": isinstance(reply.text, str),
        "finish": reply.finish in get_args(Finish),
        "usage": isinstance(reply.usage, Usage),
    }
    return next((name for name, is_fine in fine.items() if not is_fine), None)
