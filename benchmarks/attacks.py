"""Attacks on whole runs and folders: what a single answer, file or link can do to a run or its user.

    python benchmarks/attacks.py                 all of them
    python benchmarks/attacks.py edits links     only these; there are edits, links, stall, faults

edits    28 ways to edit a finished dataset: how many are noticed (a warning in the metrics, or a refusal)
links    a received folder with links in every place: how many bytes are written outside of it
stall    one hung call, one absurd Retry-After and one reply bomb in one run: the longest silence at the server, the
         peak memory of the run, and how many dialogues were written
faults   half of all calls faulty, of 30 kinds, with --timeout 3: how many replies were given twice

Everything runs against servers on loopback; nothing is said to any other. Exit status 1 if a bar is not met.
"""

from __future__ import annotations

import argparse
import gzip
import json
import logging
import subprocess
import sys
import tempfile
import threading
import time
import zlib
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

from loopback import Answer, Loopback, Request, completion
from performer import perform

ROOT = Path(__file__).resolve().parents[1]
MB = 1 << 20
_MOST_SESSIONS = 30
LONGEST_SILENCE, MOST_MEMORY = 60.0, 300
"""Seconds, and MB."""


def refusal(status: int, message: str = "no", **headers: str) -> Answer:
    """An error as servers give it."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Answer(json.dumps({"error": {"message": message}}).encode(), status, named)


def bomb(megabytes: int) -> Answer:
    """A small answer that unpacks to so many megabytes."""
    begin, end = completion("|").body.split(b"|")
    packer = zlib.compressobj(wbits=31)
    parts = [packer.compress(begin), *(packer.compress(b"x" * MB) for _ in range(megabytes)), packer.compress(end)]
    return Answer(b"".join([*parts, packer.flush()]), 200, {"Content-Encoding": "gzip"})


def with_message(**message: Any) -> Answer:
    """A completion with these fields in its message."""
    body = json.loads(completion("x").body)
    body["choices"][0]["message"] = {"role": "assistant", **message}
    return Answer(json.dumps(body).encode())


Fault = Callable[[Answer], Answer]


def refused_with(status: int) -> Fault:
    """A refusal in the place of any answer."""
    return lambda _: refusal(status)


FAULTS: dict[str, Fault] = {
    **{f"status {status}": refused_with(status) for status in (408, 409, 425, 500, 502, 503, 504)},
    "429": lambda _: refusal(429),
    "429, at once": lambda _: refusal(429, Retry_After="0"),
    "429, soon": lambda _: refusal(429, Retry_After="0.05"),
    "429, a date gone by": lambda _: refusal(429, Retry_After="Wed, 21 Oct 2015 07:28:00 GMT"),
    "429, no date": lambda _: refusal(429, Retry_After="Wed, 99 Oct 99999999999 07:28:00 GMT"),
    "429, words": lambda _: refusal(429, Retry_After="soon"),
    "grammar": lambda _: refusal(500, "The output does not match the expected grammar"),
    "HTML": lambda _: Answer(b"<html>Bad Gateway</html>", 502, {"Content-Type": "text/html"}),
    "HTML with 200": lambda _: Answer(b"<html>Sign in</html>", 200, {"Content-Type": "text/html"}),
    "nothing": lambda _: Answer(b""),
    "malformed": lambda _: Answer(b"{'choices': ["),
    "truncated": lambda good: Answer(good.body[: len(good.body) // 2]),
    "no choices": lambda _: Answer(b'{"choices": []}'),
    "a list": lambda _: Answer(b"[1, 2]"),
    "too deep": lambda _: Answer(b'{"choices":' + b"[" * 50_000),
    "empty": lambda _: completion(""),
    "null": lambda _: completion(None),
    "tools": lambda _: with_message(content=None, tool_calls=[{"id": "1"}]),
    "dropped at once": lambda good: replace(good, cut=0),
    "dropped": lambda good: replace(good, cut=len(good.body) // 2),
    "no gzip": lambda good: Answer(good.body, 200, {"Content-Encoding": "gzip"}),
    "half a gzip": lambda good: Answer(gzip.compress(good.body)[:-20], 200, {"Content-Encoding": "gzip"}),
    "hang": lambda good: replace(good, after=600.0),
}


class Faulty:
    """Half of all answers are of no use; notes how often each request got a good one.

    Attributes:
        answered: by the request.
        kinds: of answers.
    """

    def __init__(self, seed: int) -> None:
        self._rng = Random(seed)
        self.answered: Counter[str] = Counter()
        self.kinds: Counter[str] = Counter()

    def __call__(self, request: Request) -> Answer:
        """The next answer."""
        kind = self._rng.choice(list(FAULTS)) if self._rng.random() < 0.5 else "good"
        self.kinds[kind] += 1
        good = perform(request)
        if kind != "good":
            return FAULTS[kind](good)
        self.answered[str(request["seed"]) + str("response_format" in request)] += 1
        return good


class Thrice:
    """An ordinary server, but for one hung call, one absurd Retry-After and one reply bomb.

    Attributes:
        at: when requests came in.
    """

    def __init__(self, first: int) -> None:
        self._specials = {first: "hang", first + 40: "later", first + 80: "bomb"}
        self._bomb = bomb(2048)
        self.at: list[float] = []

    def __call__(self, request: Request) -> Answer:
        """The next answer."""
        self.at.append(time.monotonic())
        kind = self._specials.get(len(self.at))
        if kind == "hang":
            return replace(perform(request), after=3600.0)
        if kind == "later":
            return refusal(429, Retry_After="1000000000")
        return self._bomb if kind == "bomb" else perform(request)


def generate(server: Loopback, out: Path, n: int, *more: str) -> list[str]:
    """The command of a run."""
    models = ["--actor-model", "vllm/x", "--base-url", server.base_url, "--concurrency", "64"]
    return [sys.executable, "-m", "dtomtrack", "generate", "--n", str(n), "--out", str(out), "--quiet", *models, *more]


def peak_memory(process: subprocess.Popen[bytes], found: list[int]) -> None:
    """Note the peak memory of a process in MB while it lives."""
    while process.poll() is None:
        try:
            status = Path(f"/proc/{process.pid}/status").read_text(encoding="utf-8")
        except OSError:
            return
        peak = next((int(line.split()[1]) for line in status.split("\n") if line.startswith("VmHWM")), 0)
        found.append(peak >> 10)
        time.sleep(0.1)


def stall() -> bool:
    """One hung call, one absurd Retry-After, one reply bomb in one run."""
    n, server_side = 120, Thrice(300)
    with tempfile.TemporaryDirectory() as folder, Loopback(server_side, latency=0.2, keep=False) as server:
        process = subprocess.Popen(generate(server, Path(folder) / "out", n))
        memory: list[int] = [0]
        watch = threading.Thread(target=peak_memory, args=(process, memory))
        watch.start()
        status = process.wait()
        watch.join()
        written = (Path(folder) / "out" / "dialogues.jsonl").read_bytes().count(b"\n")
    silence = max(later - earlier for earlier, later in zip(server_side.at, server_side.at[1:], strict=False))
    busy = sum(later - earlier > 2 for earlier, later in zip(server_side.at, server_side.at[1:], strict=False))
    print(
        f"stall: exit {status}, {written} of {n} dialogues, {len(server_side.at)} requests; longest silence "
        f"{silence:.1f} s, silences over 2 s: {busy}; peak memory {max(memory)} MB"
    )
    return status == 0 and silence <= LONGEST_SILENCE and max(memory) <= MOST_MEMORY


def faults() -> bool:
    """Half of all calls faulty."""
    n, server_side, sessions, status = 30, Faulty(0), 0, 1
    with tempfile.TemporaryDirectory() as folder, Loopback(server_side, keep=False) as server:
        while status == 1 and sessions < _MOST_SESSIONS:
            # eight tries may all be faulty: then the run stops, and the same command goes on
            sessions += 1
            command = generate(server, Path(folder) / "out", n, "--timeout", "3")
            status = subprocess.run(command, check=False, stderr=subprocess.DEVNULL).returncode
        written = (Path(folder) / "out" / "dialogues.jsonl").read_bytes().count(b"\n")
    twice = sum(count - 1 for count in server_side.answered.values())
    calls, good = server_side.kinds.total(), server_side.kinds["good"]
    print(
        f"faults: exit {status} in session {sessions}, {written} of {n} dialogues; {calls - good} of {calls} answers "
        f"faulty, of {len(server_side.kinds) - 1} kinds; {len(server_side.answered)} replies, {twice} given twice"
    )
    return status == 0 and written == n and twice == 0


def tested(name: str, what: str) -> bool:
    """The tests of an attack, which make it; how many there are, and how many fail."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:xdist", "--tb=no", *name.split()]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    marks = "".join(line.partition(" ")[0] for line in ran.stdout.split("\n") if line.endswith("%]"))
    print(f"{what}: {marks.count('.')} of {len(marks)}")
    return ran.returncode == 0


def edits() -> bool:
    """28 ways to edit a finished dataset."""
    return tested("tests/runs/test_edited.py -k test_an_edited_dataset_is_noticed", "edits: noticed")


def links() -> bool:
    """Links in every place."""
    return tested("tests/runs/test_links.py", "links: places through which 0 bytes were written outside")


ATTACKS = {"edits": edits, "links": links, "stall": stall, "faults": faults}


def main() -> None:
    """Make the attacks, and print a line each."""
    # servers that are stopped while calls hang have complaints of their own
    logging.getLogger("asyncio").setLevel(logging.CRITICAL)
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("attacks", nargs="*", choices=[*ATTACKS, []], default=[])
    chosen = arguments.parse_args().attacks or list(ATTACKS)
    met = [ATTACKS[name]() for name in chosen]
    if not all(met):
        raise SystemExit(1)


if __name__ == "__main__":
    main()
