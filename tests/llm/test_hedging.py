"""Calls that hang are made a second time, late answers are looked for, and no one answer holds up the others."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace

import pytest
from asking import KEY, ask, in_turn, refused, until
from loopback import Answer, Loopback, Request, completion

from dtomtrack.errors import BudgetError
from dtomtrack.llm.chat import ChatReply, ChatRequest, Usage
from dtomtrack.llm.clients import Clients
from dtomtrack.llm.failures import EmptyReplyError, TransientError, longest_pause
from dtomtrack.llm.hedging import Hedged
from dtomtrack.llm.settings import ClientSettings
from dtomtrack.llm.spec import parse_spec
from dtomtrack.llm.waiting import Alarms, Leavable, TimeLimit

SETTINGS = ClientSettings(first_pause=0.001, timeout=60.0, hedge_after=0.1)
GOOD = completion("good")


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)


class HangsAt:
    """Hangs at requests of some numbers, and at nothing else."""

    def __init__(self, *numbers: int, after: float = 600.0) -> None:
        self._numbers = numbers
        self._after = after
        self.count = 0

    def __call__(self, request: Request) -> Answer:
        """The next answer."""
        self.count += 1
        return replace(GOOD, after=self._after) if self.count in self._numbers else GOOD


async def answered(server: Loopback, calls: int, settings: ClientSettings = SETTINGS) -> Clients:
    """The client, once so many calls have their replies, one after the other."""
    async with Clients(settings) as clients:
        model = await clients.open(parse_spec("openai/small", server.base_url))
        for slot in range(calls):
            assert (await model.chat(ask(slot=slot))).text == "good"
    return clients


async def test_a_call_that_hangs_is_made_a_second_time() -> None:
    with Loopback(HangsAt(12)) as server:
        async with asyncio.timeout(30):
            clients = await answered(server, 15)
    assert server.count == 16
    assert (clients.totals.calls, clients.totals.retries, clients.totals.in_flight) == (15, 1, 0)


async def test_with_a_budget_as_well() -> None:
    with Loopback(HangsAt(12)) as server:
        async with asyncio.timeout(30):
            clients = await answered(server, 15, replace(SETTINGS, max_tokens_total=18 * 15 + 200))
    assert clients.totals.tokens == 18 * 15


async def test_not_beyond_the_budget() -> None:
    """There is room for the call, not for a second try of it."""
    with Loopback(HangsAt(12, after=0.6)) as server:
        clients = await answered(server, 12, replace(SETTINGS, max_tokens_total=18 * 11 + 80))
        assert (server.count, clients.totals.tokens) == (12, 18 * 12)
        with pytest.raises(BudgetError):
            await answered(server, 12, replace(SETTINGS, max_tokens_total=18 * 2))


async def test_a_call_that_fails_does_not_wait_for_a_second_try_that_waits_for_its_money() -> None:
    """There is room for one try: the second waits for the first, which must not wait for the second."""
    with Loopback(in_turn(*[GOOD] * 11, replace(refused(500, "oops"), after=0.5), GOOD)) as server:
        async with asyncio.timeout(30):
            clients = await answered(server, 12, replace(SETTINGS, max_tokens_total=18 * 11 + 80))
    assert (server.count, clients.totals.tokens, clients.totals.in_flight) == (13, 18 * 12, 0)


async def test_not_beyond_the_calls_at_once() -> None:
    with Loopback(HangsAt(12, after=0.5)) as server:
        await answered(server, 12, replace(SETTINGS, concurrency=1))
    assert (server.count, server.most_at_once) == (12, 1)


async def test_a_server_with_as_many_slots_as_calls_is_asked_once() -> None:
    with Loopback(HangsAt(12, after=0.5)) as server:
        async with Clients(SETTINGS) as clients:
            model = await clients.open(parse_spec("llamacpp/small", server.base_url))
            for slot in range(12):
                await model.chat(ask(slot=slot))
    assert server.count == 12


async def test_while_nobody_knows_what_is_usual_no_call_is_made_twice() -> None:
    with Loopback(HangsAt(2, after=0.6)) as server:
        await answered(server, 4)
    assert server.count == 4


async def test_what_is_slow_but_usual_is_not_made_twice() -> None:
    with Loopback(lambda _: GOOD, latency=0.12) as server:
        await answered(server, 10)
    assert server.count == 10


class TwoAnswers:
    """The first call of a kind is answered a little after the second."""

    name = "two"

    def __init__(self, first: float) -> None:
        self.first = first
        self.cancelled = 0

    async def chat(self, request: ChatRequest) -> ChatReply:
        try:
            await asyncio.sleep(self.first)
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        return ChatReply("first", "stop", Usage(1, 10))


class Second(TwoAnswers):
    async def chat(self, request: ChatRequest) -> ChatReply:
        await super().chat(request)
        return ChatReply("second", "stop", Usage(1, 20))


async def hedged(first: TwoAnswers, second: TwoAnswers) -> ChatReply:
    model = Hedged(first, second, least=0.05)
    for _ in range(10):
        model.learn(ask(), 0.001)
    return await model.chat(ask())


async def test_the_loser_is_cancelled() -> None:
    first, second = TwoAnswers(5.0), Second(0.01)
    assert (await hedged(first, second)).text == "second"
    assert (first.cancelled, second.cancelled) == (1, 0)
    first, second = TwoAnswers(0.2), Second(5.0)
    assert (await hedged(first, second)).text == "first"
    await until(lambda: second.cancelled == 1)


async def test_a_loser_that_was_answered_is_counted() -> None:
    class Both(Second):
        async def chat(self, request: ChatRequest) -> ChatReply:
            release.set()
            return ChatReply("second", "stop", Usage(1, 20))

    class Released(TwoAnswers):
        async def chat(self, request: ChatRequest) -> ChatReply:
            await release.wait()
            return ChatReply("first", "stop", Usage(1, 10))

    release = asyncio.Event()
    reply = await hedged(Released(0.0), Both(0.0))
    assert reply.text == "first"
    assert reply.usage == Usage(2, 30)


class Fails(TwoAnswers):
    async def chat(self, request: ChatRequest) -> ChatReply:
        await super().chat(request)
        raise TransientError("gone")


async def test_a_first_try_that_fails_is_left_to_the_second() -> None:
    assert (await hedged(Fails(0.2), Second(0.4))).text == "second"
    assert (await hedged(TwoAnswers(0.3), Fails(0.01))).text == "first"
    with pytest.raises(TransientError):
        await hedged(Fails(0.1), Fails(0.2))


class Empty(TwoAnswers):
    async def chat(self, request: ChatRequest) -> ChatReply:
        raise EmptyReplyError("nothing", await super().chat(request))


async def test_an_empty_first_reply_is_counted_with_the_second() -> None:
    reply = await hedged(Empty(0.2), Second(0.4))
    assert (reply.text, reply.usage) == ("second", Usage(2, 30))


async def test_whoever_cancels_a_call_cancels_both_tries() -> None:
    first, second = TwoAnswers(60.0), Second(60.0)
    call = asyncio.ensure_future(hedged(first, second))
    await asyncio.sleep(0.3)
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    await until(lambda: (first.cancelled, second.cancelled) == (1, 1))


# -- what one answer can do to the others ------------------------------------------------------------------------------


def test_one_answer_is_believed_for_a_minute_and_longer_when_it_is_repeated() -> None:
    assert [longest_pause(asked) for asked in (1, 2, 3, 4, 5, 1_000)] == [60.0, 120.0, 240.0, 480.0, 600.0, 600.0]


async def test_an_absurd_wait_holds_up_its_own_call_only() -> None:
    def answer(request: Request) -> Answer:
        mad = "call 0 " in str(request["messages"])
        return refused(429, headers={"Retry-After": "1e9"}) if mad else replace(GOOD, after=0.05)

    with Loopback(answer) as server:
        async with Clients(replace(SETTINGS, concurrency=4)) as clients, asyncio.timeout(20):
            model = await clients.open(parse_spec("openai/small", server.base_url))
            calls = [asyncio.ensure_future(model.chat(ask(f"call {slot} ", slot=slot))) for slot in range(12)]
            await asyncio.gather(*calls[1:])
            assert not calls[0].done()
            calls[0].cancel()
            await asyncio.gather(*calls, return_exceptions=True)
    assert server.count == 12


# -- a process that stood still ----------------------------------------------------------------------------------------


STOPPED = """
import asyncio, sys
from asking import ask
from dtomtrack.llm.clients import Clients
from dtomtrack.llm.settings import ClientSettings
from dtomtrack.llm.spec import parse_spec

async def main():
    async with Clients(ClientSettings(first_pause=0.001, timeout=1.0, concurrency=16)) as clients:
        model = await clients.open(parse_spec("vllm/small", sys.argv[1]))
        replies = await asyncio.gather(*(model.chat(ask(slot=slot)) for slot in range(16)))
        print(len(replies), clients.totals.calls, clients.totals.retries)
asyncio.run(main())
"""


def test_replies_that_came_in_while_the_process_was_stopped_are_not_paid_for_again() -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    long = completion("a long story " * 30_000)
    with Loopback(lambda _: replace(long, after=0.4)) as server:
        process = subprocess.Popen(
            [sys.executable, "-c", STOPPED, server.base_url], stdout=subprocess.PIPE, text=True, env=environment
        )
        while server.count < 16:
            time.sleep(0.001)
        process.send_signal(signal.SIGSTOP)
        time.sleep(2.0)
        process.send_signal(signal.SIGCONT)
        told, _ = process.communicate(timeout=60)
    assert told.split() == ["16", "16", "0"]
    assert server.count == 16


async def test_a_loop_that_stood_still_looks_before_it_gives_up() -> None:
    with Loopback(lambda _: replace(GOOD, after=0.1)) as server:
        async with Clients(replace(SETTINGS, timeout=0.5)) as clients:
            model = await clients.open(parse_spec("openai/small", server.base_url))
            call = asyncio.ensure_future(model.chat(ask()))
            await until(lambda: server.count == 1)
            time.sleep(0.9)  # noqa: ASYNC251 - it is to stand still
            assert (await call).text == "good"
    assert server.count == 1


async def test_patience_ends() -> None:
    with pytest.raises(TimeoutError), TimeLimit(Alarms(0.01)):
        await asyncio.sleep(60)
    with TimeLimit(Alarms(60)):
        await asyncio.sleep(0)


async def test_a_cancellation_from_elsewhere_is_none_of_ours() -> None:
    async def left_and_cancelled() -> None:
        with Leavable() as block:
            asyncio.get_running_loop().call_soon(block.leave)
            task.cancel()
            await asyncio.sleep(60)

    task = asyncio.ensure_future(left_and_cancelled())
    with pytest.raises(asyncio.CancelledError):
        await task
