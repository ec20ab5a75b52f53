"""How worker processes come to be: spawned, or forked from a process that has imported for all of them."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import forkserver, get_context, resource_tracker
from multiprocessing.context import ForkServerContext, SpawnContext
from typing import Any

__all__ = ["CONTEXT", "end_imported", "import_ahead", "signals_blocked"]

_SPAWN = get_context("spawn")
_FIRST = ("dtomtrack.runs.preloading", "dtomtrack.runs.worker_process")
CONTEXT: SpawnContext | ForkServerContext = _SPAWN
"""What starts worker processes: they share nothing with their parent, whatever runs in it."""


def import_ahead(*modules: str) -> None:
    """Have modules imported once, by a process that workers are forked from, while this one gets ready itself.

    For programs that change nothing of their environment from now on: workers have the one of this moment. It is done
    on Linux alone, as elsewhere libraries of the system don't outlive a fork, and done already where it was before.
    """
    global CONTEXT
    if CONTEXT is _SPAWN and sys.platform == "linux":
        CONTEXT = get_context("forkserver")
        CONTEXT.set_forkserver_preload([*_FIRST, *modules])
        with signals_blocked():
            forkserver.ensure_running()


def end_imported() -> None:
    """End the process of `import_ahead`, where there is one: what it took of the processor is then this one's."""
    # nothing public ends it, and what is not public has no types
    server: Any = forkserver._forkserver
    if isinstance(CONTEXT, ForkServerContext) and server._forkserver_pid is not None:
        # its workers have ended, and on its own it would take a quarter of a second to go, as it has so much imported
        os.kill(server._forkserver_pid, signal.SIGKILL)
        server._stop()


@contextmanager
def signals_blocked() -> Iterator[None]:
    """Processes that start within leave signals to their parent: what is blocked now is blocked in them from the start.

    Their parent closes down in order when it is told to stop, also by a signal to the whole group.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    # multiprocessing's own process, which it would start in here, unblocks them again
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM, signal.SIGHUP})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
