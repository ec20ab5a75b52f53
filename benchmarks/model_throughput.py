"""How fast dialogues are made against a server of fixed latency, beside the same calls on bare aiohttp.

    python benchmarks/model_throughput.py                     500 dialogues of 10 calls, at 0.2 s and at 0.02 s
    python benchmarks/model_throughput.py --dialogues 5000    ten times as many, for memory
    python benchmarks/model_throughput.py --at-once 1000 --latency 2 --dialogues 4000 --only bare generate
    python benchmarks/model_throughput.py --latency 0.02 --only bare generate processes ray

All run in processes of their own against one server in another; the journal is on. Runs in two worker processes, or
on two nodes of a Ray cluster on this machine, have the start of the workers in their time. The server answers as the
stand-in of ``performer.py`` does; each work is done twice, the first time without latency, and measured the second
time, when the server has all replies prepared and costs next to nothing. What LangGraph and the layer below it take
without any work of ours stands beside what the whole takes, in one process and in two. Beside the wall-clock time
stands that of the processor, for machines that others use, too; of runs with workers it is that of the process that
writes alone.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING

import aiohttp
from loopback import Request
from performer import perform
from prepared_server import Prepared, serve_prepared

if TYPE_CHECKING:
    from dtomtrack.api import Options

CALLS = 10
AT_ONCE = 64
SHARE, MEMORY = 0.95, 400
"""The bars for many calls at once: of the ideal rate, and MB."""
MANY = 1000


def serve(latency: float, pipe: Connection) -> None:
    """The server, until the other end of the pipe hangs up; the latency from there on is answered with counts."""
    asyncio.run(_serve(latency, pipe))


async def _serve(latency: float, pipe: Connection) -> None:
    prepared = Prepared(perform, latency)
    server = await serve_prepared(prepared)
    host, port = server.sockets[0].getsockname()
    pipe.send(f"http://{host}:{port}/v1")
    over = asyncio.Event()

    def hear() -> None:
        try:
            prepared.latency = pipe.recv()
        except EOFError:
            over.set()
            return
        pipe.send((prepared.count, prepared.most_at_once))
        prepared.count = prepared.most_at_once = 0

    asyncio.get_running_loop().add_reader(pipe.fileno(), hear)
    async with server:
        await over.wait()
        asyncio.get_running_loop().remove_reader(pipe.fileno())


@dataclass(frozen=True)
class Load:
    """The work that is measured.

    Attributes:
        at_once: calls.
        address: of a Ray cluster.
    """

    base_url: str
    dialogues: int
    at_once: int
    address: str


@dataclass(frozen=True)
class Measured:
    """A work that was done: seconds, of the clock and of the processor, peak memory in MB, what the server saw."""

    seconds: float
    cpu: float
    memory: float
    requests: int
    most_at_once: int


def measured(work: Callable[[Load], float], latency: float, dialogues: int, at_once: int, address: str) -> Measured:
    """Work done in a process of its own, the second time."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    server = context.Process(target=serve, args=(0.0, theirs))
    server.start()
    theirs.close()
    load = Load(ours.recv(), dialogues, at_once, address)
    for _ in range(2):
        results, child = context.Pipe()
        worker = context.Process(target=in_process, args=(work, load, child))
        worker.start()
        seconds, cpu, memory = results.recv()
        worker.join()
        ours.send(latency)
        count, most = ours.recv()
    ours.close()
    server.join()
    return Measured(seconds, cpu, memory, count, most)


def in_process(work: Callable[[Load], float], load: Load, pipe: Connection) -> None:
    """Do the work, and tell how long it took and how much memory."""
    os.environ.pop("OPENAI_API_KEY", None)
    seconds = work(load)
    used = resource.getrusage(resource.RUSAGE_SELF)
    pipe.send((seconds, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024))


def bare(load: Load) -> float:
    """The same number of calls, with prompts of the same size, on aiohttp alone."""
    return asyncio.run(_bare(load))


async def _bare(load: Load) -> float:
    body = json.dumps(a_request()).encode()
    permits = asyncio.Semaphore(load.at_once)
    started = time.monotonic()
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:

        async def dialogue() -> None:
            for _ in range(CALLS):
                async with permits, session.post(f"{load.base_url}/chat/completions", data=body) as response:
                    assert (await response.json())["choices"][0]["message"]["content"]  # noqa: S101

        await asyncio.gather(*(dialogue() for _ in range(load.dialogues)))
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


def layer(load: Load) -> float:
    """The language-model layer alone, journal and all, without a workflow."""
    return asyncio.run(_layer(load))


async def _layer(load: Load) -> float:
    from dtomtrack.llm.chat import CallKey, ChatRequest, Message
    from dtomtrack.llm.clients import Clients
    from dtomtrack.llm.journal import Journal
    from dtomtrack.llm.settings import ClientSettings
    from dtomtrack.llm.spec import parse_spec

    messages = tuple(Message(one["role"], one["content"]) for one in a_request()["messages"])
    with tempfile.TemporaryDirectory() as folder:
        started = time.monotonic()
        async with Clients(
            ClientSettings(concurrency=load.at_once), Journal(Path(folder) / "journal.sqlite")
        ) as clients:
            model = await clients.open(parse_spec("openai/x", load.base_url))

            async def dialogue(slot: int) -> None:
                for turn in range(CALLS):
                    await model.chat(ChatRequest(CallKey(f"slot {slot}", f"turn {turn}"), messages, 400))

            await asyncio.gather(*(dialogue(slot) for slot in range(load.dialogues)))
        return time.monotonic() - started


def workflow(load: Load) -> float:
    """A dialogue's super-steps on LangGraph, a call a turn, with the layer below it: no rules, questions or files."""
    return asyncio.run(_workflow(load))


async def _workflow(load: Load) -> float:
    from bare_workflow import bare_workflow, played

    from dtomtrack.llm.chat import CallKey, ChatModel, ChatRequest, Message
    from dtomtrack.llm.clients import Clients
    from dtomtrack.llm.journal import Journal
    from dtomtrack.llm.settings import ClientSettings
    from dtomtrack.llm.spec import parse_spec
    from dtomtrack.runs.in_order import in_order

    messages = tuple(Message(one["role"], one["content"]) for one in a_request()["messages"])
    models: list[ChatModel] = []

    async def line(slot: int, turn: int) -> str:
        return (await models[0].chat(ChatRequest(CallKey(f"slot {slot}", f"turn {turn}"), messages, 400))).text

    graph = bare_workflow(CALLS, line)
    with tempfile.TemporaryDirectory() as folder:
        started = time.monotonic()
        async with Clients(
            ClientSettings(concurrency=load.at_once), Journal(Path(folder) / "journal.sqlite")
        ) as clients:
            models.append(await clients.open(parse_spec("openai/x", load.base_url)))
            async for _ in in_order(partial(played, graph, CALLS), range(load.dialogues), load.at_once * 3):
                pass
        return time.monotonic() - started


def workflow_in_two(load: Load) -> float:
    """Half of it in each of two processes, from before they start until both have ended."""
    half = replace(load, dialogues=load.dialogues // 2, at_once=load.at_once // 2)
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=workflow, args=(half,)) for _ in range(2)]
    started = time.monotonic()
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    return time.monotonic() - started


def whole(load: Load) -> float:
    """``dtomtrack generate`` with model actors: the workflow, the rules, the questions, the files."""
    return generated(load, {"workers": 1})


def whole_in_two(load: Load) -> float:
    """The same in two worker processes, from before they start until after they have ended."""
    return generated(load, {"engine": "processes", "workers": 2})


def whole_on_ray(load: Load) -> float:
    """The same on the nodes of a Ray cluster that is there already."""
    return generated(load, {"engine": "ray", "ray_address": load.address})


def generated(load: Load, engine: Options) -> float:
    """Seconds that a run takes."""
    from dtomtrack import generate
    from dtomtrack.graphs import roleplay  # noqa: F401 - what takes half a second to import is not measured

    options: Options = {
        "actor_model": "openai/x",
        "base_url": load.base_url,
        "concurrency": load.at_once,
        **engine,
    }
    with tempfile.TemporaryDirectory() as folder:
        started = time.monotonic()
        manifest = generate("restaurant", n=load.dialogues, out=Path(folder) / "out", **options)
        seconds = time.monotonic() - started
        assert manifest.counts.dialogues == load.dialogues  # noqa: S101
    return seconds


def command(load: Load) -> float:
    """The command as a user types it, from before it starts until it has ended: it takes workers by itself."""
    with tempfile.TemporaryDirectory() as folder:
        line = f"generate --n {load.dialogues} --actor-model openai/x --base-url {load.base_url} --yes --quiet"
        words = [*line.split(), "--concurrency", str(load.at_once), "--out", str(Path(folder) / "out")]
        started = time.monotonic()
        subprocess.run([sys.executable, "-m", "dtomtrack", *words], check=True)
        return time.monotonic() - started


WORKS = {
    "bare": ("bare aiohttp", bare),
    "client": ("client, with journal", layer),
    "workflow": ("the same on LangGraph", workflow),
    "two": ("that in two processes", workflow_in_two),
    "generate": ("dtomtrack generate", whole),
    "command": ("the whole command", command),
    "processes": ("in two processes", whole_in_two),
    "ray": ("on two nodes of Ray", whole_on_ray),
}


@contextmanager
def cluster(*, wanted: bool) -> Iterator[str]:
    """The address of two nodes of Ray, if any are wanted."""
    if not wanted:
        yield ""
        return
    from ray_machines import RayMachines

    with RayMachines(2) as machines:
        yield machines.address


def shown(latency: float, given: argparse.Namespace, address: str) -> bool:
    """Print a line for each work; whether those with very many calls at once keep to their bars."""
    ideal = given.dialogues * CALLS * latency / given.at_once
    what = f"{given.dialogues} dialogues of {CALLS} calls, {given.at_once} at once"
    print(f"{latency} s latency, {what}, ideal {ideal:.1f} s")
    reference, kept = 0.0, True
    for name in given.only:
        title, work = WORKS[name]
        found = measured(work, latency, given.dialogues, given.at_once, address)
        reference = reference or found.seconds
        share, beside = ideal / found.seconds, found.seconds / reference
        print(
            f"  {title:22} {found.seconds:6.2f} s  {found.cpu:6.2f} s of processor  {share:6.1%} of ideal"
            f"  {beside:4.2f} x {given.only[0]}  {found.memory:4.0f} MB"
            f"  {found.requests} requests, at most {found.most_at_once} at once",
            flush=True,
        )
        if given.at_once >= MANY and name == "generate":
            kept = share >= SHARE and found.memory <= MEMORY
            print(f"  {'ok' if kept else 'MISS'}: bar {SHARE:.0%} of ideal, {MEMORY} MB")
    return kept


def main() -> int:
    """Print a line for each."""
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("--dialogues", type=int, default=500)
    arguments.add_argument("--latency", type=float, nargs="*", default=[0.2, 0.02])
    arguments.add_argument("--at-once", type=int, default=AT_ONCE)
    arguments.add_argument("--only", choices=WORKS, nargs="*", default=[name for name in WORKS if name != "ray"])
    given = arguments.parse_args()
    with cluster(wanted="ray" in given.only) as address:
        kept = [shown(latency, given, address) for latency in given.latency]
    return 0 if all(kept) else 1


if __name__ == "__main__":
    sys.exit(main())
