"""A Ray cluster, as a run reaches it: connected to, looked over, and left as it was."""

from __future__ import annotations

import logging
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass
from io import StringIO, TextIOBase
from typing import TYPE_CHECKING

from dtomtrack.errors import InputError

if TYPE_CHECKING:
    from typing import TextIO

__all__ = ["OWN", "Node", "cores_of_cluster", "live_nodes", "on_cluster"]

OWN = "local"
"""The address of a cluster of this machine alone, which is started for a run and ends with it."""
_PATIENCE = 20.0
"""Seconds that a machine may take to answer."""
_PATIENCE_WITH_RAY = 90.0
"""Seconds that Ray itself may take, which has to be started to ask: on a busy machine that alone takes many."""
_OBJECTS = 256 << 20
"""Bytes of shared memory: what is sent is small."""
_QUIET = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_ENABLE_RECORD_ACTOR_TASK_LOGGING": "0",
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",
}
_ERRORS_OF_NODES = "ray_listen_error_messages"
"""The thread in which Ray prints what happens to nodes, on standard output."""
_SIGNALS = (signal.SIGINT, signal.SIGTERM)


@dataclass(frozen=True)
class Node:
    """A node of the cluster.

    Attributes:
        name: the address of its machine.
    """

    id: str
    name: str


@contextmanager
def on_cluster(address: str, cores: int | None) -> Iterator[None]:
    """Be connected to a cluster meanwhile; one that this process is connected to already is used as it is.

    Args:
        address: ``HOST:PORT``, ``auto`` for the one that was started on this machine, or `OWN`.
        cores: of a cluster of its own.

    Raises:
        InputError: nobody answers there, or another version of Ray or Python.
    """
    # imported late: only who has the extra can
    import ray

    if ray.is_initialized():
        yield
        return
    for name, value in _QUIET.items():
        os.environ.setdefault(name, value)
    _check_address(address)
    with _only_errors_logged(), redirect_stdout(_WithoutNodes(sys.stdout)):
        _connect(address, cores)
        try:
            yield
        finally:
            # what was said more than once of nodes is said at the end
            with _signals_kept(), redirect_stdout(StringIO()):
                ray.shutdown()


def live_nodes() -> list[Node]:
    """The nodes of the cluster that answer."""
    import ray

    return [Node(node["NodeID"], node["NodeManagerAddress"]) for node in ray.nodes() if node["Alive"]]


def cores_of_cluster() -> int:
    """The processor cores of all nodes together."""
    import ray

    return int(ray.cluster_resources().get("CPU", 0))


@contextmanager
def _only_errors_logged() -> Iterator[None]:
    """Of Ray's own log only errors meanwhile."""
    logger = logging.getLogger("ray")
    before = logger.level
    logger.setLevel(logging.ERROR)
    try:
        yield
    finally:
        logger.setLevel(before)


def _check_address(address: str) -> None:
    """See that a cluster answers: connecting to none takes Ray minutes, and ends this process."""
    if address == OWN:
        return
    host, colon, port = address.rpartition(":")
    if address != "auto" and not (host and colon and port.isdecimal()):
        raise InputError(f"--ray-address {address}: has to be auto or HOST:PORT, as ray start says it")
    named = () if address == "auto" else ("--address", address)
    try:
        if address != "auto":
            socket.create_connection((host.strip("[]"), int(port)), _PATIENCE).close()
    except (OSError, OverflowError):
        raise InputError(_nobody(address)) from None
    command = [sys.executable, "-m", "ray.scripts.scripts", "health-check", *named]
    try:
        # the address was looked at
        asked = subprocess.run(command, capture_output=True, timeout=_PATIENCE_WITH_RAY, check=False)  # noqa: S603
    except subprocess.TimeoutExpired:
        raise InputError(
            f"--ray-address {address}: something listens there, and no Ray cluster has answered in "
            f"{_PATIENCE_WITH_RAY:.0f} seconds; see ray status on its head node, or try again when it is less busy"
        ) from None
    if asked.returncode:
        raise InputError(_nobody(address))


def _nobody(address: str) -> str:
    return f"--ray-address {address}: no Ray cluster answers there; ray status on its head node says whether it is up"


def _connect(address: str, cores: int | None) -> None:
    import ray

    own = {"num_cpus": cores, "include_dashboard": False, "object_store_memory": _OBJECTS} if address == OWN else {}
    try:
        with _signals_kept():
            ray.init(address=address, log_to_driver=False, configure_logging=False, **own)
    except (RuntimeError, ConnectionError, ValueError) as error:
        reason = " ".join(str(error).split())
        raise InputError(f"--ray-address {address}: can't be worked with ({reason})") from error


@contextmanager
def _signals_kept() -> Iterator[None]:
    """Ray puts a handler of its own on signals that end a process; ours close the run in order."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {one: signal.getsignal(one) for one in _SIGNALS}
    try:
        yield
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)


class _WithoutNodes(TextIOBase):
    """Standard output, without what Ray prints there when a node dies: the run goes on, and its output is its own."""

    def __init__(self, inner: TextIO) -> None:
        self._inner = inner

    def write(self, text: str) -> int:
        """Write, unless it is that."""
        if threading.current_thread().name == _ERRORS_OF_NODES:
            return len(text)
        return self._inner.write(text)

    def flush(self) -> None:
        """Flush what was written."""
        if not self._inner.closed:
            self._inner.flush()

    def fileno(self) -> int:
        """The file that is written."""
        return self._inner.fileno()

    def isatty(self) -> bool:
        """Whether somebody looks on; nobody once it is closed, as Ray asks at the end of the program, too."""
        return not self._inner.closed and self._inner.isatty()
