"""A worker in a process of its own, on the machine of its run."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from multiprocessing import parent_process
from multiprocessing.connection import Connection, wait

from dtomtrack.runs.garbage import rare_collections
from dtomtrack.runs.messages import Assignment, Channel, Ended
from dtomtrack.runs.worker import Worker, forward_log

__all__ = ["work"]


def work(connection: Connection) -> None:
    """The life of a worker process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    channel = Channel(connection)
    # what comes first brings all modules with it, whose objects would be searched through again and again
    with rare_collections():
        assignment = channel.receive()
        if isinstance(assignment, Assignment):
            forward_log(channel.send, assignment.log_levels)
            asyncio.run(Worker(channel, assignment).work())
            channel.send(Ended())


def _end_with_parent() -> None:
    """A worker whose parent is killed ends by itself."""
    parent = parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)
