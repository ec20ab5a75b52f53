"""How fast dialogues are made against a server of fixed latency, beside the same calls on bare aiohttp.

    python benchmarks/model_throughput.py                     500 dialogues of 10 calls, at 0.2 s and at 0.02 s
    python benchmarks/model_throughput.py --dialogues 5000    ten times as many, for memory

All run in processes of their own against one server in another; the journal is on. The run in two worker processes
has their start in its time. The server answers as the stand-in of ``performer.py`` does; each work is done twice, and
measured the second time, when the server has all replies prepared and costs next to nothing.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import operator
import os
import resource
import tempfile
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Annotated, Literal, TypedDict

import aiohttp
from loopback import Request
from performer import perform
from prepared_server import Prepared, serve_prepared

CALLS = 10
AT_ONCE = 64


def serve(latency: float, pipe: Connection) -> None:
    """The server, until the other end of the pipe hangs up; whatever it says is answered with counts since then."""
    asyncio.run(_serve(latency, pipe))


async def _serve(latency: float, pipe: Connection) -> None:
    prepared = Prepared(perform, latency)
    server = await serve_prepared(prepared)
    host, port = server.sockets[0].getsockname()
    pipe.send(f"http://{host}:{port}/v1")
    over = asyncio.Event()

    def hear() -> None:
        try:
            pipe.recv()
        except EOFError:
            over.set()
            return
        pipe.send((prepared.count, prepared.most_at_once))
        prepared.count = prepared.most_at_once = 0

    asyncio.get_running_loop().add_reader(pipe.fileno(), hear)
    async with server:
        await over.wait()
        asyncio.get_running_loop().remove_reader(pipe.fileno())


def measured(work: Callable[[str, int], float], latency: float, dialogues: int) -> tuple[float, float, int, int]:
    """(seconds, peak memory in MB, requests, most at once) of work done in a process of its own, the second time."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    server = context.Process(target=serve, args=(latency, theirs))
    server.start()
    theirs.close()
    base_url = ours.recv()
    for _ in range(2):
        results, child = context.Pipe()
        worker = context.Process(target=in_process, args=(work, base_url, dialogues, child))
        worker.start()
        seconds, memory = results.recv()
        worker.join()
        ours.send("how many?")
        count, most = ours.recv()
    ours.close()
    server.join()
    return seconds, memory, count, most


def in_process(work: Callable[[str, int], float], base_url: str, dialogues: int, pipe: Connection) -> None:
    """Do the work, and tell how long it took and how much memory."""
    os.environ.pop("OPENAI_API_KEY", None)
    seconds = work(base_url, dialogues)
    pipe.send((seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024))


def bare(base_url: str, dialogues: int) -> float:
    """The same number of calls, with prompts of the same size, on aiohttp alone."""
    return asyncio.run(_bare(base_url, dialogues))


async def _bare(base_url: str, dialogues: int) -> float:
    body = json.dumps(a_request()).encode()
    permits = asyncio.Semaphore(AT_ONCE)
    started = time.monotonic()
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:

        async def dialogue() -> None:
            for _ in range(CALLS):
                async with permits, session.post(f"{base_url}/chat/completions", data=body) as response:
                    assert (await response.json())["choices"][0]["message"]["content"]  # noqa: S101

        await asyncio.gather(*(dialogue() for _ in range(dialogues)))
    return time.monotonic() - started


def a_request() -> Request:
    """A prompt as actors get it, in the middle of a dialogue."""
    line = '"For my part, the only parking is in the yard, says the amber basil cedar."'
    conversation = "\n".join(f"{turn}. Maya: {line}" for turn in range(5))
    turn = (
        f"What has been said so far:\n{conversation}\n\n"
        "It is your turn. Stage directions, for you alone:\n- Greet Ben.\n\n"
        'Before you speak you think.\n- "I want ..." (your goal)\n\nAnswer with one JSON object'
    )
    return {"model": "x", "messages": [{"role": "system", "content": "x" * 900}, {"role": "user", "content": turn}]}


def layer(base_url: str, dialogues: int) -> float:
    """The language-model layer alone, journal and all, without a workflow."""
    return asyncio.run(_layer(base_url, dialogues))


async def _layer(base_url: str, dialogues: int) -> float:
    from dtomtrack.llm.chat import CallKey, ChatRequest, Message
    from dtomtrack.llm.clients import Clients
    from dtomtrack.llm.journal import Journal
    from dtomtrack.llm.settings import ClientSettings
    from dtomtrack.llm.spec import parse_spec

    messages = tuple(Message(one["role"], one["content"]) for one in a_request()["messages"])
    with tempfile.TemporaryDirectory() as folder:
        started = time.monotonic()
        async with Clients(ClientSettings(concurrency=AT_ONCE), Journal(Path(folder) / "journal.sqlite")) as clients:
            model = await clients.open(parse_spec("openai/x", base_url))

            async def dialogue(slot: int) -> None:
                for turn in range(CALLS):
                    await model.chat(ChatRequest(CallKey(f"slot {slot}", f"turn {turn}"), messages, 400))

            await asyncio.gather(*(dialogue(slot) for slot in range(dialogues)))
        return time.monotonic() - started


class Said(TypedDict):
    """The state of the bare workflow: a dialogue so far."""

    slot: int
    said: Annotated[list[str], operator.add]


def workflow(base_url: str, dialogues: int) -> float:
    """Two agents taking turns on LangGraph, a call each, with the layer below them: no rules, questions or files."""
    return asyncio.run(_workflow(base_url, dialogues))


async def _workflow(base_url: str, dialogues: int) -> float:
    from langgraph.graph import START, StateGraph
    from langgraph.types import Command

    from dtomtrack.llm.chat import CallKey, ChatModel, ChatRequest, Message
    from dtomtrack.llm.clients import Clients
    from dtomtrack.llm.journal import Journal
    from dtomtrack.llm.settings import ClientSettings
    from dtomtrack.llm.spec import parse_spec
    from dtomtrack.runs.in_order import in_order

    messages = tuple(Message(one["role"], one["content"]) for one in a_request()["messages"])
    models: list[ChatModel] = []

    async def agent(state: Said, partner: str) -> Command[str]:
        call = CallKey(f"slot {state['slot']}", f"turn {len(state['said'])}")
        reply = await models[0].chat(ChatRequest(call, messages, 400))
        return Command(update={"said": [reply.text]}, goto="__end__" if len(state["said"]) + 1 == CALLS else partner)

    async def first(state: Said) -> Command[Literal["second", "__end__"]]:
        return await agent(state, "second")  # type: ignore[return-value]

    async def second(state: Said) -> Command[Literal["first", "__end__"]]:
        return await agent(state, "first")  # type: ignore[return-value]

    builder = StateGraph(Said)
    builder.add_node("first", first)
    builder.add_node("second", second)
    builder.add_edge(START, "first")
    graph = builder.compile()

    async def dialogue(slot: int) -> None:
        await graph.ainvoke({"slot": slot, "said": []}, {"recursion_limit": CALLS + 5})

    with tempfile.TemporaryDirectory() as folder:
        started = time.monotonic()
        async with Clients(ClientSettings(concurrency=AT_ONCE), Journal(Path(folder) / "journal.sqlite")) as clients:
            models.append(await clients.open(parse_spec("openai/x", base_url)))
            async for _ in in_order(dialogue, range(dialogues), AT_ONCE * 3):
                pass
        return time.monotonic() - started


def whole(base_url: str, dialogues: int) -> float:
    """``dtomtrack generate`` with model actors: the workflow, the rules, the questions, the files."""
    return generated(base_url, dialogues, workers=1)


def whole_in_two(base_url: str, dialogues: int) -> float:
    """The same in two worker processes, from before they start until after they have ended."""
    return generated(base_url, dialogues, workers=2)


def generated(base_url: str, dialogues: int, workers: int) -> float:
    """Seconds that a run takes."""
    from dtomtrack import generate
    from dtomtrack.graphs import roleplay  # noqa: F401 - what takes half a second to import is not measured

    with tempfile.TemporaryDirectory() as folder:
        started = time.monotonic()
        manifest = generate(
            "restaurant",
            n=dialogues,
            out=Path(folder) / "out",
            actor_model="openai/x",
            base_url=base_url,
            concurrency=AT_ONCE,
            workers=workers,
        )
        seconds = time.monotonic() - started
        assert manifest.counts.dialogues == dialogues  # noqa: S101
    return seconds


WORKS = {
    "bare aiohttp": bare,
    "client, with journal": layer,
    "the same on LangGraph": workflow,
    "dtomtrack generate": whole,
    "in two processes": whole_in_two,
}


def main() -> None:
    """Print a line for each."""
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("--dialogues", type=int, default=500)
    arguments.add_argument("--latency", type=float, nargs="*", default=[0.2, 0.02])
    given = arguments.parse_args()
    for latency in given.latency:
        ideal = given.dialogues * CALLS * latency / AT_ONCE
        print(
            f"{latency} s latency, {given.dialogues} dialogues of {CALLS} calls, {AT_ONCE} at once, ideal {ideal:.1f} s"
        )
        reference = 0.0
        for name, work in WORKS.items():
            seconds, memory, requests, most = measured(work, latency, given.dialogues)
            reference = reference or seconds
            print(
                f"  {name:22} {seconds:6.2f} s  {ideal / seconds:6.1%} of ideal  {seconds / reference:4.2f} x bare"
                f"  {memory:4.0f} MB  {requests} requests, at most {most} at once"
            )


if __name__ == "__main__":
    main()
