"""Models of the caller's own that are made wrongly: one sentence each, which names the model."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import dtomtrack
from dtomtrack import InputError
from dtomtrack.llm.chat import ChatReply, ChatRequest, Usage

REPLY = ChatReply("A", "stop", Usage(1, 1))


class Own:
    """A model that gives whatever it is told to."""

    name: object = "mine"

    def __init__(self, reply: object = REPLY, name: object = "mine") -> None:
        self.name = name
        self._reply = reply

    async def chat(self, request: ChatRequest) -> object:
        """The reply."""
        return self._reply


class AtOnce(Own):
    """The same, without async."""

    def chat(self, request: ChatRequest) -> object:  # type: ignore[override]
        """The reply."""
        return self._reply


class Handing(Own):
    """A model whose chat is no coroutine function, and can be awaited."""

    def chat(self, request: ChatRequest) -> Any:
        """The reply."""
        return super().chat(request)


WRONG: list[tuple[object, str]] = [
    (AtOnce(), "model mine: its chat can't be awaited; write async def chat"),
    (Own, "model Own: is a class; give an object of it, Own(...)"),
    (Own("A"), "model mine: its chat gives 'A'; it has to give a ChatReply"),
    (Own(None), "model mine: its chat gives None; it has to give a ChatReply"),
    (
        Own(ChatReply(None, "stop", Usage(1, 1))),  # type: ignore[arg-type]
        "model mine: its chat gives a ChatReply whose text is None, which it can't be",
    ),
    (
        Own(ChatReply("A", "end", Usage(1, 1))),  # type: ignore[arg-type]
        "model mine: its chat gives a ChatReply whose finish is 'end', which it can't be",
    ),
    (
        Own(ChatReply("A", "stop", None)),  # type: ignore[arg-type]
        "model mine: its chat gives a ChatReply whose usage is None, which it can't be",
    ),
    (Own(name=5), "its name is 5; it has to be a text that is not empty"),
    (Own(name=" "), "its name is ' '; it has to be a text that is not empty"),
]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("own") / "made"
    dtomtrack.generate("restaurant", n=1, out=folder)
    return folder


@pytest.mark.parametrize(("model", "said"), WRONG, ids=range(len(WRONG)))
def test_a_model_that_is_made_wrongly_is_named(made: Path, tmp_path: Path, model: Any, said: str) -> None:
    wanted: list[Callable[[], object]] = [
        partial(dtomtrack.evaluate, made, model, out=tmp_path / "eval"),
        partial(dtomtrack.generate, "restaurant", n=1, out=tmp_path / "out", model=model),
    ]
    for want in wanted:
        with pytest.raises(InputError) as caught:
            want()
        assert str(caught.value).endswith(said)


def test_whatever_can_be_awaited_will_do(made: Path, tmp_path: Path) -> None:
    model: Any = Handing()
    metrics = dtomtrack.evaluate(made, model, out=tmp_path / "eval", limit=1)
    assert "mine" in str(metrics)
