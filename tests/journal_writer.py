"""As a program: stores a reply a slot, and writes the slot once it is told that the reply is there for good.

python tests/journal_writer.py JOURNAL MOST-BYTES
"""

from __future__ import annotations

import asyncio
import os
import resource
import subprocess
import sys
from pathlib import Path

from asking import ask

from dtomtrack.errors import WriteError
from dtomtrack.llm.chat import ChatReply, ChatRequest, Usage
from dtomtrack.llm.journal import Journal, key_of_request
from dtomtrack.llm.spec import ModelSpec

__all__ = ["SPEC", "STORED", "request_of", "storing"]

SPEC = ModelSpec("openai", "small", "http://127.0.0.1:1/v1")
STORED = ChatReply("stored " * 300, "stop", Usage(11, 7))
_AT_ONCE = 5


def request_of(slot: int) -> ChatRequest:
    """What is stored for a slot."""
    return ask("question", slot=slot)


def storing(path: Path, most: int = 10**9) -> subprocess.Popen[str]:
    """This program at work on a journal of at most so many bytes."""
    here = Path(__file__)
    return subprocess.Popen(
        [sys.executable, str(here), str(path), str(most)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(here.parents[1] / "benchmarks")},
    )


async def _store(journal: Journal, slot: int) -> None:
    request = request_of(slot)
    await journal.store(key_of_request(SPEC, request), SPEC, request, STORED, 0.0)
    sys.stdout.write(f"{slot}\n")
    sys.stdout.flush()


async def _main(path: Path, most: int) -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
    journal = Journal(path)
    try:
        for first in range(0, 100_000, _AT_ONCE):
            await asyncio.gather(*(_store(journal, slot) for slot in range(first, first + _AT_ONCE)))
    except WriteError as error:
        sys.stderr.write(str(error))
    await journal.close()


if __name__ == "__main__":
    asyncio.run(_main(Path(sys.argv[1]), int(sys.argv[2])))
