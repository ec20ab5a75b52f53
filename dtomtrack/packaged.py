"""YAML files that come with the package."""

from __future__ import annotations

from importlib import resources
from typing import Any

import yaml

__all__ = ["packaged_yaml"]

_Loader: type[yaml.SafeLoader] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""In C, more than ten times as fast, if there."""


def packaged_yaml(package: str, *path: str) -> Any:
    """What a file holds, by its package and its path in it."""
    text = resources.files(package).joinpath(*path).read_text(encoding="utf-8")
    return yaml.load(text, Loader=_Loader)  # noqa: S506 - a safe loader, and a file of our own
