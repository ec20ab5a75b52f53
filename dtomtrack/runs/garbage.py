"""Python's search for cyclic garbage, while a run goes on or modules are loaded."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["rare_collections"]

_TIMES_RARER = 20
_users = 0
_usual = gc.get_threshold()


@contextmanager
def rare_collections() -> Iterator[None]:
    """Search for cyclic garbage more rarely meanwhile.

    A run makes little of it, and each search looks through all that lives: an eighth of the processor time, and a
    fifth of what loading modules takes. Several may ask for it at a time; with the last, searches are again as often
    as before.
    """
    global _usual, _users
    if not _users:
        _usual = gc.get_threshold()
        gc.set_threshold(_usual[0] * _TIMES_RARER, *_usual[1:])
    _users += 1
    try:
        yield
    finally:
        _users -= 1
        if not _users:
            gc.set_threshold(*_usual)
