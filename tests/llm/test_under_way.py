"""Calls under way are those that the server is working on; of retries it is told why."""

from __future__ import annotations

import asyncio
import logging
import time

import pytest
from asking import KEY, ask
from loopback import Answer, Loopback, Request, completion

from dtomtrack.llm.clients import Clients
from dtomtrack.llm.settings import ClientSettings
from dtomtrack.llm.spec import parse_spec
from dtomtrack.llm.usage import UsageTotals

BUSY = Answer(b'{"error": {"message": "slow down"}}', status=429, headers={"Retry-After": "0.1"})


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)


async def test_calls_that_wait_for_their_turn_are_not_under_way() -> None:
    seen: list[int] = []

    def answer(request: Request) -> Answer:
        seen.append(clients.totals.in_flight)
        return completion("A")

    async with Clients(ClientSettings(concurrency=2)) as clients:
        with Loopback(answer, latency=0.02) as server:
            model = await clients.open(parse_spec("openai/small", server.base_url))
            await asyncio.gather(*(model.chat(ask()) for _ in range(9)))
    assert len(seen) == 9
    assert 1 <= max(seen) <= 2
    assert clients.totals.in_flight == 0


async def test_the_seconds_of_a_logged_call_are_those_at_the_server(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "dtomtrack.llm")
    async with Clients(ClientSettings(concurrency=1)) as clients:
        with Loopback(lambda _: completion("A"), latency=0.03) as server:
            model = await clients.open(parse_spec("openai/small", server.base_url))
            started = time.monotonic()
            await asyncio.gather(*(model.chat(ask()) for _ in range(6)))
            elapsed = time.monotonic() - started
    seconds = [float(record.getMessage().rpartition(", ")[2].removesuffix(" s")) for record in caplog.records]
    assert len(seconds) == 6
    rounding = 0.005 * len(seconds)
    assert 0 < sum(seconds) <= elapsed + rounding


async def test_the_last_retry_says_why_and_when() -> None:
    answers = iter((BUSY, completion("A")))
    async with Clients(ClientSettings()) as clients:
        with Loopback(lambda _: next(answers)) as server:
            model = await clients.open(parse_spec("openai/small", server.base_url))
            await model.chat(ask())
    assert (clients.totals.retries, clients.totals.last_retry) == (1, "429, next try in 0 s")


def test_sums_keep_the_last_reason_that_there_is() -> None:
    one, other = UsageTotals(retries=2, last_retry="503, next try in 1 s"), UsageTotals(calls=3)
    assert one + other == UsageTotals(calls=3, retries=2, last_retry="503, next try in 1 s")
