"""The journal: what is in it is never asked for again, what is not is never made up."""

from __future__ import annotations

import asyncio
import json
import signal
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from asking import ask, body_of, until
from hypothesis import given
from hypothesis import strategies as st
from journal_writer import SPEC, STORED, request_of, storing
from loopback import Answer, Loopback, Request, completion

from dtomtrack.errors import DatasetError, WriteError
from dtomtrack.llm.chat import CallKey, ChatReply, ChatRequest, Message, Usage
from dtomtrack.llm.clients import Clients
from dtomtrack.llm.journal import JOURNAL, Journal, key_of_request
from dtomtrack.llm.settings import ClientSettings
from dtomtrack.llm.spec import ModelSpec, parse_spec
from dtomtrack.llm.usage import UsageTotals


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / JOURNAL


async def chat(path: Path, spec: ModelSpec, *requests: ChatRequest) -> tuple[list[ChatReply], UsageTotals]:
    """Replies to requests made at once, in a session of their own."""
    async with Clients(ClientSettings(first_pause=0.001), Journal(path)) as clients:
        model = await clients.open(spec)
        return await asyncio.gather(*(model.chat(request) for request in requests)), clients.totals


def rows(path: Path) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(path)) as journal:
        found = journal.execute("select unit, purpose, text from replies").fetchall()
    return sorted((int(unit.removeprefix("slot ")), purpose, text) for unit, purpose, text in found)


def echo(request: Request) -> Answer:
    return completion(f"reply to {request['messages'][-1]['content']}")


async def test_what_is_journaled_is_not_asked_for_again(path: Path) -> None:
    requests = [ask(f"question {slot}", slot=slot) for slot in range(50)]
    with Loopback(echo) as server:
        spec = parse_spec("vllm/small", server.base_url)
        first, booked = await chat(path, spec, *requests)
        again, replayed = await chat(path, spec, *requests)
        assert server.count == 50
    assert again == first
    assert (booked.calls, booked.replayed) == (50, 0)
    assert (replayed.calls, replayed.replayed) == (50, 50)
    assert (replayed.tokens, replayed.cost) == (booked.tokens, booked.cost)


async def test_a_reply_is_stored_before_it_is_used(path: Path) -> None:
    with Loopback(echo) as server:
        async with Clients(ClientSettings(), Journal(path)) as clients:
            model = await clients.open(parse_spec("vllm/small", server.base_url))
            for slot in range(3):
                await model.chat(ask("x", slot=slot))
                assert [row[0] for row in rows(path)] == list(range(slot + 1))


async def test_a_reply_is_given_back_as_it_was(path: Path) -> None:
    place = {"token": "B", "top_logprobs": [{"token": "B", "logprob": -0.25}, {"token": "A", "logprob": -1.5}]}
    odd = 'a\x00b\u2028"\U0001f600\\ ' + "y" * 100_000
    answers = {
        "letter": completion("B", logprobs={"content": [place]}),
        "odd": completion(odd),
        "cut": completion("hal", finish="length"),
        "filtered": completion("", finish="content_filter"),
        "uncounted": Answer(json.dumps(body_of(completion("x")) | {"usage": None}).encode()),
    }
    requests = [ask(name, name=name, choices=("A", "B") if name == "letter" else ()) for name in answers]
    with Loopback(lambda request: answers[request["messages"][-1]["content"]]) as server:
        spec = parse_spec("vllm/small", server.base_url)
        first, _ = await chat(path, spec, *requests)
        again, _ = await chat(path, spec, *requests)
        assert server.count == len(answers)
    assert again == first
    assert [reply.finish for reply in again] == ["stop", "stop", "length", "filter", "stop"]
    assert again[0].probabilities is not None
    assert again[1].text == odd
    assert again[4].usage.estimated


USAGE = Usage(11, 7)
PLAIN = ChatRequest(
    CallKey("slot 3", "turn 4", 1), (Message("system", "be"), Message("user", "hello")), 50, 0.5, 0.9, 7
)
CHANGES: dict[str, tuple[ModelSpec, ChatRequest]] = {
    "provider": (replace(SPEC, provider="vllm"), PLAIN),
    "address": (replace(SPEC, base_url="http://127.0.0.1:2/v1"), PLAIN),
    "no address": (replace(SPEC, base_url=None), PLAIN),
    "model": (replace(SPEC, name="large"), PLAIN),
    "unit": (SPEC, replace(PLAIN, call=CallKey("slot 4", "turn 4", 1))),
    "try": (SPEC, replace(PLAIN, call=CallKey("slot 3", "turn 4", 2))),
    "purpose": (SPEC, replace(PLAIN, call=CallKey("slot 3", "turn 5", 1))),
    "words": (SPEC, replace(PLAIN, messages=(Message("system", "be"), Message("user", "hello ")))),
    "role": (SPEC, replace(PLAIN, messages=(Message("user", "be"), Message("user", "hello")))),
    "order": (SPEC, replace(PLAIN, messages=(Message("user", "hello"), Message("system", "be")))),
    "one message": (SPEC, replace(PLAIN, messages=(Message("user", "be hello"),))),
    "length": (SPEC, replace(PLAIN, max_tokens=51)),
    "temperature": (SPEC, replace(PLAIN, temperature=0.51)),
    "top_p": (SPEC, replace(PLAIN, top_p=0.91)),
    "seed": (SPEC, replace(PLAIN, seed=8)),
    "no seed": (SPEC, replace(PLAIN, seed=None)),
    "schema": (SPEC, replace(PLAIN, schema={"type": "object"})),
    "another schema": (SPEC, replace(PLAIN, schema={"type": "string"})),
    "choices": (SPEC, replace(PLAIN, choices=("A", "B"))),
    "fewer choices": (SPEC, replace(PLAIN, choices=("AB",))),
    "goes on": (SPEC, replace(PLAIN, continues=True)),
}


def test_whatever_could_change_a_reply_changes_its_key() -> None:
    keys = {name: key_of_request(spec, request) for name, (spec, request) in CHANGES.items()}
    keys["plain"] = key_of_request(SPEC, PLAIN)
    assert len(set(keys.values())) == len(CHANGES) + 1
    assert key_of_request(SPEC, replace(PLAIN)) == keys["plain"]


_text = st.text(st.characters(codec="utf-8"), max_size=6)
_calls = st.builds(CallKey, _text, _text, st.integers(0, 3))
_messages = st.lists(st.builds(Message, st.sampled_from(["system", "user", "assistant"]), _text), max_size=3)
_requests = st.builds(
    ChatRequest,
    _calls,
    _messages.map(tuple),
    st.integers(1, 3),
    st.sampled_from([0.0, 0.5]),
    seed=st.none() | st.integers(0, 2),
    choices=st.lists(_text, max_size=2).map(tuple),
)
_specs = st.builds(ModelSpec, _text, _text, st.none() | _text)


@given(_specs, _requests, _specs, _requests)
def test_keys_are_equal_where_all_is_equal(
    spec: ModelSpec, request: ChatRequest, other_spec: ModelSpec, other: ChatRequest
) -> None:
    same = (spec, request) == (other_spec, other)
    assert (key_of_request(spec, request) == key_of_request(other_spec, other)) == same


async def test_another_model_is_asked_for_itself(path: Path) -> None:
    with Loopback(lambda request: completion(f"{request['model']}, {request.get('seed')}")) as server:
        for name, seed in [("small", 1), ("large", 1), ("small", 2), ("small", 1)]:
            replies, _ = await chat(path, parse_spec(f"vllm/{name}", server.base_url), ask(seed=seed))
            assert replies[0].text == f"{name}, {seed}"
        assert server.count == 3


def no_database(path: Path) -> None:
    path.write_bytes(b"not a database at all, " * 100)


def another_version(path: Path) -> None:
    with closing(sqlite3.connect(path)) as journal:
        journal.execute("pragma user_version = 7")


def torn_first_page(path: Path) -> None:
    asyncio.run(fill(path, 200))
    with path.open("r+b") as file:
        file.seek(30)
        file.write(b"\xff" * 4_000)


def torn_pages(path: Path) -> None:
    asyncio.run(fill(path, 200))
    with path.open("r+b") as file:
        file.seek(4096)
        file.write(b"\xff" * (path.stat().st_size - 4096))


@pytest.mark.parametrize("spoil", [no_database, another_version, torn_first_page, torn_pages])
def test_a_file_that_is_no_journal_is_named(path: Path, spoil: Callable[[Path], None]) -> None:
    spoil(path)
    before = path.read_bytes()
    with pytest.raises(DatasetError, match=r"journal\.sqlite: is .* --fresh-journal goes on with ") as caught:
        Journal(path)
    assert "\n" not in str(caught.value)
    assert path.read_bytes() == before


async def fill(path: Path, slots: int, text: str = "reply") -> None:
    """A journal with a reply a slot."""
    journal = Journal(path)
    reply, requests = ChatReply(text, "stop", USAGE), [request_of(slot) for slot in range(slots)]
    await asyncio.gather(*(journal.store(key_of_request(SPEC, one), SPEC, one, reply, 0.0) for one in requests))
    await journal.close()


def spoil_long_replies(path: Path) -> None:
    """Damage the pages that hold nothing but parts of long replies: nobody reads them before they are looked for."""
    whole = path.read_bytes()
    with path.open("r+b") as file:
        for place in range(0, len(whole), 4096):
            if b"a long reply" in whole[place : place + 200]:
                file.seek(place)
                file.write(b"\xff" * 4)


async def test_a_reply_that_is_damaged_is_told(path: Path) -> None:
    await fill(path, 40, "a long reply " * 5_000)
    spoil_long_replies(path)
    journal = Journal(path)
    found = 0
    for slot in range(40):
        try:
            reply = await journal.find(key_of_request(SPEC, request_of(slot)))
        except DatasetError as error:
            assert "journal.sqlite: is damaged" in str(error)
        else:
            assert reply is not None
            found += reply.text == "a long reply " * 5_000
    await journal.close()
    assert found < 40


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    with pytest.raises(WriteError, match="can't be written"):
        Journal(tmp_path / "nowhere" / JOURNAL)


async def test_what_no_file_can_hold_stops_the_run_and_hangs_nobody(path: Path) -> None:
    reply = ChatReply("x", "stop", Usage(10**30, 1))

    class Own:
        name = "own"

        async def chat(self, request: ChatRequest) -> ChatReply:
            return reply if request.call.unit == "slot 1" else ChatReply("fine", "stop", USAGE)

    async with Clients(ClientSettings(), Journal(path)) as clients:
        model = await clients.open(Own())
        await model.chat(ask(slot=0))
        with pytest.raises(WriteError, match=r"journal\.sqlite: can't be written"):
            await model.chat(ask(slot=1))
        await model.chat(ask(slot=2))
    assert [row[0] for row in rows(path)] == [0, 2]


async def test_what_was_answered_before_a_run_ends_is_stored(path: Path) -> None:
    """Although whoever asked is gone."""
    with Loopback(echo) as server:
        async with Clients(ClientSettings(concurrency=20), Journal(path)) as clients:
            model = await clients.open(parse_spec("vllm/small", server.base_url))
            calls = [asyncio.create_task(model.chat(ask(slot=slot))) for slot in range(20)]
            await until(lambda: clients.totals.calls == 20)
            for call in calls:
                call.cancel()
            await asyncio.gather(*calls, return_exceptions=True)
    assert len(rows(path)) == 20


async def test_what_waits_for_the_next_batch_is_stored_when_a_journal_is_closed(path: Path) -> None:
    wrong: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: wrong.append(context))
    journal = Journal(path)
    await journal.store(b"first", SPEC, ask("x", slot=0), STORED, 0.0)
    waiting = asyncio.create_task(journal.store(b"second", SPEC, ask("x", slot=1), STORED, 0.0))
    await asyncio.sleep(0)
    await journal.close()
    await waiting
    # longer than from one batch to the next
    await asyncio.sleep(0.05)
    assert [row[0] for row in rows(path)] == [0, 1]
    assert not wrong


async def test_a_full_disk_is_told_and_loses_nothing(path: Path) -> None:
    stored, wrong = storing(path, 300_000).communicate()
    assert "journal.sqlite: can't be written (" in wrong
    assert "Traceback" not in wrong
    slots = {int(slot) for slot in stored.split()}
    assert slots
    assert slots <= {row[0] for row in rows(path)}
    await fill(path, 200)
    assert {row[0] for row in rows(path)} >= set(range(200))


@pytest.mark.parametrize("wanted", [1, 40, 300])
async def test_a_killed_writer_leaves_all_that_it_said_was_stored(path: Path, wanted: int) -> None:
    process = storing(path)
    assert process.stdout is not None
    said = [process.stdout.readline() for _ in range(wanted)]
    process.send_signal(signal.SIGKILL)
    rest, wrong = process.communicate()
    assert process.returncode == -signal.SIGKILL, wrong
    slots = {int(slot) for slot in ("".join(said) + rest).split("\n")[:-1]}
    journal = Journal(path)
    found = [await journal.find(key_of_request(SPEC, request_of(slot))) for slot in sorted(slots)]
    assert len(found) >= wanted
    assert all(reply is not None and reply.text == STORED.text for reply in found)
    assert journal.before.calls >= len(found)
    await journal.close()
