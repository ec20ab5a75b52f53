"""Packages that libraries import whole for one thing in them: loaded once something else of them is asked for."""

from __future__ import annotations

import sys
from importlib.util import find_spec, module_from_spec

__all__ = ["load_late"]


def load_late(package: str) -> None:
    """Have a package's own code run when something is first taken from it, not when a module in it is imported.

    Args:
        package: its name, in another package. Nothing happens where it is not installed, or loaded already.
    """
    try:
        spec = None if package in sys.modules else find_spec(package)
    except ModuleNotFoundError:
        # nor is the package that it is in
        return
    if spec is None or spec.loader is None:
        return
    loader, module = spec.loader, module_from_spec(spec)

    def load(name: str) -> object:
        del module.__dict__["__getattr__"]
        loader.exec_module(module)
        return getattr(module, name)

    module.__dict__["__getattr__"] = load
    sys.modules[package] = module
    parent, _, child = package.rpartition(".")
    setattr(sys.modules[parent], child, module)
