"""A real model, through a llama.cpp server and in this process: what is checked is the machinery, not the prose."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Literal

import pytest
from llama_server import CONTEXT
from pydantic import Field

from dtomtrack.errors import ModelError
from dtomtrack.llm.chat import CallKey, ChatModel, ChatRequest, Message
from dtomtrack.llm.failures import TransientError
from dtomtrack.llm.structured import ask_for, read_record, schema_of
from dtomtrack.records import Record

pytest_plugins = ["llama_models"]

CALL = CallKey("slot 0", "test")
LETTERS = ("A", "B", "C")


class Mood(Record):
    """Something small to ask for."""

    mood: Literal["glad", "sad"]
    why: str = Field(max_length=10)
    strength: int = Field(ge=0, le=9)


@pytest.fixture(params=["server_model", "gguf_model"])
def model(request: pytest.FixtureRequest) -> ChatModel:
    """The model, through either transport."""
    found: ChatModel = request.getfixturevalue(request.param)
    return found


def asks(text: str, *, max_tokens: int = 24) -> ChatRequest:
    return ChatRequest(CALL, (Message("user", text),), max_tokens)


def which_letter() -> ChatRequest:
    question = "Where is Maya? A: in the park. B: at home. C: at sea. Answer with one letter."
    return replace(asks(question, max_tokens=1), choices=LETTERS)


async def test_a_chat_is_answered_and_counted(model: ChatModel) -> None:
    reply = await model.chat(asks("Say hello to Maya.", max_tokens=20))
    assert reply.text
    assert not reply.usage.estimated
    assert reply.usage.prompt_tokens > 5
    assert 0 < reply.usage.completion_tokens <= 20
    assert reply.probabilities is None


async def test_a_reply_that_is_cut_says_so(model: ChatModel) -> None:
    reply = await model.chat(asks("Tell me a long story about a lighthouse.", max_tokens=5))
    assert reply.finish == "length"
    assert reply.usage.completion_tokens == 5


async def test_the_first_reply_already_keeps_to_the_schema(model: ChatModel) -> None:
    request = replace(asks("Write a poem about the sea.", max_tokens=80), schema=schema_of(Mood))
    assert isinstance(read_record(await model.chat(request), Mood), Mood)


async def test_a_record_can_be_asked_for(model: ChatModel) -> None:
    assert isinstance(await ask_for(model, asks("How do you feel, and why?", max_tokens=80), Mood), Mood)


async def test_one_letter_comes_with_the_probabilities_of_all(model: ChatModel) -> None:
    reply = await model.chat(which_letter())
    assert reply.text in LETTERS
    assert reply.probabilities is not None
    assert set(reply.probabilities) == set(LETTERS)
    assert sum(reply.probabilities.values()) == pytest.approx(1.0)
    assert reply.text == max(LETTERS, key=reply.probabilities.__getitem__)
    # even an unlikely one
    assert min(reply.probabilities.values()) > 0.0


@pytest.mark.parametrize("beginning", ["One, two, three,", "(I believe that ", '{"mood": "'])
async def test_a_partial_reply_is_gone_on_from(model: ChatModel, beginning: str) -> None:
    request = asks("Go on.", max_tokens=8)
    begun = replace(request, messages=(*request.messages, Message("assistant", beginning)), continues=True)
    reply = await model.chat(begun)
    assert reply.text.strip()
    assert beginning.strip() not in reply.text
    assert 0 < reply.usage.completion_tokens <= 8


async def test_a_letter_can_be_asked_for_after_a_beginning(model: ChatModel) -> None:
    request = which_letter()
    begun = replace(request, messages=(*request.messages, Message("assistant", "The answer is (")), continues=True)
    reply = await model.chat(begun)
    assert reply.text in LETTERS
    assert reply.probabilities is not None
    assert sum(reply.probabilities.values()) == pytest.approx(1.0)


async def test_a_prompt_that_is_too_long_is_one_clear_sentence(model: ChatModel) -> None:
    with pytest.raises(ModelError, match="context window") as caught:
        await model.chat(asks("word " * (CONTEXT + 1000)))
    assert not isinstance(caught.value, TransientError)
    assert model.name in str(caught.value)
    assert "\n" not in str(caught.value)


async def test_the_seed_decides_what_is_sampled(model: ChatModel) -> None:
    request = replace(asks("Name an animal.", max_tokens=6), temperature=1.0)
    texts = [(await model.chat(replace(request, seed=seed))).text for seed in (1, 2, 3, 1)]
    assert texts[0] == texts[-1]
    assert len(set(texts)) > 1


async def test_more_calls_than_places_are_all_answered(model: ChatModel) -> None:
    requests = [asks(f"Tell me about the number {n}.", max_tokens=n) for n in range(2, 6)]
    replies = await asyncio.gather(*(model.chat(request) for request in requests))
    assert [reply.usage.completion_tokens for reply in replies] == list(range(2, 6))
