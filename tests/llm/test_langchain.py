"""Models of LangChain, against a server on loopback: what they are sent, what they answer, and what goes wrong."""

from __future__ import annotations

import asyncio
import json
import sys
import traceback
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Literal

import pytest
from langchain_core.messages import AIMessage
from loopback import Answer, Loopback, Request, completion

from dtomtrack.errors import ModelError, ModelSpecError
from dtomtrack.llm.chat import CallKey, ChatReply, ChatRequest, Message, Usage
from dtomtrack.llm.completions import from_body
from dtomtrack.llm.failures import EmptyReplyError, TransientError
from dtomtrack.llm.langchain_chat import LangChainModel, as_body
from dtomtrack.llm.spec import ModelSpec
from dtomtrack.llm.structured import ask_for
from dtomtrack.records import Record

KEY = "sk-canary-5d41402abc4b"
HELLO = ChatRequest(CallKey("slot 0", "test"), (Message("system", "Be kind."), Message("user", "Hello?")), max_tokens=9)


class Mood(Record):
    """Something small to ask for."""

    mood: Literal["glad", "sad"]


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)


def refusal(status: int, message: str, headers: Mapping[str, str] | None = None) -> Answer:
    body = {"error": {"message": message, "type": "some_error"}}
    return Answer(json.dumps(body).encode(), status, {"Content-Type": "application/json"} | dict(headers or {}))


def at(server: Loopback) -> ModelSpec:
    return ModelSpec("langchain", "openai:some-model", server.base_url)


async def ask(server: Loopback, request: ChatRequest = HELLO, within: float = 30.0) -> ChatReply:
    async with LangChainModel(at(server), timeout=within) as model:
        return await model.chat(request)


async def fails(answer: Answer, within: float = 30.0) -> ModelError:
    """How a call fails that is answered so; and that it is made once."""
    with Loopback(lambda _: answer) as server:
        with pytest.raises(ModelError) as caught:
            await ask(server, within=within)
        assert server.count == 1
    return caught.value


async def test_a_chat_is_answered_and_counted() -> None:
    with Loopback(lambda _: completion("Hello, Maya.")) as server:
        assert await ask(server) == ChatReply("Hello, Maya.", "stop", Usage(11, 7))


async def test_the_request_is_sent_as_it_is_meant() -> None:
    with Loopback(lambda _: completion("Hello.")) as server:
        await ask(server, replace(HELLO, temperature=0.7, top_p=0.9, seed=5))
    sent = dict(server.requests[0])
    assert [(one["role"], one["content"]) for one in sent["messages"]] == [("system", "Be kind."), ("user", "Hello?")]
    assert sent["model"] == "some-model"
    assert (sent["temperature"], sent["top_p"], sent["seed"], sent["max_completion_tokens"]) == (0.7, 0.9, 5, 9)


async def test_calls_at_once_keep_their_settings() -> None:
    with Loopback(lambda body: completion(str(body["seed"])), latency=0.05) as server:
        async with LangChainModel(at(server)) as model:
            replies = await asyncio.gather(*(model.chat(replace(HELLO, seed=seed)) for seed in range(20)))
    assert [reply.text for reply in replies] == [str(seed) for seed in range(20)]
    assert server.most_at_once > 1


def test_a_second_event_loop_can_ask_too() -> None:
    with Loopback(lambda _: completion("Hello.")) as server:
        assert [asyncio.run(ask(server)).text for _ in range(2)] == ["Hello.", "Hello."]


@pytest.mark.parametrize(("told", "finish"), [("length", "length"), ("content_filter", "filter"), ("stop", "stop")])
async def test_it_says_why_a_reply_ended(told: str, finish: str) -> None:
    with Loopback(lambda _: completion("Hel", told)) as server:
        assert (await ask(server)).finish == finish


async def test_a_refusal_is_told_apart() -> None:
    message = {"role": "assistant", "content": None, "refusal": "I won't."}
    with Loopback(lambda _: completion(None, message=message)) as server:
        reply = await ask(server)
    assert (reply.text, reply.finish) == ("I won't.", "refusal")


@pytest.mark.parametrize(
    ("told", "finish"),
    [
        ({"stop_reason": "refusal"}, "refusal"),
        ({"finish_reason": "RECITATION"}, "filter"),
        ({"finish_reason": "SPII"}, "filter"),
        ({"prompt_feedback": {"block_reason": "SAFETY", "safety_ratings": []}}, "filter"),
        ({"prompt_feedback": {"block_reason": 1}, "finish_reason": "STOP"}, "filter"),
        ({"prompt_feedback": {"block_reason": 0}, "finish_reason": "STOP"}, "stop"),
        ({"prompt_feedback": {"block_reason": "BLOCK_REASON_UNSPECIFIED"}}, "stop"),
    ],
)
@pytest.mark.parametrize("said", ["", "I ca"])
def test_what_a_provider_keeps_back_is_no_empty_reply(told: dict[str, Any], finish: str, said: str) -> None:
    body = as_body(AIMessage(said, response_metadata=told))
    if finish == "stop" and not said:
        with pytest.raises(EmptyReplyError):
            from_body(body, HELLO)
    else:
        assert from_body(body, HELLO).finish == finish


def record_if(asked_for_json: Callable[[str], bool]) -> Callable[[Request], Answer]:
    def answer(body: Request) -> Answer:
        return completion('{"mood": "glad"}' if asked_for_json(body["messages"][-1]["content"]) else "What?")

    return answer


async def test_a_schema_is_asked_for_in_words() -> None:
    with Loopback(record_if(lambda asked: "JSON Schema" in asked and '"mood"' in asked)) as server:
        async with LangChainModel(at(server)) as model:
            assert await ask_for(model, HELLO, Mood) == Mood(mood="glad")


async def test_letters_are_asked_for_in_words() -> None:
    with Loopback(lambda _: completion("B")) as server:
        reply = await ask(server, replace(HELLO, choices=("A", "B")))
    assert (reply.text, reply.probabilities) == ("B", None)
    assert "A, B" in server.requests[0]["messages"][-1]["content"]


@pytest.mark.parametrize("said", ["(I think that it rains.", " it rains."])
async def test_a_beginning_is_asked_for_in_words_and_taken_off(said: str) -> None:
    messages = (Message("user", "Go on."), Message("assistant", "(I think that"))
    with Loopback(lambda _: completion(said)) as server:
        reply = await ask(server, replace(HELLO, messages=messages, continues=True))
    assert reply.text == " it rains."
    assert server.requests[0]["messages"][-1]["role"] == "user"
    assert "(I think that" in server.requests[0]["messages"][-1]["content"]


@pytest.mark.parametrize(
    ("status", "message", "part"),
    [
        (400, "This model's maximum context length is 8 tokens.", "context window"),
        (401, "Incorrect API key provided.", "key was refused"),
        (404, "The model does not exist.", "no such model"),
        (429, "You exceeded your current quota.", "quota is used up"),
    ],
)
async def test_what_another_try_can_not_change_is_final(status: int, message: str, part: str) -> None:
    error = await fails(refusal(status, message))
    assert not isinstance(error, TransientError)
    assert str(error).startswith("langchain/openai:some-model: ")
    assert part in str(error)
    assert "\n" not in str(error)


@pytest.mark.parametrize(
    "answer",
    [
        refusal(500, "Oops."),
        Answer(b"<html>Bad gateway</html>", 502, {"Content-Type": "text/html"}),
        Answer(b'{"choices": [', headers={"Content-Type": "application/json"}),
        Answer(b'{"choices": []}', headers={"Content-Type": "application/json"}),
        Answer(b"{}", headers={"Content-Type": "application/json"}),
        Answer(b"<html>Hello</html>", headers={"Content-Type": "text/html"}),
        Answer(b'{"choices": [' * 100, headers={"Content-Type": "application/json"}, cut=30),
    ],
)
async def test_what_another_try_can_change_is_not(answer: Answer) -> None:
    assert isinstance(await fails(answer), TransientError)


async def test_the_server_says_when_to_try_again() -> None:
    error = await fails(refusal(429, "Slow down.", {"Retry-After": "7"}))
    assert isinstance(error, TransientError)
    assert (error.status, error.after) == (429, 7.0)


async def test_a_call_that_hangs_is_given_up() -> None:
    error = await fails(Answer(b"", after=0.5), within=0.1)
    assert isinstance(error, TransientError)
    assert "no answer within 0.1 s" in str(error)


async def test_a_server_that_is_not_there() -> None:
    with Loopback(lambda _: completion("Hello.")) as server:
        pass
    with pytest.raises(TransientError) as caught:
        await ask(server)
    assert caught.value.nobody_there


async def test_a_prompt_that_the_provider_filters_has_an_empty_reply() -> None:
    with Loopback(lambda _: refusal(400, "Blocked by the content filter.")) as server:
        reply = await ask(server)
    assert (reply.text, reply.finish) == ("", "filter")


@pytest.mark.parametrize("status", [400, 401, 429, 500])
async def test_the_key_is_in_no_error(status: int) -> None:
    error = await fails(refusal(status, f"The key {KEY} is not liked."))
    assert KEY not in "".join(traceback.format_exception(error))
    assert KEY not in everything_in(error)


def everything_in(error: BaseException | None) -> str:
    """An exception, what it holds, and what it drags along."""
    if error is None:
        return ""
    return f"{error!r} {vars(error)!r} {everything_in(error.__cause__)} {everything_in(error.__context__)}"


def test_the_key_is_in_no_repr() -> None:
    model = LangChainModel(ModelSpec("langchain", "openai:some-model"))
    assert KEY not in repr(model) + repr(vars(model))


async def test_nothing_is_kept_in_a_cache_of_the_process() -> None:
    from langchain_core.caches import InMemoryCache
    from langchain_core.globals import set_llm_cache

    texts = iter(["one", "two"])
    set_llm_cache(InMemoryCache())
    try:
        with Loopback(lambda _: completion(next(texts))) as server:
            assert [(await ask(server)).text for _ in range(2)] == ["one", "two"]
    finally:
        set_llm_cache(None)


def test_a_missing_extra_names_the_line_that_mends_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "langchain.chat_models", None)
    with pytest.raises(ModelSpecError, match=r"pip install 'dtomtrack\[langchain\]'"):
        LangChainModel(ModelSpec("langchain", "openai:some-model"))


def test_a_missing_integration_names_its_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "langchain_anthropic", None)
    with pytest.raises(ModelSpecError, match="pip install langchain-anthropic"):
        LangChainModel(ModelSpec("langchain", "anthropic:some-model"))


@pytest.mark.parametrize("name", ["nobody:some-model", "some-model"])
def test_a_provider_that_langchain_does_not_know(name: str) -> None:
    with pytest.raises(ModelSpecError, match="langchain/PROVIDER:MODEL") as caught:
        LangChainModel(ModelSpec("langchain", name))
    assert "\n" not in str(caught.value)


def test_a_missing_key_names_its_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    with pytest.raises(ModelSpecError, match="OPENAI_API_KEY"):
        LangChainModel(ModelSpec("langchain", "openai:some-model"))
