"""Engines: who fills the slots of a run. Whoever does, slots come in order and with the same content.

Each module of this package is an engine of its own name, and offers ``engine(workers, address)``, which makes one.
Another is added by adding its file.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterator
from importlib import import_module
from pkgutil import iter_modules
from typing import Protocol

from dtomtrack.errors import InputError
from dtomtrack.options import check_range
from dtomtrack.runs.job import Work
from dtomtrack.runs.slot_lines import SlotLines
from dtomtrack.runs.workplace import Workplace

__all__ = ["Engine", "choose_engine", "engine_names", "open_engine", "refuse_address"]


class Engine(Protocol):
    """Works on jobs."""

    def map(
        self, job: Work, slots: range, place: Workplace, materials: Iterator[object] | None = None
    ) -> AsyncGenerator[SlotLines, None]:
        """The lines of slots, in their order.

        Args:
            place: this process; its totals are those of all processes that the engine has.
            materials: what has to be known of each slot beside its number; where they end, so do the slots.

        Raises:
            WorkerError: a process died.
        """
        ...


def engine_names() -> list[str]:
    """The names of all engines."""
    return sorted(module.name for module in iter_modules(__path__))


def open_engine(name: str, workers: int | None = None, address: str | None = None) -> Engine:
    """An engine by name.

    Args:
        workers: processes that work; None leaves it to the engine.
        address: of the cluster, for an engine that works on one.

    Raises:
        InputError: there is none of this name, it can't have so many workers, or it has no use for an address.
    """
    if name not in engine_names():
        raise InputError(f"engine {name!r}: there is none of this name; there are {', '.join(engine_names())}")
    if workers is not None:
        check_range("workers", workers, 1)
    engine: Engine = import_module(f"{__name__}.{name}").engine(workers, address)
    return engine


def choose_engine(name: str | None, workers: int | None, address: str | None = None) -> Engine:
    """An engine by name; without one, a Ray cluster where there is an address, or worker processes for several.

    Raises:
        InputError: there is none of this name, it can't have so many workers, or has no use for an address.
    """
    if name is None:
        name = "ray" if address is not None else "processes" if (workers or 1) > 1 else "local"
    return open_engine(name, workers, address)


def refuse_address(name: str, address: str | None) -> None:
    """See that an engine of this machine is given no address.

    Raises:
        InputError: it is.
    """
    if address is not None:
        raise InputError(f"--ray-address {address}: is for --engine ray; the engine {name} works on this machine")
