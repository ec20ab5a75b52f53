"""Names of models and subjects as names of folders."""

from __future__ import annotations

import hashlib

__all__ = ["distinct_folder_name", "folder_name"]

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
    return f"{name[:100]}-{hashlib.sha256(label.encode()).hexdigest()[:8]}"
