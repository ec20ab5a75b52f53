"""Limits: so many calls at once, and never more a minute than allowed."""

from __future__ import annotations

import asyncio
import math
from dataclasses import dataclass, field

import pytest
from asking import ask
from hypothesis import given
from hypothesis import strategies as st

from dtomtrack.llm.chat import ChatReply, ChatRequest, Usage
from dtomtrack.llm.clients import Clients
from dtomtrack.llm.limits import Limited, Rate, Rated, Rates
from dtomtrack.llm.settings import ClientSettings
from dtomtrack.llm.tokens import prompt_tokens

MINUTE = 60.0
CLOSE = 1e-6


class Clock:
    """A clock that stands still until everybody sleeps."""

    def __init__(self) -> None:
        self.now = 100.0
        self._sleepers: list[tuple[float, int, asyncio.Event]] = []
        self._count = 0

    def read(self) -> float:
        """The time."""
        return self.now

    async def sleep(self, seconds: float) -> None:
        """Until the clock has gone on by so much."""
        self._count += 1
        awake = asyncio.Event()
        self._sleepers.append((self.now + seconds, self._count, awake))
        await awake.wait()

    async def run(self, work: asyncio.Task[None]) -> None:
        """Let the time go by until the work is done."""
        while not work.done():
            for _ in range(20):
                await asyncio.sleep(0)
            if self._sleepers and not work.done():
                self._sleepers.sort(key=lambda one: one[:2])
                wakes, _, awake = self._sleepers.pop(0)
                self.now = max(self.now, wakes)
                awake.set()
        await work


@dataclass
class Noting:
    """A model that notes when it was asked for how many tokens, and takes its time."""

    clock: Clock
    seconds: float
    asked: list[tuple[float, int]] = field(default_factory=list)
    name: str = "noting"

    async def chat(self, request: ChatRequest) -> ChatReply:
        """An answer, later."""
        self.asked.append((self.clock.now, prompt_tokens(request) + request.max_tokens))
        await self.clock.sleep(self.seconds)
        return ChatReply("", "stop", Usage(1, 1))


def minutes(asked: list[tuple[float, int]]) -> list[list[int]]:
    """The sizes of what was asked within each minute that begins with a request."""
    return [[size for at, size in asked if start <= at < start + MINUTE - CLOSE] for start, _ in asked]


@given(
    requests=st.none() | st.floats(1, 60),
    tokens=st.none() | st.floats(200, 20_000),
    sizes=st.lists(st.integers(1, 3_000), min_size=1, max_size=25),
    pauses=st.lists(st.integers(0, 3), min_size=25, max_size=25),
    at_once=st.integers(1, 8),
    seconds=st.floats(0, 10),
)
def test_no_minute_has_more_than_allowed(
    requests: float | None,
    tokens: float | None,
    sizes: list[int],
    pauses: list[int],
    at_once: int,
    seconds: float,
) -> None:
    async def scenario() -> Noting:
        clock = Clock()
        model = Noting(clock, seconds)
        rates = [Rate(one, now=clock.read, sleep=clock.sleep) if one else None for one in (requests, tokens)]
        limited = Limited(Rated(model, Rates(*rates)), asyncio.Semaphore(at_once))

        async def later(pause: float, size: int) -> None:
            await clock.sleep(pause)
            await limited.chat(ask(max_tokens=size))

        async def work() -> None:
            await asyncio.gather(*(later(pause, size) for pause, size in zip(pauses, sizes, strict=False)))

        await clock.run(asyncio.ensure_future(work()))
        return model

    model = asyncio.run(scenario())
    assert len(model.asked) == len(sizes)
    if requests is not None:
        assert max(map(len, minutes(model.asked))) <= math.ceil(requests)
    if tokens is not None:
        # the last request of a minute may be as large as it likes: the next one waits all the longer
        assert max(sum(sizes[:-1]) for sizes in minutes(model.asked)) <= tokens + CLOSE


async def test_a_rate_lets_nobody_wait_without_need() -> None:
    clock = Clock()
    rate = Rate(60, now=clock.read, sleep=clock.sleep)
    times: list[float] = []

    async def work() -> None:
        for pause in (0.0, 5.0, 0.2, 0.0):
            await clock.sleep(pause)
            await rate.take(1)
            times.append(clock.now - 100.0)

    await clock.run(asyncio.ensure_future(work()))
    assert times == pytest.approx([0.0, 5.0, 6.0, 7.0])


class Crowded:
    """A model that answers once so many are asking at once."""

    def __init__(self, name: str, crowd: int) -> None:
        self.name = name
        self._crowd = asyncio.Barrier(crowd)
        self._at_once = 0
        self.most_at_once = 0

    async def chat(self, request: ChatRequest) -> ChatReply:
        """An answer to all of them."""
        self._at_once += 1
        self.most_at_once = max(self.most_at_once, self._at_once)
        await self._crowd.wait()
        self._at_once -= 1
        return ChatReply("", "stop", Usage(1, 1))


@pytest.mark.parametrize("concurrency", [1, 3, 50])
async def test_so_many_calls_are_under_way_at_once(concurrency: int) -> None:
    crowded = Crowded("crowded", concurrency)
    async with Clients(ClientSettings(concurrency=concurrency)) as clients:
        model = await clients.open(crowded)
        await asyncio.gather(*(model.chat(ask(slot=slot)) for slot in range(3 * concurrency)))
    assert crowded.most_at_once == concurrency


async def test_each_model_has_limits_of_its_own_and_one_name_is_one_model() -> None:
    small, large = Crowded("small", 2), Crowded("large", 2)
    async with Clients(ClientSettings(concurrency=2)) as clients:
        models = [await clients.open(one) for one in (small, large, small)]
        await asyncio.gather(*(model.chat(ask(slot=slot)) for slot in range(10) for model in models))
    assert models[0] is models[2] is not models[1]
    assert (small.most_at_once, large.most_at_once) == (2, 2)


async def test_a_permit_comes_back_however_a_call_ends() -> None:
    class Failing:
        name = "failing"

        async def chat(self, request: ChatRequest) -> ChatReply:
            if request.call.unit == "slot 0":
                raise ZeroDivisionError
            await asyncio.sleep(0 if request.call.unit == "slot 2" else 60)
            return ChatReply("done", "stop", Usage(1, 1))

    limited = Limited(Failing(), asyncio.Semaphore(1))
    with pytest.raises(ZeroDivisionError):
        await limited.chat(ask(slot=0))
    stuck = asyncio.create_task(limited.chat(ask(slot=1)))
    await asyncio.sleep(0)
    stuck.cancel()
    with pytest.raises(asyncio.CancelledError):
        await stuck
    assert (await limited.chat(ask(slot=2))).text == "done"
