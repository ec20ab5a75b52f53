"""The suites that there are, by name, and whose dataset a folder is."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path

from dtomtrack.errors import InputError
from dtomtrack.runs.folder import MANIFEST, read_manifest
from dtomtrack.suites.suite import Suite

__all__ = ["register", "suite_named", "suite_names", "suite_of"]

_BUILT_IN = {
    "dtom": "dtomtrack.suites.dtom.suite",
    "items": "dtomtrack.suites.items.suite",
    "persuasivetom": "dtomtrack.suites.persuasivetom.suite",
    "rectom": "dtomtrack.suites.rectom.suite",
    "tomelp": "dtomtrack.suites.tomelp.suite",
    "trajectories": "dtomtrack.suites.trajectories.suite",
}
"""The module of each suite; it offers the suite as ``SUITE``."""
_ADDED: dict[str, Callable[[], Suite]] = {}


def register(name: str, make: Callable[[], Suite]) -> None:
    """Add a suite of one's own for this process.

    Raises:
        InputError: there is one of this name.
    """
    if name in _BUILT_IN or name in _ADDED:
        raise InputError(f"there is a suite {name!r} already; choose another name")
    _ADDED[name] = make


def suite_names() -> list[str]:
    """The names of all suites."""
    return [*_BUILT_IN, *_ADDED]


def suite_named(name: str) -> Suite:
    """The suite of this name.

    Raises:
        InputError: there is none.
    """
    if name in _ADDED:
        return _ADDED[name]()
    if name not in _BUILT_IN:
        raise InputError(f"no suite {name!r}; there are {', '.join(suite_names())}")
    suite: Suite = import_module(_BUILT_IN[name]).SUITE
    return suite


def suite_of(folder: Path) -> Suite:
    """The suite whose dataset a folder is; without a manifest, DToM-Track's, which once was the only one.

    Raises:
        DatasetError: the manifest is damaged.
        InputError: the dataset is of a suite that is not known here.
    """
    manifest = read_manifest(folder) if folder.is_dir() else None
    name = "dtom" if manifest is None else manifest.suite
    if name not in suite_names():
        there = ", ".join(suite_names())
        raise InputError(f"{folder / MANIFEST}: is of suite {name!r}, which is not known here; there are {there}")
    return suite_named(name)
