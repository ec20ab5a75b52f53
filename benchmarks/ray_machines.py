"""Several Ray nodes on this machine: what a cluster is to a run, without one."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Self

from ray.cluster_utils import Cluster

__all__ = ["RayMachines"]

_MEMORY = 100 << 20


class RayMachines:
    """A head node without cores, to which runs connect, and nodes of a core each; use it as a context manager.

    Args:
        nodes: beside the head.

    Attributes:
        address: for ``--ray-address``.
    """

    def __init__(self, nodes: int) -> None:
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        head = {"num_cpus": 0, "include_dashboard": False, "object_store_memory": _MEMORY}
        self._cluster = Cluster(initialize_head=True, head_node_args=head)
        self.address: str = self._cluster.address
        self._nodes = [self._started() for _ in range(nodes)]

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._cluster.shutdown()

    def kill_one(self) -> None:
        """Kill the oldest node, as if its power went: nothing in it ends in order."""
        self._cluster.remove_node(self._nodes.pop(0), allow_graceful=False)

    def start_one(self) -> None:
        """Start another."""
        self._nodes.append(self._started())

    @contextmanager
    def one_more(self, **environment: str) -> Iterator[None]:
        """Another meanwhile, with variables of its own."""
        node = self._started(**environment)
        try:
            yield
        finally:
            self._cluster.remove_node(node, allow_graceful=False)

    def _started(self, **environment: str) -> object:
        return self._cluster.add_node(num_cpus=1, object_store_memory=_MEMORY, env_vars=environment)
