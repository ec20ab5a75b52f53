"""Sums and budgets: nothing is spent that may not be, and nothing is given up while it may still fit."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from asking import ask, body_of, in_turn, refused
from hypothesis import given
from hypothesis import strategies as st
from loopback import Answer, Loopback, Request, completion

from dtomtrack.errors import BudgetError, ModelError, ModelSpecError
from dtomtrack.llm.chat import ChatReply, ChatRequest, Usage
from dtomtrack.llm.clients import Clients
from dtomtrack.llm.journal import JOURNAL, Journal
from dtomtrack.llm.prices import load_prices
from dtomtrack.llm.settings import ClientSettings
from dtomtrack.llm.spec import parse_spec
from dtomtrack.llm.tokens import prompt_tokens
from dtomtrack.llm.usage import UsageTotals

MODEL = "openai/small"


@pytest.fixture
def prices(tmp_path: Path) -> Path:
    """A dollar a thousand tokens of the prompt, three a thousand of the reply."""
    path = tmp_path / "prices.yaml"
    path.write_text(f"{MODEL}: {{input: 1000.0, output: 3000.0}}\n", encoding="utf-8")
    return path


class Spending:
    """A model that takes of what a call may take at most a random share, and a while."""

    name = "spending"

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)
        self.replies = 0
        self.under_way = 0

    async def chat(self, request: ChatRequest) -> ChatReply:
        """A reply of any length."""
        self.under_way += 1
        for _ in range(self._random.randrange(5)):
            await asyncio.sleep(0)
        self.under_way -= 1
        self.replies += 1
        spent = Usage(self._random.randint(0, prompt_tokens(request)), self._random.randint(0, request.max_tokens))
        return ChatReply("", "stop", spent)


@given(st.integers(0, 3_000), st.lists(st.integers(1, 400), min_size=1, max_size=40), st.integers(1, 10), st.integers())
def test_tokens_never_exceed_the_budget(most: int, sizes: list[int], at_once: int, seed: int) -> None:
    model = Spending(seed)
    refusals: list[int] = []

    async def spend(asked: Any, size: int) -> None:
        try:
            await asked.chat(ask(max_tokens=size))
        except BudgetError:
            refusals.append(model.under_way)

    async def scenario() -> UsageTotals:
        async with Clients(ClientSettings(concurrency=at_once, max_tokens_total=most)) as clients:
            asked = await clients.open(model)
            await asyncio.gather(*(spend(asked, size) for size in sizes))
            return clients.totals

    totals = asyncio.run(scenario())
    assert totals.tokens <= most
    assert totals.calls == model.replies == len(sizes) - len(refusals)
    assert totals.in_flight == 0
    assert not any(refusals), "a call was refused while others, which might take less than they may, were under way"
    largest = max(prompt_tokens(ask(max_tokens=size)) + size for size in sizes)
    assert not refusals or totals.tokens + largest > most


def bill(request: Request) -> Answer:
    """A reply as long as it may be, to a prompt of which every character counts as the client estimates."""
    body = body_of(completion("{}"))
    prompt = sum(-(-len(message["content"]) // 4) + 4 for message in request["messages"])
    body["usage"] = {"prompt_tokens": prompt, "completion_tokens": request["max_tokens"]}
    return Answer(json.dumps(body).encode())


async def test_prompts_that_take_more_tokens_than_estimated_are_within_the_budget() -> None:
    body = body_of(completion("x"))
    body["usage"] = {"prompt_tokens": 1_000, "completion_tokens": 5}
    prompt = "7 " * 1_000
    assert prompt_tokens(ask(prompt)) < 600
    with Loopback(lambda _: Answer(json.dumps(body).encode())) as server:
        async with Clients(ClientSettings(max_tokens_total=10_000, concurrency=40)) as clients:
            model = await clients.open(parse_spec("vllm/small", server.base_url))
            calls = (model.chat(ask(prompt, slot=slot, max_tokens=10)) for slot in range(40))
            found = await asyncio.gather(*calls, return_exceptions=True)
    assert sum(isinstance(one, BudgetError) for one in found) == 40 - server.count
    assert 8_000 < clients.totals.tokens <= 10_000


async def test_a_schema_in_words_is_within_the_budget_too() -> None:
    schema = {"type": "object", "description": "what to fill in " * 200, "properties": {}}
    refusal = refused(400, "response_format is not supported")

    def without_schemas(request: Request) -> Answer:
        return refusal if "response_format" in request else bill(request)

    with Loopback(without_schemas) as server:
        async with Clients(ClientSettings(max_tokens_total=2_500)) as clients:
            model = await clients.open(parse_spec("vllm/small", server.base_url))
            with pytest.raises(BudgetError):
                for slot in range(10):
                    await model.chat(ask(slot=slot, schema=schema))
    assert 0 < clients.totals.tokens <= 2_500


async def test_money_is_counted_over_all_sessions(tmp_path: Path, prices: Path) -> None:
    settings = ClientSettings(prices=prices, max_cost=0.5)
    requests = [ask(slot=slot) for slot in range(20)]
    cost = (11 * 1000 + 7 * 3000) / 1e6
    with Loopback(lambda _: completion("x")) as server:
        spec = parse_spec(MODEL, server.base_url)
        for session in range(2):
            async with Clients(settings, Journal(tmp_path / JOURNAL)) as clients:
                model = await clients.open(spec)
                with pytest.raises(BudgetError, match=r"the budget of \$0\.5 \(\d+ tokens and \$0\.\d{4} are spent\)"):
                    for request in requests:
                        await model.chat(request)
                totals = clients.totals
            assert totals.cost == pytest.approx(server.count * cost)
            assert totals.replayed == (server.count if session else 0)
        spent = server.count
        async with Clients(replace(settings, max_cost=2.0), Journal(tmp_path / JOURNAL)) as clients:
            model = await clients.open(spec)
            for request in requests:
                await model.chat(request)
    assert 0 < spent < 20 == server.count
    assert clients.totals.cost == pytest.approx(20 * cost)


def test_what_is_written_without_spaces_takes_more_tokens_than_a_quarter_of_its_letters() -> None:
    request = ask()
    said = request.messages[0].content
    of_message = prompt_tokens(request) - -(-len(said) // 4)
    assert prompt_tokens(ask("猫在哪里" * 100)) - of_message == 300


async def test_each_try_that_brings_nothing_is_within_the_budget() -> None:
    body = body_of(completion(""))
    body["usage"] = {"prompt_tokens": 10, "completion_tokens": 1000}
    empty = Answer(json.dumps(body).encode())
    with Loopback(lambda _: empty) as server:
        async with Clients(ClientSettings(max_tokens_total=1_100, first_pause=0.001)) as clients:
            model = await clients.open(parse_spec("vllm/small", server.base_url))
            with pytest.raises(BudgetError, match="1010 tokens"):
                await model.chat(ask(max_tokens=1_000))
    assert (server.count, clients.totals.tokens) == (1, 1_010)


@pytest.mark.parametrize("most", [None, 1_000])
async def test_empty_replies_count_where_the_last_try_fails(most: int | None) -> None:
    with Loopback(in_turn(completion(""), completion(""), refused(503))) as server:
        async with Clients(ClientSettings(max_tokens_total=most, tries=4, first_pause=0.001)) as clients:
            model = await clients.open(parse_spec("vllm/small", server.base_url))
            with pytest.raises(ModelError, match="tried 4 times"):
                await model.chat(ask())
    assert (server.count, clients.totals.calls, clients.totals.tokens) == (4, 0, 2 * 18)


async def test_a_budget_of_nothing_asks_nobody() -> None:
    with Loopback(lambda _: completion("x")) as server:
        async with Clients(ClientSettings(max_tokens_total=0)) as clients:
            model = await clients.open(parse_spec("vllm/small", server.base_url))
            with pytest.raises(BudgetError):
                await model.chat(ask())
    assert server.count == 0


async def test_after_one_refusal_nobody_is_asked_any_more() -> None:
    """Else a smaller call would be under way, and be paid for in vain, when the run ends."""
    with Loopback(lambda _: completion("x")) as server:
        async with Clients(ClientSettings(max_tokens_total=300)) as clients:
            model = await clients.open(parse_spec("vllm/small", server.base_url))
            await model.chat(ask(max_tokens=20))
            for size in (400, 20):
                with pytest.raises(BudgetError):
                    await model.chat(ask(max_tokens=size))
    assert server.count == 1


async def test_a_call_that_fails_gives_back_what_was_set_aside() -> None:
    class Failing(Spending):
        async def chat(self, request: ChatRequest) -> ChatReply:
            if request.call.unit != "slot 5":
                raise ZeroDivisionError
            return await super().chat(request)

    one = prompt_tokens(ask()) + ask().max_tokens
    async with Clients(ClientSettings(max_tokens_total=one)) as clients:
        model = await clients.open(Failing(0))
        for slot in range(5):
            with pytest.raises(ZeroDivisionError):
                await model.chat(ask(slot=slot))
        assert (await model.chat(ask(slot=5))).finish == "stop"
    assert clients.totals.in_flight == 0


async def test_a_price_nobody_knows_keeps_no_budget(prices: Path) -> None:
    async with Clients(ClientSettings(max_cost=1.0, prices=prices)) as clients:
        with pytest.raises(ModelSpecError, match="its price is unknown, so --max-cost can't be kept; give --prices"):
            await clients.open(parse_spec("openrouter/else", "http://127.0.0.1:1"))
        assert (await clients.open(parse_spec("vllm/free"))).name == "vllm/free"


def test_own_prices_go_before_the_built_in_ones(prices: Path) -> None:
    spec = parse_spec(MODEL)
    price = load_prices(prices).of(spec)
    assert price is not None
    assert price.of(Usage(2_000, 1_000)) == pytest.approx(5.0)
    assert load_prices().of(spec) is None
    known = load_prices(prices).of(parse_spec("openai/gpt-4o-mini"))
    assert known is not None and known == load_prices().of(parse_spec("openai/gpt-4o-mini"))
    free = load_prices().of(parse_spec("ollama/any"))
    assert free is not None and free.of(Usage(10**6, 10**6)) == 0.0


def test_a_price_that_is_yes_is_no_dollar(tmp_path: Path) -> None:
    file = tmp_path / "prices.yaml"
    file.write_text(f"{MODEL}: {{input: yes, output: 1}}\n")
    with pytest.raises(ModelSpecError, match=r"prices\.yaml: .*input: has to be a number, not true"):
        load_prices(file)
