"""Names of models and subjects as names of folders."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path

__all__ = ["digested_folder_name", "distinct_folder_name", "folder_name", "folder_of"]

_LONGEST = 200
"""Bytes: file systems take 255."""


def folder_name(label: str) -> str:
    """A name by others as the name of a folder: nothing in it leads elsewhere."""
    kept = "".join(character if character.isalnum() or character in "-_." else "_" for character in label)
    kept = kept.strip(".")[:120].encode()[:_LONGEST].decode("utf-8", "ignore")
    return kept or "model"


def distinct_folder_name(label: str) -> str:
    """A name of a folder that no other label has: with a digest where the label had more in it than one slash."""
    name = folder_name(label)
    if name == label.replace("/", "_", 1):
        return name
    return digested_folder_name(label)


def digested_folder_name(label: str) -> str:
    """A name of a folder with a digest of the label behind it."""
    return f"{folder_name(label)[:100]}-{hashlib.sha256(label.encode()).hexdigest()[:8]}"


def folder_of(label: str, usual: Path, digested: Path, owner: Callable[[Path], str | None]) -> Path:
    """The folder of a label: the usual one, or the one with a digest where somebody of a like name has that.

    Args:
        owner: the label that a folder is of; None where it is nobody's.
    """
    whose = owner(usual)
    if whose == label or (whose is None and owner(digested) != label):
        return usual
    return digested
