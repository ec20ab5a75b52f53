"""Retries have one owner: what may work is tried again, what can't is not, and a full server is left in peace."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from asking import KEY, ask, in_turn, refused, said_by, until, with_message
from loopback import Answer, Loopback, Request, completion

from dtomtrack.errors import ModelError
from dtomtrack.llm.chat import ChatReply, ChatRequest
from dtomtrack.llm.clients import Clients
from dtomtrack.llm.settings import ClientSettings
from dtomtrack.llm.spec import parse_spec
from dtomtrack.llm.usage import UsageTotals

QUICK = ClientSettings(first_pause=0.001, timeout=5.0)
SCHEMA = {"type": "object", "properties": {"cat": {"type": "string"}}, "required": ["cat"]}
GOOD = completion("good")


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)


async def chat(
    server: Loopback, *requests: ChatRequest, settings: ClientSettings = QUICK
) -> tuple[list[ChatReply], UsageTotals]:
    """The replies to requests that are made one after another, and the books."""
    async with Clients(settings) as clients:
        model = await clients.open(parse_spec("openai/small", server.base_url))
        return [await model.chat(request) for request in requests or [ask()]], clients.totals


PASSING = {
    "too many requests": refused(429, "slow down"),
    "too many requests, come back at once": refused(429, "slow down", {"Retry-After": "0"}),
    "server error": refused(500, "oops"),
    "HTML": Answer(b"<html>Bad Gateway</html>", status=502),
    "malformed": Answer(b"{'choices': []}"),
    "truncated": Answer(GOOD.body[:50]),
    "no choices": Answer(b'{"choices": []}'),
    "dropped": Answer(GOOD.body, cut=10),
    "dropped at once": Answer(GOOD.body, cut=0),
}


@pytest.mark.parametrize("kind", PASSING)
async def test_what_passes_is_tried_again(kind: str) -> None:
    with Loopback(in_turn(PASSING[kind], PASSING[kind], GOOD)) as server:
        replies, totals = await chat(server)
    assert [reply.text for reply in replies] == ["good"]
    assert server.count == 3
    assert (totals.calls, totals.retries, totals.in_flight) == (1, 2, 0)
    assert len({str(request) for request in server.requests}) == 1


async def test_a_hang_is_tried_again() -> None:
    with Loopback(in_turn(replace(GOOD, after=20.0), GOOD)) as server:
        replies, totals = await chat(server, settings=replace(QUICK, timeout=0.1))
    assert (replies[0].text, server.count, totals.retries) == ("good", 2, 1)


async def test_a_page_for_people_is_no_api_and_asked_for_twice() -> None:
    page = Answer(b"\n<!DOCTYPE html><html>Welcome</html>", headers={"Content-Type": "text/html"})
    with (
        Loopback(lambda _: page) as server,
        pytest.raises(ModelError, match=r"a page \(HTML\), so there seems to be no API; check --base-url.*2 times$"),
    ):
        await chat(server, settings=replace(QUICK, tries=8))
    assert server.count == 2


async def test_a_page_between_answers_is_a_fault_like_others() -> None:
    page = Answer(b"<html>Bad Gateway</html>")
    with Loopback(in_turn(completion("first"), page, page, page, completion("good"))) as server:
        replies, _ = await chat(server, ask(), ask(name="turn 1"), settings=replace(QUICK, tries=8))
    assert (replies[-1].text, server.count) == ("good", 5)


@pytest.mark.parametrize("tries", [1, 4])
async def test_tries_are_counted_and_told(tries: int) -> None:
    told = rf"answered 503 \(overloaded\); tried {tries} times$"
    with Loopback(lambda _: refused(503, "overloaded")) as server, pytest.raises(ModelError, match=told) as caught:
        await chat(server, settings=replace(QUICK, tries=tries))
    assert server.count == tries
    assert KEY not in said_by(caught.value)


FINAL = [
    refused(401, "wrong key"),
    refused(403, "no"),
    refused(404, "no such model"),
    refused(400, "bad request"),
    refused(402, "pay"),
    refused(429, "You exceeded your current quota", {"Retry-After": "1"}, code="insufficient_quota"),
    refused(400, "maximum context length is 512 tokens"),
    refused(307),
]


@pytest.mark.parametrize("answer", FINAL, ids=lambda answer: str(answer.status))
async def test_what_does_not_pass_is_asked_once(answer: Answer) -> None:
    with Loopback(in_turn(answer, GOOD)) as server, pytest.raises(ModelError):
        await chat(server)
    assert server.count == 1


async def test_a_server_that_was_never_there_is_given_up_soon() -> None:
    with Loopback(lambda _: GOOD) as server:
        pass
    with pytest.raises(ModelError, match=r"can't be reached .*; tried 3 times$"):
        await chat(server)


async def test_a_reply_is_no_failure_however_it_ended() -> None:
    for finish in ("length", "content_filter"):
        with Loopback(in_turn(completion("", finish=finish), GOOD)) as server:
            await chat(server)
        assert server.count == 1


EMPTY = [completion(""), completion(None), with_message(content=None, tool_calls=[{}])]


@pytest.mark.parametrize("empty", EMPTY)
async def test_an_empty_reply_is_asked_for_again_and_its_tokens_count(empty: Answer) -> None:
    with Loopback(in_turn(empty, empty, GOOD)) as server:
        replies, totals = await chat(server)
    assert (replies[0].text, server.count, totals.calls, totals.retries) == ("good", 3, 1, 2)
    assert totals.tokens == (18 if "usage" not in str(empty.body) else 3 * 18)


async def test_a_reply_that_stays_empty_ends_no_run() -> None:
    with Loopback(lambda _: completion("")) as server:
        replies, totals = await chat(server, settings=replace(QUICK, tries=3))
    assert (replies[0].text, replies[0].finish, server.count, totals.tokens) == ("", "stop", 3, 3 * 18)


def without_schemas(refusal: Answer) -> Callable[[Request], Answer]:
    """A server that can't constrain replies."""
    return lambda request: refusal if "response_format" in request else completion('{"cat": "here"}')


async def test_a_server_without_schemas_is_asked_in_words_from_then_on() -> None:
    refusal = refused(400, "'response_format' of type 'json_schema' is not supported")
    with Loopback(without_schemas(refusal)) as server:
        replies, _ = await chat(server, *(ask(name=f"turn {turn}", schema=SCHEMA) for turn in range(4)))
    assert [reply.text for reply in replies] == ['{"cat": "here"}'] * 4
    assert ["response_format" in request for request in server.requests] == [True, False, False, False, False]
    assert all('"required": ["cat"]' in str(request["messages"]) for request in server.requests[1:])


@pytest.mark.parametrize(
    ("refusal", "tries"),
    [(refused(500, "The output does not match the expected grammar"), 1), (refused(500, "Internal Server Error"), 3)],
    ids=["llama.cpp", "others"],
)
async def test_a_schema_that_the_model_broke_is_asked_in_words_this_time(refusal: Answer, tries: int) -> None:
    with Loopback(without_schemas(refusal)) as server:
        replies, _ = await chat(server, *(ask(name=f"turn {turn}", schema=SCHEMA) for turn in range(2)))
    assert [reply.text for reply in replies] == ['{"cat": "here"}'] * 2
    assert ["response_format" in request for request in server.requests] == ([True] * tries + [False]) * 2


async def test_empty_replies_between_the_failures_of_a_server_do_not_speak_against_the_schema() -> None:
    oops = refused(500, "oops")
    with Loopback(in_turn(oops, completion(""), completion(""), oops, completion('{"cat": "here"}'))) as server:
        replies, _ = await chat(server, ask(schema=SCHEMA))
    assert [reply.text for reply in replies] == ['{"cat": "here"}']
    assert all("response_format" in request for request in server.requests)


async def test_what_fails_in_words_too_is_told() -> None:
    told = r"answered 500 \(oops\); tried 8 times"
    with Loopback(lambda _: refused(500, "oops")) as server, pytest.raises(ModelError, match=told):
        await chat(server, ask(schema=SCHEMA))
    assert server.count == 3 + 8


class Clocked:
    """Answers that note when each request came in."""

    def __init__(self, *answers: Answer) -> None:
        self._answer = in_turn(*answers)
        self.at: list[float] = []

    def __call__(self, request: Request) -> Answer:
        """The next answer."""
        self.at.append(time.monotonic())
        answer: Answer = self._answer(request)
        return answer


@pytest.mark.parametrize("concurrency", [1, 4])
async def test_too_many_requests_hold_up_all_calls(concurrency: int) -> None:
    """Also those that were waiting for a permit: nobody asks again before the server said so."""
    full = Clocked(*[refused(429, headers={"Retry-After": "0.3"})] * concurrency, GOOD)
    with Loopback(full) as server:
        await many(server, 12, replace(QUICK, concurrency=concurrency))
    assert server.count == 12 + concurrency
    assert full.at[concurrency] - full.at[0] >= 0.29


async def test_too_many_requests_without_a_time_hold_up_all_calls_as_well() -> None:
    full = Clocked(refused(429), GOOD)
    with Loopback(full) as server:
        await many(server, 6, replace(QUICK, concurrency=1, first_pause=0.2))
    assert full.at[1] - full.at[0] >= 0.19


def within(code: object, message: str) -> Answer:
    """An error in an answer that says it succeeded, as routers pass them on."""
    return Answer(json.dumps({"error": {"code": code, "message": message}}).encode())


async def test_an_error_within_an_answer_is_taken_as_what_it_is() -> None:
    with Loopback(lambda _: within(402, "no credits")) as server:
        with pytest.raises(ModelError, match="answered 402: the quota is used up"):
            await chat(server)
        assert server.count == 1
    for passing in (within(503, "overloaded"), within("odd", "overloaded"), within(200, "overloaded")):
        with Loopback(in_turn(passing, GOOD)) as server:
            replies, _ = await chat(server)
        assert (replies[0].text, server.count) == ("good", 2)
    with Loopback(lambda _: within(400, "blocked by the content filter")) as server:
        replies, _ = await chat(server)
    assert (replies[0].finish, server.count) == ("filter", 1)


PAST = {"Date": "Sat, 01 Aug 2026 12:00:00 GMT", "Retry-After": "Sat, 01 Aug 2026 11:00:00 GMT"}


@pytest.mark.parametrize("headers", [{"Retry-After": "0"}, PAST], ids=["at once", "an hour ago"])
@pytest.mark.parametrize("status", [429, 503])
async def test_a_server_that_says_at_once_again_and_again_is_left_in_peace(
    status: int, headers: dict[str, str]
) -> None:
    full = Clocked(*[refused(status, "full", headers)] * 3, GOOD)
    with Loopback(full) as server:
        await chat(server, settings=replace(QUICK, first_pause=0.1))
    assert full.at[3] - full.at[1] >= 0.55
    # too many requests, and no time told, hold up all
    assert full.at[1] - full.at[0] >= (0.09 if status == 429 else 0.0)


async def many(server: Loopback, calls: int, settings: ClientSettings) -> list[ChatReply]:
    """Replies to many calls at once."""
    async with Clients(settings) as clients:
        model = await clients.open(parse_spec("openai/small", server.base_url))
        return await asyncio.gather(*(model.chat(ask(slot=slot)) for slot in range(calls)))


async def test_a_call_that_waits_for_its_next_try_holds_no_permit() -> None:
    """Else the one call that is sent away again and again would keep the others from being made."""

    def answer(request: Request) -> Answer:
        return refused(500) if "stuck" in str(request) and server.count < 6 else GOOD

    with Loopback(answer) as server:
        async with Clients(replace(QUICK, concurrency=1, first_pause=0.2)) as clients:
            model = await clients.open(parse_spec("openai/small", server.base_url))
            stuck = asyncio.create_task(model.chat(ask("stuck")))
            await until(lambda: server.count > 0)
            await asyncio.gather(*(model.chat(ask(slot=slot)) for slot in range(5)))
            assert not stuck.done()
            assert (await stuck).text == "good"
    assert server.most_at_once == 1


async def test_what_is_cancelled_while_it_waits_leaves_nothing_behind() -> None:
    with Loopback(lambda _: refused(503)) as server:
        async with Clients(replace(QUICK, first_pause=5.0)) as clients:
            model = await clients.open(parse_spec("openai/small", server.base_url))
            waiting: asyncio.Task[Any] = asyncio.create_task(model.chat(ask()))
            await until(lambda: clients.totals.retries > 0)
            waiting.cancel()
            with pytest.raises(asyncio.CancelledError):
                await waiting
            assert clients.totals.in_flight == 0


async def test_what_llama_cpp_says_of_a_broken_schema_is_tried_again_where_none_was_asked_for() -> None:
    left = [2]

    def answer(_: Request) -> Answer:
        left[0] -= 1
        return refused(500, "The output does not match the expected grammar") if left[0] >= 0 else completion("fine")

    with Loopback(answer) as server:
        assert "fine" in str(await chat(server))
    assert server.count == 3
