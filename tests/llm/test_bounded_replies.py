"""Answers that are too large are faults of their call: no more of them is read or unpacked than the limit says."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
import zlib
from dataclasses import replace

import pytest
from asking import KEY, ask, in_turn
from loopback import Answer, Loopback, completion

from dtomtrack.errors import ModelError
from dtomtrack.llm.clients import Clients
from dtomtrack.llm.failures import TransientError
from dtomtrack.llm.openai_chat import OpenAIChat
from dtomtrack.llm.settings import ClientSettings
from dtomtrack.llm.spec import parse_spec

MB = 1 << 20
QUICK = ClientSettings(first_pause=0.001, timeout=30.0)


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)


def packed(megabytes: int) -> bytes:
    """A chat completion with so many megabytes of one letter, as gzip."""
    begin, end = completion("|").body.split(b"|")
    packer = zlib.compressobj(level=1, wbits=31)
    parts = [packer.compress(begin), *(packer.compress(b"x" * MB) for _ in range(megabytes)), packer.compress(end)]
    return b"".join([*parts, packer.flush()])


def bomb(megabytes: int, status: int = 200) -> Answer:
    return Answer(packed(megabytes), status, {"Content-Encoding": "gzip"})


def mapping_of(count: int) -> Answer:
    """A short answer with far too many parts."""
    return Answer(b'{"choices": [%s]}' % b",".join([b"[[]]"] * count))


async def sent(answer: Answer, most: int = 16 * MB) -> str:
    with Loopback(lambda _: answer) as server:
        async with OpenAIChat(parse_spec("openai/small", server.base_url), 30.0, most) as model:
            return (await model.chat(ask())).text


@pytest.mark.parametrize("answer", [bomb(64), Answer(completion("x" * 20 * MB).body)], ids=["unpacked", "as it is"])
async def test_an_answer_above_the_limit_is_a_fault_of_the_call(answer: Answer) -> None:
    with pytest.raises(TransientError, match="answered with more than 16 MB; --max-reply-mb sets the limit"):
        await sent(answer)


async def test_an_answer_with_far_too_many_parts_is_a_fault_of_the_call() -> None:
    with pytest.raises(TransientError, match="far more parts than a chat completion has"):
        await sent(mapping_of(2_000_000))


async def test_an_answer_within_the_limit_is_read_packed_or_not() -> None:
    whole = completion("a long story " * 1_000)
    small = replace(whole, body=gzip.compress(whole.body), headers={"Content-Encoding": "gzip"})
    assert await sent(small) == await sent(whole) == "a long story " * 1_000
    assert len(await sent(bomb(3))) == 3 * MB
    with pytest.raises(TransientError, match="more than 2 MB"):
        await sent(bomb(3), 2 * MB)


@pytest.mark.parametrize("status", [400, 404, 500])
async def test_of_a_long_complaint_only_the_beginning_is_read(status: int) -> None:
    with pytest.raises(ModelError, match=f"answered {status}"):
        await sent(bomb(32, status))


async def test_it_is_asked_again_for_what_was_too_long() -> None:
    with Loopback(in_turn(bomb(64), completion("good"))) as server:
        async with Clients(QUICK) as clients:
            model = await clients.open(parse_spec("openai/small", server.base_url))
            assert (await model.chat(ask())).text == "good"
            assert (clients.totals.calls, clients.totals.retries) == (1, 1)


async def test_the_limit_is_an_option() -> None:
    with Loopback(lambda _: bomb(3)) as server, pytest.raises(ModelError, match="more than 2 MB"):
        async with Clients(replace(QUICK, max_reply_mb=2.0, tries=2)) as clients:
            model = await clients.open(parse_spec("openai/small", server.base_url))
            await model.chat(ask())


CLIENT = """
import asyncio, re, sys
from pathlib import Path
from asking import ask
from dtomtrack.errors import ModelError
from dtomtrack.llm.openai_chat import OpenAIChat
from dtomtrack.llm.spec import parse_spec

async def main():
    async with OpenAIChat(parse_spec("vllm/small", sys.argv[1]), 60.0) as model:
        for kind in sys.argv[2:]:
            try:
                await model.chat(ask())
            except ModelError as error:
                peak = re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())[1]
                print(kind, type(error).__name__, peak, sep=": ")
asyncio.run(main())
"""


@pytest.mark.skipif(sys.platform != "linux", reason="reads what Linux says of a process")
def test_no_answer_takes_much_memory() -> None:
    answers = {
        "half a gigabyte": bomb(512),
        "fifty megabytes": Answer(completion("\U0001f600" * 12 * MB).body),
        "many parts": mapping_of(3_000_000),
        "many texts": Answer(json.dumps({"choices": ["ab"] * 990_000 + ["x" * 9 * MB]}).encode()),
        "many fields": Answer(b"{%s}" % b",".join(b'"%06d":{}' % number for number in range(490_000))),
    }
    with Loopback(in_turn(*answers.values()), keep=False) as server:
        command = [sys.executable, "-c", CLIENT, server.base_url, *answers]
        ran = subprocess.run(command, capture_output=True, text=True, check=True, env=paths())
    told = [line.split(": ") for line in ran.stdout.splitlines()]
    assert [(kind, error) for kind, error, _ in told] == [(kind, "TransientError") for kind in answers]
    assert all(int(peak) < 300 * 1024 for _, _, peak in told), told


def paths() -> dict[str, str]:
    """The environment of this process, with its path for modules."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
