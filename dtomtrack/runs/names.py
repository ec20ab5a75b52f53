"""Names of models and subjects as names of folders."""

from __future__ import annotations

__all__ = ["folder_name"]


def folder_name(label: str) -> str:
    """A name by others as the name of a folder: nothing in it leads elsewhere."""
    kept = "".join(character if character.isalnum() or character in "-_." else "_" for character in label)
    return kept.strip(".")[:120] or "model"
