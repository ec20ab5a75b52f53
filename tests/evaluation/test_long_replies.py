"""Replies of many pages are read as others are, and hold up nobody meanwhile."""

from __future__ import annotations

import asyncio

from dtomtrack.evaluation.asking import ModelSubject
from dtomtrack.evaluation.records import AskConfig
from dtomtrack.items.item import Item
from dtomtrack.items.presented import PresentedItem
from dtomtrack.llm.chat import ChatReply, ChatRequest, Usage

SHOWN = PresentedItem(Item("i", "c", "Which one?", ("a cup", "a pot", "a jug"), frozenset({1})))


class Talkative:
    """A model that says something for a long time before it answers, at once."""

    name = "talkative"

    async def chat(self, request: ChatRequest) -> ChatReply:
        """The answer."""
        return ChatReply("At turn 4 she says something else. " * 10_000 + "\n\nAnswer: B", "stop", Usage(1, 1))


async def test_while_a_long_reply_is_read_others_have_their_turn() -> None:
    turns = 0

    async def others() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    waiting = asyncio.create_task(others())
    await asyncio.sleep(0)
    before = turns
    answer = await ModelSubject(Talkative(), AskConfig(subject="talkative", questions="-")).answer(SHOWN)
    waiting.cancel()
    assert (answer.answer, answer.outcome) == ("B", "correct")
    assert turns > before + 10
