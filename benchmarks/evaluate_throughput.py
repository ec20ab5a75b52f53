"""How fast questions are asked against a server of fixed latency, beside the ideal rate, and in how much memory.

    python benchmarks/evaluate_throughput.py                  5,000 and 20,000 questions at 0.05 s, 64 calls at once
    python benchmarks/evaluate_throughput.py --questions 500  so many
    python benchmarks/evaluate_throughput.py --folder DIR --latency 0.02    those of a dataset of any suite
    python benchmarks/evaluate_throughput.py ... --workers 1                asked by so many processes
    python benchmarks/evaluate_throughput.py ... --at-most 1.3              exit status 1 if the whole takes longer

The server, which costs next to nothing, runs in a process of its own, and so does each evaluation; the journal is on.
How many processes ask is left to the number of questions, as on the command line, where nobody says it.
The ideal is calls x latency / calls at once. Other work on the machine shows in the seconds, and in those of the same
prompts on bare aiohttp, not in the processor time.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import os
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from multiprocessing.connection import Connection
from pathlib import Path
from shutil import copytree, ignore_patterns
from typing import Any

import aiohttp
from loopback import completion
from prepared_server import Always, serve_prepared

AT_ONCE = 64
QUESTIONS_A_DIALOGUE = 13
REPLY = completion("B")


def serve(latency: float, pipe: Connection) -> None:
    """The server, until the other end of the pipe says something."""
    asyncio.run(_serve(Always(REPLY, latency), pipe))


async def _serve(always: Always, pipe: Connection) -> None:
    server = await serve_prepared(always)
    host, port = server.sockets[0].getsockname()
    pipe.send(f"http://{host}:{port}/v1")
    told = asyncio.Event()
    asyncio.get_running_loop().add_reader(pipe.fileno(), told.set)
    async with server:
        await told.wait()
        asyncio.get_running_loop().remove_reader(pipe.fileno())
    pipe.send((always.count, always.most_at_once))


def work(folder: str, base_url: str, workers: int | None, pipe: Connection) -> None:
    """One evaluation; tells seconds of asking and of all, processor time of asking, memory in MB, and answers."""
    began = time.monotonic()
    os.environ.pop("OPENAI_API_KEY", None)
    from dtomtrack.evaluation.evaluate import EvaluateProgress, run_evaluation
    from dtomtrack.evaluation.request import request_evaluation
    from dtomtrack.llm import openai_chat  # noqa: F401 - imported here, it counts for the whole and not for asking
    from dtomtrack.runs.garbage import rare_collections
    from dtomtrack.suites.registry import suite_of

    last: list[tuple[float, float]] = []

    def report(progress: EvaluateProgress) -> None:
        if not last or progress.done == progress.wanted:
            last.append((time.monotonic(), time.process_time()))

    request = request_evaluation(
        suite_of(Path(folder)), folder, "openai/x", base_url=base_url, concurrency=AT_ONCE, workers=workers or 1
    )
    if workers is None:
        request = replace(request, engine=None)
    with rare_collections():
        (metrics,) = asyncio.run(run_evaluation(request, report))
    done = time.monotonic()
    (start, used), (end, used_at_end) = last[0], last[-1]
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    pipe.send((end - start, done - began, used_at_end - used, peak, metrics.answers))


def measure(data: Path, latency: float, workers: int | None) -> float:
    """Print a line for a dataset, and one for the same calls on bare aiohttp; how many times their seconds it took."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    # daemonic: a run that fails doesn't wait for it
    server = context.Process(target=serve, args=(latency, theirs), daemon=True)
    server.start()
    base_url = ours.recv()
    asking, whole, used, peak, answers = in_child(work, str(data), base_url, workers)
    seconds, bare_used = in_child(bare_calls, base_url, str(data))
    ours.send("stop")
    count, most = ours.recv()
    server.join()
    ideal = answers * latency / AT_ONCE
    where = "" if workers == 1 else " in the parent"
    print(
        f"{answers:6} questions: asked in {asking:6.2f} s, {ideal / asking:6.1%} of ideal ({ideal:.2f} s); with "
        f"imports and metrics {whole:6.2f} s; {1000 * used / answers:.2f} ms of processor time a question"
        f"{where}; {peak:4.0f} MB; {count - answers} requests, at most {most} at once"
    )
    print(
        f"{'':6} the same calls on bare aiohttp: {seconds:6.2f} s; {1000 * bare_used / answers:.2f} ms of processor "
        f"time a call; asked in {asking / seconds:.2f} times that, the whole in {whole / seconds:.2f} times"
    )
    return float(whole / seconds)


def in_child(function: Callable[..., None], *arguments: object) -> Any:
    """The outcome that a function sends when it is run in a process of its own."""
    context = multiprocessing.get_context("spawn")
    results, child = context.Pipe()
    process = context.Process(target=function, args=(*arguments, child))
    process.start()
    # so that a child that fails ends the pipe, and nobody waits for it
    child.close()
    outcome = results.recv()
    process.join()
    return outcome


def bare_calls(base_url: str, folder: str, pipe: Connection) -> None:
    """The same prompts on aiohttp alone, written beforehand; tells seconds and processor time of sending them."""
    bodies = list(prompts(Path(folder)))
    before = time.process_time()
    pipe.send((asyncio.run(_bare_calls(base_url, bodies)), time.process_time() - before))


def prompts(folder: Path) -> Iterator[bytes]:
    """The body of each request that an evaluation makes."""
    from dtomtrack.evaluation.prompting import prompt_text
    from dtomtrack.evaluation.records import AskConfig
    from dtomtrack.items.presented import PresentedItem
    from dtomtrack.suites.registry import suite_of

    suite = suite_of(folder)
    config = AskConfig(subject="openai/x", questions="-", context=suite.conditions[0])
    for item in suite.items(folder):
        content = prompt_text(PresentedItem(item), config)
        yield json.dumps({"model": "x", "messages": [{"role": "user", "content": content}]}).encode()


async def _bare_calls(base_url: str, bodies: Sequence[bytes]) -> float:
    left = iter(bodies)
    started = time.monotonic()
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:

        async def caller() -> None:
            for body in left:
                async with session.post(f"{base_url}/chat/completions", data=body) as response:
                    assert (await response.json())["choices"][0]["message"]["content"]  # noqa: S101

        await asyncio.gather(*(caller() for _ in range(AT_ONCE)))
    return time.monotonic() - started


def dataset(out: Path, questions: int) -> Path:
    """A dataset of exactly so many questions."""
    from dtomtrack import generate
    from dtomtrack.suites.dtom.slot_result import QUESTIONS

    generate("restaurant", n=-(-questions // QUESTIONS_A_DIALOGUE) + 8, out=out)
    lines = (out / QUESTIONS).read_bytes().split(b"\n")
    if len(lines) <= questions:
        raise SystemExit(f"{len(lines)} questions are fewer than {questions}")
    (out / QUESTIONS).write_bytes(b"\n".join(lines[:questions]) + b"\n")
    return out


def main() -> None:
    """Print a line for each size."""
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("--questions", type=int, nargs="*", default=[5_000, 20_000])
    arguments.add_argument("--folder", type=Path, help="a dataset to ask instead, of any suite; it is copied")
    arguments.add_argument(
        "--at-most", type=float, help="exit with 1 if the whole takes more times the seconds of bare aiohttp"
    )
    arguments.add_argument("--latency", type=float, default=0.05)
    arguments.add_argument("--workers", type=int)
    given = arguments.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        if given.folder is not None:
            data = copytree(given.folder, Path(folder) / "data", ignore=ignore_patterns("eval"))
            took = [measure(data, given.latency, given.workers)]
        else:
            took = [
                measure(dataset(Path(folder) / str(one), one), given.latency, given.workers) for one in given.questions
            ]
    sys.exit(0 if given.at_most is None or max(took) <= given.at_most else 1)


if __name__ == "__main__":
    main()
