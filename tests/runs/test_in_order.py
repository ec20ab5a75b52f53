"""Work on a stream: in order, so many at once, and nothing stands still behind a slow piece."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dtomtrack.runs.in_order import WINDOW, in_order


async def collected(lengths: list[int], at_once: int) -> tuple[list[int], int]:
    """The results, and how many pieces were at most worked on together."""
    running = most = 0

    async def work(number: int) -> int:
        nonlocal running, most
        running += 1
        most = max(most, running)
        for _ in range(lengths[number]):
            await asyncio.sleep(0)
        running -= 1
        return number

    return [one async for one in in_order(work, range(len(lengths)), at_once)], most


@given(st.lists(st.integers(0, 9), max_size=30), st.integers(1, 7))
def test_results_come_in_order_and_no_more_are_worked_on_than_may_be(lengths: list[int], at_once: int) -> None:
    results, most = asyncio.run(collected(lengths, at_once))
    assert results == list(range(len(lengths)))
    assert most <= at_once


async def test_later_pieces_go_on_behind_a_slow_one_until_they_take_too_much_memory() -> None:
    slow = asyncio.Event()
    done: list[int] = []

    async def work(number: int) -> int:
        if number == 0:
            await slow.wait()
        done.append(number)
        return number

    results = in_order(work, range(100), 2, lambda _: WINDOW // 40)
    first = asyncio.ensure_future(anext(results))
    for _ in range(200):
        await asyncio.sleep(0)
    assert 40 <= len(done) <= 42
    assert done == list(range(1, len(done) + 1))
    slow.set()
    assert await first == 0
    assert [one async for one in results] == list(range(1, 100))


async def test_what_an_item_or_a_piece_raises_comes_out_in_its_turn_and_ends_the_others() -> None:
    def items() -> Iterator[int]:
        yield from range(3)
        raise KeyError("no fourth item")

    async def work(number: int) -> int:
        return number

    results = in_order(work, items(), 2)
    assert [await anext(results) for _ in range(3)] == [0, 1, 2]
    with pytest.raises(KeyError, match="no fourth item"):
        await anext(results)

    async def fails_at_one(number: int) -> int:
        if number == 1:
            raise ValueError("one")
        await asyncio.sleep(0)
        return number

    results = in_order(fails_at_one, range(9), 3)
    assert await anext(results) == 0
    with pytest.raises(ValueError, match="one"):
        await anext(results)


async def test_no_work_at_once_is_no_way_to_work() -> None:
    with pytest.raises(ValueError, match="at least one"):
        await anext(in_order(asyncio.sleep, [0.0], 0))


async def test_no_more_is_started_than_there_are_items_however_much_may_go_on_at_once() -> None:
    most = 0

    async def work(number: int) -> int:
        nonlocal most
        most = max(most, len(asyncio.all_tasks()))
        await asyncio.sleep(0)
        return number

    before = len(asyncio.all_tasks())
    assert [one async for one in in_order(work, range(3), 10**24)] == [0, 1, 2]
    # beside those of the items the one that finds that there are no more
    assert most <= before + 3 + 1


async def test_between_two_pieces_that_begin_others_have_their_turn() -> None:
    begun = 0

    async def work(number: int) -> int:
        nonlocal begun
        begun += 1
        await asyncio.sleep(60)
        return number

    first = asyncio.ensure_future(anext(in_order(work, range(10**9), 10**9)))
    for _ in range(20):
        await asyncio.sleep(0)
    assert 0 < begun <= 20
    first.cancel()
    with pytest.raises(asyncio.CancelledError):
        await first
